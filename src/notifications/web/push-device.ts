import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { mapsAppOf } from '../../kit/browser/directions.ts'
import { pushOwnerKey } from '../../kit/browser/offline-caches.ts'
import { singleFlight } from '../../kit/browser/once.ts'
import { getMe } from '../../accounts/contract.ts'
import { currentSession, storeInSession } from '../../accounts/web/session.ts'
import { subscribeToPush, unsubscribeFromPush } from '../contract.ts'
import { pushRegistered, storedOwner } from './follow-pushes.ts'

/**
 * `none`: this browser has no pushes. `outdated`: this version of iOS has none. `notAdded`: this iPhone has them once the site is
 * on its home screen. `waiting`: no service worker is installed yet. `denied`: the browser's settings forbid pushes.
 */
export type PushState = 'none' | 'outdated' | 'notAdded' | 'waiting' | 'denied' | 'off' | 'on'

/** Longest wait for the service worker: a page registers it only some seconds after loading. */
const workerPatienceMs = 15_000

/** The active service worker. @returns undefined: not installed in time, or this site has none */
async function activeWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, workerPatienceMs))
  const registration = await navigator.serviceWorker.getRegistration()
  // A worker that is still being installed cannot subscribe.
  return registration?.active ? registration : Promise.race([navigator.serviceWorker.ready, tooLate])
}

/** Resolves once the service worker is active, without a timeout. */
export const isInstalled = (): Promise<unknown> => navigator.serviceWorker.ready

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return whyNoPush()
  const registration = await activeWorker()
  if (!registration) return 'waiting'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await registration.pushManager.getSubscription()
  if (!subscription) return 'off'
  return (await registerOwn(subscription)) ? 'on' : 'off'
}

/** iPhones and iPads have pushes only for sites on the home screen, since iOS 16.4. An iPad may report itself as a Mac. */
function whyNoPush(): PushState {
  if (mapsAppOf(navigator) !== 'apple') return 'none'
  const [, major, minor] = /OS (\d+)_(\d+)/.exec(navigator.userAgent) ?? []
  if (Number(major) < 16 || (major === '16' && Number(minor) < 4)) return 'outdated'
  return matchMedia('(display-mode: standalone)').matches ? 'none' : 'notAdded'
}

/** Ends pushes in this browser without telling the server. */
async function endSubscription(subscription: PushSubscription): Promise<void> {
  localStorage.removeItem(pushOwnerKey)
  await subscription.unsubscribe()
}

/**
 * After a login: registers this browser's push subscription again, because the server deletes subscriptions with their session.
 * Called at every session change; calls during a run share its result.
 */
export const renewPushes = singleFlight(async (): Promise<void> => {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await registerOwn(subscription)
})

/** Registers the subscription for its owner. @returns false: it belonged to another account or was refused, and was ended */
async function registerOwn(subscription: PushSubscription): Promise<boolean> {
  const { answer } = await ask(callByFetch, getMe, { as: 'background' })
  // Offline, or the session just ended: keep the subscription.
  if (!answer?.body.account_id) return true
  const { account_id } = answer.body
  const isOfOtherAccount = (storedOwner() ?? account_id) !== account_id
  const refused = isOfOtherAccount ? null : await register(subscription, account_id)
  const isTemporary = refused !== null && (refused.status === 0 || refused.status === 401 || refused.status >= 429)
  if (!isOfOtherAccount && (!refused || isTemporary)) return true
  await endSubscription(subscription)
  return false
}

async function register(subscription: PushSubscription, owner: string, as: 'action' | 'background' = 'background') {
  const { endpoint, keys } = subscription.toJSON()
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
  const { refused } = await ask(callByFetch, subscribeToPush, { as, body })
  // Not after a logout in the meantime: the next person at this browser would find a stored owner.
  if (!refused && owner && currentSession() !== 'guest') storeOwner(owner)
  return refused
}

function storeOwner(owner: string) {
  try {
    localStorage.setItem(pushOwnerKey, owner)
    storeInSession({ [pushRegistered]: 'yes' })
  } catch {
    // Storage is blocked: the next visit of the settings registers the subscription again.
  }
}

/** Shows the browser's permission prompt, so it must be called from a tap. @returns false: the server could not be reached */
export async function switchPushOn(key: string): Promise<boolean> {
  const registration = await activeWorker()
  if (!registration || (await Notification.requestPermission()) !== 'granted') return true
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { answer } = await ask(callByFetch, getMe, { as: 'action' })
  const isRegistered = answer !== null && !(await register(subscription, answer.body.account_id, 'action'))
  // The switch shows "on" for every subscription, so one that the server does not know must end.
  if (!isRegistered) await endSubscription(subscription)
  return isRegistered
}

/** Ends pushes in this browser and tells the server. If telling fails, the server learns it when its next push is refused. */
export async function switchPushOff(): Promise<boolean> {
  const subscription = await (await activeWorker())?.pushManager.getSubscription()
  if (!subscription) return true
  const { endpoint } = subscription
  await endSubscription(subscription)
  await ask(callByFetch, unsubscribeFromPush, { as: 'action', body: { endpoint } })
  return true
}
