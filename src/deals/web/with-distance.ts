import { distanceKm, type Position } from '../../kit/shared/geo.ts'

export interface WithPlace {
  latitude: number | null
  longitude: number | null
  distance_km?: number | null
  /** `distance_km` is from the centre of the festival, not from the place of the visitor. */
  isFromCentre?: boolean
}

/** The thing with its distance from `from`, unless the answer has one. */
export function withDistance<Thing extends WithPlace & { distance_km: number | null }>(
  thing: Thing,
  from: Position,
): Thing {
  const place = placeOf(thing)
  return thing.distance_km === null && place ? { ...thing, distance_km: distanceKm(from, place) } : thing
}

export const placeOf = ({ latitude, longitude }: WithPlace): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }
