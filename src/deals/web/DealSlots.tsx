import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { CardDeal } from './card-deal.ts'
import { useDealWhen } from './deal-when.ts'
import { DealPrice } from './DealPrice.tsx'
import { DealRating } from './DealRating.tsx'
import { DealState } from './DealState.tsx'
import { isTooFar, useWayTo } from './reach.ts'

/** When, where and how much of a deal, on each of its cards and rows. */
export function DealSlots({ deal, where, price }: { deal: CardDeal; where?: ReactNode; price?: ReactNode }) {
  const t = useTranslations('deals')
  const { endsSoon } = useDealWhen(deal)
  const way = useWayTo(deal)
  const { now } = useWhen()
  return (
    <CardSlots
      when={
        <>
          <DealState deal={deal} isTooFar={isTooFar(deal, way, now)} />
          {endsSoon && <Badge tone="ink">{t('endingSoon')}</Badge>}
        </>
      }
      where={where}
      way={way}
      price={price ?? <DealPrice deal={deal} />}
      rating={<DealRating deal={deal} />}
    />
  )
}
