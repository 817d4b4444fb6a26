import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** All rows of this room about an account, by table and without secrets, for the export of personal data. */
export async function exportOf(db: Sql, accountId: string) {
  const rowsOf = async (query: ReturnType<typeof sql<Record<string, unknown>>>) => (await query.execute(db)).rows
  return {
    accounts: await rowsOf(sql`
      select account_id, kind, role, email, display_name, language, password_hash is not null as has_password,
        verified_at, business_id, blocked_at, location_consent, default_reminder_min,
        totp_secret is not null as second_factor, deletion_at, accepted_terms_at, created_at
      from accounts where account_id = ${accountId}`),
    sessions: await rowsOf(sql`
      select session_id, browser, system, created_at, last_used_at, expires_at from sessions
      where account_id = ${accountId} order by created_at limit 1000`),
    identities: await rowsOf(sql`
      select provider, subject, created_at from identities where account_id = ${accountId} limit 10`),
    mailed_links: await rowsOf(sql`
      select purpose, new_email, created_at, expires_at from mailed_links
      where account_id = ${accountId} order by created_at limit 1000`),
    recovery_codes: await rowsOf(sql`
      select count(*) as codes_left from recovery_codes where account_id = ${accountId}`),
    familiar_addresses: await rowsOf(sql`
      select encode(address, 'hex') as address_hash, last_used_at from familiar_addresses
      where account_id = ${accountId} limit 1000`),
    security_events: await rowsOf(sql`
      select event, at from security_events where account_id = ${accountId} order by at limit 10000`),
  }
}
