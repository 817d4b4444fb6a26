import { sql, type RawBuilder } from 'kysely'
import { openingColumns, openingJoins } from '../../businesses/server/businesses.ts'
import type { Sql } from '../../kit/server/database.ts'
import { centrePoint, nearbyIn, type Area } from '../../kit/server/nearby.ts'
import type { DealCategory, DealStatus } from '../contract.ts'
import { endingSoonHours } from '../contract.ts'

export type { Area } from '../../kit/server/nearby.ts'

export interface DealRow {
  deal_id: string
  deal_name: string
  description: string | null
  price: string | null
  discount: string | null
  latitude: number | null
  longitude: number | null
  is_premium: boolean
  business_id: string
  business_name: string
  category: DealCategory
  status: DealStatus
  terms: string | null
  tags: string[]
  starts_at: Date | null
  ends_at: Date | null
  active_days: number | null
  start_time: string | null
  end_time: string | null
  price_rappen: number | null
  regular_price_rappen: number | null
  regular_price_since: string | null
  total_limit: number | null
  per_user_limit: number
  redemption_mode: 'none' | 'code'
  image_url: string | null
  rating_sum: number
  rating_count: number
  rating_bayes: number
  created_at: Date
  updated_at: Date
  open_now: boolean | null
  open_until: Date | null
  opens_at: Date | null
}

export interface FoundRow extends DealRow {
  distance_km: number | null
  ending_soon: boolean
  /** The place is open and the deal's own days and hours hold. */
  available: boolean
  matched: boolean
}

/** When a search is asked: the instant, and what the festival's clocks show. */
export interface Moment {
  now: Date
  /** 0 = Monday. */
  weekday: number
  /** `HH:MM` */
  time: string
}

const columns = (now: Date) => sql`
  d.deal_id, d.deal_name, d.description, d.price, d.discount, d.latitude, d.longitude,
  ${isPremium(now)} as is_premium, d.business_id, b.business_name, d.category, ${status(now)} as status,
  d.terms, d.tags, d.starts_at, d.ends_at, d.active_days, d.start_time, d.end_time, d.price_rappen,
  d.regular_price_rappen, d.regular_price_since, d.total_limit, d.per_user_limit, d.redemption_mode, d.image_url,
  d.rating_sum, d.rating_count, d.rating_bayes, d.created_at, d.updated_at, ${openingColumns(now)}`

const isPremium = (now: Date) => sql`(b.subscription_tier <> 'FREE' or coalesce(b.featured_until > ${now}, false))`

const status = (now: Date) => sql`
  case
    when d.state = 'archived' then 'archived'
    when d.state = 'draft' then 'draft'
    when d.ends_at <= ${now} then 'expired'
    when d.state = 'paused' then 'paused'
    when d.redeemed_count >= d.total_limit then 'sold_out'
    when d.starts_at > ${now} then 'scheduled'
    else 'active'
  end`

/** What every list shows: published, begun, not over, not sold out. */
const isLive = (now: Date) => sql`
  d.state = 'published'
  and (d.starts_at is null or d.starts_at <= ${now}) and (d.ends_at is null or d.ends_at > ${now})
  and (d.total_limit is null or d.redeemed_count < d.total_limit)`

/**
 * The place is open and the deal's own days and hours hold now. An end before the start crosses midnight and belongs to
 * the day it began on.
 */
const isOpen = ({ now, weekday, time }: Moment) => sql`
  exists (select 1 from business_openings o
    where o.business_id = d.business_id and o.closes_at > ${now} and o.opens_at <= ${now})
  and case
    when d.start_time is null then d.active_days is null or d.active_days & ${1 << weekday}::int <> 0
    when d.start_time <= d.end_time then ${time}::time >= d.start_time and ${time}::time < d.end_time
      and (d.active_days is null or d.active_days & ${1 << weekday}::int <> 0)
    when ${time}::time >= d.start_time then d.active_days is null or d.active_days & ${1 << weekday}::int <> 0
    when ${time}::time < d.end_time then d.active_days is null or d.active_days & ${1 << ((weekday + 6) % 7)}::int <> 0
    else false
  end`

/** What a search asks for, resolved: no spelling left to guess. */
export interface Wanted {
  moment: Moment
  /** The typed words as a text-search query, made by `searchWords`; '' finds nothing; null: no words were typed. */
  words: string | null
  /** Category that the typed words as a whole name. */
  wordsCategory: DealCategory | null
  /** A category, or a tag asked for like one; null: any. */
  category: { key: DealCategory | null; tag: string } | null
  openNow: boolean
  premiumOnly: boolean
  excludedIds: string[]
}

/**
 * Typed words as a text-search query, misspellings included; '' when nothing searchable was typed. Asked once per
 * search, because looking up similar words costs more than the search itself.
 */
export async function searchWords(db: Sql, typed: string): Promise<string> {
  const { rows } = await sql<{ words: string | null }>`select search_query(${typed})::text as words`.execute(db)
  return rows[0]?.words ?? ''
}

const matchesWords = (w: Wanted) =>
  w.wordsCategory
    ? sql`(d.doc @@ ${w.words}::tsquery or d.category = ${w.wordsCategory})`
    : sql`d.doc @@ ${w.words}::tsquery`

const hasTag = (tag: string) => sql`d.facets @> array[trim(search_fold(${tag}))]`

/** Everything but the category. */
function wantedOfAnyCategory(w: Wanted): RawBuilder<unknown> {
  return sql`${isLive(w.moment.now)}
    ${w.words === null ? sql`` : sql`and ${matchesWords(w)}`}
    ${w.openNow ? sql`and ${isOpen(w.moment)}` : sql``}
    ${w.premiumOnly ? sql`and exists (select 1 from businesses b where b.business_id = d.business_id and ${isPremium(w.moment.now)})` : sql``}
    ${w.excludedIds.length > 0 ? sql`and d.deal_id <> all(${w.excludedIds}::uuid[])` : sql``}`
}

/**
 * The conditions of each way to belong to the asked-for category, free of overlap: deals of the category itself, and
 * deals of others that carry its name as a tag. Apart, so that each has an index; one condition with "or" has none.
 */
function waysToBelong({ category }: Wanted): { deals: RawBuilder<unknown>; belongs: RawBuilder<unknown> }[] {
  if (!category) return [{ deals: sql`deals d`, belongs: sql`` }]
  // the offset keeps the tag's own index in charge: the planner would walk through the circle and look at every tag
  const tagged = sql`(select * from deals d where d.state = 'published' and ${hasTag(category.tag)} offset 0) d`
  if (!category.key) return [{ deals: tagged, belongs: sql`` }]
  return [
    { deals: sql`deals d`, belongs: sql`and d.category = ${category.key}` },
    { deals: tagged, belongs: sql`and d.category <> ${category.key}` },
  ]
}

function wanted(w: Wanted): RawBuilder<unknown> {
  const { category } = w
  if (!category) return wantedOfAnyCategory(w)
  return category.key
    ? sql`${wantedOfAnyCategory(w)} and (d.category = ${category.key} or ${hasTag(category.tag)})`
    : sql`${wantedOfAnyCategory(w)} and ${hasTag(category.tag)}`
}

const { haversineKm, inArea } = nearbyIn('d')

/** The circle without its index: for the few deals of one business, which are found by their own. */
function isInArea(area: Area): RawBuilder<unknown> {
  if (!area.bbox) return sql`${haversineKm(area)} <= ${area.radiusKm}`
  const { west, south, east, north } = area.bbox
  return sql`d.latitude between ${south} and ${north} and d.longitude between ${west} and ${east}`
}

/** `best` ranks deals nearest first in groups of this many, and inside a group by score. */
export const groupSize = 100

/**
 * The formula of `best`, in walking minutes, smaller is better: the walk (straight line × 1.3 at 80 m a minute), less
 * 6 when the deal can be had now, 2 when it ends within three hours, 2 for each star above the mean of 3.8, and up to
 * 30 for how well the words match.
 */
const score = sql`
  distance_km * 16.25 - case when available then 6 else 0 end - case when ending_soon then 2 else 0 end
  - 2 * (rating_bayes - 3.8) - 30 * relevance`

export type DealSort = 'best' | 'distance' | 'rating' | 'ending_soon' | 'new'

/** One page of a search, located deals before those without a place. */
export async function searchDeals(
  db: Sql,
  w: Wanted,
  area: Area,
  page: { sort: DealSort; offset: number; limit: number },
): Promise<FoundRow[]> {
  const { now } = w.moment
  const reach = page.offset + page.limit
  const soon = new Date(now.getTime() + endingSoonHours * 3_600_000)
  const located =
    page.sort === 'best' || page.sort === 'distance'
      ? nearestFirst(w, area, { byScore: page.sort === 'best', reach, soon })
      : sorted(w, area, { sort: page.sort, reach })
  const without = area.bbox
    ? sql``
    : sql`
      union all
      (select d.deal_id, null, 2 as part, row_number() over (order by d.created_at desc, d.deal_id desc) as place
      from deals d where ${wanted(w)} and d.latitude is null
      order by d.created_at desc, d.deal_id desc limit ${reach})`

  const { rows } = await sql<FoundRow>`
    with found as (
      (select deal_id, distance_km, 1 as part, place from (${located}) located order by place limit ${reach})
      ${without}
    ), page as (
      select * from found order by part, place limit ${page.limit} offset ${page.offset}
    )
    select ${columns(now)}, page.distance_km, ${foundColumns(w, soon)}
    from page join deals d using (deal_id) join businesses b on b.business_id = d.business_id ${openingJoins(now)}
    order by page.part, page.place`.execute(db)
  return rows
}

const foundColumns = (w: Wanted, soon: Date) => sql`
  coalesce(d.ends_at <= ${soon}, false) as ending_soon, (${isOpen(w.moment)}) as available,
  ${w.words === null ? sql`false` : sql`coalesce(d.doc @@ ${w.words}::tsquery, false)`} as matched`

/**
 * The index hands out deals nearest first, always in the same order. They are taken in groups of 100 in this order, and
 * sorted only within a group (by score or true distance, then id): so pages neither repeat nor skip, also where many
 * deals share one place, and a search never sorts more than the groups it shows.
 */
function nearestFirst(
  w: Wanted,
  area: Area,
  { byScore, reach, soon }: { byScore: boolean; reach: number; soon: Date },
): RawBuilder<unknown> {
  const candidates = Math.ceil(reach / groupSize) * groupSize
  const way = ({ deals, belongs }: { deals: RawBuilder<unknown>; belongs: RawBuilder<unknown> }, index: number) => sql`
    (select d.deal_id, d.xy <-> ${centrePoint(area)} as steps, ${index}::int as way, ${haversineKm(area)} as distance_km,
      ${
        byScore
          ? sql`d.rating_bayes, coalesce(d.ends_at <= ${soon}, false) as ending_soon, (${isOpen(w.moment)}) as available,
            ${w.words === null ? sql`0` : sql`coalesce(ts_rank(d.doc, ${w.words}::tsquery), 0)`} as relevance`
          : sql`0 as rating_bayes`
      }
    from ${deals} where ${wantedOfAnyCategory(w)} ${belongs} and ${inArea(area)}
    order by d.xy <-> ${centrePoint(area)} limit ${candidates})`
  const ways = waysToBelong(w).map(way)
  const nearest =
    ways.length === 1
      ? sql`select *, row_number() over () as rank from ${ways[0]} one_way`
      : sql`select *, row_number() over (order by steps, way, turn) as rank from (
          select *, row_number() over (partition by way) as turn from (${sql.join(ways, sql` union all `)}) each_way
        ) merged order by steps, way, turn limit ${candidates}`
  return sql`
    select deal_id, distance_km,
      row_number() over (order by (rank - 1) / ${groupSize}::int, ${byScore ? score : sql`distance_km`}, deal_id) as place
    from (${nearest}) nearest`
}

function sorted(w: Wanted, area: Area, { sort, reach }: { sort: 'rating' | 'ending_soon' | 'new'; reach: number }) {
  const order = {
    rating: sql`d.rating_bayes desc, d.rating_count desc, d.deal_id desc`,
    ending_soon: sql`d.ends_at asc nulls last, d.deal_id`,
    new: sql`d.created_at desc, d.deal_id desc`,
  }[sort]
  return sql`
    select d.deal_id, ${haversineKm(area)} as distance_km, row_number() over (order by ${order}) as place
    from deals d where ${wanted(w)} and ${inArea(area)} order by ${order} limit ${reach}`
}

/** How many deals a search finds, counted no further than `cap`. */
export async function countFound(db: Sql, w: Wanted, area: Area, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      ${sql.join(
        waysToBelong(w).map(
          ({ deals, belongs }) =>
            sql`(select 1 from ${deals} where ${wantedOfAnyCategory(w)} ${belongs} and ${inArea(area)} limit ${cap})`,
        ),
        sql` union all `,
      )}
      ${area.bbox ? sql`` : sql`union all (select 1 from deals d where ${wanted(w)} and d.latitude is null limit ${cap})`}
    ) counted`.execute(db)
  return rows[0]!.count
}

/** For each business promoted now, its nearest deal that the search finds; in a fixed order, to rotate through. */
export async function findSponsored(db: Sql, w: Wanted, area: Area): Promise<FoundRow[]> {
  const { now } = w.moment
  const soon = new Date(now.getTime() + endingSoonHours * 3_600_000)
  const { rows } = await sql<FoundRow>`
    select ${columns(now)}, nearest.distance_km, ${foundColumns(w, soon)}
    -- first the few that are promoted, by their own index, then their order
    from (select * from businesses where featured_until > ${now} offset 0) b
    cross join lateral (
      select d.deal_id, ${haversineKm(area)} as distance_km from deals d
      where d.business_id = b.business_id and ${wanted(w)} and ${isInArea(area)}
      order by distance_km, d.deal_id limit 1
    ) nearest
    join deals d on d.deal_id = nearest.deal_id ${openingJoins(now)}
    order by b.business_id limit 100`.execute(db)
  return rows
}

export interface MapRow {
  deal_id: string
  deal_name: string
  description: string | null
  price: string | null
  discount: string | null
  latitude: number
  longitude: number
  is_premium: boolean
}

/** The specified fields only, premium first, so that a limit never hides them. */
export async function findForMap(db: Sql, w: Wanted, area: Area, limit: number): Promise<MapRow[]> {
  const { rows } = await sql<MapRow>`
    select d.deal_id, d.deal_name, d.description, d.price, d.discount, d.latitude, d.longitude,
      ${isPremium(w.moment.now)} as is_premium
    from deals d join businesses b on b.business_id = d.business_id
    where ${wanted(w)} and ${inArea(area)}
    order by is_premium desc, d.deal_id limit ${limit}`.execute(db)
  return rows
}

/** What a pin needs, to about a metre: a view of 2,000 stays below 60 kB. */
export async function findPins(
  db: Sql,
  w: Wanted,
  area: Area,
  limit: number,
): Promise<Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'>[]> {
  const { rows } = await sql<Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'>>`
    select d.deal_id, round(d.latitude::numeric, 5)::float8 as latitude,
      round(d.longitude::numeric, 5)::float8 as longitude, ${isPremium(w.moment.now)} as is_premium
    from deals d join businesses b on b.business_id = d.business_id
    where ${wanted(w)} and ${inArea(area)}
    order by is_premium desc, d.deal_id limit ${limit}`.execute(db)
  return rows
}

export interface ClusterRow {
  cluster: number
  latitude: number
  longitude: number
  premium: number
}

/** Deals gathered in the squares of a grid; the position is the mean of the square's deals. */
export async function clusterForMap(db: Sql, w: Wanted, area: Area, cellDegrees: number): Promise<ClusterRow[]> {
  const { rows } = await sql<ClusterRow>`
    select count(*)::int as cluster, round(avg(d.latitude)::numeric, 5)::float8 as latitude,
      round(avg(d.longitude)::numeric, 5)::float8 as longitude,
      count(*) filter (where ${isPremium(w.moment.now)})::int as premium
    from deals d join businesses b on b.business_id = d.business_id
    where ${wanted(w)} and ${inArea(area)}
    group by floor(d.xy[0] / ${cellDegrees}), floor(d.xy[1] / ${cellDegrees})
    order by cluster desc limit 2000`.execute(db)
  return rows
}

export type ListSort = 'new' | 'ending_soon' | 'rating'

/** Live deals after the keyset `after`, whose parts are the sort value and the id. */
export async function listDeals(
  db: Sql,
  w: Wanted,
  page: { sort: ListSort; after: { value: string | number; id: string } | null; offset: number; limit: number },
): Promise<DealRow[]> {
  const { after } = page
  const order = {
    new: sql`d.created_at desc, d.deal_id desc`,
    ending_soon: sql`d.ends_at, d.deal_id`,
    rating: sql`d.rating_bayes desc, d.deal_id desc`,
  }[page.sort]
  const beyond = !after
    ? sql``
    : {
        new: sql`and (d.created_at, d.deal_id) < (${after.value}::timestamptz, ${after.id}::uuid)`,
        ending_soon: sql`and (d.ends_at, d.deal_id) > (${after.value}::timestamptz, ${after.id}::uuid)`,
        rating: sql`and (d.rating_bayes, d.deal_id) < (${after.value}::double precision, ${after.id}::uuid)`,
      }[page.sort]
  const { rows } = await sql<DealRow>`
    select ${columns(w.moment.now)}
    from (
      select * from deals d where ${wanted(w)} ${page.sort === 'ending_soon' ? sql`and d.ends_at is not null` : sql``} ${beyond}
      order by ${order} limit ${page.limit} offset ${page.offset}
    ) d join businesses b on b.business_id = d.business_id ${openingJoins(w.moment.now)}
    order by ${order}`.execute(db)
  return rows
}

export async function countDeals(db: Sql, w: Wanted, sort: ListSort, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select 1 from deals d where ${wanted(w)} ${sort === 'ending_soon' ? sql`and d.ends_at is not null` : sql``} limit ${cap}
    ) counted`.execute(db)
  return rows[0]!.count
}

export async function findDeal(db: Sql, dealId: string, now: Date): Promise<DealRow | undefined> {
  const { rows } = await sql<DealRow>`
    select ${columns(now)}
    from deals d join businesses b on b.business_id = d.business_id ${openingJoins(now)}
    where d.deal_id = ${dealId}`.execute(db)
  return rows[0]
}

export async function listDealsOfBusiness(db: Sql, businessId: string, now: Date, limit: number): Promise<DealRow[]> {
  const { rows } = await sql<DealRow>`
    select ${columns(now)}
    from deals d join businesses b on b.business_id = d.business_id ${openingJoins(now)}
    where d.business_id = ${businessId} and ${isLive(now)}
    order by d.created_at desc, d.deal_id desc limit ${limit}`.execute(db)
  return rows
}

/** At most `limit` live deals from the id `from` on, in the order of their ids. */
export async function listDealPages(
  db: Sql,
  now: Date,
  from: string,
  limit: number,
): Promise<{ id: string; updated_at: Date }[]> {
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    select d.deal_id as id, d.updated_at from deals d
    where d.deal_id >= ${from}::uuid and ${isLive(now)} order by d.deal_id limit ${limit}`.execute(db)
  return rows
}

/** The id `steps` live deals after `from` (itself 0, or the next one), in the order of ids; null beyond the last. */
export async function stepToDeal(db: Sql, now: Date, from: string, steps: number): Promise<string | null> {
  const { rows } = await sql<{ deal_id: string }>`
    select d.deal_id from deals d where d.deal_id >= ${from}::uuid and ${isLive(now)}
    order by d.deal_id offset ${steps} limit 1`.execute(db)
  return rows[0]?.deal_id ?? null
}
