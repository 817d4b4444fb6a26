import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { OpeningWeek, Tier } from '../../contract.ts'
import { liveDeals } from './lists.ts'
import { isShown } from './suspended.ts'
import { openingColumns, type OpeningRow } from './opening-rows.ts'

export interface BusinessRow extends OpeningRow {
  business_id: string
  business_name: string
  address: string | null
  logo_url: string | null
  logo_image: string | null
  photos: string[]
  description: string | null
  open_hours: string | null
  opening_week: OpeningWeek | null
  latitude: number | null
  longitude: number | null
  subscription_tier: Tier
  slug: string
  category: string
  phone: string | null
  website: string | null
  claimed: boolean
  updated_at: string
  is_shown: boolean
}

export async function findBusiness(db: Sql, businessId: string, now: Date): Promise<BusinessRow | undefined> {
  const rows = await query<BusinessRow>(
    db,
    `select b.business_id, b.business_name, b.address, b.logo_url, b.logo_image, b.photos, b.description, b.open_hours, b.latitude, b.longitude,
      -- a table that is older than the wording would be a wrong one
      case when b.hours_known and b.hours_filled_until is not null then b.opening_week end as opening_week,
      b.subscription_tier, b.slug, b.category, b.phone, b.website, b.claimed, b.updated_at, ${isShown} as is_shown,
      ${openingColumns('b', 'b.hours_known')}
    from businesses b
    where b.business_id = $businessId`,
    { businessId, now },
  )
  return rows[0]
}

export interface OwnBusiness {
  email: string | null
  subscription_tier: Tier
  requested_tier: 'FREE' | 'PREMIUM' | null
  business_name: string
  logo_url: string | null
  logo_image: string | null
  description: string | null
  category: string
  has_address: boolean
  has_hours: boolean
  has_location: boolean
  suspended_at: string | null
  suspended_reason: string | null
}

/** What its owner sees of it on the dashboard; a part of it is on no public page. */
export async function findOwnBusiness(db: Sql, businessId: string): Promise<OwnBusiness | undefined> {
  const { rows } = await sql<OwnBusiness>`
    select email, subscription_tier, requested_tier, business_name, logo_url, logo_image, description, category,
      address is not null as has_address, open_hours is not null as has_hours, latitude is not null as has_location,
      suspended_at, suspended_reason
    from businesses where business_id = ${businessId}`.execute(db)
  return rows[0]
}

export async function insertBusiness(
  db: Sql,
  business: {
    business_id: string
    business_name: string
    slug: string
    email: string
    address: string | null
    logo_url: string | null
    requested_tier: 'FREE' | 'PREMIUM'
    now: Date
  },
): Promise<void> {
  await sql`
    insert into businesses (business_id, business_name, slug, email, address, logo_url, requested_tier, claimed,
      created_at, updated_at)
    values (${business.business_id}, ${business.business_name}, ${business.slug}, ${business.email},
      ${business.address}, ${business.logo_url}, ${business.requested_tier}, true, ${business.now},
      ${business.now})`.execute(db)
}

/** Those of the given ones that are there, suspended ones included. */
export async function existingBusinesses(db: Sql, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from businesses where business_id = any(${ids}::uuid[])`.execute(db)
  return rows.map((row) => row.business_id)
}

/** Its deals, openings and the rows of its pictures go with it. */
export async function deleteBusiness(db: Sql, businessId: string): Promise<void> {
  await sql`delete from businesses where business_id = ${businessId}`.execute(db)
}

/** All that is kept of it; what the app works out of that by itself (places on a plane, words, openings) is left out. */
export async function everythingOf(db: Sql, businessId: string) {
  const businesses = await sql<Record<string, unknown>>`
    select business_id, source_id, slug, claimed, business_name, email, address, phone, website, logo_url, logo_copy, photos, description,
      category, open_hours, canton, latitude, longitude, subscription_tier, requested_tier, featured_until, suspended_at,
      suspended_reason, leaving_since, created_at, updated_at
    from businesses where business_id = ${businessId}`.execute(db)
  const pictures = await sql<Record<string, unknown>>`
    select name, made_at from merchant_pictures where business_id = ${businessId} order by made_at limit 10000`.execute(
    db,
  )
  return { businesses: businesses.rows, merchant_pictures: pictures.rows }
}

/** For everybody: one that is suspended or leaving is not there. */
export async function businessExists(db: Sql, businessId: string): Promise<boolean> {
  const { rows } = await sql`
    select from businesses b where business_id = ${businessId} and ${sql.raw(isShown)}`.execute(db)
  return rows.length > 0
}

export interface MerchantRow {
  subscription_tier: Tier
  latitude: number | null
  longitude: number | null
  is_suspended: boolean
  is_leaving: boolean
}

const ofMerchant = `select subscription_tier, latitude, longitude, suspended_at is not null as is_suspended,
    leaving_since is not null as is_leaving
  from businesses where business_id = $businessId`

export async function findMerchant(db: Sql, businessId: string): Promise<MerchantRow | undefined> {
  return (await query<MerchantRow>(db, ofMerchant, { businessId }))[0]
}

/**
 * Waits for other transactions that lock the business, and reads it as they left it. `for update` would also block inserts of rows that
 * refer to it.
 */
export async function lockMerchant(trx: Sql, businessId: string): Promise<MerchantRow | undefined> {
  return (await query<MerchantRow>(trx, `${ofMerchant} for no key update`, { businessId }))[0]
}

export async function businessToBill(
  db: Sql,
  businessId: string,
): Promise<{ business_name: string; address: string | null; email: string | null } | undefined> {
  const { rows } = await sql<{ business_name: string; address: string | null; email: string | null }>`
    select business_name, address, email from businesses where business_id = ${businessId}`.execute(db)
  return rows[0]
}

/** How many deals of the business one can have at `now`. */
export async function countLiveDeals(db: Sql, businessId: string, now: Date): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    `select ${liveDeals}::int as n from businesses b where b.business_id = $businessId`,
    { businessId, now },
  )
  return row?.n ?? 0
}

/** What was paid for: the tier, and until when the business is featured. A business that is gone is left alone. */
export async function setPaidStanding(
  db: Sql,
  businessId: string,
  { tier, featuredUntil }: { tier: Tier; featuredUntil: Date | null },
): Promise<void> {
  await sql`
    update businesses set subscription_tier = ${tier}, featured_until = ${featuredUntil}
    where business_id = ${businessId}
      and (subscription_tier, featured_until) is distinct from (${tier}, ${featuredUntil}::timestamptz)`.execute(db)
}
