import type { ReactNode } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useTranslations } from 'use-intl'
import type { CardEvent } from './card-event.ts'
import { EventItem } from './EventItem.tsx'

/** The events before and after on the same stage. */
export function Neighbours({ previous, next }: { previous: CardEvent | null; next: CardEvent | null }) {
  const t = useTranslations('event')
  if (!previous && !next) return null
  return (
    <nav aria-label={t('neighbours')} className="grid gap-3 sm:grid-cols-2">
      <Neighbour event={previous} label={t('previous')} icon={<ArrowLeft aria-hidden="true" className="size-5" />} />
      <Neighbour event={next} label={t('next')} icon={<ArrowRight aria-hidden="true" className="size-5" />} />
    </nav>
  )
}

function Neighbour({ event, label, icon }: { event: CardEvent | null; label: string; icon: ReactNode }) {
  if (!event) return <span className="hidden sm:block" />
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <p className="flex items-center gap-2 text-sm font-semibold text-ink-soft">
        {icon}
        {label}
      </p>
      <EventItem event={event} />
    </div>
  )
}

export function Shelf({
  id,
  title,
  events,
  dayOf,
}: {
  id: string
  title: string
  events: CardEvent[]
  dayOf?: (event: CardEvent) => string
}) {
  if (events.length === 0) return null
  return (
    <section aria-labelledby={id} className="grid gap-5 border-t-2 border-rule pt-5">
      <h2 id={id}>{title}</h2>
      <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        {events.map((event) => (
          <li key={event.event_id} className="drawn-when-near min-w-0">
            <EventItem event={event} withDay={dayOf?.(event)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
