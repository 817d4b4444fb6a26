import { useTranslations } from 'use-intl'
import { useNumbers } from '../../kit/browser/measures.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import type { Analytics } from '../contract.ts'
import { percentChange, furthestStep, shareOf, steps } from './findings.ts'

/** The steps from the list to the till: the result in one sentence, then each step with its share of the step before. */
export function Funnel({
  analytics,
  range,
  deals,
}: {
  analytics: Analytics
  range: '7' | '30' | 'all'
  deals: 'one' | 'all'
}) {
  const t = useTranslations('analytics')
  const { number, percent } = useNumbers()
  const { total, before } = analytics
  const last = furthestStep(total)
  const change = last && before ? percentChange(total[last], before[last]) : null
  return (
    <section aria-labelledby="funnel" className="grid grid-cols-1 gap-5">
      <h2 id="funnel" className="max-w-[40ch] text-2xl text-balance wrap-anywhere">
        {t('finding', {
          deals,
          impressions: total.impressions,
          opens: total.opens,
          redemptions: total.redemptions,
        })}{' '}
        {change !== null &&
          last &&
          t('compared', {
            step: last,
            change: percent(Math.abs(change)),
            way: change > 0 ? 'more' : change < 0 ? 'less' : 'same',
            days: Number(range),
          })}
      </h2>
      <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        {steps.map((step, index) => {
          const previous = steps[index - 1]
          // claims are a share of opens: nobody has to save a deal to claim it
          const from = step === 'claims' ? 'opens' : previous
          // codes claimed before the period can make redemptions exceed claims: then no share is shown
          const share = from && total[step] <= total[from] ? shareOf(total[step], total[from]) : null
          const changed = before && percentChange(total[step], before[step])
          return (
            <li key={step} className="grid content-start gap-1 rounded-6 border-2 border-rule bg-surface p-4">
              <span className="text-sm font-semibold wrap-anywhere">{t(`steps.${step}`)}</span>
              <span className="figure text-3xl leading-none wrap-anywhere">{number(total[step])}</span>
              {share !== null && from && (
                <span className="text-sm text-ink-soft">
                  {t('share', { share: percent(share), of: t(`steps.${from}`) })}
                </span>
              )}
              {typeof changed === 'number' && (
                <span className="text-sm font-semibold">
                  {t('change', {
                    change: percent(`${changed > 0 ? '+' : changed < 0 ? '−' : '±'}${number(Math.abs(changed))}`),
                  })}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <p className="text-ink-soft">
        {t('people', { visitors: total.visitors })}
        {total.sales_chf > 0 && ` ${t('sales', { amount: chfShort(total.sales_chf) })}`}
      </p>
    </section>
  )
}
