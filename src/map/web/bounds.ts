import { ask, type Carrier } from '../../kit/browser/asking.ts'
import { isWithin, type Bounds, type Position } from '../../kit/shared/geo.ts'
import { mapConfig } from '../contract.ts'

let known: Promise<Bounds | null> | null = null

/** How far the map reaches; null where that cannot be told. A browser asks once, a server answers itself. */
export function mapBounds(by: Carrier): Promise<Bounds | null> {
  if (known) return known
  const asked = ask(by, mapConfig).then(({ answer }) => answer?.body.bounds ?? (known = null))
  if (typeof document !== 'undefined') known = asked
  return asked
}

/** A place that a map with these bounds shows. */
export const isOnMap = (place: Position | null, bounds: Bounds | null): boolean =>
  place !== null && (bounds === null || isWithin(place, bounds))
