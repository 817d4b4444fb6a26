import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { footMinutes, useNumbers } from '../../kit/browser/measures.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { Deal } from '../contract.ts'
import { useDealWhen } from './deal-when.ts'
import { placeOf } from './with-distance.ts'

/** When, where and how often the deal can be used. */
export function DealFacts({
  deal,
  address,
  kmFromCentre,
}: {
  deal: Deal
  address: string | null
  kmFromCentre: number | null
}) {
  const t = useTranslations('deal')
  const { distance } = useNumbers()
  const when = useWhen()
  const dealWhen = useDealWhen(deal)
  const place = placeOf(deal)
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-y-2 border-rule py-4 sm:grid-cols-2">
      <Fact name={t('when')}>
        {deal.starts_at && when.minutesTo(deal.starts_at) > 0 && (
          <span className="block">{t('from', { time: when.time(deal.starts_at) })}</span>
        )}
        <span className="block">{dealWhen.hours ?? t('always')}</span>
        {/* the printed end may be after the last opening hours */}
        {deal.ends_at && deal.over_because !== 'hours' && (
          <span className="block">{t('until', { time: when.time(deal.ends_at) })}</span>
        )}
      </Fact>
      <Fact name={t('where')}>
        {address && <span className="block">{address}</span>}
        {kmFromCentre !== null && (
          <span className="block font-normal text-ink-soft">
            {t('fromCentre', { distance: distance(kmFromCentre) })}
            {footMinutes(kmFromCentre) !== null && `, ${t('foot', { n: footMinutes(kmFromCentre)! })}`}
          </span>
        )}
        {!place && <span className="block">{t('noLocation')}</span>}
      </Fact>
      {(deal.total_limit !== null || deal.redemption_mode === 'code') && (
        <Fact name={t('howMany')}>
          {[t('perUser', { n: deal.per_user_limit }), deal.total_limit !== null && t('limit', { n: deal.total_limit })]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm font-semibold text-ink-soft">{name}</dt>
      <dd className="font-semibold [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
