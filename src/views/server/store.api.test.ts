import { expect, it } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { appForTest } from '../../../test/start-app.ts'
import { countedBusinesses } from '../../businesses/server/personal-data.ts'
import { countedDeals } from '../../deals/server/personal-data.ts'
import { newId } from '../../kit/server/ids.ts'
import { countViews, everyHourOf } from './store.ts'
import { forgetVisitors } from './views.ts'

const limits = { windowMinutes: 30, countedPerWindow: 10, countedPerAddress: 200 }

it('views counted after their page was deleted are deleted with the hashes of their visitors', async () => {
  const { db } = await appForTest()
  const cafe = await addBusiness(db, 'Café Rhein')
  const deal = await addDeal(db, cafe, 'Coffee')
  const ids = [cafe, newId(), deal, newId()]
  const views = ids.map((subjectId, n) => ({
    kind: n < 2 ? 'business' : 'deal',
    subjectId,
    visitor: Buffer.from([n]),
    address: Buffer.from([n, 0]),
    views: 1,
  }))
  await countViews(db, views, new Date('2026-06-20T17:30:00Z'), limits)
  const at = (now: string) => ({ db, clock: { now: () => Temporal.Instant.from(now) } })
  await forgetVisitors(at('2026-06-22T18:00:00Z'), [countedBusinesses, countedDeals])
  const left = [...(await everyHourOf(db, 'business', ids)), ...(await everyHourOf(db, 'deal', ids))]
  expect(left.map(({ subject_id }) => subject_id)).toEqual([cafe, deal])
  expect(await db.selectFrom('view_visits').selectAll().execute()).toEqual([])
})
