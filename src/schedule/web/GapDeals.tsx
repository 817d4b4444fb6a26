import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { priceWords } from '../../deals/web/price-words.ts'
import { dealPage } from '../../site-map.ts'
import { dealsInGap } from '../contract.ts'
import { useTimes } from './use-times.ts'

/** Up to three deals that are open in a gap and leave enough time to reach the next event. */
export function GapDeals({ from, to }: { from: string; to: string }) {
  const t = useTranslations('schedule')
  const say = useTranslations('deals')
  const { clock } = useTimes()
  const { body, refused, again } = useAnswer(dealsInGap, {
    query: { from_event: from, to_event: to },
    as: 'background',
  })
  if (refused) return <NotLoaded refused={refused} again={again} />
  if (!body) return <Waiting sizes={['h-20']} className="grid w-full" />
  if (body.length === 0) return <output className="text-ink-soft">{t('noGapDeals')}</output>
  return (
    <ul className="grid w-full grid-cols-1 gap-2">
      {body.map((deal) => (
        <li
          key={deal.deal_id}
          className="grid grid-cols-1 gap-0.5 rounded-6 border-2 border-rule bg-surface p-3 [overflow-wrap:anywhere]"
        >
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <a href={dealPage(deal.deal_id)} className="link font-semibold">
              {deal.deal_name}
            </a>
            <span className="figure">{priceWords({ ...deal, price: null }, say('free'))}</span>
          </p>
          <p className="text-sm text-ink-soft">{deal.business_name}</p>
          <p className="text-sm">
            {deal.detour_minutes === 0 ? t('onTheWay') : t('detour', { n: deal.detour_minutes })},{' '}
            <strong>{t('leaveAt', { time: clock(deal.leave_at) })}</strong>
          </p>
        </li>
      ))}
    </ul>
  )
}
