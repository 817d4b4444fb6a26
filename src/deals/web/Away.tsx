import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { useWayTo } from './reach.ts'
import type { WithPlace } from './with-distance.ts'

/** km: below this the search was around the place itself, and a distance says nothing. */
const nowhereElse = 0.005

/** Distance and minutes on foot to a thing on the map. */
export function Away({ to }: { to: WithPlace }) {
  const way = useWayTo(to)
  return way && way.km >= nowhereElse && <WayText way={way} />
}
