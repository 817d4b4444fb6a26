import { useMemo } from 'react'
import { useLocale, useTimeZone } from 'use-intl'
import { dateFormat } from '../../kit/shared/calendar.ts'

/** "22 December 2026", with the year: paid periods reach into the next one. */
export function useDay(): (iso: string) => string {
  const locale = useLocale()
  const timeZone = useTimeZone() ?? 'Europe/Zurich'
  return useMemo(() => {
    const format = dateFormat(locale, { dateStyle: 'long', timeZone })
    return (iso) => format.format(new Date(iso))
  }, [locale, timeZone])
}
