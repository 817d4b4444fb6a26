import { sql, type RawBuilder } from 'kysely'
import { openingColumns, openingJoins } from '../../businesses/server/businesses.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { BoundingBox, DealCategory, DealStatus } from '../contract.ts'
import { endingSoonHours } from '../contract.ts'
import type { Position } from '../../kit/shared/geo.ts'

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
  created_at: Date
  updated_at: Date
  open_now: boolean | null
  open_until: Date | null
  opens_at: Date | null
}

export interface FoundRow extends DealRow {
  distance_km: number | null
  ending_soon: boolean
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
  d.rating_sum, d.rating_count, d.created_at, d.updated_at, ${openingColumns(now)}`

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
  /** Typed words; the folded forms are made by the database. */
  q: string | undefined
  /** Category that `q` as a whole names. */
  qCategory: DealCategory | null
  /** A category, or a folded tag; null: any. */
  category: { key: DealCategory | null; facet: string } | null
  openNow: boolean
  premiumOnly: boolean
  excludedIds: string[]
}

function wanted(w: Wanted): RawBuilder<unknown> {
  return sql`${isLive(w.moment.now)}
    ${w.category ? (w.category.key ? sql`and (d.category = ${w.category.key} or d.facets @> array[trim(search_fold(${w.category.facet}))])` : sql`and d.facets @> array[trim(search_fold(${w.category.facet}))]`) : sql``}
    ${w.q ? sql`and (d.doc @@ search_query(${w.q})${w.qCategory ? sql` or d.category = ${w.qCategory}` : sql``})` : sql``}
    ${w.openNow ? sql`and ${isOpen(w.moment)}` : sql``}
    ${w.premiumOnly ? sql`and exists (select 1 from businesses b where b.business_id = d.business_id and ${isPremium(w.moment.now)})` : sql``}
    ${w.excludedIds.length > 0 ? sql`and d.deal_id <> all(${w.excludedIds}::uuid[])` : sql``}`
}

/** Where a search looks: a circle, or a box that may be drawn anywhere. */
export interface Area {
  centre: Position
  radiusKm: number
  bbox: BoundingBox | null
}

const kmPerDegree = 111.195

/** Mercator in degrees, as the generated column `xy`. */
function mercator(latitude: number): number {
  const clamped = Math.max(-85, Math.min(85, latitude))
  return (Math.log(Math.tan(Math.PI / 4 + (clamped * Math.PI) / 360)) * 180) / Math.PI
}

const centrePoint = ({ centre }: Area) => sql`point(${centre.longitude}, ${mercator(centre.latitude)})`

const haversineKm = ({ centre }: Area) => sql`
  12742.0176 * asin(least(1, sqrt(power(sin(radians(d.latitude - ${centre.latitude}) / 2), 2)
    + cos(radians(${centre.latitude})) * cos(radians(d.latitude)) * power(sin(radians(d.longitude - ${centre.longitude}) / 2), 2))))`

function inArea(area: Area): RawBuilder<unknown> {
  if (area.bbox) {
    const { west, south, east, north } = area.bbox
    return sql`d.xy <@ box(point(${west}, ${mercator(south)}), point(${east}, ${mercator(north)}))`
  }
  // the scale grows away from the equator, so the far edge of the circle decides how wide it is drawn
  const edge = Math.min(84, Math.abs(area.centre.latitude) + area.radiusKm / kmPerDegree)
  const degrees = (area.radiusKm / kmPerDegree / Math.cos((edge * Math.PI) / 180)) * 1.001
  return sql`d.xy <@ circle(${centrePoint(area)}, ${degrees}) and ${haversineKm(area)} <= ${area.radiusKm}`
}

/** `best` ranks deals nearest first in groups of this many, and inside a group by score. */
export const groupSize = 100

/**
 * The formula of `best`, in walking minutes, smaller is better: the walk (straight line × 1.3 at 80 m a minute), less
 * 6 when the place is open, 2 when the deal ends within three hours, 2 for each star above the mean of 3.8, and up to
 * 30 for how well the words match.
 */
const score = (w: Wanted) => sql`
  distance_km * 16.25
  - case when open then 6 else 0 end - case when ending_soon then 2 else 0 end
  - 2 * (rating_bayes - 3.8) - 30 * ${w.q ? sql`relevance` : sql`0`}`

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
  const candidate = sql`
    d.deal_id, d.business_id, ${haversineKm(area)} as distance_km, d.rating_bayes, d.rating_count,
    coalesce(d.ends_at <= ${soon}, false) as ending_soon, d.ends_at, d.created_at,
    ${w.q ? sql`coalesce(ts_rank(d.doc, search_query(${w.q})), 0)` : sql`0`} as relevance`
  const byDistance = sql`order by d.xy <-> ${centrePoint(area)}`
  const located = {
    best: sql`
      select c.*, row_number() over (order by (rank - 1) / ${groupSize}::int, ${score(w)}, deal_id) as place from (
        select n.*, row_number() over (order by distance_km, deal_id) as rank,
          exists (select 1 from business_openings o
            where o.business_id = n.business_id and o.closes_at > ${now} and o.opens_at <= ${now}) as open
        from (
          select ${candidate} from deals d where ${wanted(w)} and ${inArea(area)}
          ${byDistance} limit ${Math.ceil(reach / groupSize) * groupSize}
        ) n
      ) c`,
    // a few more than asked for: straight-line order on the projection and true distance differ by a hair
    distance: sql`
      select n.*, false as open, row_number() over (order by distance_km, deal_id) as place from (
        select ${candidate} from deals d where ${wanted(w)} and ${inArea(area)} ${byDistance} limit ${reach + 20}
      ) n`,
    rating: sorted(sql`d.rating_bayes desc, d.rating_count desc, d.deal_id desc`),
    ending_soon: sorted(sql`d.ends_at asc nulls last, d.deal_id`),
    new: sorted(sql`d.created_at desc, d.deal_id desc`),
  }[page.sort]

  function sorted(order: RawBuilder<unknown>) {
    return sql`
      select ${candidate}, false as open, row_number() over (order by ${order}) as place
      from deals d where ${wanted(w)} and ${inArea(area)} order by ${order} limit ${reach}`
  }

  const without = area.bbox
    ? sql``
    : sql`
      union all
      (select d.deal_id, null, d.created_at, 2 as part, row_number() over (order by d.created_at desc, d.deal_id desc) as place
      from deals d where ${wanted(w)} and d.latitude is null
      order by d.created_at desc, d.deal_id desc limit ${reach})`

  const { rows } = await sql<FoundRow>`
    with found as (
      (select deal_id, distance_km, created_at, 1 as part, place from (${located}) located order by place limit ${reach})
      ${without}
    ), page as (
      select * from found order by part, place limit ${page.limit} offset ${page.offset}
    )
    select ${columns(now)}, page.distance_km, coalesce(d.ends_at <= ${soon}, false) as ending_soon,
      ${w.q ? sql`coalesce(d.doc @@ search_query(${w.q}), false)` : sql`false`} as matched
    from page join deals d using (deal_id) join businesses b on b.business_id = d.business_id ${openingJoins(now)}
    order by page.part, page.place`.execute(db)
  return rows
}

/** How many deals a search finds, counted no further than `cap`. */
export async function countFound(db: Sql, w: Wanted, area: Area, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      (select 1 from deals d where ${wanted(w)} and ${inArea(area)} limit ${cap})
      ${area.bbox ? sql`` : sql`union all (select 1 from deals d where ${wanted(w)} and d.latitude is null limit ${cap})`}
    ) counted`.execute(db)
  return rows[0]!.count
}

/** For each business promoted now, its nearest deal that the search finds; in a fixed order, to rotate through. */
export async function findSponsored(db: Sql, w: Wanted, area: Area): Promise<FoundRow[]> {
  const { now } = w.moment
  const soon = new Date(now.getTime() + endingSoonHours * 3_600_000)
  const { rows } = await sql<FoundRow>`
    select ${columns(now)}, nearest.distance_km, coalesce(d.ends_at <= ${soon}, false) as ending_soon, false as matched
    from businesses b
    cross join lateral (
      select d.deal_id, ${haversineKm(area)} as distance_km from deals d
      where d.business_id = b.business_id and ${wanted(w)} and ${inArea(area)}
      order by distance_km, d.deal_id limit 1
    ) nearest
    join deals d on d.deal_id = nearest.deal_id ${openingJoins(now)}
    where b.featured_until > ${now}
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

export interface ClusterRow {
  cluster: number
  latitude: number
  longitude: number
  premium: number
}

/** Deals gathered in the squares of a grid; the position is the mean of the square's deals. */
export async function clusterForMap(db: Sql, w: Wanted, area: Area, cellDegrees: number): Promise<ClusterRow[]> {
  const { rows } = await sql<ClusterRow>`
    select count(*)::int as cluster, avg(d.latitude) as latitude, avg(d.longitude) as longitude,
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
