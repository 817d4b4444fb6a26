import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { centrePoint, nearbyIn, type Area } from '../../kit/server/nearby.ts'
import type { OpeningWeek, Tier } from '../contract.ts'

export interface BusinessRow {
  business_id: string
  business_name: string
  address: string | null
  logo_url: string | null
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
  updated_at: Date
  open_now: boolean | null
  open_until: Date | null
  opens_at: Date | null
}

/**
 * Opening state of the business `b` at `now`, as three columns. `b` must be the alias of businesses. Unknown hours, and
 * hours not filled up to now, give nulls: a place is never called closed on a guess.
 */
export function openingColumns(now: Date) {
  return sql`
    case when b.hours_known and b.hours_filled_until > ${now} then present.closes_at is not null end as open_now,
    -- an opening that reaches the end of the table has no known end
    case when present.closes_at < b.hours_filled_until then present.closes_at end as open_until,
    case when present.closes_at is null then coming.opens_at end as opens_at`
}

export function openingJoins(now: Date) {
  return sql`
    left join lateral (
      select o.closes_at from business_openings o
      where o.business_id = b.business_id and o.closes_at > ${now} and o.opens_at <= ${now}
      order by o.closes_at limit 1
    ) present on true
    left join lateral (
      select o.opens_at from business_openings o
      where o.business_id = b.business_id and o.closes_at > ${now} and o.opens_at > ${now}
      order by o.closes_at limit 1
    ) coming on true`
}

export async function findBusiness(db: Sql, businessId: string, now: Date): Promise<BusinessRow | undefined> {
  const { rows } = await sql<BusinessRow>`
    select b.business_id, b.business_name, b.address, b.logo_url, b.description, b.open_hours, b.latitude, b.longitude,
      -- a table that is older than the wording would be a wrong one
      case when b.hours_known and b.hours_filled_until is not null then b.opening_week end as opening_week,
      b.subscription_tier, b.slug, b.category, b.phone, b.website, b.claimed, b.updated_at, ${openingColumns(now)}
    from businesses b ${openingJoins(now)}
    where b.business_id = ${businessId}`.execute(db)
  return rows[0]
}

export async function businessExists(db: Sql, businessId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from businesses where business_id = ${businessId}`.execute(db)
  return rows.length > 0
}

export interface ListedRow {
  business_id: string
  business_name: string
  name_sorted: string
  address: string | null
  logo_url: string | null
  category: string
  subscription_tier: Tier
  live_deals: number
  open_now: boolean | null
  open_until: Date | null
  opens_at: Date | null
}

const liveDeals = (now: Date) => sql`
  (select count(*) from deals d where d.business_id = b.business_id and d.state = 'published'
        and (d.starts_at is null or d.starts_at <= ${now}) and (d.ends_at is null or d.ends_at > ${now})
        and (d.total_limit is null or d.redeemed_count < d.total_limit))`

/** Merchants by name, after the keyset `after`. */
export async function listBusinesses(
  db: Sql,
  list: { q: string | undefined; after: { name: string; id: string } | null; offset: number; limit: number; now: Date },
): Promise<ListedRow[]> {
  const { now } = list
  const { rows } = await sql<ListedRow>`
    select b.business_id, b.business_name, b.name_sorted, b.address, b.logo_url, b.category, b.subscription_tier,
      ${liveDeals(now)} as live_deals,
      ${openingColumns(now)}
    from (
      select * from businesses b
      where ${matchesName(list.q)}
        ${list.after ? sql`and (b.name_sorted collate "C", b.business_id) > (${list.after.name}, ${list.after.id}::uuid)` : sql``}
      order by b.name_sorted collate "C", b.business_id
      limit ${list.limit} offset ${list.offset}
    ) b ${openingJoins(now)}
    order by b.name_sorted collate "C", b.business_id`.execute(db)
  return rows
}

export async function countBusinesses(db: Sql, q: string | undefined, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select 1 from businesses b where ${matchesName(q)} limit ${cap}) counted`.execute(db)
  return rows[0]!.count
}

// the folded text has no wildcards left, so it can stand in a pattern as it is
function matchesName(q: string | undefined) {
  return q ? sql`trim(search_fold(${q})) <> '' and b.name_folded like '%' || trim(search_fold(${q})) || '%'` : sql`true`
}

export interface SearchedBusinesses {
  q: string | undefined
  category: string | undefined
  openNow: boolean
  now: Date
  area: Area
}

const { haversineKm, inArea } = nearbyIn('b')

const searched = ({ q, category, openNow, now, area }: SearchedBusinesses) => sql`
  ${inArea(area)} and ${matchesName(q)} ${category === undefined ? sql`` : sql`and b.category = ${category}`}
  ${
    openNow
      ? sql`and exists (select 1 from business_openings o
          where o.business_id = b.business_id and o.closes_at > ${now} and o.opens_at <= ${now})`
      : sql``
  }`

export interface NearbyRow extends ListedRow {
  latitude: number
  longitude: number
  distance_km: number
}

/** Businesses with a location, nearest first. */
export async function searchBusinesses(
  db: Sql,
  wanted: SearchedBusinesses,
  page: { offset: number; limit: number },
): Promise<NearbyRow[]> {
  const { now, area } = wanted
  const { rows } = await sql<NearbyRow>`
    select b.business_id, b.business_name, b.name_sorted, b.address, b.logo_url, b.category, b.subscription_tier,
      ${liveDeals(now)} as live_deals, ${openingColumns(now)}, b.latitude, b.longitude, b.distance_km
    from (
      select *, ${haversineKm(area)} as distance_km from businesses b where ${searched(wanted)}
      order by b.xy <-> ${centrePoint(area)}, b.business_id
      limit ${page.limit} offset ${page.offset}
    ) b ${openingJoins(now)}
    order by b.xy <-> ${centrePoint(area)}, b.business_id`.execute(db)
  return rows
}

export async function countNearby(db: Sql, wanted: SearchedBusinesses, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select 1 from businesses b where ${searched(wanted)} limit ${cap}) counted`.execute(db)
  return rows[0]!.count
}

export interface MapRow {
  business_id: string
  business_name: string
  category: string
  latitude: number
  longitude: number
}

export async function businessesForMap(db: Sql, wanted: SearchedBusinesses, limit: number): Promise<MapRow[]> {
  const { rows } = await sql<MapRow>`
    select b.business_id, b.business_name, b.category, b.latitude, b.longitude
    from businesses b where ${searched(wanted)}
    order by b.xy <-> ${centrePoint(wanted.area)} limit ${limit}`.execute(db)
  return rows
}

/** Businesses gathered in the squares of a grid; the position is the mean of the square's. */
export async function clusterBusinesses(
  db: Sql,
  wanted: SearchedBusinesses,
  cell: number,
): Promise<{ cluster: number; latitude: number; longitude: number }[]> {
  const { rows } = await sql<{ cluster: number; latitude: number; longitude: number }>`
    select count(*)::int as cluster, round(avg(b.latitude)::numeric, 5)::float8 as latitude,
      round(avg(b.longitude)::numeric, 5)::float8 as longitude
    from businesses b where ${searched(wanted)}
    group by floor(b.xy[0] / ${cell}), floor(b.xy[1] / ${cell})
    order by cluster desc limit 2000`.execute(db)
  return rows
}

export interface HoursRow {
  business_id: string
  open_hours: string
  canton: string
  latitude: number | null
  longitude: number | null
}

/** True for the one transaction that fills openings now; false while another does. Ends with the transaction. */
export async function tryFillLock(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('rheinklang fill openings')) as mine`.execute(db)
  return rows[0]!.mine
}

/** Businesses whose openings end before `until`, the emptiest first. */
export async function businessesToFill(db: Sql, until: Date, limit: number): Promise<HoursRow[]> {
  const { rows } = await sql<HoursRow>`
    select business_id, open_hours, canton, latitude, longitude from businesses
    where hours_known and (hours_filled_until is null or hours_filled_until < ${until})
    order by hours_filled_until nulls first limit ${limit}`.execute(db)
  return rows
}

/** Openings of a business up to `until`, and its week. */
export interface FilledHours {
  businessId: string
  openings: { opens_at: Date; closes_at: Date }[]
  week: OpeningWeek | null
  until: Date
}

/** Replaces openings and week. */
export async function fillOpenings(db: Sql, filled: FilledHours[]): Promise<void> {
  const ids = filled.map((each) => each.businessId)
  await sql`delete from business_openings where business_id = any(${ids}::uuid[])`.execute(db)
  const rows = filled.flatMap(({ businessId, openings }) => openings.map((opening) => ({ businessId, ...opening })))
  await sql`
    insert into business_openings (business_id, opens_at, closes_at)
    select * from unnest(${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.opens_at)}::timestamptz[], ${rows.map((row) => row.closes_at)}::timestamptz[])`.execute(
    db,
  )
  await sql`
    update businesses b set hours_filled_until = f.until, opening_week = f.week
    from unnest(${ids}::uuid[], ${filled.map((each) => each.until)}::timestamptz[],
      ${filled.map((each) => each.week && JSON.stringify(each.week))}::jsonb[]) f (business_id, until, week)
    where b.business_id = f.business_id`.execute(db)
}

/** A page of the site and when it last changed. */
export interface Listed {
  id: string
  updated_at: Date
}

/** At most `limit` businesses from the id `from` on, in the order of their ids. */
export async function listBusinessPages(db: Sql, from: string, limit: number): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select business_id as id, updated_at from businesses
    where business_id >= ${from}::uuid order by business_id limit ${limit}`.execute(db)
  return rows
}

/** The id `steps` businesses after `from` (itself 0, or the next one), in the order of ids; null beyond the last. */
export async function stepToBusiness(db: Sql, from: string, steps: number): Promise<string | null> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from businesses where business_id >= ${from}::uuid
    order by business_id offset ${steps} limit 1`.execute(db)
  return rows[0]?.business_id ?? null
}

// ── Import ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What an import knows of a merchant: everything else of the row is not its business. */
export interface ImportedRow {
  source_id: string
  business_name: string
  address: string | null
  category: string
  phone: string | null
  website: string | null
  open_hours: string | null
  hours_known: boolean
  canton: string
  latitude: number | null
  longitude: number | null
}

const importedColumns = sql.raw(
  'source_id, business_name, address, category, phone, website, open_hours, hours_known, canton, latitude, longitude',
)

/** Until the end of the transaction; false when another import holds it. */
export async function tryImportLock(trx: Sql): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import businesses')) as locked`.execute(trx)
  return rows[0]!.locked
}

/** Held until the end of the transaction, so that nobody claims them meanwhile. */
export async function findImported(db: Sql, sourceIds: string[]): Promise<(ImportedRow & { claimed: boolean })[]> {
  const { rows } = await sql<ImportedRow & { claimed: boolean }>`
    select ${importedColumns}, claimed from businesses
    where source_id = any(${sourceIds}::text[])
    order by business_id for update`.execute(db)
  return rows
}

export async function insertImported(
  db: Sql,
  imported: (ImportedRow & { business_id: string; slug: string })[],
  now: Date,
): Promise<void> {
  await sql`
    insert into businesses (business_id, slug, claimed, created_at, updated_at, ${importedColumns})
    select business_id, slug, false, ${now}::timestamptz, ${now}::timestamptz, ${importedColumns}
    from json_populate_recordset(null::businesses, ${JSON.stringify(imported)}::json)`.execute(db)
}

/** Openings of rows whose hours may mean something else now are dropped, to be filled anew. */
export async function updateImported(db: Sql, imported: ImportedRow[], now: Date): Promise<void> {
  await sql`
    with updated as (
      update businesses b set
        business_name = r.business_name, address = r.address, category = r.category, phone = r.phone, website = r.website,
        open_hours = r.open_hours, hours_known = r.hours_known, canton = r.canton,
        latitude = r.latitude, longitude = r.longitude, updated_at = ${now}::timestamptz,
        hours_filled_until = case
          when (b.open_hours, b.hours_known, b.canton, b.latitude, b.longitude)
            is not distinct from (r.open_hours, r.hours_known, r.canton, r.latitude, r.longitude)
          then b.hours_filled_until
        end
      from json_populate_recordset(null::businesses, ${JSON.stringify(imported)}::json) r
      where b.source_id = r.source_id and not b.claimed
      returning b.business_id, b.hours_filled_until
    )
    delete from business_openings o using updated u
    where o.business_id = u.business_id and u.hours_filled_until is null`.execute(db)
}
