import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import { ownerFields, publicFields, type BusinessFields, type PublicFields } from '../../business.ts'
import type { OpeningWeek, Tier } from '../../contract.ts'
import { liveDeals } from './lists.ts'
import { openingColumns, type OpeningRow } from './opening-rows.ts'
import { profileColumns, type BusinessesTable } from './profile.ts'
import { isShown, rowLock, type RowLock } from './suspended.ts'

export interface BusinessRow extends OpeningRow, RowOf<PublicFields, BusinessesTable> {
  opening_week: OpeningWeek | null
  is_shown: boolean
}

// SQL of the fields that are no columns
const worked: Record<
  Exclude<keyof BusinessRow, keyof RowOf<PublicFields, BusinessesTable> | keyof OpeningRow>,
  string
> = {
  // without filled openings the stored week may belong to older hours
  opening_week: 'case when b.hours_known and b.hours_filled_until is not null then b.opening_week end',
  is_shown: isShown,
}
const columns = [
  ...columnsOf(publicFields).map((column) => `b.${column}`),
  ...Object.entries(worked).map(([name, sql]) => `${sql} as ${name}`),
  openingColumns('b', 'b.hours_known'),
].join(', ')

export async function findBusiness(db: Sql, businessId: string, now: Date): Promise<BusinessRow | undefined> {
  const rows = await query<BusinessRow>(db, `select ${columns} from businesses b where b.business_id = $businessId`, {
    businessId,
    now,
  })
  return rows[0]
}

const { subscription_tier, business_name, logo_url, logo_image, description, category } = publicFields
const ownFields = { ...ownerFields, subscription_tier, business_name, logo_url, logo_image, description, category }
export interface OwnBusiness extends RowOf<typeof ownFields, BusinessesTable> {
  has_address: boolean
  has_hours: boolean
  has_location: boolean
  suspended_at: string | null
  suspended_reason: string | null
}

/** A business as its owner's dashboard shows it, private fields included. */
export async function findOwnBusiness(db: Sql, businessId: string): Promise<OwnBusiness | undefined> {
  const rows = await query<OwnBusiness>(
    db,
    `select ${columnsOf(ownFields).join(', ')}, suspended_at, suspended_reason,
      address is not null as has_address, open_hours is not null as has_hours, latitude is not null as has_location
    from businesses where business_id = $businessId`,
    { businessId },
  )
  return rows[0]
}

/** When the business signed up; null: it does not exist. */
export async function findSignupTime(db: Sql, businessId: string): Promise<string | null> {
  const rows = await query<{ created_at: string }>(
    db,
    'select created_at from businesses where business_id = $businessId::uuid',
    { businessId },
  )
  return rows[0]?.created_at ?? null
}

export interface NewBusiness extends WrittenRow<BusinessFields, BusinessesTable> {
  business_id: string
  slug: string
  requested_tier: 'FREE' | 'PREMIUM'
}

export async function insertBusiness(db: Sql, business: NewBusiness, now: Date): Promise<void> {
  const columns = ['business_id', 'slug', 'requested_tier', ...profileColumns].join(', ')
  await query(
    db,
    `insert into businesses (${columns}, claimed, created_at, updated_at)
    select ${columns}, true, $now, $now from jsonb_populate_record(null::businesses, $business::jsonb)`,
    { business: JSON.stringify(business), now },
  )
}

/** Which of these businesses exist, suspended ones included. */
export async function existingBusinesses(db: Sql, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from businesses where business_id = any(${ids}::uuid[])`.execute(db)
  return rows.map((row) => row.business_id)
}

/** Deletes a business with its deals, openings and picture rows. */
export async function deleteBusiness(db: Sql, businessId: string): Promise<void> {
  await sql`delete from businesses where business_id = ${businessId}`.execute(db)
}

/** All stored data of a business, for the export; derived columns (plane position, search words, openings) are left out. */
export async function exportOf(db: Sql, businessId: string) {
  const businesses = await sql<Record<string, unknown>>`
    select business_id, source_id, slug, claimed, ${sql.raw(profileColumns.join(', '))}, logo_copy, canton, subscription_tier,
      requested_tier, featured_until, suspended_at, suspended_reason, leaving_since, created_at, updated_at
    from businesses where business_id = ${businessId}`.execute(db)
  const pictures = await sql<Record<string, unknown>>`
    select name, made_at from merchant_pictures where business_id = ${businessId} order by made_at limit 10000`.execute(
    db,
  )
  return { businesses: businesses.rows, merchant_pictures: pictures.rows }
}

/** True: the business is public; false if it is suspended, leaving or unknown. */
export async function businessExists(db: Sql, businessId: string): Promise<boolean> {
  const { rows } = await sql`
    select from businesses b where business_id = ${businessId} and ${sql.raw(isShown)}`.execute(db)
  return rows.length > 0
}

/** A merchant as the rooms above need it. */
export interface Merchant {
  subscription_tier: Tier
  latitude: number | null
  longitude: number | null
  /** Suspended by staff: nothing of it is public. */
  is_suspended: boolean
  /** The account will be deleted: nothing of it is public. */
  is_leaving: boolean
}

export async function findMerchant(db: Sql, businessId: string, lock: RowLock = ''): Promise<Merchant | undefined> {
  const rows = await query<Merchant>(
    db,
    `select subscription_tier, latitude, longitude, suspended_at is not null as is_suspended,
      leaving_since is not null as is_leaving
    from businesses where business_id = $businessId ${lock}`,
    { businessId },
  )
  return rows[0]
}

/**
 * Reads and locks a merchant until the end of the transaction. All changes of its deals take this lock, so that deals are counted
 * correctly and none is published while the merchant is being hidden. Take it before locks of deals.
 */
export const lockMerchant = (trx: Sql, businessId: string) => findMerchant(trx, businessId, rowLock)

export async function businessToBill(
  db: Sql,
  businessId: string,
): Promise<{ business_name: string; address: string | null; email: string | null } | undefined> {
  const { rows } = await sql<{ business_name: string; address: string | null; email: string | null }>`
    select business_name, address, email from businesses where business_id = ${businessId}`.execute(db)
  return rows[0]
}

/** How many deals of the business are live at `now`. */
export async function countLiveDeals(db: Sql, businessId: string, now: Date): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    `select ${liveDeals}::int as n from businesses b where b.business_id = $businessId`,
    { businessId, now },
  )
  return row?.n ?? 0
}

/** Sets what was paid for: the tier, and until when the business is featured. Does nothing if the business is gone. */
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
