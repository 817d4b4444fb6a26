import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { dealPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { useDealWhen } from './deal-when.ts'
import { dealPicture } from './DealCard.tsx'
import { useLang } from './use-lang.ts'

/** A deal on its merchant's page: name, description, and price and discount in the merchant's own words. */
export function OfferCard({ deal, eager = false }: { deal: Deal; eager?: boolean }) {
  const t = useTranslations('business')
  const say = useTranslations('deals')
  const when = useDealWhen(deal)
  const lang = useLang(deal)
  return (
    <Card layout="auto" className="h-full" picture={<CardPicture src={dealPicture(deal)} eager={eager} />}>
      {when.endsSoon && (
        <p>
          <Badge tone="ink">{say('endingSoon')}</Badge>
        </p>
      )}
      <h3 lang={lang} className="leading-tight [overflow-wrap:anywhere]">
        <CardLink href={dealPage(deal.deal_id)}>{deal.deal_name}</CardLink>
      </h3>
      {deal.description && (
        <p lang={lang} className="line-clamp-4 text-sm whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
          {deal.description}
        </p>
      )}
      <p>
        <OpenState state={when.state}>{when.text}</OpenState>
      </p>
      <div className="mt-auto grid pt-1 [overflow-wrap:anywhere]">
        {deal.price && <p className="figure text-lg leading-tight">{t('price', { price: deal.price })}</p>}
        {deal.discount && (
          <p className="font-semibold text-action-text">{t('discount', { discount: deal.discount })}</p>
        )}
      </div>
    </Card>
  )
}
