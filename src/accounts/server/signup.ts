import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { challengeRequired, type AccountKind, type AccountLanguage } from '../contract.ts'
import { isSolved } from './challenge.ts'
import { queueMail } from './mails.ts'
import { refuseReservedName } from './names.ts'
import { acceptPassword } from './passwords.ts'
import { addressKey, type AccountRoom, type From } from './room.ts'
import * as store from './store.ts'

export interface Signup {
  kind: AccountKind
  email: string
  name: string
  password: string
  language: AccountLanguage | undefined
  altcha: string | undefined
  acceptsTerms: boolean
}

/** Creates the business of a new merchant in the same transaction. @returns its id */
export type BesideAccount = (trx: Sql) => Promise<string>

/**
 * Creates an unverified account and queues the confirmation mail. Neither answer nor response time reveal whether the address was
 * taken: the same number of statements runs, and the owner of a taken address gets a mail with a reset link.
 * @throws `invalid_input` (name, password), `challenge_required`
 */
export async function signUp(
  room: AccountRoom,
  signup: Signup,
  from: From,
  /** Called once the limits allow the signup. */
  prepare?: () => Promise<BesideAccount>,
): Promise<{ taken: boolean }> {
  return countedSignup(room, from.address, async (isOneTooMany) => {
    await demandWorkIfMany(room, signup.altcha, isOneTooMany, from.address)
    return makeAccount(room, signup, from, prepare)
  })
}

async function makeAccount(
  room: AccountRoom,
  signup: Signup,
  from: From,
  prepare: (() => Promise<BesideAccount>) | undefined,
): Promise<{ taken: boolean }> {
  const { db, clock } = room
  const field = signup.kind === 'user' ? 'display_name' : 'business_name'
  await refuseReservedName(room, signup.name, field)
  const beside = await prepare?.()
  const passwordHash = await acceptPassword(
    room,
    signup.password,
    { email: signup.email, name: signup.name },
    { field: 'password', from },
  )
  const now = asDate(clock.now())
  const email = signup.email.trim()
  const language = signup.language ?? (from.locale as AccountLanguage)
  const taken = await db.transaction().execute(async (trx) => {
    await store.beginAccount(trx)
    const businessId = (await beside?.(trx)) ?? null
    const isNew = await store.insertAccount(trx, {
      account_id: newId(),
      kind: signup.kind,
      role: signup.kind,
      email,
      display_name: signup.name.trim(),
      language,
      password_hash: passwordHash,
      business_id: businessId,
      accepted_terms_at: signup.acceptsTerms ? now : null,
      created_at: now,
    })
    await store.endAccount(trx, isNew)
    await queueMail(room, trx, {
      kind: isNew ? 'signed_up' : 'signup_taken',
      email,
      locale: language,
      origin: from.origin,
      data: { kind: signup.kind },
    })
    return !isNew
  })
  room.log.note({ event: 'signup', actor: null, requestId: from.requestId, details: { kind: signup.kind } })
  return { taken }
}

/**
 * Counts a signup before its work, so that parallel ones cannot exceed the limit. If it fails it is uncounted; if it was refused it
 * first counts as a failed one.
 */
async function countedSignup<T>(
  room: AccountRoom,
  address: string,
  work: (isOneTooMany: boolean) => Promise<T>,
): Promise<T> {
  const { signups } = room.limits
  const key = addressKey(room.keyring, address)
  const waitS = await signups.take(key)
  try {
    return await work(waitS > 0)
  } catch (error) {
    if (error instanceof Refusal) await countFailedSignup(room, address, error)
    // If the database is down, throw the signup's own error and not this one's.
    await signups.giveBack(key).catch(() => {})
    throw error
  }
}

/** Requires the proof of work after many signups from one network address. @throws `challenge_required` */
async function demandWorkIfMany(
  room: AccountRoom,
  altcha: string | undefined,
  isOneTooMany: boolean,
  address: string,
): Promise<void> {
  const isDemanded =
    room.settings.signupChallenge === 'always' ||
    isOneTooMany ||
    (await room.limits.failedSignups.wait(addressKey(room.keyring, address))) > 0
  if (isDemanded && !(altcha !== undefined && (await isSolved(room, altcha)))) throw new Refusal(challengeRequired)
}

const counted = new WeakSet<Refusal>()

/** Counts a refused signup once, wherever it was refused. */
export async function countFailedSignup(room: AccountRoom, address: string, refusal: Refusal): Promise<void> {
  if (counted.has(refusal)) return
  counted.add(refusal)
  await room.limits.failedSignups.take(addressKey(room.keyring, address))
}
