import type { Sql } from '../../../kit/server/database.ts'
import { areaValues, type Area } from '../../../kit/server/nearby.ts'
import { query } from '../../../kit/server/statement.ts'
import { listedColumns, type ListedRow } from './lists.ts'
import { isNamed, namedValues, type NameMatch } from './named.ts'
import { isOpenNow } from './opening-rows.ts'
import { isShown } from './suspended.ts'

export interface SearchedBusinesses {
  named: NameMatch | null
  category: string | undefined
  openNow: boolean
  now: Date
  area: Area
}

const kmAway = 'km_between($lat, $lon, b.latitude, b.longitude)'
/** Well inside the circle the plane distance decides, which needs no trigonometry. */
const inArea = ({ bbox }: Area) =>
  bbox ? 'b.xy <@ $box::box' : `b.xy <@ $circle::circle and (b.xy <-> $here <= $inside or ${kmAway} <= $radius)`

/** SQL condition of a search; its values are `searchedValues`. */
export const searched = ({ named, category, openNow, area }: SearchedBusinesses) =>
  `${isShown} and ${inArea(area)} and ${isNamed(named)} ${category === undefined ? '' : 'and b.category = $category'}
  ${openNow ? `and ${isOpenNow('b')}` : ''}`

export function searchedValues({ named, category, now, area }: SearchedBusinesses) {
  return { ...namedValues(named), category, now, ...areaValues(area) }
}

export interface NearbyRow extends ListedRow {
  latitude: number
  longitude: number
  distance_km: number
  /** Distance on the Mercator plane, by which results are ordered. */
  plane: number
}

/** Businesses with a location, nearest first, after the keyset `after`. */
export async function searchBusinesses(
  db: Sql,
  wanted: SearchedBusinesses,
  { after, ...page }: { after: { plane: number; id: string } | null; offset: number; limit: number },
): Promise<NearbyRow[]> {
  return query<NearbyRow>(
    db,
    `select ${listedColumns}, b.distance_km, b.xy <-> $here as plane
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
