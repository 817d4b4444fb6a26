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
 * Makes a link for a mail; its token is `tokenOf` the id. Of reset links only the newest works: a new one deletes those
 * before it, together with their unsent mails.
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
    // locked, or two made in the same moment would not see each other
    await store.lockAccount(db, link.accountId!)
    await store.deleteLinks(db, link.accountId!, ['reset'])
  }
  await store.insertLink(db, {
    link_id: linkId,
    token_hash: hashToken(tokenOf(keyring, linkId)),
    purpose: link.purpose,
    account_id: link.accountId ?? null,
    subscriber_id: link.subscriberId ?? null,
    new_email: link.newEmail ?? null,
    session_id: link.sessionId ?? null,
    created_at: asDate(now),
    expires_at: asDate(now.add({ minutes: minutes[link.purpose] })),
  })
  return linkId
}

/** A link counts from now on: its mail leaves. Nothing happens to one that is gone. */
export async function letLinkBegin({ db, clock }: Pick<AccountRoom, 'db' | 'clock'>, linkId: string): Promise<void> {
  const purpose = await store.findLinkPurpose(db, linkId)
  if (purpose) await store.setLinkExpiry(db, linkId, asDate(clock.now().add({ minutes: minutes[purpose] })))
}

/**
 * Takes the newsletter link of this token, which nobody can take twice, after `before` was told whose it is: who ends the
 * newsletter locks the subscriber before the link, too. False: it is gone or its time is over.
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

/** Forgets a change of the address that is under way, also one whose link is not made yet. */
export async function dropEmailChange(trx: Sql, accountId: string): Promise<void> {
  await store.deleteLinks(trx, accountId, ['change_email'])
  await deleteMailsOf(trx, accountId, ['email_wish', 'change_email'])
}

/**
 * The token of a link made earlier, perhaps with the key before today's; null: the link is gone. One that was made with a key
 * that is not here (another instance has a newer secret already, or the one before has been forgotten) gets the token of
 * today: its mail is only now to leave.
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

/** 256 bits that only this installation can make from the id; kept nowhere. */
export function tokenOf(keyring: Keyring, linkId: string): string {
  return keyring.mac('mailed links', linkId).toString('base64url')
}
