import { timingSafeEqual } from 'node:crypto'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { linkInvalid, type AccountLanguage } from '../contract.ts'
import { queueMail, unsubscribeTokens } from './mails.ts'
import { addressKey, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import { hashToken } from './sessions.ts'
import * as store from './store.ts'

/** Promises a mail with a link; nothing comes to an address that has not opened it. Throws `too_many_requests`. */
export async function subscribe(
  room: AccountRoom,
  wish: { email: string; language: AccountLanguage | undefined },
  from: From,
): Promise<void> {
  await refuseTooManyWishes(room, from)
  await room.db.transaction().execute((trx) => promiseLink(room, trx, wish, from))
}

/** Throws `too_many_requests`. Counts in a connection of its own, so it comes before a transaction and not within. */
export async function refuseTooManyWishes(room: AccountRoom, from: From): Promise<void> {
  refuseIfWaiting(await room.limits.newsletterWishes.take(addressKey(room.keyring, from.address)))
}

/** The mail with the link, as part of what else is changed. The wish of an account goes with the account. */
export async function promiseLink(
  room: AccountRoom,
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

/** Throws `link_invalid`. */
export async function confirm({ db, clock }: AccountRoom, token: string): Promise<null> {
  const now = asDate(clock.now())
  return db.transaction().execute(async (trx) => {
    const known = await store.findLink(trx, hashToken(token), now)
    // the subscriber before the link, as who ends the newsletter does
    if (known?.subscriber_id) await store.confirmSubscriber(trx, known.subscriber_id, now)
    if (!(await store.takeLink(trx, hashToken(token), ['newsletter'], now))) throw new Refusal(linkInvalid)
    return null
  })
}

/** Ends the newsletter; once more does no harm. Throws `link_invalid` for a token that is none of ours. */
export async function unsubscribe({ db, keyring }: AccountRoom, token: string): Promise<null> {
  const subscriberId = token.split('.', 1)[0]!
  const given = Buffer.from(token)
  const isOurs = unsubscribeTokens(keyring, subscriberId)
    .map((each) => Buffer.from(each))
    .some((expected) => given.length === expected.length && timingSafeEqual(given, expected))
  if (!isUuid(subscriberId) || !isOurs) throw new Refusal(linkInvalid)
  await store.deleteSubscriber(db, subscriberId)
  return null
}
