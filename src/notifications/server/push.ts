import { ECDH } from 'node:crypto'
import { findPerson } from '../../accounts/server/accounts.ts'
import type { Caller } from '../../kit/server/access.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { NotFetched } from '../../kit/server/outside.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { devicesAtMost, pushRefused } from '../contract.ts'
import { textOf, type NotificationRoom } from './room.ts'
import * as store from './store.ts'

/** Sends due pushes. Enqueued with each push, and run every minute for retries and quiet hours. */
export const sendPushesJob = 'send-pushes'

/** @throws `push_endpoint_refused` */
export async function subscribe(
  room: NotificationRoom,
  who: Caller,
  { endpoint, keys: { p256dh, auth } }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<null> {
  if (!isKey(p256dh) || !/^[\w-]{22}=*$/.test(auth) || !(await isAllowedEndpoint(room, endpoint)))
    throw new Refusal(pushRefused)
  const given = {
    subscription_id: newId(),
    account_id: who.accountId,
    session_id: who.sessionId,
    endpoint,
    p256dh,
    auth,
    created_at: asDate(room.clock.now()),
  }
  const isTaken = await room.db.transaction().execute((trx) => store.putSubscription(trx, given, devicesAtMost))
  if (!isTaken) throw new Refusal(pushRefused)
  return null
}

/** https outside of our network. Plain http works only for push services of tests on this machine. */
const isAllowedEndpoint = async ({ outside }: NotificationRoom, endpoint: string) =>
  (/^https:/i.test(endpoint) || URL.parse(endpoint)?.hostname === '127.0.0.1') &&
  (await outside.look(endpoint)) === 'outside'

/** Whether this is an uncompressed point of P-256. */
function isKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return /^B[\w-]{86}=?$/.test(p256dh)
  } catch {
    return false
  }
}

export async function unsubscribe({ db }: NotificationRoom, who: Caller, endpoint: string): Promise<null> {
  await store.deleteSubscription(db, who.accountId, endpoint)
  return null
}

const atOnce = 40
const timeoutMs = 10_000
/** A push that is being sent is locked this long. After a crash the retry begins then. */
const lockedForS = 60
const triesAtMost = 6
const firstPauseS = 30
const longestPauseS = 3600
/** A push service drops a push for a browser that is offline for longer. */
const ttlAtMostS = 24 * 3600

/** Each push is locked before it is sent, so that only one instance sends it. */
export async function sendDuePushes(room: NotificationRoom): Promise<void> {
  for (;;) {
    const now = room.clock.now()
    const until = asDate(now.add({ seconds: lockedForS }))
    const pushes = await store.claimPushes(room.db, { now: asDate(now), until, zone: room.zone }, atOnce)
    await Promise.all(pushes.map((push) => sendPush(room, push, until)))
    if (pushes.length < atOnce) return
  }
}

async function sendPush(room: NotificationRoom, push: store.PushRow, until: Date): Promise<void> {
  if ((await attemptPush(room, push, until)) === 'later') return
  await store.settleUnlisted(room.db, push.notification_id, asDate(room.clock.now()))
}

/** `later`: it failed and will be retried. `done`: sent, no longer needed, or given up. */
async function attemptPush(room: NotificationRoom, push: store.PushRow, until: Date): Promise<'done' | 'later'> {
  const now = room.clock.now().epochMilliseconds
  const person = await findPerson(room.db, push.account_id)
  const leftS = push.good_until ? Math.floor((push.good_until.getTime() - now) / 1000) : ttlAtMostS
  // Not needed: read in the meantime, expired, or the account is blocked.
  const isNeeded = push.read_at === null && leftS > 0 && person
  const result = isNeeded ? await post(room, push, person.language, Math.min(leftS, ttlAtMostS)) : 'done'
  if (result === 'gone') await store.deleteDevice(room.db, push.subscription_id)
  else if (result === 'done' || push.tries >= triesAtMost) await store.deletePush(room.db, push.push_id, until)
  else {
    const pauseS = Math.min(Math.max(firstPauseS * 2 ** (push.tries - 1), result.retryAfterS), longestPauseS)
    await store.postponePush(room.db, push.push_id, until, new Date(now + pauseS * 1000))
    return 'later'
  }
  return 'done'
}

/** `gone`: the browser has ended its subscription. */
type PushResult = 'done' | 'gone' | { retryAfterS: number }

async function post(room: NotificationRoom, push: store.PushRow, locale: string, ttlS: number): Promise<PushResult> {
  const { publicKey, privateKey, subject } = room.pushKeys
  // Loaded with the first push, to save memory in processes that send none.
  const { default: webPush } = await import('web-push')
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint: push.endpoint, keys: { p256dh: push.p256dh, auth: push.auth } },
      JSON.stringify(contentOf(room, push, locale)),
      {
        vapidDetails: { publicKey, privateKey, subject },
        TTL: ttlS,
        urgency: push.urgent ? 'high' : 'normal',
        // While the browser is offline, a newer push of the same notification replaces this one.
        topic: push.notification_id.replaceAll('-', ''),
      },
    )
    const answer = await room.outside.post(push.endpoint, { headers, body: body as Buffer }, { timeoutMs })
    if (answer.status >= 200 && answer.status < 300) return 'done'
    if (answer.status === 404 || answer.status === 410) return 'gone'
    if (answer.status === 429 || answer.status >= 500) return { retryAfterS: secondsOf(answer.retryAfter) }
    room.complain('A push service refuses pushes of this site.', { code: String(answer.status) })
    return 'done'
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    // 'internal': the host name now resolves into our own network.
    return error.message === 'internal' ? 'gone' : { retryAfterS: 0 }
  }
}

/** What the browser shows. `tag`: a newer push with the same tag replaces this one. */
const contentOf = (room: NotificationRoom, push: store.PushRow, locale: string) => ({
  title: room.festivalName,
  body: room.types[push.type]?.isPrivate
    ? room.texts.say(locale, `notices.${push.type}.push`, { count: push.count })
    : textOf(room, push, locale),
  path: push.path,
  tag: push.notification_id,
})

const secondsOf = (retryAfter: string | null) => (/^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0)
