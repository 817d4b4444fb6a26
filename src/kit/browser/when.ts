import { useMemo, useSyncExternalStore } from 'react'
import { useLocale, useNow, useTimeZone, useTranslations } from 'use-intl'
import {
  clockText,
  daysBetween,
  dayText,
  isClockEnough,
  wallIn,
  weekdayName as nameOfWeekday,
} from '../shared/calendar.ts'
import { onReturn } from './on-return.ts'
import { notifyInSteps } from './notify-in-steps.ts'

const tickMs = 30_000
const relativeMinutes = 120
const dayMs = 24 * 60 * 60_000

export interface Opening {
  open_now: boolean | null
  open_until: string | null
  opens_at: string | null
}

/** How `OpenState` shows it, and the words. */
export interface StatusText {
  state: 'open' | 'soon' | 'closed' | 'unknown' | 'live'
  text: string
}

/**
 * Times as people say them, in the zone of the site: "in 25 min" for the next two hours, then weekday and 24-hour clock.
 * What it tells moves with the clock, without a timer for each card. Texts stand under `time` in the catalogue.
 */
export function useWhen() {
  const now = useTick()
  const locale = useLocale()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const t = useTranslations('time')
  return useMemo(() => {
    const clock = (iso: string) => clockText(wallIn(zone, Date.parse(iso)))
    const weekday = (iso: string) => weekdayName(wallIn(zone, Date.parse(iso)).weekday)
    const day = (iso: string) => dayIn(locale, zone, iso)
    const minutesTo = (iso: string) => Math.ceil((Date.parse(iso) - now) / 60_000)
    const isWithinDays = (iso: string, days: number) => Math.abs(Date.parse(iso) - now) < days * dayMs

    /** "Fri 5 December, 02:00" */
    const date = (iso: string) => `${weekday(iso)} ${day(iso)}, ${clock(iso)}`
    /** Today, or in the small hours of the night that follows. */
    const isTodayOrTonight = (iso: string) => isClockEnough(wall(), wallIn(zone, Date.parse(iso)))
    /** "02:00" today and tonight; on another day "Fri 02:00", further than six days away with its date. */
    const time = (iso: string) => {
      if (isTodayOrTonight(iso)) return clock(iso)
      return isWithinDays(iso, 6) ? `${weekday(iso)} ${clock(iso)}` : date(iso)
    }
    /** "now", "in 25 min", "in 1 h 10 min", then weekday and clock. */
    const moment = (iso: string) => {
      const minutes = minutesTo(iso)
      if (minutes <= 0 && minutes > -1) return t('now')
      if (minutes > 0 && minutes < 60) return t('inMinutes', { n: minutes })
      if (minutes > 0 && minutes <= relativeMinutes)
        return t('inHours', { h: Math.floor(minutes / 60), min: minutes % 60 })
      return isWithinDays(iso, 6) ? `${weekday(iso)} ${clock(iso)}` : time(iso)
    }
    /** Opening state as the specification words it; recomputed when the end of the opening has passed. */
    const opening = (of: Opening): StatusText => {
      if (of.open_now === null) return { state: 'unknown', text: t('hoursUnknown') }
      const closed = of.open_until !== null && Date.parse(of.open_until) <= now
      const opened = of.opens_at !== null && Date.parse(of.opens_at) <= now
      if (of.open_now && !closed) {
        if (of.open_until === null || !isWithinDays(of.open_until, 2)) return { state: 'open', text: t('openAlways') }
        // open to the last minute: the other colour is of what has not begun
        if (minutesTo(of.open_until) < 30) return { state: 'open', text: t('closesSoon') }
        return { state: 'open', text: t('openUntil', { time: time(of.open_until) }) }
      }
      if (opened && !of.open_now) return { state: 'open', text: t('openAlways') }
      if (of.opens_at === null) return { state: 'closed', text: t('closed') }
      return { state: 'closed', text: t('opens', { time: time(of.opens_at) }) }
    }
    /** What the clocks of that zone show now. */
    const wall = () => wallIn(zone, now)
    /** The day on those clocks, today if no moment is given: "2026-11-20". */
    const isoDay = (iso?: string) => (iso ? wallIn(zone, Date.parse(iso)) : wall()).isoDay
    /** Days from today to that of `iso`, by the calendar. */
    const daysTo = (iso: string) => daysBetween(wall(), wallIn(zone, Date.parse(iso)))
    /** "Fri", further than six days away "Fri 5 December". */
    const dayName = (iso: string) => (daysTo(iso) <= 6 ? weekday(iso) : `${weekday(iso)} ${day(iso)}`)
    /** "17:00–22:00"; without an end "17:00". */
    const span = (from: string, until: string | null) => (until ? `${clock(from)}–${clock(until)}` : clock(from))
    /** 1 = Monday: "Mon". */
    const weekdayName = (number: number) => nameOfWeekday(locale, number)
    return {
      now,
      clock,
      day,
      date,
      time,
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

/** "5 December", for whom no other time is told and no clock needs to move. */
export function dayIn(locale: string, zone: string, iso: string): string {
  return dayText(locale, wallIn(zone, Date.parse(iso)))
}

/** A moment that moves on every half minute; while hydrating it is the moment the server rendered. */
function useTick(): number {
  const rendered = useNow().getTime()
  return useSyncExternalStore(
    subscribe,
    () => tick ?? firstTick(rendered),
    () => sinceTick(rendered),
  )
}

/** The moment by which a page speaks at `now`, both ms since 1970. */
export const sinceTick = (now: number) => Math.floor(now / tickMs) * tickMs

/** Null until the page has been alive for a while. */
let tick: number | null = null
/** Later than anything that a page does to come alive, ms. */
const settledMs = 5000

/**
 * Of a page that has just been rendered the moment stays for its first seconds: a half minute that ended on its way would have
 * everything that tells a time drawn again while a phone brings the page alive. One that was kept tells today's at once.
 */
function firstTick(rendered: number): number {
  const now = Date.now()
  return sinceTick(Math.abs(now - rendered) < 2 * tickMs ? rendered : now)
}

const listeners = new Set<() => void>()
let end: (() => void) | null = null

function move() {
  tick = sinceTick(Date.now())
  notifyInSteps(listeners)
}

function begin() {
  const rest = onReturn(move)
  const settled = setTimeout(move, settledMs)
  const timer = setInterval(move, tickMs)
  return () => {
    rest()
    clearTimeout(settled)
    clearInterval(timer)
    tick = null
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  end ??= begin()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    end?.()
    end = null
  }
}
