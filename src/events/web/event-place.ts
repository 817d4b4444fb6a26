import type { LoaderFunctionArgs } from 'react-router'
import type { Position } from '../../kit/shared/geo.ts'
import type { Event } from '../contract.ts'

/** null: it is not known where on the map that is. */
export function placeOf({ venue }: Event) {
  return !venue || venue.latitude === null || venue.longitude === null
    ? null
    : { latitude: venue.latitude, longitude: venue.longitude }
}

/** Tells which places the map shows; all, where that cannot be told. */
export async function placesOnMap(by: LoaderFunctionArgs['context']): Promise<(place: Position | null) => boolean> {
  try {
    const { isOnMap, mapBounds } = await import('../../map/web/bounds.ts')
    const bounds = await mapBounds(by)
    return (place) => isOnMap(place, bounds)
  } catch {
    return (place) => place !== null
  }
}
