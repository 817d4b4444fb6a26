import { useEffect, useRef, useState } from 'react'
import X from 'lucide-react/icons/x'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { headlineType } from '../../kit/browser/ui/long-words.ts'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { dateFormat } from '../../kit/shared/calendar.ts'
import { dealPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { useDealWhen } from './deal-when.ts'
import { DealPrice } from './DealPrice.tsx'
import { useLang } from './use-lang.ts'

/** The deal as shown at the counter: in large type, with a running clock and the terms. */
export default function CounterView({ deal }: { deal: Deal }) {
  const t = useTranslations('deal')
  const when = useDealWhen(deal)
  const lang = useLang(deal)
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => headline.current?.focus({ preventScroll: true }), [])
  return (
    <article className="shell grid max-w-2xl grid-cols-1 gap-5 py-5 md:py-10">
      <div className="flex items-start justify-between gap-4">
        <p className="text-lg font-semibold">{!when.isOutside && t('counter.lead')}</p>
        <ButtonLink
          href={dealPage(deal.deal_id)}
          icon={<X aria-hidden="true" className="size-5" />}
          className="shrink-0 print-hidden"
        >
          {t('close')}
        </ButtonLink>
      </div>
      <div className="@container grid gap-4 rounded-6 border-4 border-ink bg-surface p-5">
        <p className="text-xl font-semibold [overflow-wrap:anywhere]">{deal.business_name}</p>
        <h1 ref={headline} lang={lang} tabIndex={-1} className={headlineType(deal.deal_name)}>
          {deal.deal_name}
        </h1>
        <DealPrice deal={deal} size="lg" />
        <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t-2 border-rule pt-4">
          <span className="grid min-w-0 gap-1">
            {when.isOutside && <strong className="text-2xl text-ink-soft">{t('counter.notNow')}</strong>}
            <OpenState state={when.state} size="lg">
              {when.text}
            </OpenState>
          </span>
          <Clock />
        </p>
        {deal.terms && (
          <div className="grid gap-1 border-t-2 border-rule pt-4">
            <h2 className="text-lg">{t('terms')}</h2>
            <p lang={lang} className="text-lg whitespace-pre-line [overflow-wrap:anywhere]">
              {deal.terms}
            </p>
          </div>
        )}
      </div>
    </article>
  )
}

/** Running seconds prove that this is no screenshot. Empty until the script has loaded. */
function Clock() {
  const locale = useLocale()
  const timeZone = useTimeZone() ?? 'Europe/Zurich'
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  if (now === null) return null
  const text = dateFormat(locale, { timeZone, timeStyle: 'medium', hourCycle: 'h23' }).format(now)
  return (
    <time dateTime={new Date(now).toISOString()} aria-live="off" className="figure text-3xl">
      {text}
    </time>
  )
}
