import { asDate } from '../../kit/server/clock.ts'
import { ownerOf, type AccountRoom } from './room.ts'
import * as store from './store.ts'

type RetentionRoom = Pick<AccountRoom, 'db' | 'clock' | 'log' | 'keepers'>

const unverifiedDays = 7
const securityEventDays = 90
const unsentMailDays = 7
const familiarDays = 90
const unconfirmedNewsletterDays = 7
const stepSize = 100

/** Forgets what has run out: sessions, links, proofs of work, mails that never left, old security events. Run daily. */
export async function forgetExpired({ db, clock }: RetentionRoom): Promise<void> {
  const now = clock.now()
  const daysAgo = (days: number) => asDate(now.subtract({ hours: days * 24 }))
  await store.forgetExpired(db, {
    now: asDate(now),
    mailsBefore: daysAgo(unsentMailDays),
    eventsBefore: daysAgo(securityEventDays),
    familiarBefore: daysAgo(familiarDays),
    unconfirmedBefore: daysAgo(unconfirmedNewsletterDays),
  })
}

/** Deletes the accounts whose 14 days are over: what others see becomes anonymous, the rest goes. Run daily. */
export async function executeDeletions(room: RetentionRoom): Promise<number> {
  let deleted = 0
  for (;;) {
    const ids = await store.accountsToDelete(room.db, asDate(room.clock.now()), stepSize)
    for (const accountId of ids) if (await deleteFor(room, accountId, 'account_deleted', isDue)) deleted++
    if (ids.length < stepSize) return deleted
  }
}

const isDue = (account: store.AccountRow, now: Date) => account.deletion_at !== null && account.deletion_at <= now

/**
 * Deletes accounts that nobody has verified within seven days, but for those with content. Only where a verified address
 * is demanded: elsewhere an account is used without. Run daily.
 */
export async function deleteUnverified(room: RetentionRoom, isVerificationDemanded: boolean): Promise<number> {
  if (!isVerificationDemanded) return 0
  const before = asDate(room.clock.now().subtract({ hours: unverifiedDays * 24 }))
  let deleted = 0
  let after: store.AccountRow | null = null
  for (;;) {
    const rows: store.AccountRow[] = await store.unverifiedAccounts(room.db, before, after, stepSize)
    for (const row of rows) {
      const owner = ownerOf(row)
      const contents = await Promise.all(room.keepers.map((keeper) => keeper.hasContent(room.db, owner)))
      if (contents.includes(true)) continue
      if (await deleteFor(room, row.account_id, 'unverified_account_deleted', isUnverified)) deleted++
    }
    after = rows.at(-1) ?? null
    if (rows.length < stepSize) return deleted
  }
}

const isUnverified = (account: store.AccountRow) => account.verified_at === null

/** Once, however many instances try, and only while the reason still holds. */
async function deleteFor(
  { db, clock, log, keepers }: RetentionRoom,
  accountId: string,
  event: string,
  holds: (account: store.AccountRow, now: Date) => boolean,
): Promise<boolean> {
  const isDone = await db.transaction().execute(async (trx) => {
    const account = await store.lockAccount(trx, accountId)
    if (!account || !holds(account, asDate(clock.now()))) return false
    for (const keeper of keepers) await keeper.forget(trx, ownerOf(account))
    // the newsletter of an address that was never confirmed may be somebody else's
    if (account.verified_at) await store.deleteSubscriberByEmail(trx, account.email_folded)
    await store.deleteAccount(trx, accountId)
    return true
  })
  if (isDone) log.note({ event, actor: accountId, requestId: null })
  return isDone
}
