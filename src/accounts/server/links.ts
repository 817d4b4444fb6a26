import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { deleteMailsOf } from '../../mail/server/mail.ts'
import { resetMinutes, verificationHours } from '../contract.ts'
import type { AccountRoom } from './room.ts'
import { hashToken } from './sessions.ts'
import * as store from './store.ts'

export { subscribersWithLink } from './store.ts'

const minutes: Record<store.LinkPurpose, number> = {
  verify: verificationHours * 60,
  change_email: verificationHours * 60,
  newsletter: verificationHours * 60,
  reset: resetMinutes,
}

/**
 * Creates a link for a mail; its token is `tokenOf` its id. Only the newest reset link works: a new one deletes the earlier ones
 * with their unsent mails.
 */
export async function makeLink(
  { clock, keyring }: Pick<AccountRoom, 'clock' | 'keyring'>,
  db: Sql,
  link: {
    purpose: store.LinkPurpose
    accountId?: string
    subscriberId?: string
    newEmail?: string
    sessionId?: string
  },
): Promise<string> {
  const now = clock.now()
  const linkId = newId()
  if (link.purpose === 'reset') {
    // Lock the account, or two links created at the same moment would both stay.
    await store.lockAccount(db, link.accountId!)
    await store.deleteLinks(db, link.accountId!, ['reset'])
  }
  await store.insertLink(db, {
    link_id: linkId,
    token_hash: hashToken(tokenOf(keyring, linkId)),
    purpose: link.purpose,
    account_id: link.accountId,
    subscriber_id: link.subscriberId,
    new_email: link.newEmail,
    session_id: link.sessionId,
    created_at: asDate(now),
    expires_at: asDate(now.add({ minutes: minutes[link.purpose] })),
  })
  return linkId
}

/** Starts the lifetime of a link when its mail is sent. Does nothing if the link is gone. */
export async function letLinkBegin({ db, clock }: Pick<AccountRoom, 'db' | 'clock'>, linkId: string): Promise<void> {
  const purpose = await store.findLinkPurpose(db, linkId)
  if (purpose) await store.setLinkExpiry(db, linkId, asDate(clock.now().add({ minutes: minutes[purpose] })))
}

/**
 * Takes a newsletter link, which works once. `before` runs first: it locks the subscriber before the link, in the same order as
 * unsubscribing does. @returns false: the link is used or expired
 */
export async function takeSubscriberLink(
  trx: Sql,
  token: string,
  now: Date,
  before: (subscriberId: string) => Promise<void>,
): Promise<boolean> {
  const known = await store.findLink(trx, hashToken(token), now)
  if (known?.subscriber_id) await before(known.subscriber_id)
  return (await store.takeLink(trx, hashToken(token), ['newsletter'], now)) !== undefined
}

/** Cancels a pending change of the address, also if its mail is still a queued request. */
export async function dropEmailChange(trx: Sql, accountId: string): Promise<void> {
  await store.deleteLinks(trx, accountId, ['change_email'])
  await deleteMailsOf(trx, accountId, ['email_wish', 'change_email'])
}

/**
 * The token of a link, which may have been made with an earlier key. If that key is unknown here (another instance has a newer
 * secret, or the earlier one was removed), the link gets a new token: its mail has not been sent yet. @returns null: the link is gone
 */
export async function tokenOfMade(keyring: Keyring, db: Sql, linkId: string): Promise<string | null> {
  const made = await store.findLinkHash(db, linkId)
  if (!made) return null
  const tokens = keyring.macs('mailed links', linkId).map((mac) => mac.toString('base64url'))
  const found = tokens.find((token) => hashToken(token).equals(made))
  if (found) return found
  const token = tokenOf(keyring, linkId)
  return (await store.replaceLinkHash(db, linkId, made, hashToken(token))) ? token : null
}

/** 256 bits that only this installation can derive from the id; stored nowhere. */
export function tokenOf(keyring: Keyring, linkId: string): string {
  return keyring.mac('mailed links', linkId).toString('base64url')
}
