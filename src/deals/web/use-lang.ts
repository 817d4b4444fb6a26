import { useLocale } from 'use-intl'
import type { Deal } from '../contract.ts'

/** `lang` for a merchant's texts; undefined if it is the page's. */
export function useLang({ lang }: Pick<Deal, 'lang'>): string | undefined {
  const locale = useLocale()
  return lang === null || lang === locale ? undefined : lang
}
