import { asDate } from '../../kit/server/clock.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { hasMail, linksWithMail } from '../../mail/server/mail.ts'
import { deleteFor } from './deletions.ts'
import { queueVerification } from './mails.ts'
import { ownerOf, type AccountRoom } from './room.ts'
import * as store from './store.ts'

type RetentionRoom = Pick<AccountRoom, 'db' | 'clock' | 'log' | 'personalData' | 'deletions'>

/** Retention of an account's security events. */
export const securityEventDays = 90
/** Retention of the fingerprints of addresses that somebody logged in from. */
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

/** But for those whose mail has not left yet: their time has not begun. */
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

/** All that a night does with accounts. A part that fails keeps no other waiting; it is said at the end, and tried again. */
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

/** Deletes the accounts whose 14 days are over: what others see becomes anonymous, the rest goes. Run daily. */
export async function executeDeletions(room: RetentionRoom): Promise<number> {
  const now = asDate(room.clock.now())
  let deleted = 0
  await eachInSteps(
    (after) => store.accountsToDelete(room.db, now, after, stepSize),
    async ({ account_id }) => {
      if (await deleteFor(room, account_id, 'account_deleted', isDue)) deleted++
    },
  )
  return deleted
}

const isDue = (account: store.AccountRow, now: Date) => account.deletion_at !== null && account.deletion_at <= now

/** How long before the end an account is reminded that its address waits to be confirmed. */
const reminderDays = 2
/** Accounts that were just created get the mail of the signup. */
const freshHours = 1

/**
 * Asks for the confirmation of addresses that no mail has asked for yet, as of accounts from before mail was sent, and reminds
 * once before the end. Only where a verified address is demanded. Run daily.
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
        await queueVerification(room, trx, account, origin)
      })
    },
  )
}

/**
 * Deletes accounts that nobody has verified within seven days of the mail that said so, but for those with content. Only
 * where a verified address is demanded: elsewhere an account is used without. Run daily.
 */
export async function deleteUnverified(room: RetentionRoom, isVerificationDemanded: boolean): Promise<number> {
  if (!isVerificationDemanded) return 0
  const now = asDate(room.clock.now())
  let deleted = 0
  await eachWithoutContent(
    room,
    (after) => store.unconfirmedAccounts(room.db, now, after, stepSize),
    async (account) => {
      if (await deleteFor(room, account.account_id, 'unverified_account_deleted', isOverdue)) deleted++
    },
  )
  return deleted
}

const isOverdue = (account: store.AccountRow, now: Date) =>
  account.verified_at === null && account.confirm_by !== null && account.confirm_by <= now

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

/** One that fails keeps no other waiting; that it did is said at the end, so that it is tried again. */
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
