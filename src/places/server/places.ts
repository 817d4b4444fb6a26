import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { boxAround, distanceKm, type Position } from '../../kit/shared/geo.ts'
import { placesLimit, type listPlaces as listPlacesEndpoint, type UsefulPlace } from '../contract.ts'
import { kindNamed } from './kind-words.ts'
import { withOpening } from './place-hours.ts'
import { plainNames } from './read-places.ts'
import * as store from './store.ts'

export interface PlaceRoom {
  db: Database
  clock: Clock
  /** Centre of searches that give no position. */
  centre: Position
}

const defaultRadiusKm = 5

/** Places in the box, or without one in the radius (km), the nearest first. `q` matches part of a name, or a word for a kind. */
export async function listPlaces(
  { db, clock, centre }: PlaceRoom,
  query: CheckedInput<typeof listPlacesEndpoint>['query'],
): Promise<UsefulPlace[]> {
  const at = { latitude: query.lat ?? centre.latitude, longitude: query.lon ?? centre.longitude }
  const radiusKm = query.radius ?? defaultRadiusKm
  const q = query.q?.trim() || null
  const rows = await store.findPlaces(
    db,
    {
      box: query.bbox ?? boxAround(at, radiusKm),
      kind: query.kind ?? null,
      q,
      meant: q === null ? null : kindNamed(q),
    },
    at,
    placesLimit,
  )
  return (await withOpening({ clock, centre }, rows))
    .map((row) => ({ ...row, place_name: ownName(row), distance_km: distanceKm(at, row) }))
    .filter(({ distance_km }) => query.bbox !== undefined || distance_km <= radiusKm)
    .toSorted((one, other) => one.distance_km - other.distance_km)
}

/** The name; empty for a place without its own, because screens then show the kind in the reader's language. */
const ownName = ({ kind, place_name }: store.PlaceRow) => (place_name === plainNames[kind] ? '' : place_name)
