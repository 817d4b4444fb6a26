import type { Sql } from '../../../kit/server/database.ts'
import { inShare, mostLookedAt, type Share } from '../../../kit/server/share.ts'
import { query } from '../../../kit/server/statement.ts'
import { searched, searchedValues, type SearchedBusinesses } from './nearby.ts'

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
