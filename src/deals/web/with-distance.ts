import { distanceKm, type Position } from '../../kit/shared/geo.ts'

export interface Placed {
  latitude: number | null
  longitude: number | null
  distance_km?: number | null
}

/** What was found, with its distance from the middle of the search where the answer does not say it. */
export function withDistance<Thing extends Placed & { distance_km: number | null }>(
  thing: Thing,
  from: Position,
): Thing {
  const place = placeOf(thing)
  return thing.distance_km === null && place ? { ...thing, distance_km: distanceKm(from, place) } : thing
}

export const placeOf = ({ latitude, longitude }: Placed): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }
