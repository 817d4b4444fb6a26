import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { isSecret } from '../../kit/server/secret-hash.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { readEmail } from '../../kit/shared/email-address.ts'
import { linkInvalid, resetCodeMinutes, totpRequired, type AccountKind, type SessionPair } from '../contract.ts'
import { dropEmailChange } from './links.ts'
import { finishLogin } from './login.ts'
import { noticeOwner, queueMail } from './mails.ts'
import { acceptPassword } from './passwords.ts'
import { addressKey, emailKey, noteEvent, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import { dropSecondFactor, provesSecondFactor } from './second-factor.ts'
import { hashToken } from './sessions.ts'
import * as store from './store.ts'

/**
 * Queues a request for a reset mail to each account of the address. The same work is done for unknown addresses.
 * @throws `too_many_requests` per network address
 */
export async function forgotPassword(
  room: AccountRoom,
  given: { email: string; kind: AccountKind | undefined },
  from: From,
): Promise<void> {
  refuseIfWaiting(await room.limits.forgotRequests.take(addressKey(room.keyring, from.address)))
  await room.db.transaction().execute((trx) =>
    queueMail(room, trx, {
      kind: 'forgotten',
      email: given.email.trim(),
      locale: from.locale,
      origin: from.origin,
      data: given.kind ? { kind: given.kind } : {},
    }),
  )
  room.log.note({ event: 'password_forgotten', actor: null, requestId: from.requestId })
}

/**
 * Sets a new password by a mailed link, ends all sessions and starts one here, whatever strangers have guessed. The link also
 * proves the address. If the address was unverified, everything goes by which somebody who signed up with a foreign address could
 * come back. With the second factor on, the link sets the password first and then waits ten minutes, with that password, for the
 * code.
 * @throws `link_invalid`, `invalid_input` (password, totp), `totp_required`, `too_many_requests`
 */
export async function resetPassword(
  room: AccountRoom,
  given: { token: string; password: string; totp?: string | undefined },
  from: From,
): Promise<SessionPair & { kind: AccountKind }> {
  const { db } = room
  const tokenHash = hashToken(given.token)
  const link = await store.findLink(db, tokenHash, asDate(room.clock.now()))
  const known = link?.purpose === 'reset' ? await store.findAccount(db, link.account_id!) : undefined
  if (!known || known.blocked_at) throw new Refusal(linkInvalid)
  const { kind } = known
  const pair = await finishReset(room, { ...link!, account: known, tokenHash }, given, from)
  // The owner is back, so guessed passwords no longer count. Wrong codes do, until a right one.
  await room.limits.guessesByStrangers.forget(`${kind}:${emailKey(room.keyring, known.email_folded)}`)
  return { kind, ...pair }
}

async function finishReset(
  room: AccountRoom,
  link: { used_at: Date | null; account: store.AccountRow; tokenHash: Buffer },
  given: { password: string; totp?: string | undefined },
  from: From,
): Promise<SessionPair> {
  const { account: known, tokenHash } = link
  if (link.used_at) {
    if (!(await isSecret(given.password, known.password_hash))) throw new Refusal(linkInvalid)
    return arriveWithCode(room, known, tokenHash, given.totp, from)
  }
  const { account, pair } = await setPassword(room, known, tokenHash, given.password, from)
  return pair ?? arriveWithCode(room, account, tokenHash, given.totp, from)
}

/** `pair`: null if the authentication code is needed first. */
async function setPassword(
  room: AccountRoom,
  known: store.AccountRow,
  tokenHash: Buffer,
  password: string,
  from: From,
): Promise<{ account: store.AccountRow; pair: SessionPair | null }> {
  const now = room.clock.now()
  // Before the link is taken, so that a refused password does not use it up.
  const hash = await acceptPassword(
    room,
    password,
    { email: known.email, name: known.display_name },
    { field: 'password', from },
  )
  return room.db.transaction().execute(async (trx) => {
    // Lock the account before its links, as everywhere, or two links at once could deadlock.
    const account = await store.lockAccount(trx, known.account_id)
    if (!account || !(await store.takeLink(trx, tokenHash, ['reset'], asDate(now)))) throw new Refusal(linkInvalid)
    const accountId = account.account_id
    if (!account.verified_at) await evictSquatter(trx, accountId)
    await store.changeAccount(trx, accountId, {
      password_hash: hash,
      verified_at: account.verified_at ?? asDate(now),
    })
    await store.endSessions(trx, accountId)
    await store.deleteLinks(trx, accountId, ['reset', 'verify'])
    // Somebody who knew the old password may have asked to change the address to their own.
    await dropEmailChange(trx, accountId)
    await queueMail(room, trx, { kind: 'password_changed', accountId, locale: account.language, origin: from.origin })
    const owner = { ...account, password_hash: hash }
    const asksCode = account.verified_at !== null && account.totp_secret !== null
    const pair = asksCode ? null : await finishLogin(room, trx, owner, from)
    if (!pair && !asksCode) throw new Refusal(linkInvalid)
    await noteEvent(room, trx, { event: 'password_reset', accountId, requestId: from.requestId })
    if (asksCode)
      await store.insertLink(trx, {
        link_id: newId(),
        token_hash: tokenHash,
        purpose: 'reset',
        account_id: accountId,
        used_at: asDate(now),
        created_at: asDate(now),
        expires_at: asDate(now.add({ minutes: resetCodeMinutes })),
      })
    return { account: owner, pair }
  })
}

/** Starts the session after a reset link has set the password, for the authentication code. */
async function arriveWithCode(
  room: AccountRoom,
  account: store.AccountRow,
  tokenHash: Buffer,
  totp: string | undefined,
  from: From,
): Promise<SessionPair> {
  if (totp === undefined) throw new Refusal(totpRequired)
  refuseIfWaiting(await room.limits.codes.take(account.account_id))
  const proof = await provesSecondFactor(room, account, totp)
  if (!proof) throw new Refusal(invalidInput, { fields: { totp: { key: 'totp_wrong' } } })
  return room.db.transaction().execute(async (trx) => {
    const now = asDate(room.clock.now())
    const isGood = await store.takeLink(trx, tokenHash, ['reset'], now, true)
    const pair = isGood && (await finishLogin(room, trx, account, from))
    if (!pair) throw new Refusal(linkInvalid)
    if (proof === 'recovery_code') await noticeOwner(room, trx, 'recovery_code_used', account, from)
    return pair
  })
}

/** Removes every way into an unverified account before its true owner gets it: password, second factor, links, sessions. */
export async function evictSquatter(trx: Parameters<typeof store.changeAccount>[0], accountId: string): Promise<void> {
  await dropSecondFactor(trx, accountId)
  await store.unlinkIdentities(trx, accountId)
  await store.deleteLinks(trx, accountId, ['reset', 'verify'])
  await dropEmailChange(trx, accountId)
  await store.forgetFamiliar(trx, accountId)
  await store.endSessions(trx, accountId)
  await store.changeAccount(trx, accountId, { password_hash: null })
}

/**
 * Confirms the address of a signup, or a new address of the account. A new address ends all sessions except the one that asked
 * for it. @throws `link_invalid`
 */
export async function verifyEmail(
  room: AccountRoom,
  token: string,
  from: From,
): Promise<{ kind: AccountKind; changed: boolean; email: string }> {
  const now = asDate(room.clock.now())
  return room.db.transaction().execute(async (trx) => {
    const known = await store.findLink(trx, hashToken(token), now)
    const account = known?.account_id ? await store.lockAccount(trx, known.account_id) : undefined
    const link = account && (await store.takeLink(trx, hashToken(token), ['verify', 'change_email'], now))
    if (!link || account.blocked_at) throw new Refusal(linkInvalid)
    const accountId = account.account_id
    if (link.purpose === 'verify') {
      if (!account.verified_at) await store.changeAccount(trx, accountId, { verified_at: now })
      await store.deleteLinks(trx, accountId, ['verify'])
      await noteEvent(room, trx, { event: 'email_verified', accountId, requestId: from.requestId })
      return { kind: account.kind, changed: false, email: account.email }
    }
    const wanted = readEmail(link.new_email!)
    if (typeof wanted === 'string') throw new Refusal(linkInvalid)
    const { email, folded: email_folded } = wanted
    const owner = await store.findAccountByEmail(trx, account.kind, email_folded)
    if (owner && owner.account_id !== accountId) throw new Refusal(linkInvalid)
    await store.changeAccount(trx, accountId, { email, email_folded, verified_at: now }).catch((error: unknown) => {
      // Unique violation: another account confirmed the same address at the same moment.
      throw (error as { code?: string }).code === '23505' ? new Refusal(linkInvalid) : error
    })
    // A newsletter of an unconfirmed old address may belong to somebody else.
    if (account.verified_at)
      await room.newsletter?.move(trx, account.email_folded, { email, emailFolded: email_folded })
    // Links in mails to the old address must not open the account any more.
    await store.deleteLinks(trx, accountId, ['verify', 'reset', 'change_email'])
    await store.endSessions(trx, accountId, link.session_id)
    await noteEvent(room, trx, { event: 'email_changed', accountId, requestId: from.requestId })
    return { kind: account.kind, changed: true, email }
  })
}
