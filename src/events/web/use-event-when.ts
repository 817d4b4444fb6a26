import { useMemo } from 'react'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { useWhen } from '../../kit/browser/when.ts'
import {
  atHead,
  clockText,
  dayOfMonth,
  dayText,
  nightEndsMinute,
  rangeText,
  wallIn,
  weekdayName,
} from '../../kit/shared/calendar.ts'
import { isLong, overAt } from './card-event.ts'

type Times = { starts_at: string; ends_at: string | null; all_day?: boolean | undefined }
type Timed = Times & { status: string }

/** An all-day event is 25 hours long on the day that winter time begins. */
const isLongerThanADay = (event: Times) => overAt(event) - Date.parse(event.starts_at) > 26 * 60 * 60_000

/** Formats start and end; without the clock, so that it causes no new drawing each minute. */
export function useEventSpan() {
  const t = useTranslations('events')
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const locale = useLocale()
  return useMemo(() => {
    const clock = (iso: string) => clockText(wallIn(zone, Date.parse(iso)))
    const wall = (ms: number) => wallIn(zone, ms)
    /** "Sun 21"; "Sun 5 July" in another month than `from`. */
    const dayAfter = (from: number, to: number) => {
      const [start, end] = [wall(from), wall(to)]
      const day = start.month === end.month ? dayOfMonth(locale, end.day) : dayText(locale, end)
      return `${weekdayName(locale, end.weekday)} ${day}`
    }
    /** "21:00"; of an event longer than a day "Sun 21, 04:00"; of an all-day one its last day, "Sun 21"; null: an open end, or one day. */
    const end = (event: Times): string | null => {
      if (event.ends_at === null || (event.all_day && !isLongerThanADay(event))) return null
      const [from, to] = [Date.parse(event.starts_at), Date.parse(event.ends_at)]
      if (event.all_day) return dayAfter(from, to - nightEndsMinute * 60_000 - 1)
      return isLong(event) ? `${dayAfter(from, to)}, ${clock(event.ends_at)}` : clock(event.ends_at)
    }
    /** "19:30–21:00"; without an end "19:30, open end"; "all day", "all day, until Sun 21". */
    const span = (event: Times) => {
      const until = end(event)
      if (event.all_day) return until === null ? t('allDay') : t('allDayUntil', { day: until })
      return until === null ? t('openEnd', { time: clock(event.starts_at) }) : rangeText(clock(event.starts_at), until)
    }
    return { clock, span, end }
  }, [zone, locale, t])
}

/** Names of festival days, which are given as "2026-06-20". */
export function festivalDayNames(when: ReturnType<typeof useWhen>, locale: string) {
  const weekday = (festivalDay: string) => when.weekdayName(wallIn('UTC', Date.parse(festivalDay)).weekday)
  const ofYear = (day: string) => (when.isoDay().startsWith(day.slice(0, 4)) ? '' : ` ${day.slice(0, 4)}`)
  const dayAlone = (festivalDay: string) => `${weekday(festivalDay)} ${when.day(`${festivalDay}T12:00:00Z`)}`
  /** "Fri 20 June" of a festival day, "Fri 20 June 2025" in another year; in a sentence. */
  const spokenDay = (festivalDay: string) => dayAlone(festivalDay) + ofYear(festivalDay)
  /** The same as a heading or at the head of a row. */
  const day = (festivalDay: string) => atHead(spokenDay(festivalDay))
  const dated = (festivalDay: string) => `${weekday(festivalDay)} ${dayOfMonth(locale, Number(festivalDay.slice(-2)))}`
  /** "Fri 20"; in another year "Fri 20 June 2025". */
  const shortDay = (festivalDay: string) => (ofYear(festivalDay) ? day(festivalDay) : atHead(dated(festivalDay)))
  return { weekday: (festivalDay: string) => atHead(weekday(festivalDay)), dated, dayAlone, spokenDay, day, shortDay }
}

/** Formats the times of events, also relative to now. */
export function useEventWhen() {
  const when = useWhen()
  const { span, end } = useEventSpan()
  const t = useTranslations('events')
  const locale = useLocale()
  return useMemo(() => {
    const { now, clock } = when
    const isOver = (event: Timed) => overAt(event) <= now
    const isNow = (event: Timed) => event.status !== 'cancelled' && Date.parse(event.starts_at) <= now && !isOver(event)
    /** Of a running event: "Until 21:00", "Until Sun 04:00". */
    const until = (event: Times) => {
      if (event.all_day) return span(event)
      if (event.ends_at === null) return t('nowOpenEnd')
      return t('nowUntil', { time: isLong(event) ? when.time(event.ends_at) : clock(event.ends_at) })
    }
    /** "Until 21:00", "In 25 min"; null where the time alone is enough. */
    const soon = (event: Timed): { live: boolean; text: string } | null => {
      if (event.status === 'cancelled' || isOver(event)) return null
      // its days stand beside it already
      if (isNow(event)) return { live: true, text: event.all_day ? t('nowAllDay') : until(event) }
      if (event.all_day) return null
      const minutes = when.minutesTo(event.starts_at)
      return minutes > 0 && minutes <= 120 ? { live: false, text: when.moment(event.starts_at) } : null
    }
    /** Start: "19:30" today, "Fri 19:30", "Fri, all day". */
    const start = (event: Times) =>
      event.all_day ? `${when.dayName(event.starts_at)}, ${t('allDay')}` : when.rowTime(event.starts_at)
    const { dated, dayAlone, spokenDay, day, shortDay } = festivalDayNames(when, locale)
    /** The day of an event: "Fri 20 June"; between midnight and 06:00 "Night of Fri 20 to Sat 21 June". */
    const dayOf = ({ starts_at, festival_day }: { starts_at: string; festival_day: string }) => {
      const to = when.isoDay(starts_at)
      if (to === festival_day) return day(to)
      const isOneMonth = to.startsWith(festival_day.slice(0, 7))
      const from = isOneMonth ? dated(festival_day) : dayAlone(festival_day)
      return t('night', { from, to: spokenDay(to) })
    }
    return { ...when, shortDay, isOver, isNow, span, end, until, start, soon, day, spokenDay, dayOf }
  }, [when, span, end, t, locale])
}
