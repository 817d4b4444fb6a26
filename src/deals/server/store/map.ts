import type { Category } from '../../../brand/categories.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { areaValues, type Area } from '../../../kit/server/nearby.ts'
import { inShare, mostLookedAt, type Share } from '../../../kit/server/share.ts'
import { query } from '../../../kit/server/statement.ts'
import type { pinTimes } from '../../contract.ts'
import { askedBy, endsSoon, inArea, isPremium, isUsable, wanted, wantedValues, type Wanted } from './wanted.ts'

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

function wantedIn(w: Wanted, area: Area, share: Share): string {
  const asked = askedBy(w, area)
  return `${wanted(asked)} and ${inArea(asked.box)} ${inShare('d', share)}`
}

/** How many deals of a share an area has, counted no further than `cap`. */
export async function countOnMap(db: Sql, w: Wanted, area: Area, share: Share, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from deals d where ${wantedIn(w, area, share)} limit $cap) counted`,
    { ...wantedValues(w), ...areaValues(area), cap },
  )
  return rows[0]!.count
}

/** Of which deals a map shows single ones: of a share, of the first `found`, those of the smallest ids. */
export interface OnMap {
  share: Share
  found: number
  limit: number
}

/** The specified fields only, premium first. */
export function findForMap(db: Sql, w: Wanted, area: Area, on: OnMap): Promise<MapRow[]> {
  const columns = 'd.deal_id, d.deal_name, d.description, d.price, d.discount, d.latitude, d.longitude'
  return findOnMap<MapRow>(db, columns, w, area, on)
}

export interface PinRow extends Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'> {
  category: Category
  time: (typeof pinTimes)[number]
}

const pinTime = `case when not ${isUsable} then 'later' when ${endsSoon} then 'ending' else 'now' end`

/** What a pin needs, to about a metre: a view of 2,000 stays below 60 kB. */
export function findPins(db: Sql, w: Wanted, area: Area, on: OnMap): Promise<PinRow[]> {
  const columns = `d.deal_id, round(d.latitude::numeric, 5)::float8 as latitude,
    round(d.longitude::numeric, 5)::float8 as longitude, d.category, ${pinTime} as time`
  return findOnMap<PinRow>(db, columns, w, area, on)
}

function findOnMap<Row>(db: Sql, columns: string, w: Wanted, area: Area, { share, ...on }: OnMap): Promise<Row[]> {
  return query<Row>(
    db,
    `select ${columns}, ${isPremium} as is_premium
    from (select * from deals d where ${wantedIn(w, area, share)} limit $found) d
    order by is_premium desc, d.deal_id limit $limit`,
    { ...wantedValues(w), ...areaValues(area), ...on },
  )
}

export interface ClusterRow {
  /** Deals of the share. */
  count: number
  latitude: number
  longitude: number
  premium: number
  /** Those that are shown single. */
  single: number
  /** One that is not, with its looks: that of a square with one alone. */
  first: string
  category: Category
  time: (typeof pinTimes)[number]
}

/** Deals of a share, gathered in the squares of a grid; the position is the mean of those that are not shown single. */
export async function clusterForMap(
  db: Sql,
  w: Wanted,
  area: Area,
  share: Share,
  cellDegrees: number,
  singleIds: string[],
): Promise<ClusterRow[]> {
  return query<ClusterRow>(
    db,
    `select count(*)::int as count, count(*) filter (where is_premium)::int as premium,
      count(*) filter (where is_single)::int as single, min(deal_id::text) filter (where not is_single) as first,
      min(category) filter (where not is_single) as category, min(time) filter (where not is_single) as time,
      round(coalesce(avg(latitude) filter (where not is_single), avg(latitude))::numeric, 5)::float8 as latitude,
      round(coalesce(avg(longitude) filter (where not is_single), avg(longitude))::numeric, 5)::float8 as longitude
    from (
      select d.deal_id, d.latitude, d.longitude, d.xy, d.category, ${pinTime} as time, ${isPremium} as is_premium,
        d.deal_id = any($single::uuid[]) as is_single
      from deals d where ${wantedIn(w, area, share)} limit $found
    ) d
    group by floor(xy[0] / $cell::float8), floor(xy[1] / $cell::float8)
    order by count desc limit 2000`,
    { ...wantedValues(w), ...areaValues(area), cell: cellDegrees, single: singleIds, found: 2 * mostLookedAt },
  )
}
