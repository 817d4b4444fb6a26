import type { Sql } from '../../kit/server/database.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { accountKinds, type AccountKind, type Role } from '../contract.ts'
import { makeLink, tokenOf } from './links.ts'
import { queueMail } from './mails.ts'
import { noteEvent, type AccountRoom } from './room.ts'
import { dropSecondFactor } from './second-factor.ts'
import * as store from './store.ts'

/** What a command of the operator works with. */
export type CommandRoom = Pick<AccountRoom, 'db' | 'clock' | 'keyring' | 'jobs' | 'log'> & {
  /** In the same transaction: what was done to whom, and the role since. Rooms above keep what staff did. */
  noted?: (trx: Sql, done: { action: CommandAction; accountId: string; name: string; role: Role }) => Promise<void>
}
/** What the operator does to an account by a command. */
export type CommandAction = 'add-staff' | 'remove-staff' | 'reset-factor' | 'reset-password'

/** Whose lock the operator opens. `kind`: null where the address has one account only. */
export interface LockedOut {
  email: string
  kind: AccountKind | null
  origin: string
}
export type NotOpened = 'no_account' | 'two_accounts' | 'no_second_factor'

/** Ends a second factor that its owner has lost, and every session; tells the owner by mail. */
export function resetSecondFactor(room: CommandRoom, of: LockedOut): Promise<NotOpened | null> {
  return room.db.transaction().execute(async (trx) => {
    const account = await lockOne(trx, of)
    if (typeof account === 'string') return account
    if (!account.totp_secret) return 'no_second_factor'
    await endSecondFactor(room, trx, account, of.origin)
    await store.endSessions(trx, account.account_id)
    await noteKey(room, trx, 'reset-factor', account)
    return null
  })
}

/**
 * The token of a link that sets a new password, for an owner who gets no mail, or who guesses of others keep out; a mail
 * brings the same link. It also confirms the address. Where the second factor is on, the link asks for it.
 */
export function linkToNewPassword(room: CommandRoom, of: LockedOut): Promise<NotOpened | { token: string }> {
  return room.db.transaction().execute(async (trx) => {
    const account = await lockOne(trx, of)
    if (typeof account === 'string') return account
    const { account_id: accountId, language: locale } = account
    const linkId = await makeLink(room, trx, { purpose: 'reset', accountId })
    await queueMail(room, trx, { kind: 'reset', accountId, linkId, locale, origin: of.origin })
    await noteEvent(room, trx, { event: 'password_link_by_operator', accountId, requestId: 'command' })
    await noteKey(room, trx, 'reset-password', account)
    return { token: tokenOf(room.keyring, linkId) }
  })
}

/** In the caller's transaction. Nothing happens without a second factor. */
export async function endSecondFactor(
  room: CommandRoom,
  trx: Sql,
  account: store.AccountRow,
  origin: string,
): Promise<void> {
  const { account_id: accountId, language: locale } = account
  const wasOn = account.totp_secret !== null
  await dropSecondFactor(trx, accountId)
  if (!wasOn) return
  await noteEvent(room, trx, { event: 'second_factor_reset', accountId, requestId: 'command' })
  await queueMail(room, trx, { kind: 'second_factor_reset', accountId, locale, origin })
}

/** The account that is meant, locked until the transaction ends. */
async function lockOne(trx: Sql, { email, kind }: LockedOut): Promise<store.AccountRow | NotOpened> {
  const found: store.AccountRow[] = []
  for (const each of kind ? [kind] : accountKinds) {
    const account = await store.findAccountByEmail(trx, each, foldEmail(email))
    if (account && !account.blocked_at) found.push(account)
  }
  if (found.length > 1) return 'two_accounts'
  return (found[0] && (await store.lockAccount(trx, found[0].account_id))) ?? 'no_account'
}

async function noteKey(
  room: CommandRoom,
  trx: Sql,
  action: 'reset-factor' | 'reset-password',
  account: store.AccountRow,
) {
  await room.noted?.(trx, { action, accountId: account.account_id, name: account.display_name, role: account.role })
}
