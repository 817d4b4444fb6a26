import { useLocale } from 'use-intl'
import type { Deal } from '../contract.ts'

/** The `lang` of what a merchant wrote, where it is not that of the page. */
export function useLang({ lang }: Pick<Deal, 'lang'>): string | undefined {
  const locale = useLocale()
  return lang === null || lang === locale ? undefined : lang
}
