import { pushTapMessage } from '../../kit/browser/on-return.ts'

/** The part of a service worker's global scope that pushes use: types of pages and workers cannot be mixed. */
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
    // A push that replaces an earlier one is new information, so it sounds again.
    const again = tag ? { tag, renotify: true } : {}
    const options = { body, icon: '/icon-192.png', badge: '/icon-192.png', data: { path }, ...again }
    // Browsers end a subscription whose pushes show nothing.
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
  // The open page may be older than the push: it loads its data again.
  shown.postMessage(pushTapMessage)
}

/** Unreadable fields get defaults, so that every push shows something. */
function contentOf(data: PushArrived['data']) {
  let content: Record<string, unknown> = {}
  try {
    const json = data?.json()
    if (typeof json === 'object' && json !== null) content = json as Record<string, unknown>
  } catch {
    // Not JSON: shown with the defaults.
  }
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' && value ? value : otherwise)
  return {
    title: text(content['title'], 'Rheinklang'),
    body: text(content['body'], ''),
    tag: text(content['tag'], ''),
    path: pathOf(content['path']),
  }
}

/** Any other path leads to the list of notifications. */
const pathOf = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/notifications'
