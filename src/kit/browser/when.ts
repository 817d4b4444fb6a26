import { useMemo, useSyncExternalStore } from 'react'
import { useLocale, useNow, useTimeZone, useTranslations } from 'use-intl'
import {
  atHead,
  clockText,
  daysBetween,
  dayText,
  isClockEnough,
  rangeText,
  wallIn,
  weekdayName as nameOfWeekday,
} from '../shared/calendar.ts'
import { onReturn } from './on-return.ts'
import { notifyInSteps } from './notify-in-steps.ts'
import { serverTime } from './server-time.ts'

const tickMs = 30_000
const relativeMinutes = 120
const dayMs = 24 * 60 * 60_000

export interface Opening {
  open_now: boolean | null
  open_until: string | null
  opens_at: string | null
}

/** A status in words, and how `OpenState` draws it. */
export interface StatusText {
  state: 'open' | 'soon' | 'closed' | 'unknown' | 'live'
  text: string
}

/**
 * Times as people say them, in the time zone of the site: "in 25 min" for the next two hours, then weekday and 24-hour
 * clock. They update every half minute, with one timer for the page. Texts: `time` in `messages/`.
 */
export function useWhen() {
  const now = useTick()
  const locale = useLocale()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const t = useTranslations('time')
  return useMemo(() => {
    const clock = (iso: string) => clockText(wallIn(zone, Date.parse(iso)))
    const weekday = (iso: string) => weekdayName(wallIn(zone, Date.parse(iso)).weekday)
    // "samedi 22:30": no French sentence has the short form
    const spokenDay = (iso: string) =>
      locale === 'fr' ? nameOfWeekday(locale, wallIn(zone, Date.parse(iso)).weekday, 'long') : weekday(iso)
    const day = (iso: string) => dayIn(locale, zone, iso)
    const minutesTo = (iso: string) => Math.ceil((Date.parse(iso) - now) / 60_000)
    const isWithinDays = (iso: string, days: number) => Math.abs(Date.parse(iso) - now) < days * dayMs

    /** "Fri 5 December, 02:00", in a sentence. */
    const date = (iso: string) => `${spokenDay(iso)} ${day(iso)}, ${clock(iso)}`
    /** Today, or in the small hours after it. */
    const isTodayOrTonight = (iso: string) => isClockEnough(wall(), wallIn(zone, Date.parse(iso)))
    const timeWith = (name: string, iso: string) => {
      if (isTodayOrTonight(iso)) return clock(iso)
      return isWithinDays(iso, 6) ? `${name} ${clock(iso)}` : `${name} ${day(iso)}, ${clock(iso)}`
    }
    /** In a sentence: "02:00" today and tonight, "Fri 02:00" within six days, else with its date. */
    const time = (iso: string) => timeWith(spokenDay(iso), iso)
    /** The same alone in a row. */
    const rowTime = (iso: string) => atHead(timeWith(weekday(iso), iso))
    /** "In 25 min", "In 1 h 10 min", then "Fri 02:00" in a row; "in 25 min" in a sentence (`spoken`). */
    const moment = (iso: string, spoken = false) =>
      spoken ? momentWith(spokenDay, iso) : atHead(momentWith(weekday, iso))
    const momentWith = (nameOf: (iso: string) => string, iso: string) => {
      const minutes = minutesTo(iso)
      if (minutes <= 0 && minutes > -1) return t('now')
      if (minutes > 0 && minutes < 60) return t('inMinutes', { n: minutes })
      if (minutes > 0 && minutes <= relativeMinutes)
        return t('inHours', { h: Math.floor(minutes / 60), min: minutes % 60 })
      return isWithinDays(iso, 6) ? `${nameOf(iso)} ${clock(iso)}` : timeWith(nameOf(iso), iso)
    }
    /** Opening state in the words of the specification. Corrects an answer whose opening or closing time has passed since. */
    const opening = (of: Opening): StatusText => {
      if (of.open_now === null) return { state: 'unknown', text: t('hoursUnknown') }
      const closed = of.open_until !== null && Date.parse(of.open_until) <= now
      const opened = of.opens_at !== null && Date.parse(of.opens_at) <= now
      if (of.open_now && !closed) {
        if (of.open_until === null || !isWithinDays(of.open_until, 2)) return { state: 'open', text: t('openAlways') }
        // not 'soon': that is the colour of what has not begun
        if (minutesTo(of.open_until) < 30) return { state: 'open', text: t('closesSoon') }
        return { state: 'open', text: t('openUntil', { time: time(of.open_until) }) }
      }
      if (opened && !of.open_now) return { state: 'open', text: t('openAlways') }
      if (of.opens_at === null) return { state: 'closed', text: t('closed') }
      return { state: 'closed', text: t('opens', { time: time(of.opens_at) }) }
    }
    /** The wall clock of the site's time zone. */
    const wall = () => wallIn(zone, now)
    /** "2026-11-20"; today without `iso`. */
    const isoDay = (iso?: string) => (iso ? wallIn(zone, Date.parse(iso)) : wall()).isoDay
    /** Calendar days from today to the day of `iso`. */
    const daysTo = (iso: string) => daysBetween(wall(), wallIn(zone, Date.parse(iso)))
    /** At the head of a row: "Fri" within six days, else "Fri 5 December". */
    const dayName = (iso: string) => atHead(daysTo(iso) <= 6 ? weekday(iso) : `${weekday(iso)} ${day(iso)}`)
    /** "17:00–22:00"; without an end "17:00". */
    const span = (from: string, until: string | null) => (until ? rangeText(clock(from), clock(until)) : clock(from))
    /** 1 = Monday: "Mon". */
    const weekdayName = (number: number) => nameOfWeekday(locale, number)
    return {
      now,
      clock,
      day,
      date,
      time,
      rowTime,
      moment,
      opening,
      wall,
      isoDay,
      daysTo,
      isTodayOrTonight,
      dayName,
      span,
      weekdayName,
      minutesTo,
    }
  }, [now, locale, zone, t])
}

/** "5 December", for a part that needs no clock. */
export function dayIn(locale: string, zone: string, iso: string): string {
  return dayText(locale, wallIn(zone, Date.parse(iso)))
}

/** The current half minute, ms since 1970. During hydration: the one in which the server rendered. */
function useTick(): number {
  const rendered = useNow().getTime()
  return useSyncExternalStore(
    subscribe,
    () => pageClock.tick ?? firstTick(rendered),
    () => sinceTick(rendered),
  )
}

/** The half minute of `now`, which a page shows; both ms since 1970. */
export const sinceTick = (now: number) => Math.floor(now / tickMs) * tickMs

/** Longer than a page needs to hydrate, ms. */
const settledMs = 5000

/**
 * A fresh page shows the half minute of the server's rendering until it has settled: an update would draw everything with a
 * time again while a phone is busy with hydration. A cached page shows the current one at once.
 */
function firstTick(rendered: number): number {
  const now = serverTime()
  return sinceTick(Math.abs(now - rendered) < 2 * tickMs ? rendered : now)
}

const listeners = new Set<() => void>()
/** One clock for the page; it runs while somebody listens. `tick`: the half minute; null until the page has settled. */
const pageClock = { tick: null as number | null, stop: null as (() => void) | null }

function moveOn() {
  pageClock.tick = sinceTick(serverTime())
  notifyInSteps(listeners)
}

function start() {
  const stopReturning = onReturn(moveOn)
  const settled = setTimeout(moveOn, settledMs)
  const timer = setInterval(moveOn, tickMs)
  return () => {
    stopReturning()
    clearTimeout(settled)
    clearInterval(timer)
    pageClock.tick = null
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  pageClock.stop ??= start()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    pageClock.stop?.()
    pageClock.stop = null
  }
}
