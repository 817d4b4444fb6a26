import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import * as outbox from '../../mail/server/mail.ts'
import type { Letter, MailKinds, QueuedMail } from '../../mail/server/mail.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { accountKinds, deletionDays, resetMinutes, verificationHours, type AccountKind } from '../contract.ts'
import { letLinkBegin, makeLink, tokenOfMade } from './links.ts'
import { takeChangeMail, takeMail, type AccountRoom } from './room.ts'
import * as store from './store.ts'

/** Decided on only when their turn comes. */
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

/** What accounts send, for the room of mails. */
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

/** Puts a mail of an account on its way in the caller's transaction. */
export function queueMail(
  room: Pick<AccountRoom, 'clock' | 'jobs'>,
  trx: Sql,
  mail: outbox.MailToQueue & { kind: RequestKind | LetterKind },
): Promise<void> {
  return outbox.queueMail(room, trx, mail)
}

/** How long an account has to be confirmed, from the first mail on that asks for it. */
const confirmationDays = 7

/**
 * Also where the mailbox does not exist: an account that nobody can confirm must not stay for ever. A mail whose content is refused
 * says nothing of the mailbox.
 */
async function beginConfirmation({ db, clock, settings }: AccountRoom, accountId: string): Promise<void> {
  if (!settings.requireVerifiedEmail) return
  await store.setConfirmBy(db, accountId, asDate(clock.now().add({ hours: confirmationDays * 24 })))
}

/** The mails that a wish comes to, each to be queued in one transaction. */
type Expand = (room: AccountRoom, mail: QueuedMail) => Promise<((trx: Sql) => Promise<void>)[]>

const expand: Record<RequestKind, Expand> = {
  async signed_up(room, mail) {
    if (await isSignupTooMany(room, mail)) return []
    const account = await store.findAccountByEmail(room.db, mail.data['kind'] as AccountKind, foldEmail(mail.email!))
    if (!account || account.verified_at) return []
    return [(trx) => queueVerification(room, trx, account, mail.origin)]
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
    return (await Promise.all(wanted.map((account) => resetFor(room, 'reset', account, mail.origin)))).flat()
  },
  /** Somebody wants the address for an account: it gets the link, or the owner of the other account a notice. */
  async email_wish(room, mail) {
    const { origin, email } = mail
    const account = await store.findAccount(room.db, mail.account_id!)
    const linkId = mail.data['link']
    if (!account || !email || !linkId) return []
    if ((await takeChangeMail(room, account.account_id, foldEmail(email))) > 0) {
      // no mail leaves; when the change is forgotten must not tell why
      await letLinkBegin(room, linkId)
      return []
    }
    const owner = await store.findAccountByEmail(room.db, account.kind, foldEmail(email))
    if (owner && owner.account_id !== account.account_id) {
      const to = { accountId: owner.account_id, locale: owner.language, origin }
      return [(trx) => queueMail(room, trx, { kind: 'email_taken', ...to, data: { link: linkId } })]
    }
    // used or replaced meanwhile
    if (!(await store.findLinkHash(room.db, linkId))) return []
    const to = { accountId: account.account_id, locale: account.language, origin }
    return [(trx) => queueMail(room, trx, { kind: 'change_email', ...to, linkId, email })]
  },
}

/** The mail with the link that verifies the address of an account. */
export async function queueVerification(
  room: Pick<AccountRoom, 'clock' | 'jobs' | 'keyring'>,
  trx: Sql,
  account: store.AccountRow,
  origin: string,
): Promise<void> {
  const accountId = account.account_id
  const linkId = await makeLink(room, trx, { purpose: 'verify', accountId })
  await queueMail(room, trx, { kind: 'verify', accountId, linkId, locale: account.language, origin })
}

async function resetFor(room: AccountRoom, kind: 'reset' | 'taken', account: store.AccountRow, origin: string) {
  if (account.blocked_at) return []
  const accountId = account.account_id
  return [
    async (trx: Sql) => {
      const linkId = await makeLink(room, trx, { purpose: 'reset', accountId })
      await queueMail(room, trx, { kind, accountId, linkId, locale: account.language, origin })
    },
  ]
}

/** A signup sends one mail, whether the address was taken or not. */
async function isSignupTooMany(room: AccountRoom, mail: QueuedMail): Promise<boolean> {
  return (await takeMail(room, 'signup', mail.data['kind'] as AccountKind, foldEmail(mail.email!))) > 0
}

async function compose(room: AccountRoom, kind: LetterKind, mail: QueuedMail): Promise<Letter | null> {
  const { db, keyring, texts, settings } = room
  // its time begins when its mail leaves, however long the mail has waited; and so does that of one that nobody gets
  const begins = mail.link_id ?? mail.data['link']
  if (begins) await letLinkBegin(room, begins)
  // deleted meanwhile: nothing leaves any more, also not to the address that the mail holds
  const account = mail.account_id ? await store.findAccount(db, mail.account_id) : undefined
  if (!account) return null
  const token = mail.link_id ? await tokenOfMade(keyring, db, mail.link_id) : null
  // used or replaced meanwhile
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
      // a day later it is no welcome any more
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

/** Whole days until an account that stays unconfirmed is deleted. */
function daysToConfirm({ clock }: AccountRoom, account: store.AccountRow): number {
  if (!account.confirm_by) return confirmationDays
  const leftMs = account.confirm_by.getTime() - clock.now().epochMilliseconds
  return Math.max(1, Math.round(leftMs / 86_400_000))
}

/** Opening such a page changes nothing, for mail scanners open links too: the page hands the token in by POST. */
const linkPages: Partial<Record<LetterKind, string>> = {
  verify: page.verifyEmail,
  change_email: page.verifyEmail,
  reset: page.resetPassword,
  taken: page.resetPassword,
  staff: page.resetPassword,
}

/** What the owner of an account can do about a notice: nobody should have to look for it in a hurry. */
function wayOut(kind: LetterKind, of: AccountKind, origin: string, say: (key: string) => string) {
  const login = of === 'business' ? page.businessLogin : page.userLogin
  if (kind === 'deletion')
    return { label: say('deletion.button'), url: `${origin}${loginPageWithNext(login, page.settings)}` }
  if (kind === 'email_taken') return null
  return { label: say('notMe'), url: `${origin}${page.forgotPassword}?kind=${of}` }
}
