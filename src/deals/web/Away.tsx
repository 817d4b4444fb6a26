import { useTranslations } from 'use-intl'
import { footMinutes, useNumbers } from '../../kit/browser/measures.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { placeOf, type WithPlace } from './with-distance.ts'

/** km: below this the search was around the place itself, and a distance says nothing. */
const nowhereElse = 0.005

/** Distance and minutes on foot: from `from`, else from the centre of the search. */
export function Away({ thing, from }: { thing: WithPlace; from: Position | null }) {
  const t = useTranslations('dealsMap')
  const { distance } = useNumbers()
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
