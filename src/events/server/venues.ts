import { asDate } from '../../kit/server/clock.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { boxAround, distanceKm } from '../../kit/shared/geo.ts'
import { venuesLimit, type listVenuesNow as listVenuesEndpoint } from '../contract.ts'
import { nearAnswers, type EventRoom } from './programme.ts'
import * as store from './store.ts'

const defaultRadiusKm = 5

/** Venues where an event is on now or starts within twelve hours. On now comes first, then by start, then by distance. */
export async function listVenuesNow(
  { db, clock, centre }: EventRoom,
  query: CheckedInput<typeof listVenuesEndpoint>['query'],
): Promise<AnswerBody<typeof listVenuesEndpoint>> {
  const now = clock.now()
  const from = { latitude: query.lat ?? centre.latitude, longitude: query.lon ?? centre.longitude }
  const radiusKm = query.radius ?? defaultRadiusKm
  const near = await store.listVenuesNow(db, asDate(now), asDate(now.add({ hours: 12 })), {
    box: query.bbox ?? boxAround(from, radiusKm),
    q: query.q?.trim() || null,
    category: query.category?.trim().toLowerCase() || null,
  })
  const of = await nearAnswers(db, now, near)
  return [...new Set(near.map(({ place_id }) => place_id))]
    .flatMap((venueId) => {
      const [running, next] = [of(venueId, 'now'), of(venueId, 'next')]
      const venue = (running ?? next)?.venue
      if (!venue || venue.latitude === null || venue.longitude === null) return []
      const place = { latitude: venue.latitude, longitude: venue.longitude }
      return [{ venue, now: running, next, distance_km: distanceKm(from, place) }]
    })
    .filter((each) => each.now !== null || !query.openNow)
    .filter((each) => query.bbox !== undefined || each.distance_km <= radiusKm)
    .toSorted((a, b) => startOf(a).localeCompare(startOf(b)) || a.distance_km - b.distance_km)
    .slice(0, venuesLimit)
}

/** Key to sort venues by start: '' (first) if an event is on now, '~' (last) if there is none. */
const startOf = (each: { now: unknown; next: { starts_at: string } | null }) =>
  each.now ? '' : (each.next?.starts_at ?? '~')
