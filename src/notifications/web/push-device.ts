import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { mapsAppOf } from '../../kit/browser/directions.ts'
import { pushOwnerKey } from '../../kit/browser/offline-caches.ts'
import { getMe } from '../../accounts/contract.ts'
import { currentSession, keepInSession } from '../../accounts/web/session.ts'
import { subscribeToPush, unsubscribeFromPush } from '../contract.ts'
import { pushTold, storedOwner } from './follow-pushes.ts'

/**
 * `none`: this browser cannot. `outdated`: this iPhone cannot. `notAdded`: this iPhone can once the site is on its home screen.
 * `waiting`: the site is not installed in the browser yet. `denied`: its settings forbid it.
 */
export type PushState = 'none' | 'outdated' | 'notAdded' | 'waiting' | 'denied' | 'off' | 'on'

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
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return whyNoPush()
  const registration = await worker()
  if (!registration) return 'waiting'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await registration.pushManager.getSubscription()
  if (!subscription) return 'off'
  return (await tellOwn(subscription)) ? 'on' : 'off'
}

/** iPhones and iPads give pushes to sites on their home screen alone, and only since iOS 16.4; an iPad may call itself a Mac. */
function whyNoPush(): PushState {
  if (mapsAppOf(navigator) !== 'apple') return 'none'
  const [, major, minor] = /OS (\d+)_(\d+)/.exec(navigator.userAgent) ?? []
  if (Number(major) < 16 || (major === '16' && Number(minor) < 4)) return 'outdated'
  return matchMedia('(display-mode: standalone)').matches ? 'none' : 'notAdded'
}

/** This browser takes no more pushes. */
async function end(subscription: PushSubscription): Promise<void> {
  localStorage.removeItem(pushOwnerKey)
  await subscription.unsubscribe()
}

let telling: Promise<unknown> | null = null

/** Tells the server of the subscription that this browser has still, once for each session of its owner. */
export function tellPushesAgain(): Promise<unknown> {
  const tell = async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const subscription = await registration?.pushManager.getSubscription()
    if (subscription) await tellOwn(subscription)
  }
  telling ??= tell().finally(() => (telling = null))
  return telling
}

/** A session that ended by itself took the server's part with it. False: it was somebody else's, or is refused, and has ended. */
async function tellOwn(subscription: PushSubscription): Promise<boolean> {
  const { answer } = await ask(callByFetch, getMe, { as: 'background' })
  // nobody knows who asks
  if (!answer?.body.account_id) return true
  const { account_id } = answer.body
  const isOthers = (storedOwner() ?? account_id) !== account_id
  const refused = isOthers ? null : await tellServer(subscription, account_id)
  const isUnknown = refused !== null && (refused.status === 0 || refused.status === 401 || refused.status >= 429)
  if (!isOthers && (!refused || isUnknown)) return true
  await end(subscription)
  return false
}

async function tellServer(subscription: PushSubscription, owner: string, as: 'action' | 'background' = 'background') {
  const { endpoint, keys } = subscription.toJSON()
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
  const { refused } = await ask(callByFetch, subscribeToPush, { as, body })
  // who has logged out meanwhile leaves nothing here
  if (!refused && owner && currentSession() !== 'guest') noteOwner(owner)
  return refused
}

function noteOwner(owner: string) {
  try {
    localStorage.setItem(pushOwnerKey, owner)
    keepInSession({ [pushTold]: 'yes' })
  } catch {
    // storage is shut: then the settings tell it anew
  }
}

/** Asks for the permission, so only upon a tap. False where the server could not be told. */
export async function switchPushOn(key: string): Promise<boolean> {
  const registration = await worker()
  if (!registration || (await Notification.requestPermission()) !== 'granted') return true
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { answer } = await ask(callByFetch, getMe, { as: 'action' })
  const isTold = answer !== null && !(await tellServer(subscription, answer.body.account_id, 'action'))
  // one that the server does not know would be shown as on
  if (!isTold) await end(subscription)
  return isTold
}

/** The browser takes no more; the server is told, and else hears of it with the next push. */
export async function switchPushOff(): Promise<boolean> {
  const subscription = await (await worker())?.pushManager.getSubscription()
  if (!subscription) return true
  const { endpoint } = subscription
  await end(subscription)
  await ask(callByFetch, unsubscribeFromPush, { as: 'action', body: { endpoint } })
  return true
}
