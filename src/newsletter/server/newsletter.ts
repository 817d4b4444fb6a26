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
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { deleteMailsOf, queueMail } from '../../mail/server/mail.ts'
import * as store from './store.ts'

export interface NewsletterRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  keyring: Keyring
  texts: Texts
  festivalName: string
  limits: {
    /** Wishes from one network address. */
    wishes: Limiter
    /** Mails with a link to one email address. */
    mails: Limiter
  }
}

/** Promises a mail with a link; nothing comes to an address that has not opened it. Throws `too_many_requests`. */
export async function subscribe(
  room: NewsletterRoom,
  wish: { email: string; language: AccountLanguage | undefined },
  from: From,
): Promise<void> {
  await refuseTooManyWishes(room, from)
  await room.db.transaction().execute((trx) => promiseLink(room, trx, wish, from))
}

/** Throws `too_many_requests`. Counts in a connection of its own, so it comes before a transaction and not within. */
async function refuseTooManyWishes({ limits, keyring }: NewsletterRoom, from: From): Promise<void> {
  refuseIfWaiting(await limits.wishes.take(addressKey(keyring, from.address)))
}

/** The mail with the link, as part of what else is changed. The wish of an account goes with the account. */
async function promiseLink(
  room: NewsletterRoom,
  trx: Sql,
  wish: { email: string; language: AccountLanguage | undefined; accountId?: string },
  from: From,
): Promise<void> {
  const locale = wish.language ?? from.locale
  await queueMail(room, trx, {
    kind: 'newsletter_wish',
    email: wish.email.trim(),
    locale,
    origin: from.origin,
    ...(wish.accountId ? { accountId: wish.accountId } : {}),
  })
}

/** Takes one from the budget of an email address for mails with a link; returns 0, or the seconds to wait. */
export function takeMail({ limits, keyring }: NewsletterRoom, emailFolded: string): Promise<number> {
  return limits.mails.take(`reader:${emailKey(keyring, emailFolded)}`)
}

/** Throws `link_invalid`. */
export async function confirm({ db, clock }: NewsletterRoom, token: string): Promise<null> {
  const now = asDate(clock.now())
  return db.transaction().execute(async (trx) => {
    const isTaken = await takeSubscriberLink(trx, token, now, (id) => store.confirmSubscriber(trx, id, now))
    if (!isTaken) throw new Refusal(linkInvalid)
    return null
  })
}

/** Ends the newsletter; once more does no harm. Throws `link_invalid` for a token that is none of ours. */
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

/** Good for as long as the subscription; made of its id with the installation's key, today's first. */
export function unsubscribeTokens(keyring: Keyring, subscriberId: string): string[] {
  return keyring.macs('unsubscribe', subscriberId).map((mac) => `${subscriberId}.${mac.toString('base64url')}`)
}

/** The newsletter in the settings of an account. */
export function settingOf(room: NewsletterRoom): NewsletterSetting {
  return {
    isOn: store.isSubscribed,
    refuseTooMany: (from) => refuseTooManyWishes(room, from),
    async set(trx, { on, accountId, email, language, isOwner }, from) {
      if (!isOwner) {
        // unsubscribing needs the link of a mail: nobody knows yet who owns this address
        if (on) await promiseLink(room, trx, { email, language, accountId }, from)
        return
      }
      const emailFolded = foldEmail(email)
      if (!on) return store.deleteSubscriberByEmail(trx, emailFolded)
      const now = asDate(room.clock.now())
      const wish = { subscriber_id: newId(), email, email_folded: emailFolded, language, now }
      const { subscriber_id } = await store.subscribe(trx, wish, 'owner')
      await store.confirmSubscriber(trx, subscriber_id, now)
    },
    move: (trx, old, to) => store.moveSubscriber(trx, old, to, asDate(room.clock.now())),
    dropWishes: (trx, accountId) => deleteMailsOf(trx, accountId, ['newsletter_wish']),
  }
}

const unconfirmedDays = 7
const forgottenAtOnce = 2000

/** Forgets who has not confirmed for a week; not while a link is good, whose mail may have waited. Run daily. */
export async function forgetUnconfirmed({ db, clock }: Pick<NewsletterRoom, 'db' | 'clock'>): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: unconfirmedDays * 24 }))
  await inSteps(forgottenAtOnce, async ({ after, limit }) => {
    const ids = await store.unconfirmedBefore(db, before, after, limit)
    const linked = await subscribersWithLink(db, ids)
    await store.deleteUnconfirmed(
      db,
      ids.filter((id) => !linked.has(id)),
    )
    return ids
  })
}
