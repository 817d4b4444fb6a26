import { useTranslations } from 'use-intl'
import type { OwnDeal } from '../../../deals/contract.ts'
import { useNumbers } from '../../../kit/browser/measures.ts'
import { Hint, isHidden, Period, Prices, Status } from './OwnDealFacts.tsx'
import { OwnDealActions } from './OwnDealActions.tsx'
import { Sparkline } from './Sparkline.tsx'
import type { Actions } from './use-deal-actions.ts'

export function OwnDealsTable({ deals, ...actions }: { deals: OwnDeal[] } & Actions) {
  const own = useTranslations('ownDeals')
  const head = 'px-2 py-2 text-sm font-semibold whitespace-nowrap'
  const { number } = useNumbers()
  const figure = (value: number | null | undefined) => (typeof value === 'number' ? number(value) : '–')
  const cell = 'px-2 py-1.5 text-right'
  return (
    <div className="overflow-x-auto rounded-6 border-2 border-rule bg-surface">
      <table className="w-full border-collapse text-left">
        <thead className="border-b-2 border-rule">
          <tr>
            <th className={head}>{own('deal')}</th>
            <th className={head}>{own('state')}</th>
            <th className={head}>{own('period')}</th>
            <th className={`${head} text-right`}>{own('views')}</th>
            <th className={`${head} text-right`}>{own('claims')}</th>
            <th className={`${head} text-right`}>{own('redemptions')}</th>
            <th className={head}>{own('trend')}</th>
            <th className={head}>{own('actions')}</th>
          </tr>
        </thead>
        <tbody>
          {deals.map((deal) => (
            <tr key={deal.deal_id} className="border-b border-hair last:border-b-0">
              <th scope="row" className="w-full min-w-64 px-2 py-1.5 font-normal">
                <span className="line-clamp-2 leading-tight font-semibold wrap-anywhere">{deal.deal_name}</span>
                {(deal.price || deal.discount) && (
                  <span className="flex flex-wrap gap-x-3 text-sm text-ink-soft wrap-anywhere *:line-clamp-1">
                    <Prices deal={deal} />
                  </span>
                )}
                <Hint deal={deal} />
              </th>
              <td className="px-2 py-1.5 whitespace-nowrap">
                <Status deal={deal} isArchived={actions.archivedOf(deal) !== null} />
              </td>
              <td className="min-w-44 px-2 py-1.5 text-sm">
                <Period deal={deal} />
              </td>
              <td className={cell}>{figure(deal.figures?.views)}</td>
              <td className={cell}>{figure(deal.figures?.claims)}</td>
              <td className={cell}>{figure(deal.figures?.redemptions)}</td>
              <td className="px-2 py-1.5">
                {deal.figures && (
                  <Sparkline
                    values={deal.figures.trend}
                    label={own('trendOf', { values: deal.figures.trend.map((each) => number(each)).join(', ') })}
                  />
                )}
              </td>
              <td className="px-2 py-1.5">
                {!isHidden(deal) && (
                  <OwnDealActions deal={deal} {...actions} className="flex items-center gap-x-3 whitespace-nowrap" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
