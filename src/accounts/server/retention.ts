import { asDate } from '../../kit/server/clock.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { hasMail, linksWithMail } from '../../mail/server/mail.ts'
import { deleteFor } from './deletions.ts'
import { queueLink } from './mails.ts'
import { ownerOf, type AccountRoom } from './room.ts'
import * as store from './store.ts'
import { isConfirmationOverdue, isDeletionDue } from '../policy.ts'

type RetentionRoom = Pick<AccountRoom, 'db' | 'clock' | 'log' | 'personalData' | 'deletions'>

/** Retention of an account's security events. */
export const securityEventDays = 90
/** Retention of hashes of network addresses that somebody logged in from. */
export const familiarDays = 90
const stepSize = 100

/** Deletes what has expired: sessions, links, proofs of work, old security events. Run daily. */
export async function deleteExpired({ db, clock }: Pick<RetentionRoom, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const daysAgo = (days: number) => asDate(now.subtract({ hours: days * 24 }))
  await forgetLinks(db, asDate(now))
  await store.deleteExpired(db, {
    now: asDate(now),
    eventsBefore: daysAgo(securityEventDays),
    familiarBefore: daysAgo(familiarDays),
  })
}

const linksAtOnce = 2000

/** Keeps links whose mail is still queued: their lifetime has not started. */
const forgetLinks = (db: RetentionRoom['db'], now: Date) =>
  inSteps(linksAtOnce, async ({ after, limit }) => {
    const links = await store.expiredLinks(db, now, after, limit)
    const waiting = await linksWithMail(db, links)
    await store.deleteLinksById(
      db,
      links.filter((linkId) => !waiting.has(linkId)),
    )
    return links
  })

/** Nightly work on accounts. All parts run even if one fails; then the job throws and is retried. */
export async function runNightlyAccountWork(
  room: Parameters<typeof askToConfirm>[0],
  isVerificationDemanded: boolean,
  origin: string,
): Promise<void> {
  const parts = [
    () => executeDeletions(room),
    () => deleteUnverified(room, isVerificationDemanded),
    () => askToConfirm(room, isVerificationDemanded, origin),
  ]
  const failures: unknown[] = []
  for (const part of parts) await part().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Deletes accounts whose 14 days are over; content that others see becomes anonymous. Run daily. */
export async function executeDeletions(room: RetentionRoom): Promise<number> {
  const now = asDate(room.clock.now())
  let deleted = 0
  await eachInSteps(
    (after) => store.accountsToDelete(room.db, now, after, stepSize),
    async ({ account_id }) => {
      if (await deleteFor(room, account_id, 'account_deleted', isDeletionDue)) deleted++
    },
  )
  return deleted
}

/** An unconfirmed account is reminded this long before its deletion. */
const reminderDays = 2
/** Younger accounts are skipped: they get the mail of their signup. */
const freshHours = 1

/**
 * Sends confirmation mails to accounts that never got one, such as those from before the site sent mail, and one reminder before the
 * deletion. Only where a confirmed address is required. Run daily.
 */
export async function askToConfirm(
  room: RetentionRoom & Pick<AccountRoom, 'jobs' | 'keyring'>,
  isVerificationDemanded: boolean,
  origin: string,
): Promise<void> {
  if (!isVerificationDemanded) return store.clearConfirmBy(room.db)
  const now = room.clock.now()
  const at = {
    madeBefore: asDate(now.subtract({ hours: freshHours })),
    overBefore: asDate(now.add({ hours: reminderDays * 24 })),
  }
  await eachWithoutContent(
    room,
    (after) => store.accountsToAsk(room.db, at, after, stepSize),
    async (account) => {
      if (await hasMail(room.db, account.account_id, 'verify')) return
      await room.db.transaction().execute(async (trx) => {
        if (account.confirm_by) await store.noteReminder(trx, account.account_id, asDate(now))
        await queueLink(room, trx, 'verify', account, origin)
      })
    },
  )
}

/**
 * Deletes accounts without content that were not confirmed within seven days of the mail that asked for it. Only where a confirmed
 * address is required. Run daily.
 */
export async function deleteUnverified(room: RetentionRoom, isVerificationDemanded: boolean): Promise<number> {
  if (!isVerificationDemanded) return 0
  const now = asDate(room.clock.now())
  let deleted = 0
  await eachWithoutContent(
    room,
    (after) => store.unconfirmedAccounts(room.db, now, after, stepSize),
    async (account) => {
      if (await deleteFor(room, account.account_id, 'unverified_account_deleted', isConfirmationOverdue)) deleted++
    },
  )
  return deleted
}

async function eachWithoutContent(
  { db, personalData }: RetentionRoom,
  next: (after: store.AccountRow | null) => Promise<store.AccountRow[]>,
  work: (account: store.AccountRow) => Promise<void>,
): Promise<void> {
  await eachInSteps(next, async (account) => {
    const contents = await Promise.all(personalData.map((each) => each.hasContent(db, ownerOf(account))))
    if (!contents.includes(true)) await work(account)
  })
}

/** Goes on after a failure, then throws the first one, so that the job is retried. */
async function eachInSteps(
  next: (after: store.AccountRow | null) => Promise<store.AccountRow[]>,
  work: (account: store.AccountRow) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  let rows: store.AccountRow[] = []
  do {
    rows = await next(rows.at(-1) ?? null)
    for (const account of rows) await work(account).catch((error: unknown) => failures.push(error))
  } while (rows.length === stepSize)
  if (failures.length > 0) throw failures[0]
}
