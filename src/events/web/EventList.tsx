import { useTranslations } from 'use-intl'
import { isInTime, useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { groupBy } from '../../kit/shared/group-by.ts'
import { EventItem } from './EventItem.tsx'
import type { EventLists } from './load-events.ts'
import { partsAt } from './programme-parts.ts'
import { useEventWhen } from './use-event-when.ts'

type Listed = EventLists['events']

/**
 * The programme from now on: what is over folds into one line, unless everything is over; what runs comes first, unless all of it is
 * too far away. A list of several days is grouped by day.
 */
export function EventList({ events }: { events: Listed }) {
  const t = useTranslations('events')
  const { now, way } = useHereAndNow()
  const isTooFar = ({ place, ends_at }: Listed[number]) => !isInTime(way(place ?? {}), ends_at, now)
  const { over, running, coming } = partsAt(events, now, isTooFar)
  const isOneDay = events[0]?.festival_day === undefined
  const left = [...running, ...coming]
  if (left.length === 0) return <ByDay events={over} />
  const nowPart = <Part title={t('now')} events={running} />
  const isOutOfReach = running.every(isTooFar)
  return (
    <>
      {over.length > 0 && (
        <details className="print-hidden">
          <summary className="link inline-flex min-h-11 cursor-pointer items-center font-semibold">
            {t(isOneDay ? 'earlierToday' : 'earlier', { n: over.length })}
          </summary>
          <div className="grid gap-4 pt-1 pb-3">
            <ByDay events={over} />
          </div>
        </details>
      )}
      {isOneDay && running.length > 0 ? (
        <>
          {!isOutOfReach && nowPart}
          <Part title={t('next')} events={coming} />
          {isOutOfReach && nowPart}
        </>
      ) : (
        <ByDay events={left} />
      )}
    </>
  )
}

function Part({ title, events }: { title: string; events: Listed }) {
  if (events.length === 0) return null
  return (
    <section aria-label={title} className="grid gap-2 md:gap-3">
      <h2 className="text-xl">{title}</h2>
      <Items events={events} />
    </section>
  )
}

function ByDay({ events }: { events: Listed }) {
  const when = useEventWhen()
  const byDay = [...groupBy(events, (event) => event.festival_day ?? '')].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return byDay.map(([day, ofDay]) => (
    <section key={day} aria-label={day ? when.day(day) : undefined} className="grid gap-3">
      {day && <h2 className="text-2xl">{when.day(day)}</h2>}
      <Items events={ofDay} />
    </section>
  ))
}

function Items({ events }: { events: Listed }) {
  return (
    <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      {events.map((event) => (
        <li key={event.event_id} className="drawn-when-near min-w-0">
          <EventItem event={event} headingLevel="h3" />
        </li>
      ))}
    </ul>
  )
}
