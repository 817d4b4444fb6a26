import type { LoaderFunctionArgs } from 'react-router'
import type { Position } from '../../kit/shared/geo.ts'
import type { Event } from '../contract.ts'

/** The position of an event's venue; null: not known. */
export function placeOf({ venue }: Pick<Event, 'venue'>): Position | null {
  return !venue || venue.latitude === null || venue.longitude === null
    ? null
    : { latitude: venue.latitude, longitude: venue.longitude }
}

/** Whether the map covers a place; every known place if the extent of the map is not known. */
export async function placesOnMap(by: LoaderFunctionArgs['context']): Promise<(place: Position | null) => boolean> {
  try {
    const { isOnMap, mapBounds } = await import('../../map/web/bounds.ts')
    const bounds = await mapBounds(by)
    return (place) => isOnMap(place, bounds)
  } catch {
    return (place) => place !== null
  }
}
