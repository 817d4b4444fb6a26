import { useTranslations } from 'use-intl'
import { footMinutes, useNumbers } from '../../kit/browser/measures.ts'

/** "380 m, 5 min on foot"; without the minutes where the way is too long to walk. */
export function Distance({ km }: { km: number }) {
  const t = useTranslations('deals')
  const { distance } = useNumbers()
  const minutes = footMinutes(km)
  return minutes === null ? distance(km) : `${distance(km)}, ${t('foot', { n: minutes })}`
}
