import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { resetMinutes, verificationHours } from '../contract.ts'
import type { AccountRoom } from './room.ts'
import { hashToken } from './sessions.ts'
import * as store from './store.ts'

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

/** The token of a link made earlier, perhaps with the key before today's; null: the link is gone. */
export async function tokenOfMade(keyring: Keyring, db: Sql, linkId: string): Promise<string | null> {
  const made = await store.findLinkHash(db, linkId)
  const tokens = keyring.macs('mailed links', linkId).map((mac) => mac.toString('base64url'))
  return (made && tokens.find((token) => hashToken(token).equals(made))) ?? null
}

/** 256 bits that only this installation can make from the id; kept nowhere. */
export function tokenOf(keyring: Keyring, linkId: string): string {
  return keyring.mac('mailed links', linkId).toString('base64url')
}
