import Eye from 'lucide-react/icons/eye'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useTranslations } from 'use-intl'
import type * as contract from '../../../businesses/contract.ts'
import { useNumbers } from '../../../kit/browser/measures.ts'
import { chfShort } from '../../../kit/shared/numbers.ts'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import { Failed } from './Failed.tsx'

const figures = [
  ['profileViews', 'views', <Eye key="views" aria-hidden="true" className="size-5" />],
  ['dealClicks', 'clicks', <MousePointerClick key="clicks" aria-hidden="true" className="size-5" />],
  ['sales', 'sales', <ReceiptText key="sales" aria-hidden="true" className="size-5" />],
] as const

export function Stats({ stats }: { stats: AnswerState<AnswerBody<typeof contract.getStats>> }) {
  const t = useTranslations('dashboard')
  const { number } = useNumbers()
  const waiting = !stats.body && !stats.refused
  return (
    <section aria-labelledby="quick-stats" className="grid gap-4">
      <h2 id="quick-stats">{t('stats')}</h2>
      <Failed answer={stats} text={t('failedStats')} />
      <dl
        aria-busy={waiting || undefined}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-3 sm:grid-cols-3 sm:gap-5"
      >
        {figures.map(([field, label, icon]) => {
          const count = stats.body?.[field] ?? 0
          return (
            <div
              key={field}
              className="grid content-between gap-2 rounded-6 border-2 border-rule bg-surface p-4 last:max-sm:col-[1/-1]"
            >
              <dt className="flex items-center gap-2 text-sm font-semibold wrap-anywhere">
                {icon}
                {t(label)}
              </dt>
              <dd
                className={`figure text-3xl leading-none [overflow-wrap:anywhere] ${waiting ? 'animate-breathe' : ''}`}
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
