import { useTranslations } from 'use-intl'
import type { Invoice } from '../contract.ts'

/** "Premium, one month" */
export function usePurchaseName() {
  const t = useTranslations('invoices')
  return ({ what, tier, interval }: Pick<Invoice, 'what' | 'tier' | 'interval'>) =>
    t('what', { what: what === 'promotion' ? 'promotion' : `${tier}_${interval}` })
}
