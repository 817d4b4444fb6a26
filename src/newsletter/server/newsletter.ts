import { timingSafeEqual } from 'node:crypto'
import { linkInvalid, type AccountLanguage } from '../../accounts/contract.ts'
import {
  addressKey,
  emailKey,
  refuseIfWaiting,
  subscribersWithLink,
  takeSubscriberLink,
  type From,
  type NewsletterSetting,
} from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { House } from '../../kit/server/room.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { deleteMailsOf, queueMail } from '../../mail/server/mail.ts'
import * as store from './store.ts'

export interface NewsletterRoom extends Pick<House, 'db' | 'clock' | 'jobs' | 'keyring' | 'texts'> {
  festivalName: string
  limits: {
    /** Per network address. */
    requests: Limiter
    /** Mails with a link, per email address. */
    mails: Limiter
  }
}

/** Queues a mail with a confirmation link; the newsletter starts once the link is opened. @throws `too_many_requests` */
export async function subscribe(
  room: NewsletterRoom,
  request: { email: string; language: AccountLanguage | undefined },
  from: From,
): Promise<void> {
  await refuseTooManyRequests(room, from)
  await room.db.transaction().execute((trx) => queueRequest(room, trx, request, from))
}

/** Takes a second connection, so call it before a transaction, never inside one. @throws `too_many_requests` */
async function refuseTooManyRequests({ limits, keyring }: NewsletterRoom, from: From): Promise<void> {
  refuseIfWaiting(await limits.requests.take(addressKey(keyring, from.address)))
}

/** Queues the request in the caller's transaction. With `accountId` it is deleted together with the account. */
async function queueRequest(
  room: NewsletterRoom,
  trx: Sql,
  request: { email: string; language: AccountLanguage | undefined; accountId?: string },
  from: From,
): Promise<void> {
  const locale = request.language ?? from.locale
  await queueMail(room, trx, {
    kind: 'newsletter_wish',
    email: request.email.trim(),
    locale,
    origin: from.origin,
    ...(request.accountId ? { accountId: request.accountId } : {}),
  })
}

/** Counts a mail with a link towards the budget of the address. @returns 0, or the seconds to wait */
export function takeMail({ limits, keyring }: NewsletterRoom, emailFolded: string): Promise<number> {
  return limits.mails.take(`reader:${emailKey(keyring, emailFolded)}`)
}

/** @throws `link_invalid` */
export async function confirm({ db, clock }: NewsletterRoom, token: string): Promise<null> {
  const now = asDate(clock.now())
  return db.transaction().execute(async (trx) => {
    const isTaken = await takeSubscriberLink(trx, token, now, (id) => store.confirmSubscriber(trx, id, now))
    if (!isTaken) throw new Refusal(linkInvalid)
    return null
  })
}

/** Safe to repeat. @throws `link_invalid` for a token that this installation did not sign */
export async function unsubscribe({ db, keyring }: NewsletterRoom, token: string): Promise<null> {
  const subscriberId = token.split('.', 1)[0]!
  const given = Buffer.from(token)
  const isOurs = unsubscribeTokens(keyring, subscriberId)
    .map((each) => Buffer.from(each))
    .some((expected) => given.length === expected.length && timingSafeEqual(given, expected))
  if (!isUuid(subscriberId) || !isOurs) throw new Refusal(linkInvalid)
  await store.deleteSubscriber(db, subscriberId)
  return null
}

/** Tokens that end this subscription: its id signed with each key of the installation, the current key first. They never expire. */
export function unsubscribeTokens(keyring: Keyring, subscriberId: string): string[] {
  return keyring.macs('unsubscribe', subscriberId).map((mac) => `${subscriberId}.${mac.toString('base64url')}`)
}

/** The newsletter switch in the settings of an account. */
export function settingOf(room: NewsletterRoom): NewsletterSetting {
  return {
    isOn: store.isSubscribed,
    refuseTooMany: (from) => refuseTooManyRequests(room, from),
    async set(trx, { on, accountId, email, language, isOwner }, from) {
      if (!isOwner) {
        // Nobody has confirmed that the address is theirs: subscribing and unsubscribing both need a link from a mail to it.
        if (on) await queueRequest(room, trx, { email, language, accountId }, from)
        return
      }
      const emailFolded = foldEmail(email)
      if (!on) return store.deleteSubscriberByEmail(trx, emailFolded)
      const now = asDate(room.clock.now())
      const subscriber = { subscriber_id: newId(), email, email_folded: emailFolded, language, now }
      const { subscriber_id } = await store.subscribe(trx, subscriber, 'owner')
      await store.confirmSubscriber(trx, subscriber_id, now)
    },
    move: (trx, old, to) => store.moveSubscriber(trx, old, to, asDate(room.clock.now())),
    dropRequests: (trx, accountId) => deleteMailsOf(trx, accountId, ['newsletter_wish']),
  }
}

const unconfirmedDays = 7
const stepSize = 2000

/** Deletes subscribers who did not confirm for a week, unless their link still works: its mail may have left late. Run daily. */
export async function deleteUnconfirmed({ db, clock }: Pick<NewsletterRoom, 'db' | 'clock'>): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: unconfirmedDays * 24 }))
  await inSteps(stepSize, async ({ after, limit }) => {
    const ids = await store.unconfirmedBefore(db, before, after, limit)
    const linked = await subscribersWithLink(db, ids)
    const ended = ids.filter((id) => !linked.has(id))
    await store.deleteUnconfirmed(db, ended)
    return ids
  })
}
