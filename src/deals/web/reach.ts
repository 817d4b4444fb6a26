import { isInTime, useHereAndNow, wayOf, type Way } from '../../kit/browser/here-and-now.ts'
import type { Deal } from '../contract.ts'
import { dealTime } from '../times.ts'
import type { WithPlace } from './with-distance.ts'

type Timed = Pick<Deal, 'usable_now' | 'usable_from' | 'usable_until' | 'open_now'>

/** km: below this the search was around the place itself, and a distance says nothing. */
const nowhereElse = 0.005

/** The way to a thing of a list: from this phone, else as the list measured it; null if it did not, and for things without a place. */
export function useWayTo(thing: WithPlace | null): Way | null {
  const { position, way } = useHereAndNow()
  if (!thing) return null
  if (position) return way(thing)
  const { distance_km: km } = thing
  return km == null || km < nowhereElse ? null : wayOf(km, !thing.isFromCentre)
}

/** Whether a deal can be used now, but its time ends before somebody who leaves now is there. `now`: ms since 1970. */
export function isTooFar(deal: Timed, way: Way | null, now: number): boolean {
  const time = dealTime(deal, now)
  return time.is === 'now' && !isInTime(way, time.until, now)
}

/** The deals of a search around this phone, in their order, but those that cannot be reached in time last. */
export function reachableFirst<D extends Timed & { distance_km?: number | null }>(deals: D[], now: number): D[] {
  const far = deals.filter((deal) => deal.distance_km != null && isTooFar(deal, wayOf(deal.distance_km, true), now))
  return far.length === 0 ? deals : [...deals.filter((deal) => !far.includes(deal)), ...far]
}
