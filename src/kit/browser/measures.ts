import { useMemo } from 'react'
import { useLocale } from 'use-intl'
import { decimalText, distanceText, francs, numberText, percentText } from '../shared/numbers.ts'

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

/** "CHF 12.50", the Swiss way in all languages. */
export function chf(amount: number): string {
  return `CHF ${francs(amount)}`
}

/** "CHF 49", "CHF 12.50": without empty cents. */
export function chfShort(amount: number): string {
  return Number.isInteger(amount) ? chf(amount).slice(0, -3) : chf(amount)
}

/** For display type only: whole francs as "CHF 12.–". */
export function chfDisplay(amount: number): string {
  return Number.isInteger(amount) ? `${chfShort(amount)}.–` : chf(amount)
}
