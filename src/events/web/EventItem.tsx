import { memo, use } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { CardLink } from '../../kit/browser/ui/Card.tsx'
import { chf } from '../../kit/shared/numbers.ts'
import { isInTime, useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { eventPage } from '../../site-map.ts'
import type { CardEvent } from './card-event.ts'
import { EventTimes } from './EventTimes.tsx'
import { EventAction } from './event-action.ts'
import { useEventWhen } from './use-event-when.ts'

/** One line of the programme: time, title and place. The whole line is the link. */
export const EventItem = memo(function EventItem({
  event,
  headingLevel: Heading = 'h3',
  withDay,
  hideStage = false,
}: {
  event: CardEvent
  headingLevel?: 'h3' | 'h4'
  /** Shown before the time where the list holds several days. */
  withDay?: string | undefined
  hideStage?: boolean
}) {
  const t = useTranslations('events')
  const sayWay = useTranslations('way')
  const categoryName = useTranslations('categories')
  const when = useEventWhen()
  const soon = when.soon(event)
  const category = toCategory(event.category)
  const isCancelled = event.status === 'cancelled'
  const isOver = when.isOver(event)
  const here = useHereAndNow()
  const way = isOver ? null : here.way(event.place ?? {})
  const isTooFar = soon?.live === true && !isInTime(way, event.ends_at, here.now)
  const action = use(EventAction)
  const place = [hideStage ? null : event.stage, event.venue].filter(Boolean).join(', ')
  return (
    <article
      // with very large text the time stands above
      className="group/card relative flex flex-wrap rounded-6 border-2 border-rule bg-surface"
    >
      <div
        className={`flex basis-20 flex-col justify-between gap-2 rounded-l-[4px] border-r-2 border-rule p-2 sm:basis-26 sm:p-3 ${isOver ? 'bg-well text-ink-soft' : categoryFill[category]}`}
      >
        <EventTimes event={event} withDay={withDay} />
        <CategoryGlyph category={category} label={categoryName(category)} className="size-6" />
      </div>
      <div className="grid min-w-0 grow basis-36 content-start gap-1 p-3">
        <div className="flex items-start justify-between gap-2">
          <div className="grid min-w-0 flex-1 gap-1">
            <Status event={event} />
            <Heading
              className={`text-lg leading-tight font-bold [overflow-wrap:anywhere] ${isCancelled ? 'line-through' : ''}`}
            >
              <CardLink href={eventPage(event.event_id)}>{event.title}</CardLink>
            </Heading>
          </div>
          {action && (
            // above the link that covers the line
            <span className="relative -m-2">{action(event, false, isOver)}</span>
          )}
        </div>
        {event.performers && <p className="text-sm font-semibold [overflow-wrap:anywhere]">{event.performers}</p>}
        <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{place || t('placeUnknown')}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm">
          {isOver && !isCancelled && <OpenState state="closed">{t('over')}</OpenState>}
          {soon && <OpenState state={soon.live ? 'live' : 'soon'}>{soon.text}</OpenState>}
          {event.price_chf !== undefined && (
            <span className="figure">{event.price_chf === 0 ? t('free') : chf(event.price_chf)}</span>
          )}
          {event.age_min !== undefined && <span className="text-ink-soft">{t('age', { n: event.age_min })}</span>}
          {way && (
            <span className="text-xs text-ink-soft">
              <WayText way={way} />
            </span>
          )}
          {isTooFar && <Badge tone="lantern">{sayWay('tooFar')}</Badge>}
        </p>
      </div>
    </article>
  )
})

/** A badge for an event that was moved, delayed or cancelled. */
function Status({ event }: { event: CardEvent }) {
  const t = useTranslations('events')
  if (event.status !== 'cancelled' && event.status !== 'moved' && event.status !== 'delayed') return null
  return (
    <p>
      <Badge tone={event.status === 'cancelled' ? 'wine' : 'lantern'}>{t(`status.${event.status}`)}</Badge>
    </p>
  )
}
