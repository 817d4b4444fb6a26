import { useTranslations } from 'use-intl'
import type { Way } from '../here-and-now.ts'
import { useNumbers } from '../measures.ts'

/** "380 m, 5 min on foot", or "380 m from the centre, 5 min on foot" while the position is unknown. */
export function WayText({ way: { km, minutes, isFromHere } }: { way: Way }) {
  const t = useTranslations('way')
  const { distance } = useNumbers()
  const far = isFromHere ? distance(km) : t('fromCentre', { distance: distance(km) })
  return (
    <span>
      <span className={isFromHere ? 'whitespace-nowrap' : undefined}>{far}</span>
      {minutes !== null && `, ${t('foot', { n: minutes })}`}
    </span>
  )
}
