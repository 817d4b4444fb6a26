import { sql } from 'kysely'
import type { Category } from '../../../brand/categories.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { DealLanguage } from '../../contract.ts'
import { columns, type DealRow } from './deal-rows.ts'

/** What a merchant decides of a deal. */
export interface DealContent {
  deal_name: string
  lang: DealLanguage | null
  description: string | null
  price: string | null
  discount: string | null
  category: Category
  image_url: string | null
  terms: string | null
  tags: string[]
  starts_at: string | null
  ends_at: string | null
  /** Bit 0 = Monday. */
  active_days: number | null
  start_time: string | null
  end_time: string | null
  price_rappen: number | null
  regular_price_rappen: number | null
  regular_price_since: string | null
  total_limit: number | null
  per_user_limit: number
  redemption_mode: 'none' | 'code'
  latitude: number | null
  longitude: number | null
  /** `hidden`: by staff. */
  state: 'draft' | 'published' | 'paused' | 'archived' | 'hidden'
}

export interface WrittenDeal extends DealContent {
  deal_id: string
  business_id: string
  created_at: string
  updated_at: string
}

const contentColumns = `deal_name, lang, description, price, discount, category, image_url, terms, tags, starts_at, ends_at,
  active_days, start_time, end_time, price_rappen, regular_price_rappen, regular_price_since, total_limit,
  per_user_limit, redemption_mode, latitude, longitude, state`

/** One change of a merchant's deals after the other, so that counting them is right. Ends with the transaction. */
export async function lockDealsOf(trx: Sql, businessId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deals of ${businessId}`}, 0))`.execute(trx)
}

/** As it was written; nobody else changes it until the end of the transaction. */
export async function lockDeal(trx: Sql, dealId: string): Promise<WrittenDeal | undefined> {
  const rows = await query<WrittenDeal>(
    trx,
    `select deal_id, business_id, created_at, updated_at, ${contentColumns} from deals where deal_id = $dealId for update`,
    { dealId },
  )
  return rows[0]
}

/** A new deal, or the whole of one that is there. */
export async function writeDeal(trx: Sql, deal: WrittenDeal): Promise<void> {
  await query(
    trx,
    `insert into deals (deal_id, business_id, created_at, updated_at, ${contentColumns})
    select deal_id, business_id, created_at, updated_at, ${contentColumns}
    from jsonb_populate_record(null::deals, $deal::jsonb)
    on conflict (deal_id) do update set
      created_at = excluded.created_at, updated_at = excluded.updated_at, deal_name = excluded.deal_name,
      lang = excluded.lang, description = excluded.description, price = excluded.price, discount = excluded.discount,
      category = excluded.category, image_url = excluded.image_url, terms = excluded.terms, tags = excluded.tags,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, active_days = excluded.active_days,
      start_time = excluded.start_time, end_time = excluded.end_time, price_rappen = excluded.price_rappen,
      regular_price_rappen = excluded.regular_price_rappen, regular_price_since = excluded.regular_price_since,
      total_limit = excluded.total_limit, per_user_limit = excluded.per_user_limit,
      redemption_mode = excluded.redemption_mode, latitude = excluded.latitude, longitude = excluded.longitude,
      state = excluded.state`,
    { deal: JSON.stringify(deal) },
  )
}

/** Deals of a merchant: those that take one of the tier's places (published and not over), and all but the archived. */
export async function countDealsOf(trx: Sql, businessId: string, now: Date): Promise<{ active: number; kept: number }> {
  const rows = await query<{ active: number; kept: number }>(
    trx,
    `select count(*) filter (where state = 'published' and (ends_at is null or ends_at > $now))::int as active,
      count(*) filter (where state <> 'archived')::int as kept
    from deals where business_id = $businessId`,
    { businessId, now },
  )
  return rows[0]!
}

export interface OwnDealRow extends DealRow {
  redeemed_count: number
}

/** All deals of a merchant but the archived, newest first. */
export async function listOwnDeals(db: Sql, businessId: string, now: Date, limit: number): Promise<OwnDealRow[]> {
  return query<OwnDealRow>(
    db,
    `select ${columns}, d.redeemed_count from deals d where d.business_id = $businessId and d.state <> 'archived'
    order by d.created_at desc, d.deal_id desc limit $limit`,
    { now, businessId, limit },
  )
}

export async function findOwnDeal(db: Sql, dealId: string, now: Date): Promise<OwnDealRow | undefined> {
  const rows = await query<OwnDealRow>(
    db,
    `select ${columns}, d.redeemed_count from deals d where d.deal_id = $dealId`,
    { now, dealId },
  )
  return rows[0]
}

/** Pauses the newest deals beyond the places of a tier; returns how many. */
export async function pauseBeyond(trx: Sql, businessId: string, places: number, now: Date): Promise<number> {
  const rows = await query<{ deal_id: string }>(
    trx,
    `update deals set state = 'paused', updated_at = greatest($now, updated_at + interval '1 millisecond')
    where deal_id in (
      select deal_id from deals
      where business_id = $businessId and state = 'published' and (ends_at is null or ends_at > $now)
      order by created_at, deal_id offset $places)
    returning deal_id`,
    { businessId, places, now },
  )
  return rows.length
}

/** Which of these pictures deals show. */
export async function picturesShown(db: Sql, paths: string[]): Promise<string[]> {
  const rows = await query<{ image_url: string }>(
    db,
    `select distinct image_url from deals where image_url = any($paths::text[])`,
    { paths },
  )
  return rows.map(({ image_url }) => image_url)
}
