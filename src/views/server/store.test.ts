import { expect, it } from 'vitest'
import { appForTest } from '../../../test/start-app.ts'
import { newId } from '../../kit/server/ids.ts'
import { countViews, viewsIn } from './store.ts'

it('a batch of views that was counted without an answer counts once, however often it is tried', async () => {
  const { db } = await appForTest()
  const now = new Date('2026-06-20T17:30:00Z')
  const hour = new Date('2026-06-20T17:00:00Z')
  const subjectId = newId()
  const of = (visitor: number) => ({
    id: newId(),
    hour,
    views: [
      { kind: 'deal', subjectId, visitor: Buffer.from([visitor]), address: Buffer.from([visitor, 0]), hour, views: 2 },
    ],
  })
  const limits = { windowMinutes: 30, countedPerWindow: 10, countedPerAddress: 200 }
  const [first, second] = [of(1), of(2)]
  for (const batch of [first, first, second, first]) await countViews(db, batch, now, limits)
  expect(await viewsIn(db, 'deal', [subjectId], hour, now)).toEqual({ views: 4, visitors: 2 })
})
