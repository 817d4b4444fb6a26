import { useTranslations } from 'use-intl'
import type { Deal } from '../contract.ts'
import { DealCard } from './DealCard.tsx'
import { useLang } from './use-lang.ts'

/** The card of a deal on its merchant's page: with description, and price and discount in the merchant's own words. */
export function OfferCard({ deal }: { deal: Deal }) {
  const t = useTranslations('business')
  const lang = useLang(deal)
  return (
    <DealCard
      deal={deal}
      hideMerchant
      price={
        <span className="grid [overflow-wrap:anywhere] empty:hidden">
          {deal.price && <span className="figure text-lg leading-tight">{t('price', { price: deal.price })}</span>}
          {deal.discount && (
            <span className="font-semibold text-action-text">{t('discount', { discount: deal.discount })}</span>
          )}
        </span>
      }
    >
      {deal.description && (
        <p lang={lang} className="line-clamp-4 text-sm whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
          {deal.description}
        </p>
      )}
    </DealCard>
  )
}
