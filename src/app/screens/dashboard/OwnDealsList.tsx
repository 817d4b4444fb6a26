import { useTranslations } from 'use-intl'
import type { OwnDeal } from '../../../deals/contract.ts'
import { Hint, isHidden, Period, StatusDot } from './OwnDealFacts.tsx'
import { OwnDealMenu } from './OwnDealActions.tsx'
import type { Actions } from './use-deal-actions.ts'

/** A dense row for each deal: state, name, period, figures, and one menu. */
export function OwnDealsList({ deals, ...actions }: { deals: OwnDeal[] } & Actions) {
  const own = useTranslations('ownDeals')
  return (
    <ul className="grid rounded-6 border-2 border-rule bg-surface">
      {deals.map((deal) => (
        <li
          key={deal.deal_id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 border-hair py-2 pl-3 not-last:border-b-2"
        >
          <div className="grid min-w-0 gap-0.5">
            <h3 className="line-clamp-2 text-base leading-tight font-semibold wrap-anywhere">{deal.deal_name}</h3>
            <p className="meta text-sm text-ink-soft">
              <StatusDot deal={deal} isArchived={actions.archivedOf(deal) !== null} />
              <span>
                <Period deal={deal} />
              </span>
            </p>
            <Hint deal={deal} />
            {deal.figures && (
              <p className="meta text-sm">
                <span>{own('figureViews', { views: deal.figures.views })}</span>
                <span>{own('figureClaims', { claims: deal.figures.claims ?? 0 })}</span>
                <span>{own('figureRedemptions', { redemptions: deal.figures.redemptions })}</span>
              </p>
            )}
          </div>
          {!isHidden(deal) && <OwnDealMenu deal={deal} {...actions} />}
        </li>
      ))}
    </ul>
  )
}
