import { useMemo } from 'react'
import { useLocale } from 'use-intl'
import { decimalText, distanceText, numberText, percentText } from '../shared/numbers.ts'

/** Numbers in the language of the page; see numbers.ts. */
export function useNumbers() {
  const locale = useLocale()
  return useMemo(
    () => ({
      /** "12,345.6" */
      number: (number: number) => numberText(locale, number),
      /** "4.3": a mean of stars. */
      mean: (mean: number) => decimalText(locale, mean, 1),
      /** "41%"; whole `percent`, or text such as "+41". */
      percent: (percent: number | string) => percentText(locale, percent),
      /** "350 m", "1.2 km" */
      distance: (km: number) => distanceText(locale, km),
    }),
    [locale],
  )
}
