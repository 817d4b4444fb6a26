import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { areaValues, nearbyIn, type Area } from '../../kit/server/nearby.ts'
import { inShare, mostLookedAt, type Share } from '../../kit/server/share.ts'
import { query } from '../../kit/server/statement.ts'
import { totalCap } from '../../kit/shared/input.ts'
import type { OpeningWeek, Tier } from '../contract.ts'

export interface BusinessRow extends OpeningRow {
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
  updated_at: string
}

/** The row `r` with `opening_changes` is open at `$now`. */
export const isOpenNow = (r: string) => `is_open($now, ${r}.opening_changes)`

/** What a row tells of its openings at `$now`; `openingAnswer` makes of it what people are told. */
export interface OpeningRow {
  /** False too where the hours are not filled up to now: a place is never called closed on a guess. */
  hours_known_now: boolean
  /** How often the place has opened or closed: odd while it is open. */
  changes_past: number
  /** null too for an opening that reaches the end of what is filled: when it ends is not known. */
  next_change: string | null
}

/** The columns of `OpeningRow`, of the row `r` with `opening_changes`, whose hours are known where `known` holds. */
export function openingColumns(r: string, known = 'true') {
  return `
    coalesce(${known} and ${r}.hours_filled_until > $now, false) as hours_known_now,
    width_bucket($now, ${r}.opening_changes) as changes_past,
    nullif(next_change($now, ${r}.opening_changes), ${r}.hours_filled_until) as next_change`
}

export async function findBusiness(db: Sql, businessId: string, now: Date): Promise<BusinessRow | undefined> {
  const rows = await query<BusinessRow>(
    db,
    `select b.business_id, b.business_name, b.address, b.logo_url, b.description, b.open_hours, b.latitude, b.longitude,
      -- a table that is older than the wording would be a wrong one
      case when b.hours_known and b.hours_filled_until is not null then b.opening_week end as opening_week,
      b.subscription_tier, b.slug, b.category, b.phone, b.website, b.claimed, b.updated_at,
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
  description: string | null
  category: string
}

/** What its owner sees of it on the dashboard; a part of it is on no public page. */
export async function findOwnBusiness(db: Sql, businessId: string): Promise<OwnBusiness | undefined> {
  const { rows } = await sql<OwnBusiness>`
    select email, subscription_tier, requested_tier, business_name, logo_url, description, category
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

/** Its deals and openings go with it. Returns the address of its logo. */
export async function deleteBusiness(db: Sql, businessId: string): Promise<string | null> {
  const { rows } = await sql<{ logo_url: string | null }>`
    delete from businesses where business_id = ${businessId} returning logo_url`.execute(db)
  return rows[0]?.logo_url ?? null
}

/** Counted views of the business and openings of its deals, since it began. */
export async function statsOf(db: Sql, businessId: string): Promise<{ profileViews: number; dealClicks: number }> {
  const { rows } = await sql<{ profileViews: number; dealClicks: number }>`
    select
      (select coalesce(sum(views), 0) from view_hours where kind = 'business' and subject_id = ${businessId}::uuid)
        as "profileViews",
      (select coalesce(sum(h.views), 0) from deals d join view_hours h on h.kind = 'deal' and h.subject_id = d.deal_id
        where d.business_id = ${businessId}::uuid) as "dealClicks"`.execute(db)
  return rows[0]!
}

export async function everythingOf(db: Sql, businessId: string) {
  const businesses = await sql<Record<string, unknown>>`
    select * from businesses where business_id = ${businessId}`.execute(db)
  const view_hours = await sql<Record<string, unknown>>`
    select kind, subject_id, hour, views, visitors from view_hours
    where kind = 'business' and subject_id = ${businessId}::uuid order by hour limit 100000`.execute(db)
  return { businesses: businesses.rows, view_hours: view_hours.rows }
}

export async function businessExists(db: Sql, businessId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from businesses where business_id = ${businessId}`.execute(db)
  return rows.length > 0
}

export interface ListedRow extends OpeningRow {
  business_id: string
  business_name: string
  name_sorted: string
  address: string | null
  logo_url: string | null
  category: string
  subscription_tier: Tier
  live_deals: number
  latitude: number | null
  longitude: number | null
}

const liveDeals = `(select count(*) from deals d
  where d.business_id = b.business_id and d.state = 'published' and not d.sold_out
    and (d.starts_at is null or d.starts_at <= $now::timestamptz)
    and (d.ends_at is null or d.ends_at > $now::timestamptz))`

/** Where a merchant stands among the others in A–Z. */
interface NamePlace {
  name: string
  id: string
}

/** The merchants that `rows` gives, by name, as lists show them. */
const listedByName = (rows: string) => `
  select b.business_id, b.business_name, b.name_sorted, b.address, b.logo_url, b.category, b.subscription_tier,
    ${liveDeals} as live_deals,
    ${openingColumns('b', 'b.hours_known')}, b.latitude, b.longitude
  from (${rows}) b
  order by b.name_sorted collate "C", b.business_id`

/** Merchants by name: after the keyset `after`, or from the letter `from` on. */
export async function listBusinesses(
  db: Sql,
  list: {
    named: Named | null
    after: NamePlace | null
    from?: string | undefined
    offset: number
    limit: number
    now: Date
  },
): Promise<ListedRow[]> {
  return query<ListedRow>(
    db,
    listedByName(`
      select * from businesses b
      where ${isNamed(list.named)}
        ${list.from === undefined ? '' : 'and b.name_sorted collate "C" >= $from'}
        ${list.after ? 'and (b.name_sorted collate "C", b.business_id) > ($afterName, $afterId::uuid)' : ''}
      order by b.name_sorted collate "C", b.business_id
      limit $limit offset $offset`),
    {
      now: list.now,
      ...namedValues(list.named),
      from: list.from,
      afterName: list.after?.name,
      afterId: list.after?.id,
      limit: list.limit,
      offset: list.offset,
    },
  )
}

/** The merchants that stand right before a place of A–Z, in its order. */
export async function listBusinessesBefore(
  db: Sql,
  list: { named: Named | null; before: NamePlace; limit: number; now: Date },
): Promise<ListedRow[]> {
  return query<ListedRow>(
    db,
    listedByName(`
      select * from businesses b
      where ${isNamed(list.named)} and (b.name_sorted collate "C", b.business_id) < ($beforeName, $beforeId::uuid)
      order by b.name_sorted collate "C" desc, b.business_id desc
      limit $limit`),
    {
      now: list.now,
      ...namedValues(list.named),
      beforeName: list.before.name,
      beforeId: list.before.id,
      limit: list.limit,
    },
  )
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyz']

/** The letters with which names begin, '' for what stands before A: one look into the index of names for each. */
export async function firstLetters(db: Sql): Promise<string[]> {
  const rows = await query<{ letter: string }>(
    db,
    `select l.letter
    from unnest($letters::text[], $until::text[]) with ordinality l (letter, until, at),
      lateral (
        select from businesses b
        where b.name_sorted collate "C" >= l.letter and b.name_sorted collate "C" < l.until
        order by b.name_sorted collate "C" limit 1
      ) first
    order by l.at`,
    { letters: ['', ...alphabet], until: [...alphabet, '{'] },
  )
  return rows.map(({ letter }) => letter)
}

export async function countBusinesses(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    'select count(*) from (select from businesses b limit $cap) counted',
    { cap },
  )
  return rows[0]!.count
}

/** Whom a typed name finds. */
export interface Named {
  /** As a text-search query, see `business_query`; '' when nothing searchable was typed. */
  words: string
  /** null: more than `totalCap`. */
  ids: string[] | null
}

export async function namedBusinesses(db: Sql, typed: string): Promise<Named> {
  const [asked] = await query<{ words: string | null }>(db, 'select business_query($typed)::text as words', { typed })
  const words = asked?.words ?? ''
  const found = await query<{ business_id: string }>(
    db,
    'select b.business_id from businesses b where b.name_doc @@ $words::tsquery limit $most',
    { words, most: totalCap + 1 },
  )
  return { words, ids: found.length > totalCap ? null : found.map(({ business_id }) => business_id) }
}

/**
 * A few are known by their ids. Very many stand everywhere, so that a list comes across them while it walks in its own
 * order; the planner, which cannot know that, would gather and sort them all, were the condition one that an index serves.
 */
function isNamed(named: Named | null) {
  if (!named) return 'true'
  return named.ids
    ? 'b.business_id = any($ids::uuid[])'
    : 'case when b.name_doc @@ $words::tsquery then true else false end'
}

const namedValues = (named: Named | null) => ({ ids: named?.ids, words: named?.words })

export interface SearchedBusinesses {
  named: Named | null
  category: string | undefined
  openNow: boolean
  now: Date
  area: Area
}

const { kmAway, inArea } = nearbyIn('b')

const searched = ({ named, category, openNow, area }: SearchedBusinesses) =>
  `${inArea(area.bbox !== null)} and ${isNamed(named)} ${category === undefined ? '' : 'and b.category = $category'}
  ${openNow ? `and ${isOpenNow('b')}` : ''}`

function searchedValues({ named, category, now, area }: SearchedBusinesses) {
  return { ...namedValues(named), category, now, ...areaValues(area) }
}

export interface NearbyRow extends ListedRow {
  latitude: number
  longitude: number
  distance_km: number
  /** On the Mercator plane: what they are ordered by. */
  plane: number
}

/** Businesses with a location, nearest first; `after` is the last one of the page before. */
export async function searchBusinesses(
  db: Sql,
  wanted: SearchedBusinesses,
  { after, ...page }: { after: { plane: number; id: string } | null; offset: number; limit: number },
): Promise<NearbyRow[]> {
  return query<NearbyRow>(
    db,
    `select b.business_id, b.business_name, b.name_sorted, b.address, b.logo_url, b.category, b.subscription_tier,
      ${liveDeals} as live_deals, ${openingColumns('b', 'b.hours_known')}, b.latitude, b.longitude, b.distance_km,
      b.xy <-> $here as plane
    from (
      select *, ${kmAway} as distance_km from businesses b where ${searched(wanted)}
      ${after ? 'and (b.xy <-> $here, b.business_id) > ($plane::float8, $id::uuid)' : ''}
      order by b.xy <-> $here, b.business_id
      limit $limit offset $offset
    ) b
    order by b.xy <-> $here, b.business_id`,
    { ...searchedValues(wanted), ...page, ...after },
  )
}

export async function countNearby(db: Sql, wanted: SearchedBusinesses, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from businesses b where ${searched(wanted)} limit $cap) counted`,
    { ...searchedValues(wanted), cap },
  )
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
  return query<MapRow>(
    db,
    `select b.business_id, b.business_name, b.category, b.latitude, b.longitude
    from businesses b where ${searched(wanted)}
    order by b.xy <-> $here limit $limit`,
    { ...searchedValues(wanted), limit },
  )
}

/** How many businesses of a share an area has, counted no further than `cap`. */
export async function countOnMap(db: Sql, wanted: SearchedBusinesses, share: Share, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (
      select from businesses b where ${searched(wanted)} ${inShare('b', share)} limit $cap
    ) counted`,
    { ...searchedValues(wanted), cap },
  )
  return rows[0]!.count
}

export interface ClusterRow {
  /** Businesses of the share. */
  count: number
  latitude: number
  longitude: number
  /** One of them: that of a square with one alone. */
  first: string
}

/** Businesses of a share, gathered in the squares of a grid; the position is the mean of the square's. */
export async function clusterBusinesses(
  db: Sql,
  wanted: SearchedBusinesses,
  share: Share,
  cell: number,
): Promise<ClusterRow[]> {
  return query<ClusterRow>(
    db,
    `select count(*)::int as count, round(avg(b.latitude)::numeric, 5)::float8 as latitude,
      round(avg(b.longitude)::numeric, 5)::float8 as longitude, min(b.business_id::text) as first
    from (
      select b.business_id, b.latitude, b.longitude, b.xy
      from businesses b where ${searched(wanted)} ${inShare('b', share)} limit $found
    ) b
    group by floor(b.xy[0] / $cell::float8), floor(b.xy[1] / $cell::float8)
    order by count desc limit 2000`,
    { ...searchedValues(wanted), cell, found: 2 * mostLookedAt },
  )
}

/** Those of given ids, as a map has them. */
export async function businessesOnMap(db: Sql, ids: string[]): Promise<MapRow[]> {
  if (ids.length === 0) return []
  return query<MapRow>(
    db,
    `select b.business_id, b.business_name, b.category, b.latitude, b.longitude
    from businesses b where b.business_id = any($ids::uuid[]) and b.latitude is not null`,
    { ids },
  )
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

/** Businesses whose openings end outside of that time, the emptiest first. */
export async function businessesToFill(db: Sql, right: { from: Date; to: Date }, limit: number): Promise<HoursRow[]> {
  const { rows } = await sql<HoursRow>`
    select business_id, open_hours, canton, latitude, longitude from businesses
    where hours_known and (hours_filled_until is null or hours_filled_until < ${right.from}
      or hours_filled_until > ${right.to})
    order by hours_filled_until nulls first limit ${limit}`.execute(db)
  return rows
}

/** Openings of a business up to `until`, and its week. */
export interface FilledHours {
  businessId: string
  /** Opens, closes, opens …, in order. */
  changes: Date[]
  week: OpeningWeek | null
  until: Date
}

/** Replaces openings and week. */
export async function fillOpenings(db: Sql, filled: FilledHours[]): Promise<void> {
  await sql`
    update businesses b
    set hours_filled_until = f.until, opening_changes = f.changes::timestamptz[], opening_week = f.week
    from unnest(${filled.map((each) => each.businessId)}::uuid[],
      ${filled.map(({ changes }) => `{${changes.map((change) => change.toISOString()).join()}}`)}::text[],
      ${filled.map((each) => each.until)}::timestamptz[],
      ${filled.map((each) => each.week && JSON.stringify(each.week))}::jsonb[]) f (business_id, changes, until, week)
    where b.business_id = f.business_id`.execute(db)
}

/** A page of the site and when it last changed. */
export interface Listed {
  id: string
  updated_at: string
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
  const sameHours = sql`(b.open_hours, b.hours_known, b.canton, b.latitude, b.longitude)
    is not distinct from (r.open_hours, r.hours_known, r.canton, r.latitude, r.longitude)`
  await sql`
    update businesses b set
      business_name = r.business_name, address = r.address, category = r.category, phone = r.phone, website = r.website,
      open_hours = r.open_hours, hours_known = r.hours_known, canton = r.canton,
      latitude = r.latitude, longitude = r.longitude, updated_at = ${now}::timestamptz,
      opening_changes = case when ${sameHours} then b.opening_changes else '{}' end,
      hours_filled_until = case when ${sameHours} then b.hours_filled_until end
    from json_populate_recordset(null::businesses, ${JSON.stringify(imported)}::json) r
    where b.source_id = r.source_id and not b.claimed`.execute(db)
}
