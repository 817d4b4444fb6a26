import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columns, dealsWithChanges, type DealRow } from './deal-rows.ts'

/** Live deals, as every list shows them: published, begun, not sold out, still usable (`is_live` in migrations/0014_deals.sql). */
const isLive = 'is_live(d.state, d.sold_out, d.starts_at, d.over_at, $now)'

export async function listDealsOfBusiness(db: Sql, businessId: string, now: Date, limit: number): Promise<DealRow[]> {
  return query<DealRow>(
    db,
    `select ${columns} from ${dealsWithChanges} where d.business_id = $businessId and ${isLive}
    order by d.created_at desc, d.deal_id desc limit $limit`,
    { now, businessId, limit },
  )
}

/** At most `limit` live deals, the newest first. */
export async function listDealPages(db: Sql, now: Date, limit: number): Promise<{ id: string; updated_at: string }[]> {
  return query<{ id: string; updated_at: string }>(
    db,
    `select d.deal_id as id, d.updated_at from deals d where ${isLive} order by d.deal_id desc limit $limit`,
    { now, limit },
  )
}

export async function dealIdsOf(db: Sql, businessId: string, limit: number): Promise<string[]> {
  const rows = await query<{ deal_id: string }>(
    db,
    `select deal_id from deals where business_id = $businessId::uuid limit $limit`,
    { businessId, limit },
  )
  return rows.map((row) => row.deal_id)
}

/** Those of these ids that exist, hidden ones included. */
export async function existingDeals(db: Sql, ids: string[]): Promise<string[]> {
  const rows = await query<{ deal_id: string }>(db, `select deal_id from deals where deal_id = any($ids::uuid[])`, {
    ids,
  })
  return rows.map((row) => row.deal_id)
}

/** All columns of a merchant's deals, for an export of personal data. */
export async function everyDealOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const rows = await query<{ deal: Record<string, unknown> }>(
    db,
    `select to_jsonb(d) - 'doc' - 'xy' - 'facets' as deal from deals d
    where business_id = $businessId::uuid order by created_at limit 10000`,
    { businessId },
  )
  return rows.map((row) => row.deal)
}

/** All deals of a merchant, archived ones included, newest first; for figures. */
export async function dealsForFigures(
  db: Sql,
  businessId: string,
  limit: number,
): Promise<{ deal_id: string; deal_name: string; price_rappen: number | null; created_at: string }[]> {
  return query(
    db,
    `select deal_id, deal_name, price_rappen, created_at from deals where business_id = $businessId::uuid
    order by created_at desc, deal_id desc limit $limit`,
    { businessId, limit },
  )
}

/** The merchants of these deals; deleted deals are left out. */
export async function merchantsOfDeals(
  db: Sql,
  dealIds: string[],
): Promise<{ deal_id: string; business_id: string }[]> {
  return query(db, `select deal_id, business_id from deals where deal_id = any($dealIds::uuid[])`, { dealIds })
}

/** Deals in any state, for staff. */
export async function dealsForStaff(
  db: Sql,
  dealIds: string[],
): Promise<{ deal_id: string; deal_name: string; business_id: string; business_name: string }[]> {
  return query(
    db,
    `select deal_id, deal_name, business_id, business_name from deals where deal_id = any($dealIds::uuid[])`,
    { dealIds },
  )
}

/** The deals of a merchant that staff have hidden. */
export async function hiddenDealsOf(db: Sql, businessId: string): Promise<string[]> {
  const rows = await query<{ deal_id: string }>(
    db,
    `select deal_id from deals where business_id = $businessId::uuid and state = 'hidden' limit 10000`,
    { businessId },
  )
  return rows.map(({ deal_id }) => deal_id)
}

/** Hides a deal from everybody but its merchant, who cannot show it again. It stays hidden when a suspension of the merchant ends. */
export async function hideDeal(trx: Sql, dealId: string, now: Date): Promise<void> {
  await query(
    trx,
    `update deals set hidden_from = coalesce(hidden_from, state), state = 'hidden', hidden_with_merchant = false,
      updated_at = $now
    where deal_id = $dealId::uuid and (state <> 'hidden' or hidden_with_merchant)`,
    { dealId, now },
  )
}

/** Shows a hidden deal as it was before; one of a hidden merchant is shown with the merchant. */
export async function showDeal(trx: Sql, dealId: string, isMerchantShown: boolean, now: Date): Promise<void> {
  await query(
    trx,
    isMerchantShown
      ? `update deals set state = hidden_from, hidden_from = null, updated_at = $now
        where deal_id = $dealId::uuid and state = 'hidden'`
      : `update deals set hidden_with_merchant = true, updated_at = $now
        where deal_id = $dealId::uuid and state = 'hidden'`,
    { dealId, now },
  )
}

/** Pauses the deal if its merchant has more published deals than places. */
export async function pauseIfBeyond(trx: Sql, dealId: string, places: number, now: Date): Promise<void> {
  await query(
    trx,
    `update deals d set state = 'paused', paused_by_plan = true
    where d.deal_id = $dealId::uuid and d.state = 'published' and $places < (
      select count(*) from deals o
      where o.business_id = d.business_id and o.state = 'published' and (o.ends_at is null or o.ends_at > $now)
    )`,
    { dealId, places, now },
  )
}

/** Hides the published and paused deals of a merchant. @returns the ids of those that were published */
export async function hideDealsOf(trx: Sql, businessId: string, now: Date): Promise<string[]> {
  const rows = await query<MovedDeal>(
    trx,
    `update deals set hidden_from = state, state = 'hidden', hidden_with_merchant = true,
      updated_at = greatest($now, updated_at + interval '1 millisecond')
    where business_id = $businessId::uuid and state in ('published', 'paused') returning deal_id, hidden_from as state`,
    { businessId, now },
  )
  return publishedOf(rows)
}

/** Shows the deals that `hideDealsOf` hid, without those that staff hid singly since. @returns the ids of those published */
export async function showDealsOf(trx: Sql, businessId: string, now: Date): Promise<string[]> {
  const rows = await query<MovedDeal>(
    trx,
    `update deals set state = hidden_from, hidden_from = null, hidden_with_merchant = false,
      updated_at = greatest($now, updated_at + interval '1 millisecond')
    where business_id = $businessId::uuid and hidden_with_merchant returning deal_id, state`,
    { businessId, now },
  )
  return publishedOf(rows)
}

interface MovedDeal {
  deal_id: string
  state: string
}

const publishedOf = (rows: readonly MovedDeal[]) =>
  rows.filter(({ state }) => state === 'published').map(({ deal_id }) => deal_id)

/** Which of these businesses have deals. */
export async function businessesWithDeals(db: Sql, businessIds: string[]): Promise<string[]> {
  const rows = await query<{ business_id: string }>(
    db,
    'select distinct business_id from deals where business_id = any($businessIds::uuid[])',
    { businessIds },
  )
  return rows.map(({ business_id }) => business_id)
}
