import { useTranslations } from 'use-intl'
import { distance, footMinutes } from '../../kit/browser/measures.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { placeOf, type Placed } from './with-distance.ts'

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
