import { useTranslations } from 'use-intl'
import { isLong, type LineEvent } from './card-event.ts'
import { useEventWhen } from './use-event-when.ts'

/** Start and end of an event in the narrow column of a line; an event of more than a day has its days. */
export function EventTimes({
  event,
  withDay,
}: {
  event: Omit<LineEvent, 'title'>
  /** Shown before the time where the list holds several days. */
  withDay?: string | undefined
}) {
  const t = useTranslations('events')
  const when = useEventWhen()
  const firstDay = when.isoDay(event.starts_at)
  const day = withDay ?? (isLong(event) ? when.shortDay(firstDay) : undefined)
  const until = when.end(event)
  return (
    <p className="figure leading-none">
      {day && <span className="block pb-1 text-xs">{day}</span>}
      <time
        dateTime={event.all_day ? firstDay : event.starts_at}
        className={`block ${event.all_day ? 'text-sm' : 'text-lg sm:text-xl'} ${event.status === 'cancelled' ? 'line-through' : ''}`}
      >
        {event.all_day ? t('allDay') : when.clock(event.starts_at)}
      </time>
      {until && (
        <span className="block pt-1 text-xs sm:text-sm">
          {isLong(event) ? t('until', { time: until }) : <span className="whitespace-nowrap">– {until}</span>}
        </span>
      )}
    </p>
  )
}
