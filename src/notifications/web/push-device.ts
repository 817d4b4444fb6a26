import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { subscribeToPush, unsubscribeFromPush } from './calls.ts'

/** `none`: this browser cannot. `waiting`: the site is not installed in it yet. `denied`: its settings forbid it. */
export type PushState = 'none' | 'waiting' | 'denied' | 'off' | 'on'

/** A page registers the worker some seconds after it has come alive, ms. */
const workerPatienceMs = 15_000

/** undefined: it is not there yet, or the site has switched it off. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, workerPatienceMs))
  const registration = await navigator.serviceWorker.getRegistration()
  // one that is still being installed takes no pushes
  return registration?.active ? registration : Promise.race([navigator.serviceWorker.ready, tooLate])
}

/** Waits however long it takes. */
export const isInstalled = (): Promise<unknown> => navigator.serviceWorker.ready

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'none'
  const registration = await worker()
  if (!registration) return 'waiting'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await registration.pushManager.getSubscription()
  if (!subscription) return 'off'
  // a session that ended by itself took the server's part with it
  const refused = await tellServer(subscription)
  const isUnknown = refused !== null && (refused.status === 0 || refused.status === 401 || refused.status >= 429)
  if (!refused || isUnknown) return 'on'
  await subscription.unsubscribe()
  return 'off'
}

async function tellServer(subscription: PushSubscription, as: 'action' | 'background' = 'background') {
  const { endpoint, keys } = subscription.toJSON()
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
  return (await ask(callByFetch, subscribeToPush, { as, body })).refused
}

/** Asks for the permission, so only upon a tap. False where the server could not be told. */
export async function switchPushOn(key: string): Promise<boolean> {
  const registration = await worker()
  if (!registration || (await Notification.requestPermission()) !== 'granted') return true
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const refused = await tellServer(subscription, 'action')
  // one that the server does not know would be shown as on
  if (refused) await subscription.unsubscribe()
  return !refused
}

/** The browser takes no more; the server is told, and else hears of it with the next push. */
export async function switchPushOff(): Promise<boolean> {
  const subscription = await (await worker())?.pushManager.getSubscription()
  if (!subscription) return true
  const { endpoint } = subscription
  await subscription.unsubscribe()
  await ask(callByFetch, unsubscribeFromPush, { as: 'action', body: { endpoint } })
  return true
}
