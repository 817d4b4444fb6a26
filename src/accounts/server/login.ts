import type { Sql } from '../../kit/server/database.ts'
import { isSecret } from '../../kit/server/secret-hash.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { totpRequired, wrongCredentials, type AccountKind, type SessionPair } from '../contract.ts'
import { noticeOwner } from './mails.ts'
import { guessingOf } from './passwords.ts'
import { addressHash, addressKey, type AccountRoom, type From } from './room.ts'
import { provesSecondFactor } from './second-factor.ts'
import { startSession } from './sessions.ts'
import * as store from './store.ts'

/**
 * Logs in with email, password and, if it is on, the second factor. All failures get the same answer and take the same time.
 * @throws `wrong_credentials`, `totp_required`, `too_many_requests`
 */
export async function logIn(
  room: AccountRoom,
  kind: AccountKind,
  tried: { email: string; password: string; totp?: string | undefined },
  from: From,
): Promise<SessionPair> {
  const emailFolded = foldEmail(tried.email)
  const account = await store.findAccountByEmail(room.db, kind, emailFolded)
  await proveToBe(room, { kind, emailFolded, account }, tried, from)
  const pair = await finishLogin(room, room.db, account!, from)
  // The password was changed while it was checked.
  if (!pair) throw new Refusal(wrongCredentials)
  return pair
}

/**
 * Checks password and second factor of an account. Without an account the same work is done, with the same refusal, so that
 * response times do not reveal accounts.
 * @throws `wrong_credentials`, `totp_required`, `too_many_requests`
 */
export async function proveToBe(
  room: AccountRoom,
  claimed: { kind: AccountKind; emailFolded: string; account: store.AccountRow | undefined },
  tried: { password: string; totp?: string | undefined },
  from: From,
): Promise<void> {
  const { account } = claimed
  const guessing = await guessingOf(room, { ...claimed, accountId: account?.account_id ?? null }, from.address)
  const refuse = () => {
    const details = { kind: claimed.kind, from: addressKey(room.keyring, from.address) }
    room.log.note({ event: 'login_failed', actor: account?.account_id ?? null, requestId: from.requestId, details })
    throw new Refusal(wrongCredentials)
  }
  await guessing.refuseIfNoneLeft()
  const isRight = await isSecret(tried.password, account?.password_hash ?? null, {
    before: () => guessing.count(),
  })
  if (!account || !isRight || account.blocked_at) return refuse()
  if (account.totp_secret) {
    if (tried.totp === undefined) {
      await guessing.giveBack()
      throw new Refusal(totpRequired)
    }
    const proof = await provesSecondFactor(room, account, tried.totp).catch(async (error: unknown) => {
      // The code was not checked, so the attempt does not count.
      await guessing.giveBack()
      throw error
    })
    if (!proof) return refuse()
    if (proof === 'recovery_code') await noticeOwner(room, room.db, 'recovery_code_used', account, from)
  }
  await guessing.succeeded()
}

/** Starts a session for a proven owner. @returns null: the password has changed since, or the account is blocked */
export async function finishLogin(
  room: AccountRoom,
  db: Sql,
  account: store.AccountRow,
  from: From,
): Promise<SessionPair | null> {
  const { clock, keyring } = room
  const pair = await startSession(room, db, account, from.userAgent)
  if (!pair) return null
  await store.makeFamiliar(db, account.account_id, addressHash(keyring, from.address), asDate(clock.now()))
  room.log.note({ event: 'login', actor: account.account_id, requestId: from.requestId })
  return pair
}
