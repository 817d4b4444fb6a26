import { expect, it, vi } from 'vitest'
import { receivePush, type PushScope } from './push-worker.ts'

it('a push that takes the place of an earlier one sounds again', () => {
  const showNotification = vi.fn<PushScope['registration']['showNotification']>(async () => {})
  const heard = new Map<string, (event: never) => void>()
  const scope = {
    addEventListener: (kind: string, told: (event: never) => void) => void heard.set(kind, told),
    registration: { showNotification },
  }
  receivePush(scope as unknown as PushScope)
  const push = (content: object) =>
    heard.get('push')!({ data: { json: () => content }, waitUntil: () => {} } as unknown as never)
  push({ title: 'Café Rhein', tag: 'deals-of:1', path: '/deals' })
  expect(showNotification.mock.lastCall?.[1]).toMatchObject({ tag: 'deals-of:1', renotify: true })
  // without a tag a browser refuses it
  push({ title: 'Café Rhein' })
  expect(showNotification.mock.lastCall?.[1]).not.toHaveProperty('renotify')
})
