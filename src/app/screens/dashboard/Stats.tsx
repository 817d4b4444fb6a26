import Eye from 'lucide-react/icons/eye'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../../accounts/web/guards.tsx'
import type * as contract from '../../../businesses/contract.ts'
import { useNumbers } from '../../../kit/browser/measures.ts'
import { chfShort } from '../../../kit/shared/numbers.ts'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import { useDay } from '../../../kit/browser/use-day.ts'

const figures = [
  ['profileViews', 'views', <Eye key="views" aria-hidden="true" className="size-5" />],
  ['dealClicks', 'clicks', <MousePointerClick key="clicks" aria-hidden="true" className="size-5" />],
  ['sales', 'sales', <ReceiptText key="sales" aria-hidden="true" className="size-5" />],
] as const

export function Stats({ stats }: { stats: AnswerState<AnswerBody<typeof contract.getStats>> }) {
  const t = useTranslations('dashboard')
  const day = useDay()
  const { number } = useNumbers()
  const waiting = !stats.body && !stats.refused
  return (
    <section aria-labelledby="quick-stats" className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-5">
        <h2 id="quick-stats">{t('stats')}</h2>
        {stats.body?.since && <p className="text-ink-soft">{t('since', { date: day(stats.body.since) })}</p>}
      </div>
      {stats.refused && <NotLoaded refused={stats.refused} again={stats.again} text={t('failedStats')} />}
      <dl
        // zeros would look like figures
        hidden={!!stats.refused && !stats.body}
        aria-busy={waiting || undefined}
        className="grid overflow-clip rounded-6 border-2 border-rule bg-surface sm:grid-cols-3"
      >
        {figures.map(([field, label, icon]) => {
          const count = stats.body?.[field] ?? 0
          return (
            <div
              key={field}
              className="flex flex-wrap items-center justify-between gap-x-4 border-hair px-4 py-2.5 not-last:max-sm:border-b-2 not-last:sm:border-r-2 sm:grid sm:content-between sm:gap-2 sm:py-4"
            >
              <dt className="flex items-center gap-2 text-sm font-semibold wrap-anywhere">
                {icon}
                {t(label)}
              </dt>
              <dd
                className={`figure text-2xl leading-none sm:text-3xl [overflow-wrap:anywhere] ${waiting ? 'animate-breathe' : ''}`}
              >
                {field === 'sales' ? chfShort(count) : number(count)}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
