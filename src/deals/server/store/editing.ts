import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf } from '../../../kit/shared/thing.ts'
import { dealFields } from '../../deal.ts'
import { columnsOfRow, type DealRow, type EditableDeal } from './deal-rows.ts'

/** The fields of a deal that a merchant decides, and its state. */
export interface DealContent extends EditableDeal {
  /** `hidden`: by staff. */
  state: 'draft' | 'published' | 'paused' | 'archived' | 'hidden'
}

export interface WrittenDeal extends DealContent {
  deal_id: string
  business_id: string
  created_at: string
  updated_at: string
}

const written = ['lang', ...columnsOf(dealFields, 'written')]
const contentColumns = written.join(', ')

const takesPlace = `state = 'published' and (ends_at is null or ends_at > $now)`

/** For a row `d` of deals, at `$now`. */
const ownColumns = `${columnsOfRow}, d.redeemed_count, ${takesPlace} as uses_place,
  d.state = 'paused' and d.paused_by_plan as paused_by_plan, d.hidden_with_merchant`

/** The deal as stored, locked until the end of the transaction. */
export async function lockDeal(trx: Sql, dealId: string, now: Date): Promise<LockedDeal | undefined> {
  const rows = await query<LockedDeal>(
    trx,
    `select ${columnsOfRow}, d.state, d.redeemed_count from deals d where d.deal_id = $dealId for no key update`,
    { now, dealId },
  )
  return rows[0]
}

type LockedDeal = DealRow & Pick<DealContent, 'state'> & { redeemed_count: number }

/** Overwrites a deal with all its fields. */
export async function writeDeal(trx: Sql, deal: WrittenDeal): Promise<void> {
  await query(
    trx,
    `update deals d set (created_at, updated_at, ${contentColumns}, state, paused_by_plan) =
      (r.created_at, r.updated_at, ${written.map((column) => `r.${column}`).join(', ')}, r.state, d.paused_by_plan and d.state = 'paused' and r.state = 'paused')
    from jsonb_populate_record(null::deals, $deal::jsonb) r
    where d.deal_id = r.deal_id`,
    { deal: JSON.stringify(deal) },
  )
}

/**
 * Adds a deal of a merchant who is locked; a draft where all `places` are taken (null: any number). Undefined, and nothing added, where
 * the merchant has `most` unarchived deals or the deal exists already.
 */
export async function addDeal(
  trx: Sql,
  deal: WrittenDeal,
  { now, places, most }: { now: Date; places: number | null; most: number },
): Promise<(OwnDealRow & Pick<DealContent, 'state'>) | undefined> {
  const rows = await query<OwnDealRow & Pick<DealContent, 'state'>>(
    trx,
    `insert into deals as d (deal_id, business_id, created_at, updated_at, ${contentColumns}, state)
    select deal_id, business_id, created_at, updated_at, ${contentColumns},
      case when ${takesPlace} and active >= $places::int then 'draft' else state end
    from jsonb_populate_record(null::deals, $deal::jsonb),
      (select count(*) filter (where ${takesPlace}) as active, count(*) filter (where state <> 'archived') as unarchived,
        count(*) filter (where deal_id = $dealId) as same
        from deals where business_id = $businessId) counted
    where unarchived < $most and same = 0
    returning ${ownColumns}, d.state`,
    { deal: JSON.stringify(deal), dealId: deal.deal_id, businessId: deal.business_id, now, places, most },
  )
  return rows[0]
}

/** How many deals of a merchant take one of the tier's places: published and not over. */
export async function countActiveDealsOf(trx: Sql, businessId: string, now: Date): Promise<number> {
  const rows = await query<{ active: number }>(
    trx,
    `select count(*)::int as active from deals where business_id = $businessId and ${takesPlace}`,
    { businessId, now },
  )
  return rows[0]!.active
}

/** How many deals of a merchant are not archived. */
export async function countUnarchivedDealsOf(trx: Sql, businessId: string): Promise<number> {
  const rows = await query<{ unarchived: number }>(
    trx,
    `select count(*)::int as unarchived from deals where business_id = $businessId and state <> 'archived'`,
    { businessId },
  )
  return rows[0]!.unarchived
}

export interface OwnDealRow extends DealRow {
  redeemed_count: number
  uses_place: boolean
  paused_by_plan: boolean
  hidden_with_merchant: boolean
}

/**
 * The unarchived deals of a merchant, newest first. If there are more than `limit`, those that take a place of the tier come before
 * others.
 */
export async function listOwnDeals(db: Sql, businessId: string, now: Date, limit: number): Promise<OwnDealRow[]> {
  return query<OwnDealRow>(
    db,
    `select * from (
      select ${ownColumns} from deals d where d.business_id = $businessId and d.state <> 'archived'
      order by ${takesPlace} desc, d.created_at desc, d.deal_id desc limit $limit) d
    order by d.created_at desc, d.deal_id desc`,
    { now, businessId, limit },
  )
}

export async function findOwnDeal(db: Sql, dealId: string, now: Date): Promise<OwnDealRow | undefined> {
  const rows = await query<OwnDealRow>(db, `select ${ownColumns} from deals d where d.deal_id = $dealId`, {
    now,
    dealId,
  })
  return rows[0]
}

/** Pauses the newest deals beyond the places of a tier; returns their names, the newest first. */
export async function pauseBeyond(trx: Sql, businessId: string, places: number, now: Date): Promise<string[]> {
  const rows = await query<{ deal_name: string }>(
    trx,
    `with paused as (
      update deals set state = 'paused', paused_by_plan = true, updated_at = greatest($now, updated_at + interval '1 millisecond')
      where deal_id in (
        select deal_id from deals
        where business_id = $businessId and state = 'published' and (ends_at is null or ends_at > $now)
        order by created_at, deal_id offset $places)
      returning deal_name, created_at, deal_id)
    select deal_name from paused order by created_at desc, deal_id desc`,
    { businessId, places, now },
  )
  return rows.map(({ deal_name }) => deal_name)
}

/** Those of these pictures that deals show. */
export async function picturesShown(db: Sql, paths: string[]): Promise<string[]> {
  const rows = await query<{ image_url: string }>(
    db,
    `select distinct image_url from deals where image_url = any($paths::text[])`,
    { paths },
  )
  return rows.map(({ image_url }) => image_url)
}
