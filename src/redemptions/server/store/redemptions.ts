import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Redemption } from '../../contract.ts'

export interface RedemptionRow {
  redemption_id: string
  deal_id: string | null
  claim_id: string | null
  till_id: string | null
  deal_name: string | null
  state: Redemption['state']
  reason: Redemption['reason']
  amount_rappen: number
  redeemed_at: string
  recorded_at: string
  device_name: string | null
}

/** Of the row `r` of redemptions, with the device `t`. */
const columns = `
  r.redemption_id, r.deal_id, r.claim_id, r.till_id, r.deal_name, r.state, r.reason, r.amount_rappen, r.redeemed_at,
  r.recorded_at, t.name as device_name`
const from = 'from redemptions r left join tills t on t.till_id = r.till_id'

export type NewRedemption = Required<Omit<Insertable<DB['redemptions']>, 'undone_at'>>

/** False where it was sent before. */
export async function insertRedemption(trx: Sql, redemption: NewRedemption): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('redemptions')
    .values(redemption)
    .onConflict((sent) => sent.columns(['business_id', 'sent_as']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findSentAs(db: Sql, businessId: string, sentAs: string): Promise<RedemptionRow | undefined> {
  const rows = await query<RedemptionRow>(
    db,
    `select ${columns} ${from} where r.business_id = $businessId::uuid and r.sent_as = $sentAs`,
    { businessId, sentAs },
  )
  return rows[0]
}

export async function findRedemption(
  db: Sql,
  businessId: string,
  redemptionId: string,
): Promise<RedemptionRow | undefined> {
  const rows = await query<RedemptionRow>(
    db,
    `select ${columns} ${from} where r.redemption_id = $redemptionId::uuid and r.business_id = $businessId::uuid`,
    { redemptionId, businessId },
  )
  return rows[0]
}

/** False where it is undone already. */
export async function setUndone(trx: Sql, redemptionId: string, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update redemptions set state = 'undone', undone_at = ${at}
    where redemption_id = ${redemptionId} and state = 'redeemed'`.execute(trx)
  return numAffectedRows === 1n
}

export async function listRedemptions(
  db: Sql,
  businessId: string,
  at: { after: { value: string; id: string } | null; offset: number; limit: number },
): Promise<(RedemptionRow & { total: number })[]> {
  return query<RedemptionRow & { total: number }>(
    db,
    `select ${columns}, (select count(*) from (
        select from redemptions where business_id = $businessId::uuid limit 1001) counted) as total
    ${from}
    where r.business_id = $businessId::uuid
      and ($value::timestamptz is null or (r.recorded_at, r.redemption_id) < ($value::timestamptz, $id::uuid))
    order by r.recorded_at desc, r.redemption_id desc offset $offset limit $limit`,
    { businessId, value: at.after?.value ?? null, id: at.after?.id ?? null, offset: at.offset, limit: at.limit },
  )
}

/** In Rappen, without what was undone. */
export async function salesOf(db: Sql, businessId: string): Promise<number> {
  const rows = await query<{ sales: number }>(
    db,
    `select coalesce(sum(amount_rappen), 0)::float8 as sales from redemptions
    where business_id = $businessId::uuid and state = 'redeemed'`,
    { businessId },
  )
  return rows[0]!.sales
}
