import { sql, type RawBuilder } from 'kysely'
import type { Position } from '../shared/geo.ts'
import type { BoundingBox } from '../shared/input.ts'

/** Where a search looks: a circle, or a box that may be drawn anywhere. */
export interface Area {
  centre: Position
  radiusKm: number
  bbox: BoundingBox | null
}

const kmPerDegree = 111.195

/** Mercator in degrees, as the generated columns `xy`. */
function mercator(latitude: number): number {
  const clamped = Math.max(-85, Math.min(85, latitude))
  return (Math.log(Math.tan(Math.PI / 4 + (clamped * Math.PI) / 360)) * 180) / Math.PI
}

export const centrePoint = ({ centre }: Area) => sql`point(${centre.longitude}, ${mercator(centre.latitude)})`

/**
 * SQL about rows that have `latitude`, `longitude` and the Mercator point `xy` with a GiST index; `alias` is the table's
 * in the query.
 */
export function nearbyIn(alias: 'd' | 'b') {
  const row = sql.raw(alias)
  const haversineKm = ({ centre }: Area) => sql`
    12742.0176 * asin(least(1, sqrt(power(sin(radians(${row}.latitude - ${centre.latitude}) / 2), 2)
      + cos(radians(${centre.latitude})) * cos(radians(${row}.latitude)) * power(sin(radians(${row}.longitude - ${centre.longitude}) / 2), 2))))`

  function inArea(area: Area): RawBuilder<unknown> {
    if (area.bbox) {
      const { west, south, east, north } = area.bbox
      return sql`${row}.xy <@ box(point(${west}, ${mercator(south)}), point(${east}, ${mercator(north)}))`
    }
    // the scale grows away from the equator, so the far edge of the circle decides how wide it is drawn
    const edge = Math.min(84, Math.abs(area.centre.latitude) + area.radiusKm / kmPerDegree)
    const degrees = (area.radiusKm / kmPerDegree / Math.cos((edge * Math.PI) / 180)) * 1.001
    return sql`${row}.xy <@ circle(${centrePoint(area)}, ${degrees}) and ${haversineKm(area)} <= ${area.radiusKm}`
  }
  return { haversineKm, inArea }
}

/** Side of a square in which a map gathers what is too much for it, in degrees: 24 across the area. */
export function cellDegrees({ bbox, radiusKm }: Area): number {
  return Math.max((bbox ? bbox.east - bbox.west : (2 * radiusKm) / 75) / 24, 1e-5)
}
