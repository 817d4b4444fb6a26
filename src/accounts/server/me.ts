import { asDate } from '../../kit/server/clock.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { invalidInput, Refusal, unauthenticated } from '../../kit/shared/refusal.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { deletionDays, type AccountLanguage, type Me, type SessionPair } from '../contract.ts'
import { dropEmailChange, makeLink } from './links.ts'
import { noticeOwner, queueLink, queueMail } from './mails.ts'
import { refuseReservedName } from './names.ts'
import { acceptPassword, lockProven, provePassword } from './passwords.ts'
import { knownAccount, noteEvent, ownerOf, refuseIfWaiting, takeMail, type AccountRoom, type From } from './room.ts'
import { proveEveryFactor, proveSecondFactor } from './second-factor.ts'
import { startSession } from './sessions.ts'
import * as store from './store.ts'
import { canHaveReservedName, nameLength } from '../policy.ts'

export async function findMe({ db, clock, settings, newsletter }: AccountRoom, who: Caller): Promise<Me> {
  const account = await knownAccount(db, who)
  const extras = await store.accountExtras(db, account.account_id, asDate(clock.now()))
  return {
    account_id: account.account_id,
    role: account.role,
    display_name: account.display_name,
    email: account.email,
    email_verified: account.verified_at !== null,
    pending_email: extras.pending_email,
    language: account.language,
    business_id: account.business_id,
    has_password: account.password_hash !== null,
    second_factor: account.totp_secret !== null,
    recovery_codes_left: extras.recovery_codes_left,
    google_linked: extras.google_linked,
    // For an unconfirmed address this would reveal whether its real owner reads the newsletter.
    newsletter: account.verified_at !== null && (await newsletter?.isOn(db, foldEmail(account.email))) === true,
    location_consent: account.location_consent,
    default_reminder_min: account.default_reminder_min,
    created_at: account.created_at.toISOString(),
    deletion_at: account.deletion_at?.toISOString() ?? null,
    must_verify: settings.requireVerifiedEmail && account.verified_at === null,
    must_set_second_factor: who.lacksSecondFactor,
  }
}

export async function changeMe(
  room: AccountRoom,
  who: Caller,
  change: {
    display_name?: string | undefined
    language?: AccountLanguage | undefined
    location_consent?: boolean | undefined
    default_reminder_min?: number | null | undefined
    newsletter?: boolean | undefined
  },
  from: From,
): Promise<Me> {
  refuseTooLong(change.display_name, who)
  await refuseReserved(room, change.display_name, who)
  const { newsletter, ...columns } = change
  const sent = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  const account = newsletter === undefined ? null : await knownAccount(room.db, who)
  if (newsletter && !account!.verified_at) await room.newsletter?.refuseTooMany(from)
  await room.db.transaction().execute(async (trx) => {
    if (account) {
      const { account_id: accountId, email, verified_at } = account
      const language = change.language ?? account.language
      const request = { on: newsletter!, accountId, email, language, isOwner: verified_at !== null }
      await room.newsletter?.set(trx, request, from)
    }
    if (Object.keys(sent).length > 0) await store.changeAccount(trx, who.accountId, sent as store.AccountChange)
  })
  return findMe(room, who)
}

function refuseTooLong(name: string | undefined, who: Caller): void {
  const max = nameLength(who.role)
  if (name !== undefined && [...name].length > max)
    throw new Refusal(invalidInput, { fields: { display_name: { key: 'too_long', values: { min: 1, max } } } })
}

/** A name from before it was reserved can stay. */
async function refuseReserved(room: AccountRoom, name: string | undefined, who: Caller): Promise<void> {
  if (name === undefined || canHaveReservedName(who.role)) return
  if ((await knownAccount(room.db, who)).display_name === name) return
  await refuseReservedName(room, name, 'display_name')
}

/** @throws `too_many_requests` after five mails within half an hour, counting the one of the signup */
export async function resendVerification(room: AccountRoom, who: Caller, from: From): Promise<void> {
  const account = await knownAccount(room.db, who)
  if (account.verified_at) return
  refuseIfWaiting(await takeMail(room, 'confirm', account.kind, account.email_folded))
  await room.db.transaction().execute((trx) => queueLink(room, trx, 'verify', account, from.origin))
}

/**
 * Ends all sessions and starts a new one here. Needs the authentication code too if the second factor is on.
 * @throws `wrong_password`, `too_many_requests`, `invalid_input` for the new password or a wrong code
 */
export async function changePassword(
  room: AccountRoom,
  who: Caller,
  passwords: { password: string; totp?: string | undefined; new_password: string },
  from: From,
): Promise<SessionPair> {
  const account = await knownAccount(room.db, who)
  await provePassword(room, account, passwords.password, from)
  const hash = await acceptPassword(
    room,
    passwords.new_password,
    { email: account.email, name: account.display_name },
    { field: 'new_password', from },
  )
  // Last, so that a refused new password does not use up a code.
  await proveSecondFactor(room, account, passwords.totp)
  return room.db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    await store.changeAccount(trx, who.accountId, { password_hash: hash })
    await store.endSessions(trx, who.accountId)
    await store.deleteLinks(trx, who.accountId, ['reset'])
    // The notice about a change of the address says: if it was not you, change your password. So that must cancel it.
    await dropEmailChange(trx, who.accountId)
    await noticeOwner(room, trx, 'password_changed', account, from)
    const pair = await startSession(room, trx, { ...account, password_hash: hash }, from.userAgent)
    if (!pair) throw new Refusal(unauthenticated)
    return pair
  })
}

/**
 * The account gets the new address once its link is opened; the old address gets a notice at once. Needs the password and, if it is
 * on, the second factor. Other sessions end now, and those started in the meantime when the address changes.
 * @throws `wrong_password`, `too_many_requests`, `invalid_input` for a wrong code or the account's own address
 */
export async function changeEmail(
  room: AccountRoom,
  who: Caller,
  request: { email: string; password: string; totp?: string | undefined },
  from: From,
): Promise<void> {
  const account = await knownAccount(room.db, who)
  await proveEveryFactor(room, account, request, from)
  if (foldEmail(request.email) === foldEmail(account.email))
    throw new Refusal(invalidInput, { fields: { email: { key: 'email_same' } } })
  refuseIfWaiting(await room.limits.emailChanges.take(who.accountId))
  await room.db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    await store.deleteLinks(trx, who.accountId, ['change_email'])
    await store.endSessions(trx, who.accountId, who.sessionId)
    const to = { accountId: who.accountId, locale: account.language, origin: from.origin }
    // Also for an address that has an account: `pending_email` must not reveal that.
    const newEmail = request.email.trim()
    const { accountId, sessionId } = who
    const linkId = await makeLink(room, trx, { purpose: 'change_email', accountId, newEmail, sessionId })
    // In `data`, not as the mail's `link_id`: if the change is cancelled, the notice to that address's owner must still be sent.
    await queueMail(room, trx, { kind: 'email_wish', ...to, email: newEmail, data: { link: linkId } })
    await noteEvent(room, trx, { event: 'email_change_asked', accountId: who.accountId, requestId: from.requestId })
    await queueMail(room, trx, { kind: 'email_changed', ...to, email: account.email, data: { email: newEmail } })
  })
}

/**
 * Schedules the deletion in 14 days and ends all sessions. Needs the second factor too if it is on.
 * @throws `wrong_password`, `too_many_requests`, `invalid_input` for a wrong code
 */
export async function deleteMe(
  room: AccountRoom,
  who: Caller,
  tried: { password: string; totp?: string | undefined },
  from: From,
) {
  const account = await knownAccount(room.db, who)
  await proveEveryFactor(room, account, tried, from)
  const deletionAt = account.deletion_at ?? asDate(room.clock.now().add({ hours: deletionDays * 24 }))
  await room.db.transaction().execute(async (trx) => {
    await lockProven(trx, account)
    await store.changeAccount(trx, who.accountId, { deletion_at: deletionAt })
    await store.endSessions(trx, who.accountId)
    // Cancel pending requests: a newsletter and a change of the address.
    await room.newsletter?.dropRequests(trx, who.accountId)
    await dropEmailChange(trx, who.accountId)
    for (const each of room.personalData) await each.leave?.(trx, ownerOf(account), asDate(room.clock.now()))
    await noticeOwner(room, trx, 'deletion', account, from, 'deletion_asked')
  })
  return { deletion_at: deletionAt.toISOString() }
}

/** Takes a deletion back and restores what it had paused. */
export async function cancelDeletion(room: AccountRoom, who: Caller, from: From): Promise<Me> {
  await room.db.transaction().execute(async (trx) => {
    const account = await store.lockAccount(trx, who.accountId)
    // The deletion is running at this moment.
    if (!account || account.blocked_at) throw new Refusal(unauthenticated)
    if (!account.deletion_at) return
    await store.changeAccount(trx, who.accountId, { deletion_at: null })
    for (const each of room.personalData) await each.stay?.(trx, ownerOf(account), asDate(room.clock.now()))
    await noteEvent(room, trx, { event: 'deletion_undone', accountId: who.accountId, requestId: from.requestId })
  })
  return findMe(room, who)
}
