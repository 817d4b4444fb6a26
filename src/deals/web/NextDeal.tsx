import { useTranslations } from 'use-intl'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { dealPage } from '../../site-map.ts'
import type { CardDeal } from './card-deal.ts'
import { useDealWhen } from './deal-when.ts'
import { useWayTo } from './reach.ts'

/** "Next: Backstube Krumenlicht, tomorrow 07:30–12:00, 250 m, 4 min on foot": shown with an empty result. */
export function NextDeal({ deal }: { deal: CardDeal }) {
  const t = useTranslations('deals')
  const when = useDealWhen(deal)
  const way = useWayTo(deal)
  return (
    <p className="text-lg">
      {t('nextUp')}{' '}
      <a href={dealPage(deal.deal_id)} className="link font-semibold [overflow-wrap:anywhere]">
        {deal.deal_name}
        {deal.business_name && `, ${deal.business_name}`}
      </a>
      <span className="block text-base">
        {when.text}
        {way && (
          <>
            , <WayText way={way} />
          </>
        )}
      </span>
    </p>
  )
}
