import { createHmac, randomInt } from 'node:crypto'
import type { Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { drawQr } from '../../kit/shared/qr-code.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { recoveryCodeCount, secondFactorMandatory, secondFactorOff, secondFactorOn } from '../contract.ts'
import { noticeOwner } from './mails.ts'
import { lockProven, provePassword } from './passwords.ts'
import { knownAccount, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import * as store from './store.ts'
import { isStaff } from '../policy.ts'

/** Purpose under which the keyring encrypts the secrets of authenticator apps. */
const sealedFor = 'second factor'
const periodS = 30
/** A phone's clock may be one step ahead or behind. */
const window = 1

async function totpOf(secret: string, label: string, issuer: string) {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodS })
}

/**
 * Checks a code and uses it up. A code of the app works once, and not if a later one was used; a recovery code works once.
 * @returns the kind of code; null: wrong
 */
export async function provesSecondFactor(
  room: AccountRoom,
  account: store.AccountRow,
  code: string,
): Promise<'totp' | 'recovery_code' | null> {
  if (!account.totp_secret) return null
  const tried = code.replace(/[\s-]/g, '').toUpperCase()
  const secret = room.keyring.open(sealedFor, account.account_id, account.totp_secret)
  if (/^\d{6}$/.test(tried)) {
    const step = await acceptedStep(room, secret, tried)
    return step !== null && (await store.consumeTotpStep(room.db, account.account_id, step)) ? 'totp' : null
  }
  return (await store.consumeRecoveryCode(room.db, account.account_id, recoveryHash(secret, account.account_id, tried)))
    ? 'recovery_code'
    : null
}

/** The 30-second step of a code; null: the code is not of now. */
async function acceptedStep({ clock }: AccountRoom, secret: string, code: string): Promise<number | null> {
  const timestamp = clock.now().epochMilliseconds
  const delta = (await totpOf(secret, '', '')).validate({ token: code, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / periodS) + delta
}

/** @throws `wrong_password`, `password_not_set`, `second_factor_on`, `too_many_requests` */
export async function setUpSecondFactor(room: AccountRoom, who: Caller, password: string, from: From) {
  const { db, keyring, settings } = room
  const account = await knownAccount(db, who)
  if (account.totp_secret) throw new Refusal(secondFactorOn)
  await provePassword(room, account, password, from)
  const { Secret } = await import('otpauth')
  const secret = new Secret({ size: 20 }).base32
  await db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    await store.changeAccount(trx, who.accountId, { totp_pending: keyring.seal(sealedFor, who.accountId, secret) })
  })
  const otpauth_url = (await totpOf(secret, account.email, settings.festivalName)).toString()
  return { secret, otpauth_url, qr: drawQr(otpauth_url) }
}

/** @throws `invalid_input` for a wrong code, `second_factor_on`, `second_factor_off` without a set-up, `too_many_requests` */
export async function enableSecondFactor(
  room: AccountRoom,
  who: Caller,
  code: string,
  from: From,
): Promise<{ recovery_codes: string[] }> {
  const { db, keyring } = room
  // Limited, or somebody with only a stolen session could guess the code of a pending set-up and get the recovery codes. Counted
  // separately, so that such guesses do not use up the owner's attempts.
  refuseIfWaiting(await room.limits.codes.take(`set-up:${who.accountId}`))
  return db.transaction().execute(async (trx) => {
    const account = await store.lockAccount(trx, who.accountId)
    if (!account || account.totp_secret) throw new Refusal(secondFactorOn)
    if (!account.totp_pending) throw new Refusal(secondFactorOff)
    const secret = keyring.open(sealedFor, who.accountId, account.totp_pending)
    const step = await acceptedStep(room, secret, code.replace(/[\s-]/g, ''))
    if (step === null) throw new Refusal(invalidInput, { fields: { totp: { key: 'totp_wrong' } } })
    await store.changeAccount(trx, who.accountId, {
      totp_secret: account.totp_pending,
      totp_pending: null,
      totp_last_step: step,
    })
    const codes = await giveRecoveryCodes(trx, who.accountId, secret)
    await noticeOwner(room, trx, 'second_factor_on', account, from)
    return { recovery_codes: codes }
  })
}

/** Replaces the recovery codes. */
async function giveRecoveryCodes(trx: Sql, accountId: string, secret: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  const hashes = codes.map((each) => recoveryHash(secret, accountId, each.replace('-', '')))
  await store.replaceRecoveryCodes(trx, accountId, hashes)
  return codes
}

/** @throws `wrong_password`, `invalid_input` for a wrong code, `second_factor_off`, `second_factor_kept` for staff */
export async function disableSecondFactor(
  room: AccountRoom,
  who: Caller,
  tried: { password: string; totp: string },
  from: From,
): Promise<null> {
  const account = await knownAccount(room.db, who)
  if (!account.totp_secret) throw new Refusal(secondFactorOff)
  if (isStaff(account.role)) throw new Refusal(secondFactorMandatory)
  await proveEveryFactor(room, account, tried, from)
  await room.db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    await dropSecondFactor(trx, who.accountId)
    await noticeOwner(room, trx, 'second_factor_off', account, from)
  })
  return null
}

/** @throws `wrong_password`, `invalid_input` for a wrong code, `second_factor_off`, `too_many_requests` */
export async function renewRecoveryCodes(
  room: AccountRoom,
  who: Caller,
  tried: { password: string; totp: string },
  from: From,
): Promise<{ recovery_codes: string[] }> {
  const { db, keyring } = room
  const account = await knownAccount(db, who)
  if (!account.totp_secret) throw new Refusal(secondFactorOff)
  await proveEveryFactor(room, account, tried, from)
  return db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    // It may have been switched off after the check.
    const sealed = (await store.lockAccount(trx, who.accountId))?.totp_secret
    if (!sealed) throw new Refusal(secondFactorOff)
    const codes = await giveRecoveryCodes(trx, who.accountId, keyring.open(sealedFor, who.accountId, sealed))
    await noticeOwner(room, trx, 'recovery_codes_new', account, from)
    return { recovery_codes: codes }
  })
}

/**
 * Checks the password and, if it is on, the second factor before a change of the account.
 * @throws `wrong_password`, `password_not_set`, `too_many_requests`, `invalid_input` for a missing or wrong code
 */
export async function proveEveryFactor(
  room: AccountRoom,
  account: store.AccountRow,
  tried: { password: string; totp?: string | undefined },
  from: From,
): Promise<void> {
  await provePassword(room, account, tried.password, from)
  await proveSecondFactor(room, account, tried.totp)
}

/**
 * The second half of `proveEveryFactor`, for rules that check something in between, because a code works only once.
 * @throws `too_many_requests`, `invalid_input` for a missing or wrong code
 */
export async function proveSecondFactor(
  room: AccountRoom,
  account: store.AccountRow,
  code: string | undefined,
): Promise<void> {
  if (!account.totp_secret) return
  if (code === undefined) throw new Refusal(invalidInput, { fields: { totp: { key: 'required' } } })
  refuseIfWaiting(await room.limits.codes.take(account.account_id))
  if (!(await provesSecondFactor(room, account, code)))
    throw new Refusal(invalidInput, { fields: { totp: { key: 'totp_wrong' } } })
}

export async function dropSecondFactor(db: Parameters<typeof store.changeAccount>[0], accountId: string) {
  await store.changeAccount(db, accountId, { totp_secret: null, totp_pending: null, totp_last_step: null })
  await store.replaceRecoveryCodes(db, accountId, [])
}

// Without characters that look alike. Ten of them have about 49 bits.
const codeLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** e.g. 7F3KQ-29QDM */
function newRecoveryCode(): string {
  const letters = Array.from({ length: 10 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Keyed with the app's secret, which is stored encrypted: a copy of the table is not enough to guess codes. */
function recoveryHash(secret: string, accountId: string, code: string): Buffer {
  return createHmac('sha256', secret).update(`recovery code ${accountId} ${code}`).digest()
}

const stepSize = 500

/** Encrypts all secrets with the current key that were encrypted with an earlier one. */
export const sealSecretsAnew = (db: Sql, keyring: Keyring) =>
  inSteps(stepSize, async ({ after, limit }) => {
    const rows = await store.listSealedSecrets(db, after, limit)
    for (const { account_id, ...columns } of rows)
      for (const column of ['totp_secret', 'totp_pending'] as const) {
        const before = columns[column]
        const now = before && keyring.sealAnew(sealedFor, account_id, before)
        if (now) await store.replaceSealedSecret(db, account_id, column, { before, now })
      }
    return rows.map(({ account_id }) => account_id)
  })
