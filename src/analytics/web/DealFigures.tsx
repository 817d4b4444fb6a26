import { useTranslations } from 'use-intl'
import { useNumbers } from '../../kit/browser/measures.ts'
import { chf } from '../../kit/shared/numbers.ts'
import { useWide } from '../../kit/browser/use-wide.ts'
import type { Analytics } from '../contract.ts'
import { steps } from './findings.ts'

/** The figures by deal, the most redeemed first: a table on wide screens, else a list. */
export function DealFigures({ analytics, to }: { analytics: Analytics; to: (dealId: string) => string }) {
  const t = useTranslations('analytics')
  const { number } = useNumbers()
  const isWide = useWide()
  const deals = analytics.by_deal
  const best = deals[0]
  const link = (deal: (typeof deals)[number]) => (
    <a href={to(deal.deal_id)} className="link inline-flex min-h-11 items-center font-semibold wrap-anywhere">
      {deal.deal_name}
    </a>
  )
  return (
    <section aria-labelledby="by-deal" className="grid grid-cols-1 gap-4">
      <h2 id="by-deal" className="max-w-[40ch] text-xl text-balance wrap-anywhere">
        {best && best.redemptions > 0
          ? t('bestDeal', { name: best.deal_name, count: best.redemptions })
          : t('byDeal', { count: deals.length })}
      </h2>
      {isWide ? (
        <div className="overflow-x-auto rounded-6 border-2 border-rule bg-surface">
          <table className="w-full border-collapse text-left">
            <thead className="border-b-2 border-rule">
              <tr>
                <th className="px-3 py-2 text-sm font-semibold">{t('deal')}</th>
                {steps.map((step) => (
                  <th key={step} className="px-3 py-2 text-right text-sm font-semibold">
                    {t(`steps.${step}`)}
                  </th>
                ))}
                <th className="px-3 py-2 text-right text-sm font-semibold">{t('salesHead')}</th>
              </tr>
            </thead>
            <tbody>
              {deals.map((deal) => (
                <tr key={deal.deal_id} className="border-b border-hair last:border-b-0">
                  <th scope="row" className="px-3 py-0.5 font-normal">
                    {link(deal)}
                  </th>
                  {steps.map((step) => (
                    <td key={step} className="px-3 py-0.5 text-right">
                      {number(deal[step])}
                    </td>
                  ))}
                  <td className="px-3 py-0.5 text-right whitespace-nowrap">{chf(deal.sales_chf)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {deals.map((deal) => (
            <li key={deal.deal_id} className="grid grid-cols-1 gap-1 py-3">
              {link(deal)}
              <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
                {steps.map((step) => (
                  <div key={step} className="flex gap-1.5">
                    <dt className="text-ink-soft">{t(`steps.${step}`)}</dt>
                    <dd className="font-semibold">{number(deal[step])}</dd>
                  </div>
                ))}
                <div className="flex gap-1.5">
                  <dt className="text-ink-soft">{t('salesHead')}</dt>
                  <dd className="font-semibold">{chf(deal.sales_chf)}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
