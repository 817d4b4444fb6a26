import { StillMap } from '../../map/web/StillMap.tsx'
import type { Position } from '../../kit/shared/geo.ts'

/** The place of a venue as a map picture. */
export function VenueMap({ place, theme }: { place: Position; theme: 'auto' | 'paper' | 'river' }) {
  return (
    <StillMap theme={theme} camera={{ ...place, zoom: 15 }} isBelow>
      <circle r="11" className="fill-action stroke-night" strokeWidth="3" />
      <circle r="3.5" className="fill-night" />
    </StillMap>
  )
}
