import { memo, use, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { CardLink } from '../../kit/browser/ui/Card.tsx'
import { eventPage } from '../../site-map.ts'
import type { CardEvent } from './card-event.ts'
import { EventSlots } from './EventSlots.tsx'
import { EventTimes } from './EventTimes.tsx'
import { EventAction } from './event-action.ts'
import { useEventWhen } from './use-event-when.ts'

/** An event as a row: times, title, place and price. The whole row is the link. */
export const EventItem = memo(function EventItem({
  event,
  headingLevel: Heading = 'h3',
  withDay,
  badge,
  beside,
  children,
}: {
  event: CardEvent
  headingLevel?: 'h3' | 'h4'
  /** Shown before the time where the list holds several days. */
  withDay?: string | undefined
  badge?: ReactNode
  /** Stands in the upper right corner instead of the `EventAction`. */
  beside?: ReactNode
  /** Stands below. */
  children?: ReactNode
}) {
  const categoryName = useTranslations('categories')
  const when = useEventWhen()
  const category = toCategory(event.category)
  const isOver = when.isOver(event)
  const action = beside ?? use(EventAction)?.(event, false, isOver)
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
      <div className="grid min-w-0 grow basis-36 grid-cols-1 content-start gap-1 p-3">
        <div className="flex flex-wrap items-start gap-x-2">
          <Heading
            className={`min-w-0 grow basis-36 text-lg leading-tight font-bold [overflow-wrap:anywhere] ${event.status === 'cancelled' ? 'line-through' : ''}`}
          >
            <CardLink href={eventPage(event.event_id)}>{event.title}</CardLink>
          </Heading>
          {action && (
            // above the link that covers the row
            <span className="relative -m-2 ml-auto">{action}</span>
          )}
        </div>
        {event.performers && <p className="text-sm font-semibold [overflow-wrap:anywhere]">{event.performers}</p>}
        <EventSlots event={event} badge={badge} />
        {children && <div className="relative grid grid-cols-1 gap-1.5">{children}</div>}
      </div>
    </article>
  )
})
