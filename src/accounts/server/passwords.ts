import type { Sql } from '../../kit/server/database.ts'
import { hashSecret, isSecret } from '../../kit/server/secret-hash.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { passwordNotSet, wrongPassword } from '../contract.ts'
import { isCommonPassword } from './common-passwords.ts'
import { addressHash, emailKey, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import * as store from './store.ts'

/**
 * The hash of a new password. Where the blocklist is on, well-known passwords are refused, and the own address or name.
 * @throws invalid_input with a text beside the field
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
 * Whether somebody may try a password now, and that a wrong one counts. Per account an hour has 25 wrong tries; those from
 * addresses that the account has logged in from before are counted apart, so a stranger who guesses all day does not lock
 * the owner out. All tries of one address have a limit too, far beyond what a crowd behind it mistypes.
 */
export async function guessingOf(
  { db, keyring, limits }: AccountRoom,
  account: { kind: string; emailFolded: string; accountId: string | null },
  address: string,
) {
  const from = addressHash(keyring, address)
  // the same question for an unknown account, so that it takes the same time
  const familiar = await store.isFamiliar(db, account.accountId ?? nobody, from)
  const key = `${account.kind}:${emailKey(keyring, account.emailFolded)}`
  const own = familiar
    ? { limiter: limits.guessesFromFamiliar, key: `${key}:${from.toString('base64url')}` }
    : { limiter: limits.guessesByStrangers, key }
  const fromKey = from.toString('base64url')
  return {
    /** Throws `too_many_requests` when no try is left. */
    async refuseIfNoneLeft() {
      refuseIfWaiting(await own.limiter.wait(own.key))
      if (!familiar) refuseIfWaiting(await limits.wrongLogins.wait(fromKey))
    },
    /** Counts a try before it is looked at, so that parallel ones cannot outrun the count. */
    async count() {
      refuseIfWaiting(await own.limiter.take(own.key))
      if (!familiar) refuseIfWaiting(await limits.wrongLogins.take(fromKey))
    },
    /** The try was right as far as it went, but is not over. */
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

/**
 * Lets a change of the account go on only with its password.
 * @throws wrong_password, password_not_set, too_many_requests
 */
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
    // wrong codes of logins count there too, and the password says nothing of the second factor
    return account.totp_secret ? guessing.giveBack() : guessing.succeeded()
  room.log.note({ event: 'password_refused', actor: account.account_id, requestId: from.requestId })
  throw new Refusal(wrongPassword, { fields: { password: { key: 'password_wrong' } } })
}

/**
 * Locks the account until the transaction ends, after its password was proven: whoever knew one that has been replaced
 * meanwhile, as by its owner with a mailed link, changes nothing any more.
 * @throws wrong_password
 */
export async function lockProven(trx: Sql, account: store.AccountRow): Promise<void> {
  const now = await store.lockAccount(trx, account.account_id)
  if (!now || now.password_hash !== account.password_hash)
    throw new Refusal(wrongPassword, { fields: { password: { key: 'password_wrong' } } })
}
