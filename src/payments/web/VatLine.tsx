import { useTranslations } from 'use-intl'
import type { MySubscription } from '../contract.ts'

/** Says whether prices include VAT; nothing while that is unknown. */
export function VatLine({ paid }: { paid: MySubscription | null | undefined }) {
  const t = useTranslations('paying')
  if (!paid) return null
  return paid.vat_rate === null ? t('noVat') : t('vat', { rate: paid.vat_rate })
}
