import { type ListedEvent, listVenuesNow, type VenueNow } from '../../events/contract.ts'
import { cardEvent, type CardEvent } from '../../events/web/card-event.ts'
import { askOrFail, asTyped, type Carrier } from '../../kit/browser/ask.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { listPlaces, type UsefulPlace } from '../../places/contract.ts'
import { needIn, placesFor } from '../../places/needs.ts'
import { storedPlaces } from '../../places/web/load-need.ts'
import { searchCentre, searchOf, type MapQuery } from './deals-map-query.ts'

/** A venue on the map with its events. */
export interface VenueSpot
  extends Position, Pick<VenueNow['venue'], 'venue_id' | 'venue_name' | 'address' | 'step_free' | 'quiet_area'> {
  now: CardEvent | null
  next: CardEvent | null
  distance_km: number
}

/** The venues of a search: by the category of their events; "open now" means that an event is on. */
export async function findVenues(by: Carrier, query: MapQuery, centre: Position): Promise<VenueSpot[]> {
  const { body } = await askOrFail(by, listVenuesNow, asTyped(areaOf(query, centre)))
  return body.flatMap(spotOf)
}

/** The useful places of a search, by words and area only. Without an answer those that the phone has stored. */
export async function findPlaces(by: Carrier, query: MapQuery, centre: Position): Promise<UsefulPlace[]> {
  const { category: _, openNow: _open, q, ...area } = areaOf(query, centre)
  const kind = placesFor(needIn(query.q))
  try {
    return (await askOrFail(by, listPlaces, asTyped({ ...area, ...(kind ? { kind } : { q }) }))).body
  } catch (error) {
    const stored = import.meta.env.SSR ? [] : await storedPlaces(by)
    if (stored.length === 0) throw error
    const from = searchCentre(query, centre)
    return stored
      .filter((place) => !query.q || place.kind === kind)
      .map((place) => ({ ...place, distance_km: distanceKm(from, place) }))
      .toSorted((one, other) => one.distance_km - other.distance_km)
  }
}

/** The filters that merchants, venues and places have in common. */
export function areaOf(query: MapQuery, centre: Position) {
  const { q, category, openNow, radius, lat, lon, bbox } = searchOf(query, centre) as Record<string, string>
  return { q, category, openNow, radius, lat, lon, bbox }
}

function spotOf({ venue, now, next, distance_km }: VenueNow): VenueSpot[] {
  const { venue_id, venue_name, address, step_free, quiet_area, latitude, longitude } = venue
  if (latitude === null || longitude === null) return []
  const card = (event: ListedEvent | null) => event && cardEvent(event)
  const spot = { venue_id, venue_name, address, step_free, quiet_area, latitude, longitude, distance_km }
  return [{ ...spot, now: card(now), next: card(next) }]
}
