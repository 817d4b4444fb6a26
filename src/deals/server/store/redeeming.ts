import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Deal } from '../../contract.ts'

/** The items of a deal and how many are redeemed, without a lock; undefined: no such deal. */
export async function itemsOf(
  db: Sql,
  dealId: string,
): Promise<{ total_limit: number | null; redeemed_count: number } | undefined> {
  const rows = await query<{ total_limit: number | null; redeemed_count: number }>(
    db,
    `select total_limit, redeemed_count from deals where deal_id = $dealId::uuid`,
    { dealId },
  )
  return rows[0]
}

/** The same for many deals, with their status; unknown deals are left out. */
export async function itemsOfDeals(
  db: Sql,
  dealIds: string[],
  now: Date,
): Promise<{ deal_id: string; status: Deal['status']; total_limit: number | null; redeemed_count: number }[]> {
  return query(
    db,
    `select deal_id, deal_status(state, sold_out, starts_at, over_at, $now) as status, total_limit, redeemed_count
    from deals where deal_id = any($dealIds::uuid[])`,
    { dealIds, now },
  )
}

/**
 * Adds redemptions, or subtracts undone ones, in the transaction of `lockDeal`. `sold_out` follows: it is a generated column
 * (migrations/0014_deals.sql).
 */
export async function countRedemption(trx: Sql, dealId: string, by: number): Promise<void> {
  await query(trx, `update deals set redeemed_count = greatest(redeemed_count + $by, 0) where deal_id = $dealId`, {
    dealId,
    by,
  })
}

/** Adds or subtracts stars and ratings, in the transaction of `lockDeal`. `rating_bayes`, by which lists are sorted, is generated. */
export async function countRating(trx: Sql, dealId: string, by: { stars: number; ratings: number }): Promise<void> {
  await query(
    trx,
    `update deals set rating_sum = rating_sum + $stars, rating_count = rating_count + $ratings
    where deal_id = $dealId`,
    { dealId, ...by },
  )
}

/** Number of ratings of a public deal; null: no such deal, or it is not public. */
export async function ratingCountOf(db: Sql, dealId: string): Promise<number | null> {
  const rows = await query<{ rating_count: number }>(
    db,
    `select rating_count from deals where deal_id = $dealId::uuid and state in ('published', 'paused')`,
    { dealId },
  )
  return rows[0]?.rating_count ?? null
}

/** Names of public deals, by id. */
export async function dealNames(db: Sql, dealIds: string[]): Promise<Map<string, string>> {
  if (dealIds.length === 0) return new Map()
  const rows = await query<{ deal_id: string; deal_name: string }>(
    db,
    `select deal_id, deal_name from deals where deal_id = any($dealIds::uuid[]) and state in ('published', 'paused')`,
    { dealIds },
  )
  return new Map(rows.map(({ deal_id, deal_name }) => [deal_id, deal_name]))
}
