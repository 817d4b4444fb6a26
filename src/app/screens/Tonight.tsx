import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { daysTo } from '../../brand/festival-days.ts'
import { useDealWhen } from '../../deals/web/deal-when.ts'
import { useEventWhen } from '../../events/web/use-event-when.ts'
import { useHereAndNow, type Way } from '../../kit/browser/here-and-now.ts'
import { useNumbers } from '../../kit/browser/measures.ts'
import { atHead } from '../../kit/shared/calendar.ts'
import { CardLink } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import type { StatusText } from '../../kit/browser/when.ts'
import { dealPage, eventPage } from '../../site-map.ts'
import { useChoices } from '../root.tsx'
import { actsHere } from './acts-here.ts'
import type { Act, TonightDeal } from './choose-tonight.ts'

/** Beside the headline of home: what plays now or next, and what one gets for how long. Before the festival its first acts. */
export function Tonight({ acts, deals, className }: { acts: Act[]; deals: TonightDeal[]; className: string }) {
  const t = useTranslations('home')
  const { festival } = useChoices()
  const here = useHereAndNow()
  const when = useEventWhen()
  const shown = actsHere(acts, here)
  const left = festival.days && daysTo(festival.days, when.wall())
  const isOver = left === -1 && shown.length === 0
  const isEmpty = shown.length + deals.length === 0
  if (isEmpty && !isOver) return null
  const title = isOver ? t('over', { name: festival.name }) : t(left !== null && left > 0 ? 'firstActs' : 'nowAndNext')
  return (
    <section aria-labelledby="tonight" className={className}>
      <div className="@container rounded-6 border-2 border-night bg-surface text-ink">
        <h2 id="tonight" className="figure px-3 py-1 text-lg sm:px-4">
          {title}
        </h2>
        <ul className="grid divide-y-2 divide-hair border-t-2 border-rule px-3 empty:hidden sm:px-4">
          {shown.map((act) => (
            <ActRow key={act.event_id} act={act} />
          ))}
          {deals.map((deal) => (
            <DealRow key={deal.deal_id} deal={deal} />
          ))}
        </ul>
      </div>
    </section>
  )

  function ActRow({ act }: { act: Act }) {
    const soon = when.soon(act)
    const state: StatusText = soon
      ? { state: soon.live ? 'live' : 'soon', text: soon.text }
      : { state: 'soon', text: when.start(act) }
    return <Row href={eventPage(act.event_id)} title={act.title} state={state} place={act.stage} way={here.way(act)} />
  }

  function DealRow({ deal }: { deal: TonightDeal }) {
    const { state, text } = useDealWhen(deal)
    return (
      <Row
        href={dealPage(deal.deal_id)}
        title={deal.deal_name}
        state={{ state, text }}
        place={deal.business_name ?? undefined}
        way={here.way(deal)}
      />
    )
  }
}

function Row({
  href,
  title,
  state: { state, text },
  place,
  way,
}: {
  href: string
  title: string
  state: StatusText
  place?: string | undefined
  way: Way | null
}): ReactNode {
  const t = useTranslations('way')
  const { distance } = useNumbers()
  return (
    <li className="group/card relative grid min-h-11 content-center py-0.5 leading-snug sm:py-1.5">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 @min-[16rem]:flex-nowrap">
        <CardLink href={href} className="min-w-0 flex-1 font-semibold wrap-anywhere @min-[16rem]:truncate">
          {title}
        </CardLink>
        {way?.isFromHere && (
          <span className="figure text-sm whitespace-nowrap">
            {way.minutes === null ? distance(way.km) : t('foot', { n: way.minutes })}
          </span>
        )}
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-sm text-ink-soft">
        <OpenState state={state}>{atHead(text)}</OpenState>
        <span className="min-w-0 flex-[1_1_5rem] wrap-anywhere @min-[16rem]:truncate">{place}</span>
        {way && !way.isFromHere && (
          <span className="whitespace-nowrap max-sm:hidden">{t('fromCentre', { distance: distance(way.km) })}</span>
        )}
      </span>
    </li>
  )
}
