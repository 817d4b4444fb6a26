import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import { html, type Html } from '../../kit/server/mail-html.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { MailRefused } from '../../kit/server/mail-faults.ts'
import type { Mailer } from '../../kit/server/mailer.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { foldAsTyped, foldEmail } from '../../kit/shared/email-address.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import {
  accountKinds,
  deletionDays,
  resetMinutes,
  verificationHours,
  type AccountKind,
  type AccountLanguage,
} from '../contract.ts'
import { letLinkBegin, makeLink, tokenOfMade } from './links.ts'
import { takeChangeMail, takeMail, type AccountRoom } from './room.ts'
import * as store from './store.ts'

export const accountMailJob = 'account-mail'

/**
 * Mails that are decided on only when they are sent: whether an address has an account must not show in the time that an
 * answer takes, so the answer does the same work for all, and these become mails or nothing afterwards.
 */
type WishKind = 'signed_up' | 'signup_taken' | 'forgotten' | 'email_wish' | 'newsletter_wish'
type MailKind =
  | 'verify'
  | 'reset'
  | 'taken'
  | 'change_email'
  | 'email_taken'
  | 'email_changed'
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'recovery_code_used'
  | 'recovery_codes_new'
  | 'google_linked'
  | 'deletion'
  | 'newsletter'
  | 'staff'

/** Puts a mail on its way in the caller's transaction: it leaves exactly when the change was made. */
export async function queueMail(
  { clock, jobs }: { clock: AccountRoom['clock']; jobs: Jobs },
  db: Sql,
  mail: {
    kind: WishKind | MailKind
    locale: string
    origin: string
    accountId?: string
    subscriberId?: string
    linkId?: string
    email?: string
    data?: Record<string, string>
  },
): Promise<void> {
  const mailId = newId()
  await store.insertMail(db, {
    mail_id: mailId,
    kind: mail.kind,
    account_id: mail.accountId ?? null,
    subscriber_id: mail.subscriberId ?? null,
    link_id: mail.linkId ?? null,
    email: mail.email ?? null,
    email_folded: mail.email && !mail.accountId ? foldEmail(mail.email) : null,
    data: mail.data ?? {},
    locale: mail.locale,
    origin: mail.origin,
    created_at: asDate(clock.now()),
  })
  await jobs.enqueue(db, accountMailJob, { mailId })
}

export interface MailRoom extends Omit<AccountRoom, 'settings'> {
  mailer: Mailer
  texts: Texts
  festivalName: string
  /** Accounts that stay unconfirmed are deleted, and the mail that asks to confirm says so. */
  requireVerifiedEmail: boolean
}

/** How long an account has to be confirmed, from the first mail on that asks for it. */
const confirmationDays = 7

/** Sends a queued mail, once; a wish becomes the mails it comes to. Safe to run again after a crash. */
export async function sendQueuedMail(room: MailRoom, mailId: string): Promise<void> {
  const { db, mailer, log } = room
  const mail = await store.findMail(db, mailId)
  if (!mail) return
  if (mail.kind in wishes) {
    // looked up before the transaction begins: one that holds a connection and waits for another can wait for ever
    const mails = await wishes[mail.kind as WishKind](room, mail)
    await db.transaction().execute(async (trx) => {
      if (await store.deleteMail(trx, mailId)) for (const queue of mails) await queue(trx)
    })
    return
  }
  // its time begins when its mail leaves, however long the mail has waited; and so does that of one that nobody gets
  const begins = mail.link_id ?? mail.data['link']
  if (begins) await letLinkBegin(room, begins)
  const composed = await compose(room, mail)
  try {
    if (composed) await mailer.send({ ...composed, messageId: `<${mailId}@rheinklang>` })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    const details = { mail: mail.kind, mail_id: mailId, code: error.code }
    log.note({ event: 'mail_refused', actor: mail.account_id, requestId: null, details })
  }
  // also where the mailbox does not exist: an account that nobody can confirm must not stay for ever
  if (composed && mail.kind === 'verify' && room.requireVerifiedEmail) {
    const confirmBy = room.clock.now().add({ hours: confirmationDays * 24 })
    await store.setConfirmBy(db, mail.account_id!, asDate(confirmBy))
  }
  await store.deleteMail(db, mailId)
}

const stepSize = 1000

/** Puts mails back into the queue that no job works for any more. Any number may run at once. */
export async function requeueMails({ db, jobs }: { db: Database; jobs: Jobs }): Promise<void> {
  let after: string | null = null
  do {
    after = await db.transaction().execute(async (trx): Promise<string | null> => {
      const ids = await store.waitingMails(trx, after, stepSize)
      await jobs.enqueueMissing(trx, accountMailJob, 'mailId', ids)
      return ids.length === stepSize ? ids.at(-1)! : null
    })
  } while (after !== null)
}

/** The mails that a wish comes to, each to be queued in one transaction. */
type Wish = (room: MailRoom, mail: store.NewMail) => Promise<((trx: Sql) => Promise<void>)[]>

const wishes: Record<WishKind, Wish> = {
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
    const keys = { asTyped: foldAsTyped(mail.email!), folded: emailFolded }
    const accounts = await store.accountsOfEmail(room.db, keys)
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
    if (!(await tokenOfMade(room.keyring, room.db, linkId))) return []
    const to = { accountId: account.account_id, locale: account.language, origin }
    return [(trx) => queueMail(room, trx, { kind: 'change_email', ...to, linkId, email })]
  },
  /** A link for whoever is not on the list yet; who is gets nothing. */
  async newsletter_wish(room, mail) {
    const { locale, origin, email } = mail
    if (!email || (await takeMail(room, 'newsletter', 'reader', foldEmail(email))) > 0) return []
    return [
      async (trx) => {
        const wish = {
          subscriber_id: newId(),
          email,
          email_folded: foldEmail(email),
          language: locale as AccountLanguage,
          now: asDate(room.clock.now()),
        }
        const { subscriber_id: subscriberId, confirmed_at } = await store.subscribe(trx, wish, 'anybody')
        if (confirmed_at) return
        const linkId = await makeLink(room, trx, { purpose: 'newsletter', subscriberId })
        await queueMail(room, trx, { kind: 'newsletter', subscriberId, linkId, locale, origin })
      },
    ]
  },
}

/** The mail with the link that verifies the address of an account. */
export async function queueVerification(
  room: Pick<MailRoom, 'clock' | 'jobs' | 'keyring'>,
  trx: Sql,
  account: store.AccountRow,
  origin: string,
): Promise<void> {
  const accountId = account.account_id
  const linkId = await makeLink(room, trx, { purpose: 'verify', accountId })
  await queueMail(room, trx, { kind: 'verify', accountId, linkId, locale: account.language, origin })
}

async function resetFor(room: MailRoom, kind: 'reset' | 'taken', account: store.AccountRow, origin: string) {
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
async function isSignupTooMany(room: MailRoom, mail: store.NewMail): Promise<boolean> {
  return (await takeMail(room, 'signup', mail.data['kind'] as AccountKind, foldEmail(mail.email!))) > 0
}

async function compose(room: MailRoom, mail: store.NewMail) {
  const { db, keyring, texts, festivalName } = room
  const account = mail.account_id ? await store.findAccount(db, mail.account_id) : undefined
  const subscriber = mail.subscriber_id ? await store.findSubscriber(db, mail.subscriber_id) : undefined
  // deleted meanwhile: nothing leaves any more, also not to the address that the mail holds
  if ((mail.account_id && !account) || (mail.subscriber_id && !subscriber)) return null
  const to = mail.email ?? account?.email ?? subscriber?.email
  if (!to) return null
  const kind = mail.kind as MailKind
  const token = mail.link_id ? await tokenOfMade(keyring, db, mail.link_id) : null
  // used or replaced meanwhile
  if (mail.link_id && !token) return null
  const say = (key: string) =>
    texts.say(mail.locale, `mails.${key}`, {
      festival: festivalName,
      name: account ? nameInMail(account.display_name) : '',
      kind: account?.kind ?? 'user',
      email: mail.data['email'] ?? to,
      hours: verificationHours,
      minutes: resetMinutes,
      days: kind === 'verify' ? daysToConfirm(room, account) : deletionDays,
      confirm: room.requireVerifiedEmail ? 'demanded' : 'free',
      // a day later it is no welcome any more
      again: account && room.clock.now().epochMilliseconds - account.created_at.getTime() > 86_400_000 ? 'yes' : 'no',
    })
  const button = token
    ? { label: say(`${kind}.button`), url: `${mail.origin}${linkPages[kind] ?? '/'}?token=${token}` }
    : account
      ? wayOut(kind, account.kind, mail.origin, say)
      : null
  const paragraphs = say(`${kind}.text`).split('\n')
  // a person gets a page there, and the one click of a mail program (a POST) ends it at once
  const unsubscribeUrl =
    subscriber &&
    `${mail.origin}${page.newsletterUnsubscribe}?subscriber=${encodeURIComponent(unsubscribeTokens(keyring, subscriber.subscriber_id)[0]!)}`
  const markup = layout({
    locale: mail.locale,
    title: say(`${kind}.subject`),
    greeting: account ? say('greeting') : null,
    paragraphs,
    festival: festivalName,
    button,
    footer: say(token ? 'footer' : 'notice'),
    unsubscribe: unsubscribeUrl ? { label: say('unsubscribe'), url: unsubscribeUrl } : null,
  })
  return {
    to,
    subject: say(`${kind}.subject`),
    html: markup.markup,
    text: await plainText(markup),
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
  }
}

/** Whole days until an account that stays unconfirmed is deleted. */
function daysToConfirm({ clock }: MailRoom, account: store.AccountRow | undefined): number {
  if (!account?.confirm_by) return confirmationDays
  const leftMs = account.confirm_by.getTime() - clock.now().epochMilliseconds
  return Math.max(1, Math.round(leftMs / 86_400_000))
}

/** Opening such a page changes nothing, for mail scanners open links too: the page hands the token in by POST. */
const linkPages: Partial<Record<MailKind, string>> = {
  verify: page.verifyEmail,
  change_email: page.verifyEmail,
  reset: page.resetPassword,
  taken: page.resetPassword,
  staff: page.resetPassword,
  newsletter: page.newsletterConfirm,
}

/** What the owner of an account can do about a notice: nobody should have to look for it in a hurry. */
function wayOut(kind: MailKind, of: AccountKind, origin: string, say: (key: string) => string) {
  const login = of === 'business' ? page.businessLogin : page.userLogin
  if (kind === 'deletion')
    return { label: say('deletion.button'), url: `${origin}${loginPageWithNext(login, page.settings)}` }
  if (kind === 'email_taken') return null
  return { label: say('notMe'), url: `${origin}${page.forgotPassword}?kind=${of}` }
}

/** Good for as long as the subscription; made of its id with the installation's key, today's first. */
export function unsubscribeTokens(keyring: AccountRoom['keyring'], subscriberId: string): string[] {
  return keyring.macs('unsubscribe', subscriberId).map((mac) => `${subscriberId}.${mac.toString('base64url')}`)
}

function layout(mail: {
  locale: string
  festival: string
  title: string
  greeting: string | null
  paragraphs: string[]
  button: { label: string; url: string } | null
  footer: string
  unsubscribe: { label: string; url: string } | null
}): Html {
  const text = 'margin:0 0 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif;color:#1d1b16'
  const small = 'margin:24px 0 0;font:13px/1.5 system-ui,sans-serif;color:#6b6454'
  const link =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d1b16;color:#fdf8ec;text-decoration:none;font-weight:600'
  return html`<!doctype html>
    <html lang="${mail.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${mail.title}</title>
      </head>
      <body style="margin:0;padding:24px;background:#f6efe0">
        <div
          style="max-width:560px;margin:0 auto;padding:28px;background:#fffdf7;border-top:6px solid #f2574a;border-radius:6px"
        >
          <p style="margin:0 0 20px;font:700 15px/1.3 system-ui,sans-serif;color:#123a5a">${mail.festival}</p>
          <h1 style="margin:0 0 20px;font:700 22px/1.3 system-ui,sans-serif;color:#1d1b16">${mail.title}</h1>
          ${mail.greeting ? [html`<p style="${text}">${mail.greeting}</p>`] : []}
          ${mail.paragraphs.map((paragraph) => html`<p style="${text}">${paragraph}</p>`)}
          ${mail.button ? [html`<p style="${text}"><a href="${mail.button.url}" style="${link}">${mail.button.label}</a></p>`] : []}
          <p style="${small}">${mail.footer}</p>
          ${mail.unsubscribe ? [html`<p style="${small}"><a href="${mail.unsubscribe.url}" style="color:#6b6454">${mail.unsubscribe.label}</a></p>`] : []}
        </div>
      </body>
    </html>`
}

async function plainText(markup: Html): Promise<string> {
  const { convert } = await import('html-to-text')
  return convert(markup.markup, {
    wordwrap: 78,
    selectors: [
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: false } },
    ],
  })
}
