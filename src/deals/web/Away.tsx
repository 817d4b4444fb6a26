import { useTranslations } from 'use-intl'
import { distance, footMinutes } from '../../kit/browser/measures.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'

interface Placed {
  latitude: number | null
  longitude: number | null
  distance_km?: number | null
}

/** What was found, with its distance from the middle of the search where the answer does not say it. */
export function withDistance<Thing extends Placed & { distance_km: number | null }>(
  thing: Thing,
  from: Position,
): Thing {
  const place = placeOf(thing)
  return thing.distance_km === null && place ? { ...thing, distance_km: distanceKm(from, place) } : thing
}

export const placeOf = ({ latitude, longitude }: Placed): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** Kilometres: a search that was made around the very place tells no distance. */
const nowhereElse = 0.005

/** How far something is, and how long on foot: from there, else from where it was searched. */
export function Away({ thing, from }: { thing: Placed; from: Position | null }) {
  const t = useTranslations('dealsMap')
  const place = placeOf(thing)
  const km = place && from ? distanceKm(from, place) : (thing.distance_km ?? null)
  if (km === null || (!from && km < nowhereElse)) return null
  const foot = footMinutes(km)
  return (
    <span>
      <span className="whitespace-nowrap">{distance(km)}</span>
      {foot !== null && `, ${t('foot', { n: foot })}`}
    </span>
  )
}
