import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { accountRows, type AccountRow } from './accounts.ts'

export async function accountsToDelete(db: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('deletion_at', '<=', now)
    .orderBy('deletion_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

type Place = { account_id: string } | null

/** Accounts whose time to be confirmed is over; whether they have content, other rooms know. */
export async function unconfirmedAccounts(db: Sql, now: Date, after: Place, limit: number): Promise<AccountRow[]> {
  return unverified(db, after, limit).where('confirm_by', '<=', now).execute()
}

/**
 * Accounts that no mail has ever asked to be confirmed (and that were not made just now), or whose time is soon over and
 * which were not reminded of it; none to which such a mail is on its way.
 */
export async function accountsToAsk(
  db: Sql,
  at: { madeBefore: Date; overBefore: Date },
  after: Place,
  limit: number,
): Promise<AccountRow[]> {
  return unverified(db, after, limit)
    .where(
      sql<boolean>`(confirm_by is null and created_at < ${at.madeBefore}
        or confirm_by < ${at.overBefore} and confirm_reminded_at is null)`,
    )
    .where(
      sql<boolean>`not exists (
        select from outgoing_mails m where m.account_id = accounts.account_id and m.kind = 'verify')`,
    )
    .execute()
}

const unverified = (db: Sql, after: Place, limit: number) =>
  accountRows(db)
    .where('verified_at', 'is', null)
    .where('role', 'in', ['user', 'business'])
    .$if(after !== null, (query) => query.where('account_id', '>', after!.account_id))
    .orderBy('account_id')
    .limit(limit)

/** The first mail that asks to confirm sets the day; what follows leaves it. */
export async function setConfirmBy(db: Sql, accountId: string, confirmBy: Date): Promise<void> {
  await sql`
    update accounts set confirm_by = ${confirmBy}
    where account_id = ${accountId} and confirm_by is null and verified_at is null`.execute(db)
}

export async function noteReminder(db: Sql, accountId: string, now: Date): Promise<void> {
  await db.updateTable('accounts').set({ confirm_reminded_at: now }).where('account_id', '=', accountId).execute()
}

/** Nobody need confirm: should that change, everybody is asked anew. */
export async function forgetConfirmBy(db: Sql): Promise<void> {
  await sql`
    update accounts set confirm_by = null, confirm_reminded_at = null
    where verified_at is null and confirm_by is not null`.execute(db)
}

export async function forgetExpired(
  db: Sql,
  at: { now: Date; eventsBefore: Date; familiarBefore: Date; unconfirmedBefore: Date },
): Promise<void> {
  await sql`delete from sessions where expires_at <= ${at.now}`.execute(db)
  // one whose mail has not left yet has not begun
  await sql`
    delete from mailed_links l where expires_at <= ${at.now}
      and not exists (select from outgoing_mails m where m.link_id = l.link_id)`.execute(db)
  await sql`delete from google_flows where expires_at <= ${at.now}`.execute(db)
  await sql`delete from google_arrivals where expires_at <= ${at.now}`.execute(db)
  await sql`delete from used_challenges where expires_at <= ${at.now}`.execute(db)
  await sql`delete from security_events where at < ${at.eventsBefore}`.execute(db)
  await sql`delete from familiar_addresses where last_used_at < ${at.familiarBefore}`.execute(db)
  await sql`
    delete from newsletter_subscribers s where confirmed_at is null and created_at < ${at.unconfirmedBefore}
      and not exists (select from mailed_links l where l.subscriber_id = s.subscriber_id)`.execute(db)
}
