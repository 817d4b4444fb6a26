import { useTranslations } from 'use-intl'
import { dealPicture } from '../../../deals/web/DealCard.tsx'
import type { OwnDeal } from '../../../deals/contract.ts'
import { Card, CardPicture } from '../../../kit/browser/ui/Card.tsx'
import { Hint, isHidden, Period, Prices, Status } from './OwnDealFacts.tsx'
import { OwnDealActions } from './OwnDealActions.tsx'
import type { Actions } from './use-deal-actions.ts'

export function OwnDealsCards({ deals, ...actions }: { deals: OwnDeal[] } & Actions) {
  const own = useTranslations('ownDeals')
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {deals.map((deal) => (
        <Card key={deal.deal_id} as="li" layout="auto" picture={<CardPicture src={dealPicture(deal)} />}>
          <p className="flex flex-wrap items-center gap-2">
            <Status deal={deal} isArchived={actions.archivedOf(deal) !== null} />
            <span className="text-sm text-ink-soft">
              <Period deal={deal} />
            </span>
          </p>
          <h3 className="leading-tight [overflow-wrap:anywhere]">{deal.deal_name}</h3>
          {deal.description && (
            <p className="line-clamp-2 text-sm text-ink-soft [overflow-wrap:anywhere]">{deal.description}</p>
          )}
          <p className="flex flex-wrap gap-x-3 font-semibold [overflow-wrap:anywhere]">
            <Prices deal={deal} />
          </p>
          <Hint deal={deal} />
          {deal.figures && (
            <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
              <span>{own('figureViews', { views: deal.figures.views })}</span>
              <span>{own('figureClaims', { claims: deal.figures.claims ?? 0 })}</span>
              <span>{own('figureRedemptions', { redemptions: deal.figures.redemptions })}</span>
            </p>
          )}
          {!isHidden(deal) && (
            <p className="mt-auto pt-1">
              <OwnDealActions deal={deal} {...actions} className="flex flex-wrap items-center gap-x-4" />
            </p>
          )}
        </Card>
      ))}
    </ul>
  )
}
