import { useMemo } from 'react'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { useWhen } from '../../kit/browser/when.ts'
import { clockText, dayOfMonth, wallIn } from '../../kit/shared/calendar.ts'
import { overAt } from './card-event.ts'

type Timed = { starts_at: string; ends_at: string | null; status: string }

/** Formats start and end; without the clock, so that it causes no new drawing each minute. */
export function useEventSpan() {
  const t = useTranslations('events')
  const zone = useTimeZone() ?? 'Europe/Zurich'
  return useMemo(() => {
    const clock = (iso: string) => clockText(wallIn(zone, Date.parse(iso)))
    /** "19:30 – 21:00"; without an end "19:30, open end". */
    const span = ({ starts_at, ends_at }: Pick<Timed, 'starts_at' | 'ends_at'>) =>
      ends_at === null ? t('openEnd', { time: clock(starts_at) }) : `${clock(starts_at)} – ${clock(ends_at)}`
    return { clock, span }
  }, [zone, t])
}

/** Names of festival days, which are given as "2026-06-20". */
export function festivalDayNames(when: ReturnType<typeof useWhen>) {
  const weekday = (festivalDay: string) => when.weekdayName(wallIn('UTC', Date.parse(festivalDay)).weekday)
  const ofYear = (day: string) => (when.isoDay().startsWith(day.slice(0, 4)) ? '' : ` ${day.slice(0, 4)}`)
  const dayAlone = (festivalDay: string) => `${weekday(festivalDay)} ${when.day(`${festivalDay}T12:00:00Z`)}`
  /** "Fri 20 June" of a festival day, "Fri 20 June 2025" in another year. */
  const day = (festivalDay: string) => dayAlone(festivalDay) + ofYear(festivalDay)
  /** "Fri 20"; in another year "Fri 20 June 2025". */
  const shortDay = (festivalDay: string) =>
    ofYear(festivalDay) ? day(festivalDay) : `${weekday(festivalDay)} ${Number(festivalDay.slice(-2))}`
  return { weekday, dayAlone, day, shortDay }
}

/** Formats the times of events, also relative to now. */
export function useEventWhen() {
  const when = useWhen()
  const { span } = useEventSpan()
  const t = useTranslations('events')
  const locale = useLocale()
  return useMemo(() => {
    const { now, clock } = when
    const isOver = (event: Timed) => overAt(event) <= now
    const isNow = (event: Timed) => event.status !== 'cancelled' && Date.parse(event.starts_at) <= now && !isOver(event)
    /** "now, until 21:00", "in 25 min"; null where the time alone is enough. */
    const soon = (event: Timed): { live: boolean; text: string } | null => {
      if (event.status === 'cancelled' || isOver(event)) return null
      if (isNow(event))
        return {
          live: true,
          text: event.ends_at === null ? t('nowOpenEnd') : t('nowUntil', { time: clock(event.ends_at) }),
        }
      const minutes = when.minutesTo(event.starts_at)
      return minutes > 0 && minutes <= 120 ? { live: false, text: when.moment(event.starts_at) } : null
    }
    const { weekday, dayAlone, day, shortDay } = festivalDayNames(when)
    /** The day of an event: "Fri 20 June"; between midnight and 06:00 "Night of Fri 20 to Sat 21 June". */
    const dayOf = ({ starts_at, festival_day }: { starts_at: string; festival_day: string }) => {
      const to = when.isoDay(starts_at)
      const until = day(to)
      if (to === festival_day) return until
      const isOneMonth = to.startsWith(festival_day.slice(0, 7))
      const from = isOneMonth
        ? `${weekday(festival_day)} ${dayOfMonth(locale, Number(festival_day.slice(-2)))}`
        : dayAlone(festival_day)
      return t('night', { from, to: until })
    }
    return { ...when, shortDay, isOver, isNow, span, soon, day, dayOf }
  }, [when, span, t, locale])
}
