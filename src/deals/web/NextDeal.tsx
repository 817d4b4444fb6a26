import { useTranslations } from 'use-intl'
import { footMinutes, useNumbers } from '../../kit/browser/measures.ts'
import { dealPage } from '../../site-map.ts'
import type { CardDeal } from './card-deal.ts'
import { useDealWhen } from './deal-when.ts'

/** "Next: Backstube Krumenlicht, tomorrow 07:30–12:00, 4 min on foot": shown with an empty result. */
export function NextDeal({ deal }: { deal: CardDeal }) {
  const t = useTranslations('deals')
  const { distance } = useNumbers()
  const when = useDealWhen(deal)
  const km = deal.distance_km ?? null
  const minutes = km === null ? null : footMinutes(km)
  return (
    <p className="text-lg">
      {t('nextUp')}{' '}
      <a href={dealPage(deal.deal_id)} className="link font-semibold [overflow-wrap:anywhere]">
        {deal.deal_name}
        {deal.business_name && `, ${deal.business_name}`}
      </a>
      <span className="block text-base">
        {[when.text, km !== null && (minutes === null ? distance(km) : t('foot', { n: minutes }))]
          .filter(Boolean)
          .join(', ')}
      </span>
    </p>
  )
}
