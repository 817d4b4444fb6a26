import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { BusinessOnMap } from '../../contract.ts'
import { searched, searchedValues, type SearchedBusinesses } from './nearby.ts'

const columns = 'b.business_id, b.business_name, b.category, b.latitude, b.longitude'

export async function businessesForMap(db: Sql, wanted: SearchedBusinesses, limit: number): Promise<BusinessOnMap[]> {
  return query<BusinessOnMap>(
    db,
    `select ${columns}
    from businesses b where ${searched(wanted)}
    order by b.xy <-> $here limit $limit`,
    { ...searchedValues(wanted), limit },
  )
}

/**
 * Businesses clustered by the squares of a grid; the position of a cluster is the mean of its businesses, `first` the id of one of
 * them.
 */
export async function clusterBusinesses(db: Sql, wanted: SearchedBusinesses, cell: number) {
  return query<{ count: number; latitude: number; longitude: number; first: string }>(
    db,
    `select count(*)::int as count, round(avg(b.latitude)::numeric, 5)::float8 as latitude,
      round(avg(b.longitude)::numeric, 5)::float8 as longitude, min(b.business_id::text) as first
    from businesses b where ${searched(wanted)}
    group by floor(b.xy[0] / $cell::float8), floor(b.xy[1] / $cell::float8)
    order by count desc limit 2000`,
    { ...searchedValues(wanted), cell },
  )
}

/** Businesses by id, for a map. */
export async function businessesOnMap(db: Sql, ids: string[]): Promise<BusinessOnMap[]> {
  if (ids.length === 0) return []
  return query<BusinessOnMap>(
    db,
    `select ${columns}
    from businesses b where b.business_id = any($ids::uuid[]) and b.latitude is not null`,
    { ids },
  )
}
