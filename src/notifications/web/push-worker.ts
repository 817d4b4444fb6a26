import { pushTapMessage } from '../../kit/browser/on-return.ts'

/** What a service worker needs for pushes, so that the types of pages and workers need not be mixed. */
export interface PushScope {
  addEventListener(kind: 'push', heard: (event: PushArrived) => void): void
  addEventListener(kind: 'notificationclick', heard: (event: NotificationTapped) => void): void
  registration: { showNotification(title: string, options: PushOptions): Promise<void> }
  location: { origin: string }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PushWindow[]>
    openWindow(url: string): Promise<unknown>
  }
}

interface PushOptions extends NotificationOptions {
  renotify?: boolean
}

interface PushWindow {
  url: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

interface PushArrived {
  data: { json(): unknown } | null
  waitUntil(work: Promise<unknown>): void
}

interface NotificationTapped {
  notification: { close(): void; data: unknown }
  waitUntil(work: Promise<unknown>): void
}

/** Shows pushes of this site and opens their page; called once by the service worker. */
export function receivePush(self: PushScope): void {
  self.addEventListener('push', (event) => {
    const { title, body, tag, path } = contentOf(event.data)
    // what takes the place of an earlier one is news all the same: it sounds again
    const again = tag ? { tag, renotify: true } : {}
    const options = { body, icon: '/icon-192.png', badge: '/icon-192.png', data: { path }, ...again }
    // a browser that is shown nothing ends the subscription
    event.waitUntil(self.registration.showNotification(title, options))
  })
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(self, pathOf((event.notification.data as { path?: unknown } | null)?.path)))
  })
}

async function open(self: PushScope, path: string): Promise<void> {
  const address = self.location.origin + path
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === address)
  if (!shown) return void (await self.clients.openWindow(address))
  await shown.focus()
  // the page may be older than what was told
  shown.postMessage(pushTapMessage)
}

/** Tolerant: what cannot be read still says that there is something. */
function contentOf(data: PushArrived['data']) {
  let said: Record<string, unknown> = {}
  try {
    const json = data?.json()
    if (typeof json === 'object' && json !== null) said = json as Record<string, unknown>
  } catch {
    // shown without its words
  }
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' && value ? value : otherwise)
  return {
    title: text(said['title'], 'Rheinklang'),
    body: text(said['body'], ''),
    tag: text(said['tag'], ''),
    path: pathOf(said['path']),
  }
}

/** Only pages of this site. */
const pathOf = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/notifications'
