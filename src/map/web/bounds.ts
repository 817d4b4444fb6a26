import { ask, type Carrier } from '../../kit/browser/asking.ts'
import { isWithin, type Bounds, type Position } from '../../kit/shared/geo.ts'
import { mapConfig } from '../contract.ts'

/** Cache of this browser: the bounds never change while a page is open. Unused on the server. */
let cached: Promise<Bounds | null> | null = null

/** The bounds of the map; null if they cannot be loaded. */
export function mapBounds(by: Carrier): Promise<Bounds | null> {
  if (cached) return cached
  const answer = ask(by, mapConfig).then(({ answer: config }) => config?.body.bounds ?? (cached = null))
  if (typeof document !== 'undefined') cached = answer
  return answer
}

/** Whether a map with these bounds shows the place. */
export const isOnMap = (place: Position | null, bounds: Bounds | null): boolean =>
  place !== null && (bounds === null || isWithin(place, bounds))
