import { useTranslations } from 'use-intl'
import { useNumbers } from '../../kit/browser/measures.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import type { Analytics } from '../contract.ts'
import { Numbers } from './Charts.tsx'
import { furthestStep, percentChange, shareOf, steps, type Step } from './findings.ts'

/** What each step is a share of. Nobody has to save a deal to claim it. */
const before = {
  impressions: null,
  opens: 'impressions',
  saves: 'opens',
  claims: 'opens',
  redemptions: 'claims',
} as const

/** Steps that all who come to the till take. */
const drawn = steps.filter((step) => step !== 'saves')

/**
 * The steps from the list to the till: the result in one sentence, a bar in which each step is as long as its share of the first one,
 * and a table with the changes since the period before.
 */
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
  const { total, before: earlier } = analytics
  const last = furthestStep(total)
  const change = last && earlier ? percentChange(total[last], earlier[last]) : null
  const finding = t('finding', {
    deals,
    impressions: total.impressions,
    opens: total.opens,
    redemptions: total.redemptions,
  })
  /** Codes claimed before the period can make redemptions exceed claims: then no share is shown. */
  const share = (step: Step) => {
    const of = before[step]
    return of && total[step] <= total[of] ? shareOf(total[step], total[of]) : null
  }
  const changed = (step: Step) => {
    const by = earlier && percentChange(total[step], earlier[step])
    return typeof by === 'number' ? percent(`${by > 0 ? '+' : by < 0 ? '−' : '±'}${number(Math.abs(by))}`) : '–'
  }
  return (
    <section aria-labelledby="funnel" className="grid grid-cols-1 gap-5">
      <h2 id="funnel" className="max-w-[40ch] text-2xl text-balance wrap-anywhere">
        {finding}{' '}
        {change !== null &&
          last &&
          t('compared', {
            step: last,
            change: percent(Math.abs(change)),
            way: change > 0 ? 'more' : change < 0 ? 'less' : 'same',
            days: Number(range),
          })}
      </h2>
      <FunnelBar counts={drawn.map((step) => total[step])} name={finding} />
      <ol className="grid grid-cols-2 gap-x-5 gap-y-3 lg:grid-cols-4">
        {drawn.map((step, at) => {
          const [of, part] = [before[step], share(step)]
          return (
            <li key={step} className="grid content-start gap-1">
              <span className="flex items-center gap-2 text-sm font-semibold wrap-anywhere">
                <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3 shrink-0">
                  <rect width={12} height={12} {...fills[at]} />
                </svg>
                {t(`steps.${step}`)}
              </span>
              <span className="figure text-3xl leading-none wrap-anywhere">{number(total[step])}</span>
              {part !== null && of && (
                <span className="text-sm text-ink-soft">
                  {t('share', { share: percent(part), of: t(`steps.${of}`) })}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <Numbers
        heads={[t('step'), t('number'), t('shareOfStep'), ...(earlier ? [t('change')] : [])]}
        rows={steps.map((step) => {
          const [of, part] = [before[step], share(step)]
          return {
            name: t(`steps.${step}`),
            cells: [
              number(total[step]),
              part === null || !of ? '–' : t('share', { share: percent(part), of: t(`steps.${of}`) }),
              ...(earlier ? [changed(step)] : []),
            ],
          }
        })}
      />
      <p className="text-ink-soft">
        {t('people', { visitors: total.visitors })}
        {total.sales_chf > 0 && ` ${t('sales', { amount: chfShort(total.sales_chf) })}`}
      </p>
    </section>
  )
}

/** Of the first step to the last one. */
const fills = [
  { fill: 'var(--hair)' },
  { className: 'fill-current text-water' },
  { fill: 'var(--ink)' },
  { className: 'fill-action' },
]

const least = 0.6

/** One bar: each step lies on the one before, from the left; what is left of a step to its right dropped off there. */
function FunnelBar({ counts, name }: { counts: number[]; name: string }) {
  const most = Math.max(1, ...counts)
  // no step is longer than the one before, and none that happened is invisible
  const widths = counts.reduce<number[]>(
    (found, count, step) => [
      ...found,
      Math.min(found.at(-1) ?? 100, count === 0 ? 0 : Math.max(least * (counts.length - step), (count / most) * 100)),
    ],
    [],
  )
  return (
    <svg
      {...{ role: 'img' }}
      aria-label={name}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className="h-11 w-full rounded-6"
    >
      {widths.map((width, step) => (
        <rect key={drawn[step]} width={width} height={100} {...fills[step]} />
      ))}
    </svg>
  )
}
