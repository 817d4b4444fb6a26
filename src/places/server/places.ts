import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { boxAround, distanceKm, type Position } from '../../kit/shared/geo.ts'
import { placesLimit, type listPlaces as listPlacesEndpoint, type UsefulPlace } from '../contract.ts'
import { kindNamed } from './kind-words.ts'
import * as store from './store.ts'

export interface PlaceRoom {
  db: Database
  clock: Clock
  /** Where a search looks when nothing else is said. */
  centre: Position
}

const defaultRadiusKm = 5

/** The nearest places within the box, else within the radius. A word finds a name, or what a kind is called. */
export async function listPlaces(
  { db, centre }: Pick<PlaceRoom, 'db' | 'centre'>,
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
  return rows
    .map((row) => ({ ...row, distance_km: distanceKm(at, row) }))
    .filter(({ distance_km }) => query.bbox !== undefined || distance_km <= radiusKm)
    .toSorted((one, other) => one.distance_km - other.distance_km)
}
