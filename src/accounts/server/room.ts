import type { Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { IdLog } from '../../kit/server/id-log.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { House } from '../../kit/server/room.ts'
import type { SecurityLog } from '../../kit/server/security-log.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Texts, Who } from '../../kit/server/serve-endpoint.ts'
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
  /** Nothing is charged, and a plan chosen at signup starts at once. */
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
  /** What other rooms keep with the ids of an account, from the upper ones down. */
  personalData: PersonalData[]
  /** Null where no room has one. */
  newsletter: NewsletterSetting | null
  texts: Texts
  /** Accounts that were deleted, noted outside the database. */
  deletions: IdLog
}

export interface Owner {
  accountId: string
  businessId: string | null
  /** Folded; null while nobody has shown that the address is theirs. */
  verifiedEmail: string | null
  /** Folded, as whoever made the account gave it: it may be somebody else's. */
  givenEmail: string
}

export function ownerOf(account: store.AccountRow): Owner {
  const { account_id, business_id, verified_at, email } = account
  const givenEmail = foldEmail(email)
  return { accountId: account_id, businessId: business_id, verifiedEmail: verified_at ? givenEmail : null, givenEmail }
}

/** A room that keeps things of people. */
export interface PersonalData {
  /** Everything that is kept with these ids or of this address, by table. */
  everythingOf(db: Sql, owner: Owner): Promise<Record<string, Record<string, unknown>[]>>
  /** Whether there is something for which an account that nobody verified is kept. */
  hasContent(db: Sql, owner: Owner): Promise<boolean>
  /**
   * Somebody has asked for deletion: what would go on until then ends, so that `stay` can bring it back. In the transaction of
   * the wish, so long work is a job. Asked for again, it may come twice.
   */
  leave?(trx: Sql, owner: Owner, now: Date): Promise<void>
  /** The account stays: everything is again as it was before `leave`. */
  stay?(trx: Sql, owner: Owner, now: Date): Promise<void>
  /** Makes anonymous what others refer to and deletes the rest. Done twice it is as done once. */
  forget(trx: Sql, owner: Owner): Promise<void>
}

/** The newsletter, as the settings of an account show it and change it. */
export interface NewsletterSetting {
  /** @param email folded, and shown to be the account's */
  isOn(db: Sql, email: string): Promise<boolean>
  /** Throws `too_many_requests`. Counts in a connection of its own, so it comes before a transaction and not within. */
  refuseTooMany(from: From): Promise<void>
  /**
   * `isOwner`: the address is confirmed, so whoever asks has opened a link of ours before and it counts at once; everybody
   * else confirms the newsletter by a link, and ends it by the one in each of its mails.
   */
  set(
    trx: Sql,
    wish: { on: boolean; accountId: string; email: string; language: AccountLanguage; isOwner: boolean },
    from: From,
  ): Promise<void>
  /** What goes to the old address, which was confirmed, goes to the new one, which is; both as they are folded. */
  move(trx: Sql, old: string, to: { email: string; emailFolded: string }): Promise<void>
  /** Who leaves wants no newsletter: what the account asked for and is not decided yet. */
  dropRequests(trx: Sql, accountId: string): Promise<void>
}

/** What a rule must know of the call beside its input. */
export interface From {
  locale: string
  origin: string
  requestId: string
  /** As `Asking` has it. */
  address: string
  userAgent: string
}

/**
 * What a mail to an address is for. Each purpose has a budget of its own, or strangers could use up what the owner of the
 * address needs: anybody can sign up with it (or ask for the newsletter, whose room has another budget), and its owner still
 * gets links to reset and confirm.
 */
export type MailPurpose = 'signup' | 'reset' | 'confirm' | 'change'

export interface AccountLimits {
  guessesByStrangers: Limiter
  guessesFromFamiliar: Limiter
  wrongLogins: Limiter
  /** Mails to one address; `takeMail` knows their keys. */
  mails: Record<MailPurpose, Limiter>
  /** Emails to change to, however many accounts ask for the same one. */
  changeMailsToAddress: Limiter
  forgotRequests: Limiter
  googleStarts: Limiter
  signups: Limiter
  failedSignups: Limiter
  challenges: Limiter
  exports: Limiter
  emailChanges: Limiter
  codes: Limiter
}

/** Requests for mails of one purpose from one network address and hour; the crowd behind it shares them. */
const mailRequestsPerHour = 200
const challengesPerHour = 2000
/** A crowd behind one address, each of whom may stop at Google and begin anew. */
const googleStartsPerHour = 2000
const exportsPerHour = 10
/** Each sends a mail to an address of one's choice: nobody writes to a whole town through an account. */
const emailChangesPerHour = 10
/**
 * Four accounts may ask for the same address as often as they can, and its owner, with an account of their own, still gets the
 * mail; a crowd of accounts that ask for it fills no mailbox.
 */
const changeMailsToAddressPerHalfHour = 25

export function accountLimits(limiter: House['limiter']): AccountLimits {
  const hourly = (name: string, points: number) => limiter({ name, points, durationS: 3600 })
  const halfHourly = (name: string, points: number) => limiter({ name, points, durationS: 1800 })
  return {
    guessesByStrangers: hourly('guess', guessesPerHour),
    guessesFromFamiliar: hourly('guess-familiar', guessesPerHour),
    wrongLogins: hourly('wrong-login', wrongLoginsPerAddress),
    mails: {
      signup: halfHourly('mail-signup', mailsPerHalfHour),
      reset: halfHourly('mail-reset', mailsPerHalfHour),
      // the mail of the signup asks for the confirmation too
      confirm: halfHourly('mail-confirm', mailsPerHalfHour - 1),
      change: halfHourly('mail-change', mailsPerHalfHour),
    },
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
 * Takes one from the budget of an address for mails of one purpose; returns 0, or the seconds to wait when there is none
 * left. Taken before anybody looks whether the address has an account, so what is left of a budget cannot tell.
 */
export function takeMail(
  { limits, keyring }: Pick<AccountRoom, 'limits' | 'keyring'>,
  purpose: MailPurpose,
  of: AccountKind,
  emailFolded: string,
): Promise<number> {
  return limits.mails[purpose].take(`${of}:${emailKey(keyring, emailFolded)}`)
}

/** The same for the mail to the address that an account wants to change to: of each account apart, and of all together. */
export async function takeChangeMail(
  { limits, keyring }: Pick<AccountRoom, 'limits' | 'keyring'>,
  accountId: string,
  emailFolded: string,
): Promise<number> {
  const key = emailKey(keyring, emailFolded)
  return (await limits.mails.change.take(`${accountId}:${key}`)) || limits.changeMailsToAddress.take(key)
}

/** The refusal of a limit; nothing while it says 0. */
export function refuseIfWaiting(waitS: number): void {
  if (waitS > 0) throw tooManyUntil(waitS)
}

/** The account that asks. It can be gone since the token was looked at. */
export async function knownAccount(db: Sql, who: Who): Promise<store.AccountRow> {
  const account = await store.findAccount(db, who.accountId)
  if (!account) throw new Refusal(unauthenticated)
  return account
}

/** What stands for a visitor's address in tables and log: a keyed hash. */
export function addressHash(keyring: Keyring, address: string): Buffer {
  return keyring.mac('addresses', address).subarray(0, 16)
}

/** Key of a limiter for a visitor's address. */
export function addressKey(keyring: Keyring, address: string): string {
  return addressHash(keyring, address).toString('base64url')
}

/** Key of a limiter for an e-mail address: nobody reads the address out of the table. */
export function emailKey(keyring: Keyring, emailFolded: string): string {
  return keyring.mac('emails', emailFolded).toString('base64url').slice(0, 22)
}

/** Keeps what happened to an account for its owner, and says it in the log. */
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
