import type { Call } from '../../kit/shared/endpoint.ts'
import { isWithin, type Bounds, type Position } from '../../kit/shared/geo.ts'
import type { mapConfig } from '../contract.ts'

let known: Promise<Bounds | null> | null = null

/** How far the map reaches; null where that cannot be told. A browser asks once, a server answers itself. */
export function mapBounds(call: Call): Promise<Bounds | null> {
  if (known) return known
  const asked = call<typeof mapConfig>('GET /api/map/config').then(
    ({ body }) => body.bounds,
    () => (known = null),
  )
  if (typeof document !== 'undefined') known = asked
  return asked
}

/** A place that a map with these bounds shows. */
export const isOnMap = (place: Position | null, bounds: Bounds | null): boolean =>
  place !== null && (bounds === null || isWithin(place, bounds))
