import type { Sql } from '../../kit/server/database.ts'
import { hashSecret, isSecret } from '../../kit/server/secret-hash.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { passwordNotSet, wrongPassword } from '../contract.ts'
import { isCommonPassword } from './common-passwords.ts'
import { addressHash, emailKey, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import * as store from './store.ts'

/**
 * Checks a new password and hashes it. With the blocklist on, common passwords and the own address or name are refused.
 * @throws `invalid_input` for the field
 */
export async function acceptPassword(
  { settings }: Pick<AccountRoom, 'settings'>,
  password: string,
  owner: { email: string; name: string },
  asked: { field: string; from: Pick<From, 'address'> },
): Promise<string> {
  if (settings.passwordBlocklist) {
    const refuse = (key: string) => new Refusal(invalidInput, { fields: { [asked.field]: { key } } })
    if (isOwnWord(password, owner)) throw refuse('password_own')
    if (isCommonPassword(password)) throw refuse('password_common')
  }
  return hashSecret(password)
}

function isOwnWord(password: string, owner: { email: string; name: string }): boolean {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  const email = foldEmail(owner.email)
  return [email, email.split('@')[0]!, owner.name].some((word) => plain(word) === plain(password))
}

/**
 * Limits of wrong passwords: 25 per account and hour. Attempts from network addresses that the account has used before are counted
 * separately, so that strangers who guess do not lock the owner out. Attempts from one address for all accounts have a limit too, far
 * above what a crowd behind it mistypes.
 */
export async function guessingOf(
  { db, keyring, limits }: AccountRoom,
  account: { kind: string; emailFolded: string; accountId: string | null },
  address: string,
) {
  const from = addressHash(keyring, address)
  // Also asked for an unknown account, so that it takes the same time.
  const familiar = await store.isFamiliar(db, account.accountId ?? nobody, from)
  const key = `${account.kind}:${emailKey(keyring, account.emailFolded)}`
  const own = familiar
    ? { limiter: limits.guessesFromFamiliar, key: `${key}:${from.toString('base64url')}` }
    : { limiter: limits.guessesByStrangers, key }
  const fromKey = from.toString('base64url')
  return {
    /** @throws `too_many_requests` */
    async refuseIfNoneLeft() {
      refuseIfWaiting(await own.limiter.wait(own.key))
      if (!familiar) refuseIfWaiting(await limits.wrongLogins.wait(fromKey))
    },
    /** Counts an attempt before it is checked, so that parallel ones cannot exceed the limit. */
    async count() {
      refuseIfWaiting(await own.limiter.take(own.key))
      if (!familiar) refuseIfWaiting(await limits.wrongLogins.take(fromKey))
    },
    /** Uncounts an attempt whose password was right, but whose code is still missing. */
    async giveBack() {
      await own.limiter.giveBack(own.key)
      if (!familiar) await limits.wrongLogins.giveBack(fromKey)
    },
    async succeeded() {
      await own.limiter.forget(own.key)
      if (!familiar) await limits.wrongLogins.giveBack(fromKey)
    },
  }
}

const nobody = '00000000-0000-7000-8000-000000000000'

/** Checks the current password before a change of the account. @throws `wrong_password`, `password_not_set`, `too_many_requests` */
export async function provePassword(
  room: AccountRoom,
  account: store.AccountRow,
  password: string,
  from: From,
): Promise<void> {
  if (account.password_hash === null) throw new Refusal(passwordNotSet)
  const guessing = await guessingOf(
    room,
    { kind: account.kind, emailFolded: account.email_folded, accountId: account.account_id },
    from.address,
  )
  await guessing.refuseIfNoneLeft()
  if (await isSecret(password, account.password_hash, { before: () => guessing.count() }))
    // With a second factor, wrong codes count in the same limit, and a right password must not reset them.
    return account.totp_secret ? guessing.giveBack() : guessing.succeeded()
  room.log.note({ event: 'password_refused', actor: account.account_id, requestId: from.requestId })
  throw new Refusal(wrongPassword, { fields: { password: { key: 'password_wrong' } } })
}

/**
 * Locks the account after its password was checked. A password that was replaced in the meantime, e.g. by its owner with a mailed
 * link, can change nothing any more.
 * @throws `wrong_password`
 */
export async function lockProven(trx: Sql, account: store.AccountRow): Promise<void> {
  const now = await store.lockAccount(trx, account.account_id)
  if (!now || now.password_hash !== account.password_hash)
    throw new Refusal(wrongPassword, { fields: { password: { key: 'password_wrong' } } })
}
