import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columns, type DealRow } from './deal-rows.ts'

/** Locks the deal until the transaction ends. */
export async function lockDealToRedeem(
  trx: Sql,
  dealId: string,
  now: Date,
): Promise<(DealRow & { redeemed_count: number }) | undefined> {
  const rows = await query<DealRow & { redeemed_count: number }>(
    trx,
    `select ${columns}, d.redeemed_count from deals d where d.deal_id = $dealId for no key update`,
    { now, dealId },
  )
  return rows[0]
}

export async function countRedemption(trx: Sql, dealId: string, by: 1 | -1): Promise<void> {
  await query(trx, `update deals set redeemed_count = greatest(redeemed_count + $by, 0) where deal_id = $dealId`, {
    dealId,
    by,
  })
}
