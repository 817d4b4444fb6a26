import { useTranslations } from 'use-intl'
import type { Deal } from '../../../deals/contract.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import { atHead, rangeText } from '../../../kit/shared/calendar.ts'

/** "Sat 18:00 – Sun 02:00", "from Sat 18:00", "until Sun 02:00", "no end"; with their dates where `dated`. */
export function usePeriod({ dated = false } = {}) {
  const t = useTranslations('ownDeals')
  const when = useWhen()
  const time = dated ? when.date : when.time
  return ({ starts_at, ends_at }: Pick<Deal, 'starts_at' | 'ends_at'>): string => {
    if (starts_at && ends_at) return rangeText(atHead(time(starts_at)), time(ends_at))
    if (starts_at) return t('from', { from: time(starts_at) })
    return ends_at ? t('until', { until: time(ends_at) }) : t('noEnd')
  }
}
