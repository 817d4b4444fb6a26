import type { Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { IdLog } from '../../kit/server/id-log.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { House } from '../../kit/server/room.ts'
import type { SecurityLog } from '../../kit/server/security-log.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { RequestContext, Texts, Caller } from '../../kit/server/serve-endpoint.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { Refusal, tooManyUntil, unauthenticated } from '../../kit/shared/refusal.ts'
import {
  guessesPerHour,
  mailsPerHalfHour,
  signupsPerAddress,
  wrongLoginsPerAddress,
  type AccountKind,
  type AccountLanguage,
} from '../contract.ts'
import * as store from './store.ts'

export interface AccountSettings {
  requireVerifiedEmail: boolean
  signupChallenge: 'auto' | 'always'
  passwordBlocklist: boolean
  google: { clientId: string; clientSecret: string; issuer: string } | null
  /** Page of the demo's mailbox; null: mails are sent. */
  demoMail: string | null
  /** A plan chosen at signup starts at once, without a charge. */
  demoPayments: boolean
  festivalName: string
}

export interface AccountRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  keyring: Keyring
  log: SecurityLog
  settings: AccountSettings
  limits: AccountLimits
  /** Personal data of all other rooms, upper rooms first. */
  personalData: PersonalData[]
  /** Null: the site has no newsletter. */
  newsletter: NewsletterSetting | null
  texts: Texts
  /** Ids of deleted accounts, stored outside the database. */
  deletions: IdLog
}

export interface Owner {
  accountId: string
  businessId: string | null
  /** Folded; null while the address is unconfirmed. */
  verifiedEmail: string | null
  /** Folded. Unconfirmed it may belong to somebody else. */
  givenEmail: string
}

export function ownerOf(account: store.AccountRow): Owner {
  const { account_id, business_id, verified_at, email } = account
  const givenEmail = foldEmail(email)
  return { accountId: account_id, businessId: business_id, verifiedEmail: verified_at ? givenEmail : null, givenEmail }
}

/** How a room exports and deletes the personal data that it stores. */
export interface PersonalData {
  /** All rows of the owner, by table, for the export. */
  exportOf(db: Sql, owner: Owner): Promise<Record<string, Record<string, unknown>[]>>
  /** Whether the owner has content, which saves an unconfirmed account from deletion. */
  hasContent(db: Sql, owner: Owner): Promise<boolean>
  /**
   * Runs when a deletion is requested: pauses what would go on until then, so that `stay` can restore it. Runs in the request's
   * transaction, so long work must be a job. May run twice.
   */
  leave?(trx: Sql, owner: Owner, now: Date): Promise<void>
  /** Runs when the deletion is taken back: restores what `leave` paused. */
  stay?(trx: Sql, owner: Owner, now: Date): Promise<void>
  /** Makes content anonymous that others refer to, and deletes the rest. Safe to repeat. */
  forget(trx: Sql, owner: Owner): Promise<void>
}

/** The newsletter switch in the settings of an account. */
export interface NewsletterSetting {
  /** @param email folded and confirmed */
  isOn(db: Sql, email: string): Promise<boolean>
  /** Takes a second connection, so call it before a transaction, never inside one. @throws `too_many_requests` */
  refuseTooMany(from: From): Promise<void>
  /**
   * `isOwner`: the address is confirmed, so the change takes effect at once. Else subscribing needs a link from a mail, and
   * unsubscribing the link in a newsletter.
   */
  set(
    trx: Sql,
    setting: { on: boolean; accountId: string; email: string; language: AccountLanguage; isOwner: boolean },
    from: From,
  ): Promise<void>
  /** Moves the subscription to a new address; both addresses are confirmed. @param old folded */
  move(trx: Sql, old: string, to: { email: string; emailFolded: string }): Promise<void>
  /** Deletes queued requests of an account that is leaving. */
  dropRequests(trx: Sql, accountId: string): Promise<void>
}

/** The request, apart from its input. */
export interface From {
  locale: string
  origin: string
  requestId: string
  /** Network address, as in `RequestContext`. */
  address: string
  userAgent: string
}

export function fromOf({ locale, origin, requestId, visitor }: RequestContext): From {
  return { locale, origin, requestId, address: visitor?.address ?? '', userAgent: visitor?.userAgent ?? '' }
}

/**
 * Purpose of a mail to an address. Each purpose has its own budget, or strangers could use up what the address's owner needs: anybody
 * can sign up with it, and its owner must still get links to reset and confirm.
 */
export type MailPurpose = 'signup' | 'reset' | 'confirm' | 'change'

export type AccountLimits = ReturnType<typeof accountLimits>

/** Per network address and purpose; a festival crowd shares an address. */
const mailRequestsPerHour = 200
const challengesPerHour = 2000
/** Per network address: a crowd, where some stop at Google and start again. */
const googleStartsPerHour = 2000
const exportsPerHour = 10
/** Each sends a mail to any address that the person enters, so an account must not reach many. */
const emailChangesPerHour = 10
/**
 * Four accounts that ask for the same address as often as they can leave its owner's own request a mail; many accounts cannot fill
 * the mailbox.
 */
const changeMailsToAddressPerHalfHour = 25

export function accountLimits(limiter: House['limiter']) {
  const hourly = (name: string, points: number) => limiter({ name, points, durationS: 3600 })
  const halfHourly = (name: string, points: number) => limiter({ name, points, durationS: 1800 })
  return {
    guessesByStrangers: hourly('guess', guessesPerHour),
    guessesFromFamiliar: hourly('guess-familiar', guessesPerHour),
    wrongLogins: hourly('wrong-login', wrongLoginsPerAddress),
    /** Mails to one address, counted by `takeMail`. */
    mails: {
      signup: halfHourly('mail-signup', mailsPerHalfHour),
      reset: halfHourly('mail-reset', mailsPerHalfHour),
      // One less, because the mail of the signup asks for the confirmation too.
      confirm: halfHourly('mail-confirm', mailsPerHalfHour - 1),
      change: halfHourly('mail-change', mailsPerHalfHour),
    },
    /** Mails to an address that accounts want to change to, all accounts together. */
    changeMailsToAddress: halfHourly('mail-change-to', changeMailsToAddressPerHalfHour),
    forgotRequests: hourly('forgot-wish', mailRequestsPerHour),
    googleStarts: hourly('google-start', googleStartsPerHour),
    signups: hourly('signup', signupsPerAddress.successful),
    failedSignups: hourly('signup-failed', signupsPerAddress.failed),
    challenges: hourly('challenge', challengesPerHour),
    exports: hourly('export', exportsPerHour),
    emailChanges: hourly('email-change', emailChangesPerHour),
    codes: hourly('code', guessesPerHour),
  }
}

/**
 * Counts a mail towards the budget of an address for one purpose. Called before anybody looks whether the address has an account, so
 * that budgets do not reveal accounts. @returns 0, or the seconds to wait
 */
export function takeMail(
  { limits, keyring }: Pick<AccountRoom, 'limits' | 'keyring'>,
  purpose: MailPurpose,
  of: AccountKind,
  emailFolded: string,
): Promise<number> {
  return limits.mails[purpose].take(`${of}:${emailKey(keyring, emailFolded)}`)
}

/** `takeMail` for the address that an account wants to change to: counted per account, and for all accounts together. */
export async function takeChangeMail(
  { limits, keyring }: Pick<AccountRoom, 'limits' | 'keyring'>,
  accountId: string,
  emailFolded: string,
): Promise<number> {
  const key = emailKey(keyring, emailFolded)
  return (await limits.mails.change.take(`${accountId}:${key}`)) || limits.changeMailsToAddress.take(key)
}

/** @throws `too_many_requests` unless `waitS` is 0 */
export function refuseIfWaiting(waitS: number): void {
  if (waitS > 0) throw tooManyUntil(waitS)
}

/** The account of the request. @throws `unauthenticated` if it was deleted since the token was checked */
export async function knownAccount(db: Sql, who: Caller): Promise<store.AccountRow> {
  const account = await store.findAccount(db, who.accountId)
  if (!account) throw new Refusal(unauthenticated)
  return account
}

/** Keyed hash of a network address, for tables and log: addresses themselves are not stored. */
export function addressHash(keyring: Keyring, address: string): Buffer {
  return keyring.mac('addresses', address).subarray(0, 16)
}

/** Limiter key of a network address. */
export function addressKey(keyring: Keyring, address: string): string {
  return addressHash(keyring, address).toString('base64url')
}

/** Limiter key of an email address, which cannot be read from it. */
export function emailKey(keyring: Keyring, emailFolded: string): string {
  return keyring.mac('emails', emailFolded).toString('base64url').slice(0, 22)
}

/** Stores a security event of an account, for its owner's export, and logs it. */
export async function noteEvent(
  { clock, log }: Pick<AccountRoom, 'clock' | 'log'>,
  db: Sql,
  event: { event: string; accountId: string; requestId: string },
): Promise<void> {
  await store.insertSecurityEvent(db, {
    event_id: newId(),
    account_id: event.accountId,
    event: event.event,
    request_id: event.requestId,
    at: asDate(clock.now()),
  })
  log.note({ event: event.event, actor: event.accountId, requestId: event.requestId })
}
