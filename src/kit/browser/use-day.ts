import { useLocale, useTimeZone } from 'use-intl'
import { dateText, wallIn } from '../shared/calendar.ts'

/** "22 December 2026", for days that may be in another year. */
export function useDay(): (iso: string) => string {
  const locale = useLocale()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  return (iso) => dateText(locale, wallIn(zone, Date.parse(iso)))
}
