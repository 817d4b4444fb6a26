import { useTimeZone, useTranslations } from 'use-intl'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { ProgrammeDay } from '../contract.ts'
import { overAt, type LineEvent } from './card-event.ts'
import { eventsWith, type EventQuery } from './event-query.ts'
import { hasEventsLeft } from './programme-parts.ts'
import { useEventWhen } from './use-event-when.ts'

/** Says that all events of the shown day are over, and leads to the next day with something left. */
export function DayOver({
  day,
  days,
  events,
  query,
}: {
  day: string
  days: readonly ProgrammeDay[]
  events: readonly LineEvent[]
  query: EventQuery
}) {
  const t = useTranslations('events')
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const { now } = useHereAndNow()
  const when = useEventWhen()
  if (events.length === 0 || events.some((event) => overAt(event) > now)) return null
  const next = days.find((each) => each.day !== day && hasEventsLeft(each, now, zone))?.day
  return (
    <Notice
      kind="info"
      title={next ? t('dayOver', { day: when.day(day) }) : t('festivalOver')}
      action={next && <ButtonLink href={eventsWith(query, { day: next, earlier: null })}>{when.day(next)}</ButtonLink>}
    />
  )
}
