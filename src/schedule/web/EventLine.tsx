import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import type { ListedEvent } from '../../events/contract.ts'
import { EventTimes } from '../../events/web/EventTimes.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { eventPage } from '../../site-map.ts'
import { useTimes } from './use-times.ts'

/** An event of a schedule: time, title, place, and what changed; `children` stand below. */
export function EventLine({
  event,
  badges,
  beside,
  children,
}: {
  event: ListedEvent
  badges?: ReactNode
  /** Stands in the upper right corner. */
  beside?: ReactNode
  children?: ReactNode
}) {
  const t = useTranslations('schedule')
  const categoryName = useTranslations('categories')
  const { isOver } = useTimes()
  const over = isOver(event)
  const category = toCategory(event.category)
  const isCancelled = event.status === 'cancelled'
  const venue = event.venue && event.venue.venue_name !== event.stage ? event.venue.venue_name : null
  const place = [event.stage, venue].filter(Boolean).join(', ')
  return (
    <article
      // with very large text the time stands above, as in the programme
      className="flex flex-wrap rounded-6 border-2 border-rule bg-surface"
    >
      <div
        className={`flex basis-20 flex-col justify-between gap-2 rounded-l-[4px] border-r-2 border-rule p-2 sm:basis-26 sm:p-3 ${over ? 'bg-well text-ink-soft' : categoryFill[category]}`}
      >
        <EventTimes event={event} />
        <CategoryGlyph category={category} label={categoryName(category)} className="size-6" />
      </div>
      <div className="grid min-w-0 grow basis-36 grid-cols-1 content-start gap-1.5 p-3">
        <div className="flex flex-wrap items-start gap-x-2">
          <div className="grid min-w-0 grow basis-36 gap-1">
            {(badges || ['cancelled', 'moved', 'delayed'].includes(event.status)) && (
              <p className="flex flex-wrap gap-1.5">
                {event.status === 'cancelled' && <Badge tone="wine">{t('status.cancelled')}</Badge>}
                {event.status === 'moved' && <Badge tone="lantern">{t('status.moved')}</Badge>}
                {event.status === 'delayed' && <Badge tone="lantern">{t('status.delayed')}</Badge>}
                {badges}
              </p>
            )}
            <h3 className={`leading-tight [overflow-wrap:anywhere] ${isCancelled ? 'line-through' : ''}`}>
              <a
                href={eventPage(event.event_id)}
                className="text-ink no-underline decoration-action decoration-3 underline-offset-4 hover:underline"
              >
                {event.title}
              </a>
            </h3>
            <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{place || t('placeUnknown')}</p>
            {over && !isCancelled && <OpenState state="closed">{t('over')}</OpenState>}
          </div>
          {beside && <div className="ml-auto min-w-0">{beside}</div>}
        </div>
        {children}
      </div>
    </article>
  )
}
