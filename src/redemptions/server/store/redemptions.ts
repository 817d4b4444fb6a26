import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { query } from '../../../kit/server/statement.ts'
import { chfFromRappen } from '../../../kit/shared/money.ts'
import type { Redemption } from '../../contract.ts'

export interface RedemptionRow extends Omit<Redemption, 'amount_chf' | 'undo_until'> {
  claim_id: string | null
  till_id: string | null
  amount_rappen: number
}

/** For a row `r` of redemptions and its device `t`. */
const columns = `
  r.redemption_id, r.deal_id, r.claim_id, r.till_id, r.deal_name, r.state, r.reason, r.amount_rappen, r.redeemed_at,
  r.recorded_at, t.name as device_name`
const from = 'from redemptions r left join tills t on t.till_id = r.till_id'

/** False: a redemption with this key exists. */
export async function insertRedemption(
  trx: Sql,
  redemption: Required<Omit<Insertable<DB['redemptions']>, 'undone_at'>>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('redemptions')
    .values(redemption)
    .onConflict((sent) => sent.columns(['business_id', 'sent_as']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function findOne(db: Sql, condition: string, values: Record<string, string>): Promise<RedemptionRow | undefined> {
  const ofBusiness = `select ${columns} ${from} where r.business_id = $businessId::uuid`
  return (await query<RedemptionRow>(db, `${ofBusiness} and ${condition}`, values))[0]
}

export const findSentAs = (db: Sql, businessId: string, sentAs: string) =>
  findOne(db, 'r.sent_as = $sentAs', { businessId, sentAs })

export const findRedemption = (db: Sql, businessId: string, redemptionId: string) =>
  findOne(db, 'r.redemption_id = $redemptionId::uuid', { businessId, redemptionId })

/** False: it was undone already. */
export async function setUndone(trx: Sql, redemptionId: string, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update redemptions set state = 'undone', undone_at = ${at}
    where redemption_id = ${redemptionId} and state = 'redeemed'`.execute(trx)
  return numAffectedRows === 1n
}

export async function listRedemptions(
  db: Sql,
  businessId: string,
  { after, offset, limit }: Stretch,
): Promise<RedemptionRow[]> {
  return query<RedemptionRow>(
    db,
    `select ${columns} ${from}
    where r.business_id = $businessId::uuid
      and ($at::timestamptz is null or (r.recorded_at, r.redemption_id) < ($at::timestamptz, $id::uuid))
    order by r.recorded_at desc, r.redemption_id desc offset $offset limit $limit`,
    { businessId, at: after?.at ?? null, id: after?.id ?? null, offset, limit },
  )
}

export async function countRedemptions(db: Sql, businessId: string, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    'select count(*) from (select from redemptions where business_id = $businessId::uuid limit $cap) counted',
    { businessId, cap },
  )
  return rows[0]!.count
}

/** Number and sum of the redemptions scanned in a span, its ends included, without undone ones. */
export async function redeemedBetween(
  db: Sql,
  businessId: string,
  from: Temporal.Instant,
  until: Temporal.Instant,
): Promise<{ redeemed: number; rappen: number }> {
  const rows = await query<{ redeemed: number; rappen: number }>(
    db,
    `select count(*)::int as redeemed, coalesce(sum(amount_rappen), 0)::float8 as rappen from redemptions
    where business_id = $businessId::uuid and state = 'redeemed'
      and redeemed_at between $from::timestamptz and $until::timestamptz
      -- implied, as no scan is recorded before it is made: for the index redemptions_of_business
      and recorded_at >= $from::timestamptz`,
    { businessId, from: from.toString(), until: until.toString() },
  )
  return rows[0]!
}

/** Number and sum of the redemptions in each hour since a moment, without undone ones; hours without any are left out. */
export async function redeemedByHour(
  db: Sql,
  businessId: string,
  since: Temporal.Instant,
): Promise<{ hour: number; redeemed: number; rappen: number }[]> {
  return query(
    db,
    `select floor(extract(epoch from redeemed_at - $since::timestamptz) / 3600)::int as hour,
      count(*)::int as redeemed, sum(amount_rappen)::float8 as rappen
    from redemptions
    where business_id = $businessId::uuid and state = 'redeemed' and redeemed_at >= $since::timestamptz
      and recorded_at >= $since::timestamptz
    group by 1`,
    { businessId, since: since.toString() },
  )
}

/** Sales in CHF, without undone redemptions. */
export async function salesOf(db: Sql, businessId: string): Promise<number> {
  const rows = await query<{ sales: number }>(
    db,
    `select coalesce(sum(amount_rappen), 0)::float8 as sales from redemptions
    where business_id = $businessId::uuid and state = 'redeemed'`,
    { businessId },
  )
  return chfFromRappen(rows[0]!.sales)
}
