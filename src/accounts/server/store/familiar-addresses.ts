import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** Whether the account has logged in from this address before. */
export async function isFamiliar(db: Sql, accountId: string, address: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from familiar_addresses where account_id = ${accountId} and address = ${address}`.execute(db)
  return rows.length > 0
}

export async function makeFamiliar(db: Sql, accountId: string, address: Buffer, now: Date): Promise<void> {
  await sql`
    insert into familiar_addresses (account_id, address, last_used_at) values (${accountId}, ${address}, ${now})
    on conflict (account_id, address) do update set last_used_at = excluded.last_used_at`.execute(db)
}

export async function forgetFamiliar(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('familiar_addresses').where('account_id', '=', accountId).execute()
}

/** Pairs of these accounts that have logged in from the same address. */
export async function sharedAddresses(db: Sql, accountIds: string[]): Promise<[string, string][]> {
  const { rows } = await sql<{ one: string; other: string }>`
    select distinct a.account_id as one, b.account_id as other
    from familiar_addresses a join familiar_addresses b using (address)
    where a.account_id = any(${accountIds}::uuid[]) and b.account_id = any(${accountIds}::uuid[])
      and a.account_id < b.account_id
    limit ${accountIds.length ** 2}`.execute(db)
  return rows.map(({ one, other }) => [one, other])
}
