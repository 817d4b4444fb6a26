import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import * as outbox from '../../mail/server/mail.ts'
import type { Letter, MailKinds, QueuedMail } from '../../mail/server/mail.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { accountKinds, deletionDays, resetMinutes, verificationHours, type AccountKind } from '../contract.ts'
import { letLinkBegin, makeLink, tokenOfMade } from './links.ts'
import { noteEvent, takeChangeMail, takeMail, type AccountRoom, type From } from './room.ts'
import * as store from './store.ts'

/** Queued requests: their jobs look up whether the address has an account, so that response times do not reveal it. */
const requestKinds = ['signed_up', 'signup_taken', 'forgotten', 'email_wish'] as const
const letterKinds = [
  'verify',
  'reset',
  'taken',
  'change_email',
  'email_taken',
  'email_changed',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'recovery_code_used',
  'recovery_codes_new',
  'google_linked',
  'deletion',
  'staff',
] as const
type RequestKind = (typeof requestKinds)[number]
type LetterKind = (typeof letterKinds)[number]

export function accountMails(room: AccountRoom): MailKinds {
  return Object.fromEntries([
    ...requestKinds.map((kind) => [kind, { expand: (mail: QueuedMail) => expand[kind](room, mail) }] as const),
    ...letterKinds.map((kind) => [kind, { compose: (mail: QueuedMail) => compose(room, kind, mail) }] as const),
    [
      'verify',
      {
        compose: (mail: QueuedMail) => compose(room, 'verify', mail),
        settled: (mail: QueuedMail) => beginConfirmation(room, mail.account_id!),
      },
    ] as const,
  ])
}

/** Whether the mail that asks to confirm the address of this account is still queued. */
export const isConfirmationQueued = async (
  db: Sql,
  { account_id, email_folded }: Pick<store.AccountRow, 'account_id' | 'email_folded'>,
): Promise<boolean> =>
  (await outbox.hasMailTo(db, email_folded, 'signed_up')) || (await outbox.hasMail(db, account_id, 'verify'))

/** Queues a mail in the caller's transaction. */
export function queueMail(
  room: Pick<AccountRoom, 'clock' | 'jobs'>,
  trx: Sql,
  mail: outbox.MailToQueue & { kind: RequestKind | LetterKind },
): Promise<void> {
  return outbox.queueMail(room, trx, mail)
}

/** Time to confirm an account after the first mail that asks for it. */
const confirmationDays = 7

/**
 * Starts that time once the mail was sent, or its recipient refused for good: an account with a mailbox that does not exist must
 * not stay for ever.
 */
async function beginConfirmation({ db, clock, settings }: AccountRoom, accountId: string): Promise<void> {
  if (!settings.requireVerifiedEmail) return
  await store.setConfirmBy(db, accountId, asDate(clock.now().add({ hours: confirmationDays * 24 })))
}

/** @returns functions that queue the mails which follow from a request */
type Expand = (room: AccountRoom, mail: QueuedMail) => Promise<((trx: Sql) => Promise<unknown>)[]>

const expand: Record<RequestKind, Expand> = {
  async signed_up(room, mail) {
    if (await isSignupTooMany(room, mail)) return []
    const account = await store.findAccountByEmail(room.db, mail.data['kind'] as AccountKind, foldEmail(mail.email!))
    if (!account || account.verified_at) return []
    return [(trx) => queueLink(room, trx, 'verify', account, mail.origin)]
  },
  async signup_taken(room, mail) {
    if (await isSignupTooMany(room, mail)) return []
    const account = await store.findAccountByEmail(room.db, mail.data['kind'] as AccountKind, foldEmail(mail.email!))
    return account ? resetFor(room, 'taken', account, mail.origin) : []
  },
  async forgotten(room, mail) {
    const emailFolded = foldEmail(mail.email!)
    const asked = accountKinds.filter((kind) => !mail.data['kind'] || mail.data['kind'] === kind)
    const waits = await Promise.all(asked.map((kind) => takeMail(room, 'reset', kind, emailFolded)))
    const accounts = await store.accountsOfEmail(room.db, emailFolded)
    const wanted = accounts.filter(({ kind }) => waits[asked.indexOf(kind)] === 0)
    return wanted.flatMap((account) => resetFor(room, 'reset', account, mail.origin))
  },
  /** A change to this address: it gets the link or, if it has an account already, its owner gets a notice. */
  async email_wish(room, mail) {
    const { origin, email } = mail
    const account = await store.findAccount(room.db, mail.account_id!)
    const linkId = mail.data['link']
    if (!account || !email || !linkId) return []
    if ((await takeChangeMail(room, account.account_id, foldEmail(email))) > 0) {
      // No mail is sent, but the link expires as if there were one: its end must not reveal the reason.
      await letLinkBegin(room, linkId)
      return []
    }
    const owner = await store.findAccountByEmail(room.db, account.kind, foldEmail(email))
    if (owner && owner.account_id !== account.account_id) {
      const to = { accountId: owner.account_id, locale: owner.language, origin }
      return [(trx) => queueMail(room, trx, { kind: 'email_taken', ...to, data: { link: linkId } })]
    }
    // The link was used or replaced in the meantime.
    if (!(await store.findLinkHash(room.db, linkId))) return []
    const to = { accountId: account.account_id, locale: account.language, origin }
    return [(trx) => queueMail(room, trx, { kind: 'change_email', ...to, linkId, email })]
  },
}

/** Queues a mail to the owner of an account, and stores a security event. */
export async function noticeOwner(
  room: Pick<AccountRoom, 'clock' | 'jobs' | 'log'>,
  trx: Sql,
  kind: LetterKind,
  { account_id: accountId, language: locale }: store.AccountRow,
  { origin, requestId }: Pick<From, 'origin' | 'requestId'>,
  event: string = kind,
): Promise<void> {
  await noteEvent(room, trx, { event, accountId, requestId })
  await queueMail(room, trx, { kind, accountId, locale, origin })
}

/** Queues a mail with a new link: one that confirms the address, or else sets a new password. @returns the id of the link */
export async function queueLink(
  room: Pick<AccountRoom, 'clock' | 'jobs' | 'keyring'>,
  trx: Sql,
  kind: 'verify' | 'reset' | 'taken' | 'staff',
  { account_id: accountId, language: locale }: store.AccountRow,
  origin: string,
): Promise<string> {
  const linkId = await makeLink(room, trx, { purpose: kind === 'verify' ? 'verify' : 'reset', accountId })
  await queueMail(room, trx, { kind, accountId, linkId, locale, origin })
  return linkId
}

function resetFor(room: AccountRoom, kind: 'reset' | 'taken', account: store.AccountRow, origin: string) {
  return account.blocked_at ? [] : [(trx: Sql) => queueLink(room, trx, kind, account, origin)]
}

/** Counts towards the budget of signup mails, which is the same whether the address was taken or not. */
async function isSignupTooMany(room: AccountRoom, mail: QueuedMail): Promise<boolean> {
  return (await takeMail(room, 'signup', mail.data['kind'] as AccountKind, foldEmail(mail.email!))) > 0
}

async function compose(room: AccountRoom, kind: LetterKind, mail: QueuedMail): Promise<Letter | null> {
  const { db, keyring, texts, settings } = room
  // The link's lifetime starts now, however long the mail was queued; also for a link that is not in this mail.
  const begins = mail.link_id ?? mail.data['link']
  if (begins) await letLinkBegin(room, begins)
  // The account is deleted: no mail, also not to an address stored in the mail.
  const account = mail.account_id ? await store.findAccount(db, mail.account_id) : undefined
  if (!account) return null
  const token = mail.link_id ? await tokenOfMade(keyring, db, mail.link_id) : null
  // The link was used or replaced in the meantime.
  if (mail.link_id && !token) return null
  const to = mail.email ?? account.email
  const say = (key: string) =>
    texts.say(mail.locale, `mails.${key}`, {
      festival: settings.festivalName,
      name: nameInMail(account.display_name),
      kind: account.kind,
      email: mail.data['email'] ?? to,
      hours: verificationHours,
      minutes: resetMinutes,
      days: kind === 'verify' ? daysToConfirm(room, account) : deletionDays,
      confirm: settings.requireVerifiedEmail ? 'demanded' : 'free',
      // A day after the signup the mail does not welcome, but reminds.
      again: room.clock.now().epochMilliseconds - account.created_at.getTime() > 86_400_000 ? 'yes' : 'no',
    })
  return {
    to,
    subject: say(`${kind}.subject`),
    greeting: say('greeting'),
    paragraphs: say(`${kind}.text`).split('\n').filter(Boolean),
    button: token
      ? { label: say(`${kind}.button`), url: `${mail.origin}${linkPages[kind] ?? '/'}?token=${token}` }
      : wayOut(kind, account.kind, mail.origin, say),
    footer: say(token ? 'footer' : 'notice'),
  }
}

/** Whole days until an unconfirmed account is deleted. */
function daysToConfirm({ clock }: AccountRoom, account: store.AccountRow): number {
  if (!account.confirm_by) return confirmationDays
  const leftMs = account.confirm_by.getTime() - clock.now().epochMilliseconds
  return Math.max(1, Math.round(leftMs / 86_400_000))
}

/** Opening such a page changes nothing, because mail scanners open links too: the page sends the token by POST. */
const linkPages: Partial<Record<LetterKind, string>> = {
  verify: page.verifyEmail,
  change_email: page.verifyEmail,
  reset: page.resetPassword,
  taken: page.resetPassword,
  staff: page.resetPassword,
}

/** Button of a notice: what the owner can do if it was not them; null: nothing. */
function wayOut(kind: LetterKind, of: AccountKind, origin: string, say: (key: string) => string) {
  const login = of === 'business' ? page.businessLogin : page.userLogin
  if (kind === 'deletion')
    return { label: say('deletion.button'), url: `${origin}${loginPageWithNext(login, page.settings)}` }
  if (kind === 'email_taken') return null
  return { label: say('notMe'), url: `${origin}${page.forgotPassword}?kind=${of}` }
}
