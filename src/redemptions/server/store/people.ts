import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { shownColumns } from './claims.ts'

const most = 10_000

/** What is kept of a visitor. */
export async function claimsOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return query(
    db,
    `select ${shownColumns.join(', ')} from claims where account_id = $accountId order by claimed_at limit $most`,
    { accountId, most },
  )
}

/** What is kept of a merchant. */
export async function redemptionsOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select redemption_id, deal_id, deal_name, state, reason, amount_rappen, redeemed_at, recorded_at, undone_at
    from redemptions where business_id = ${businessId} order by recorded_at limit ${most}`.execute(db)
  return rows
}

export async function tillsOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select till_id, name, pin_hash is not null as redeem_only, created_at, last_used_at
    from tills where business_id = ${businessId} order by created_at limit 100`.execute(db)
  return rows
}

/** The visitor's name goes off what they have redeemed, which the merchant's books need; the rest is deleted. */
export async function forgetClaimsOf(trx: Sql, accountId: string): Promise<void> {
  await sql`delete from claims where account_id = ${accountId} and redeemed_at is null`.execute(trx)
  await sql`update claims set account_id = null where account_id = ${accountId}`.execute(trx)
}
