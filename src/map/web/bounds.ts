import { askOrFail, type Carrier } from '../../kit/browser/ask.ts'
import { untilFailure } from '../../kit/browser/once.ts'
import { isWithin, type Bounds, type Position } from '../../kit/shared/geo.ts'
import { mapConfig } from '../contract.ts'

async function loadBounds(by: Carrier): Promise<Bounds | null> {
  return (await askOrFail(by, mapConfig)).body.bounds
}
/** The bounds never change while a page is open. */
const boundsOfTab = untilFailure(loadBounds)

/** The bounds of the map; null if they cannot be loaded. */
export const mapBounds = (by: Carrier): Promise<Bounds | null> =>
  (typeof document === 'undefined' ? loadBounds(by) : boundsOfTab(by)).catch(() => null)

/** Whether a map with these bounds shows the place. */
export const isOnMap = (place: Position | null, bounds: Bounds | null): boolean =>
  place !== null && (bounds === null || isWithin(place, bounds))
