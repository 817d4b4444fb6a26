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

/** Accounts that nobody has verified since `before`; whether they have content, other rooms know. */
export async function unverifiedAccounts(
  db: Sql,
  before: Date,
  after: { created_at: Date; account_id: string } | null,
  limit: number,
): Promise<AccountRow[]> {
  return accountRows(db)
    .where('verified_at', 'is', null)
    .where('role', 'in', ['user', 'business'])
    .where('created_at', '<', before)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, account_id) > (${after?.created_at}, ${after?.account_id}::uuid)`),
    )
    .orderBy('created_at')
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

export async function forgetExpired(
  db: Sql,
  at: { now: Date; mailsBefore: Date; eventsBefore: Date; familiarBefore: Date; unconfirmedBefore: Date },
): Promise<void> {
  await sql`delete from sessions where expires_at <= ${at.now}`.execute(db)
  await sql`delete from mailed_links where expires_at <= ${at.now}`.execute(db)
  await sql`delete from google_flows where expires_at <= ${at.now}`.execute(db)
  await sql`delete from google_arrivals where expires_at <= ${at.now}`.execute(db)
  await sql`delete from used_challenges where expires_at <= ${at.now}`.execute(db)
  await sql`delete from outgoing_mails where created_at < ${at.mailsBefore}`.execute(db)
  await sql`delete from security_events where at < ${at.eventsBefore}`.execute(db)
  await sql`delete from familiar_addresses where last_used_at < ${at.familiarBefore}`.execute(db)
  await sql`
    delete from newsletter_subscribers where confirmed_at is null and created_at < ${at.unconfirmedBefore}`.execute(db)
}
