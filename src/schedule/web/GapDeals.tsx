import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { CardLink } from '../../kit/browser/ui/Card.tsx'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { DealPrice } from '../../deals/web/DealPrice.tsx'
import { atHead } from '../../kit/shared/calendar.ts'
import { dealPage } from '../../site-map.ts'
import { dealsInGap } from '../contract.ts'
import { useTimes } from './use-times.ts'

/** Up to three deals that are open in a gap and leave enough time to reach the next event. */
export function GapDeals({ from, to }: { from: string; to: string }) {
  const t = useTranslations('schedule')
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
          className="group/card relative grid grid-cols-1 gap-1 rounded-6 border-2 border-rule bg-surface p-3 [overflow-wrap:anywhere]"
        >
          <CardLink href={dealPage(deal.deal_id)} className="leading-tight font-bold">
            {deal.deal_name}
          </CardLink>
          <CardSlots
            when={<strong>{atHead(t('leaveAt', { time: clock(deal.leave_at) }))}</strong>}
            where={`${deal.business_name}, ${deal.detour_minutes === 0 ? t('onTheWay') : t('detour', { n: deal.detour_minutes })}`}
            price={<DealPrice deal={{ ...deal, price: null, regular_price_chf: null, regular_price_since: null }} />}
          />
        </li>
      ))}
    </ul>
  )
}
