import type { Sql } from '../../kit/server/database.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { accountKinds, type AccountKind, type Role } from '../contract.ts'
import { tokenOf } from './links.ts'
import { noticeOwner, queueLink } from './mails.ts'
import { noteEvent, type AccountRoom } from './room.ts'
import { dropSecondFactor } from './second-factor.ts'
import * as store from './store.ts'

/** Services of the operator's commands. */
export type CommandRoom = Pick<AccountRoom, 'db' | 'clock' | 'keyring' | 'jobs' | 'log'> & {
  /** Writes an audit entry in the same transaction; the log belongs to a room above. `role`: the one after the action. */
  noted?: (trx: Sql, done: { action: CommandAction; accountId: string; name: string; role: Role }) => Promise<void>
}
/** Actions of the operator on an account. */
export type CommandAction = 'add-staff' | 'remove-staff' | 'reset-factor' | 'reset-password'

/** An account whose owner is locked out. `kind`: null if the address has only one account. */
export interface LockedOut {
  email: string
  kind: AccountKind | null
  origin: string
}
export type NotOpened = 'no_account' | 'two_accounts' | 'no_second_factor'

/** Switches off a second factor that its owner has lost, ends all sessions, and sends the owner a mail. */
export function resetSecondFactor(room: CommandRoom, of: LockedOut): Promise<NotOpened | null> {
  return room.db.transaction().execute(async (trx) => {
    const account = await lockOne(trx, of)
    if (typeof account === 'string') return account
    if (!account.totp_secret) return 'no_second_factor'
    await endSecondFactor(room, trx, account, of.origin)
    await store.endSessions(trx, account.account_id)
    await noteAction(room, trx, 'reset-factor', account)
    return null
  })
}

/**
 * Creates a reset link, for an owner who gets no mail or whom guesses of others lock out; it is also sent by mail. The link also
 * confirms the address, and asks for the second factor if it is on. @returns its token
 */
export function linkToNewPassword(room: CommandRoom, of: LockedOut): Promise<NotOpened | { token: string }> {
  return room.db.transaction().execute(async (trx) => {
    const account = await lockOne(trx, of)
    if (typeof account === 'string') return account
    const linkId = await queueLink(room, trx, 'reset', account, of.origin)
    const { account_id: accountId } = account
    await noteEvent(room, trx, { event: 'password_link_by_operator', accountId, requestId: 'command' })
    await noteAction(room, trx, 'reset-password', account)
    return { token: tokenOf(room.keyring, linkId) }
  })
}

/** Switches the second factor off, with a mail to the owner. Does nothing if it is off. */
export async function endSecondFactor(
  room: CommandRoom,
  trx: Sql,
  account: store.AccountRow,
  origin: string,
): Promise<void> {
  await dropSecondFactor(trx, account.account_id)
  if (account.totp_secret)
    await noticeOwner(room, trx, 'second_factor_reset', account, { origin, requestId: 'command' })
}

/** Locks the account until the transaction ends. */
async function lockOne(trx: Sql, { email, kind }: LockedOut): Promise<store.AccountRow | NotOpened> {
  const found: store.AccountRow[] = []
  for (const each of kind ? [kind] : accountKinds) {
    const account = await store.findAccountByEmail(trx, each, foldEmail(email))
    if (account && !account.blocked_at) found.push(account)
  }
  if (found.length > 1) return 'two_accounts'
  return (found[0] && (await store.lockAccount(trx, found[0].account_id))) ?? 'no_account'
}

async function noteAction(
  room: CommandRoom,
  trx: Sql,
  action: 'reset-factor' | 'reset-password',
  account: store.AccountRow,
) {
  await room.noted?.(trx, { action, accountId: account.account_id, name: account.display_name, role: account.role })
}
