import { useMemo } from 'react'
import { festivalDayNames, useEventSpan } from '../../events/web/use-event-when.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { endOf } from '../times.ts'

/** Formats the times of a schedule. */
export function useTimes() {
  const when = useWhen()
  const { span } = useEventSpan()
  return useMemo(() => {
    const { clock, now } = when
    const { weekday, day, shortDay } = festivalDayNames(when)
    /** The weekday of an event after midnight, e.g. "Wed", as it belongs to the festival day before; else null. */
    const otherDay = ({ starts_at, festival_day }: { starts_at: string; festival_day: string }) => {
      const day = when.isoDay(starts_at)
      return day === festival_day ? null : weekday(day)
    }
    const isOver = (event: { starts_at: string; ends_at: string | null }) => endOf(event) <= now
    return {
      now,
      clock,
      span,
      day,
      shortDay,
      weekday,
      otherDay,
      isOver,
      moment: when.moment,
    }
  }, [when, span])
}
