import { expect, it, vi } from 'vitest'
import { receivePush, type PushScope } from './push-worker.ts'

it('a push that replaces an earlier one sounds again', () => {
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
  // Browsers refuse `renotify` without a tag.
  push({ title: 'Café Rhein' })
  expect(showNotification.mock.lastCall?.[1]).not.toHaveProperty('renotify')
})

it('a tap on a push shows the page that is already open, which loads its data again', async () => {
  const heard = new Map<string, (event: never) => void>()
  const said: string[] = []
  const shown = {
    url: 'https://example.org/myschedule',
    focus: async () => void said.push('focus'),
    postMessage: (message: string) => void said.push(message),
  }
  const scope = {
    addEventListener: (kind: string, told: (event: never) => void) => void heard.set(kind, told),
    location: { origin: 'https://example.org' },
    clients: { matchAll: async () => [shown], openWindow: async (url: string) => void said.push(url) },
  }
  receivePush(scope as unknown as PushScope)
  const tap = async (path: string) => {
    let work: Promise<unknown> | undefined
    const notification = { close: () => {}, data: { path } }
    heard.get('notificationclick')!({
      notification,
      waitUntil: (w: Promise<unknown>) => (work = w),
    } as unknown as never)
    await work
  }
  await tap('/myschedule')
  expect(said).toEqual(['focus', 'told-anew'])
  await tap('/deals')
  expect(said.at(-1)).toBe('https://example.org/deals')
})
