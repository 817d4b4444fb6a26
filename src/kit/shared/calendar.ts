/** As dates are written in Switzerland; English as in Britain. */
const regional: Record<string, string> = { en: 'en-GB', de: 'de-CH', fr: 'fr-CH' }
const formats = new Map<string, Intl.DateTimeFormat>()

/** Cached, as a formatter is slow to make and quick to use: a phone needs a tenth of a second for its first one. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(regional[locale] ?? locale, options)))
  return format
}

/** What clock and calendar on a wall show. */
export interface Wall {
  /** "2026-11-20" */
  isoDay: string
  day: number
  /** 1 = January */
  month: number
  /** 1 = Monday */
  weekday: number
  /** Of the day, from 0. */
  minute: number
}

/** What they show in a zone, by its IANA name, at a moment in ms since 1970. A RangeError where there is no such moment or zone. */
export function wallIn(zone: string, ms: number): Wall {
  const time = wallTime(zone, ms)
  const [year, month, day, hour, minute] = time.split(/\D/).map(Number) as [number, number, number, number, number]
  const weekday = ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1
  return { isoDay: time.slice(0, 10), day, month, weekday, minute: hour * 60 + minute }
}

/** The same as a field for date and time takes it: "2026-06-20T18:00". */
export function wallTime(zone: string, ms: number): string {
  // Swedish is written in the order of ISO 8601; only a year that is still being typed has less than four digits
  const written = dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(ms)
  return written.replace(' ', 'T').padStart(16, '0')
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A night ends then; before, people still call it the night of the day before. */
export const nightEndsMinute = 6 * 60

/** Days from one to the other by the calendar. */
export const daysBetween = (from: Wall, to: Wall) =>
  Math.round((Date.parse(to.isoDay) - Date.parse(from.isoDay)) / dayMs)

/** Whether "23:52" alone says which day is meant: today, or the small hours of the night that follows. */
export function isClockEnough(now: Wall, then: Wall): boolean {
  const days = daysBetween(now, then)
  return days === 0 || (days === 1 && then.minute < nightEndsMinute && now.minute >= nightEndsMinute)
}

/**
 * Until when a beginning is "today" or "tonight", ms since 1970: to the end of the night that follows; in the small hours of a night to
 * midnight, as those of the next one are "tomorrow".
 */
export function todayEnd(zone: string, ms: number): number {
  const { minute } = wallIn(zone, ms)
  const left = dayMs / minuteMs - minute + (minute < nightEndsMinute ? 0 : nightEndsMinute)
  return Math.floor(ms / minuteMs) * minuteMs + left * minuteMs
}

/** "21:05" */
export function clockText({ minute }: Pick<Wall, 'minute'>): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/** "5 December", "5. Dezember" */
export function dayText(locale: string, { day, month }: Pick<Wall, 'day' | 'month'>): string {
  return dateFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, day))
}

/** "5", "5." before the name of a month. */
export const dayOfMonth = (locale: string, day: number) => dayText(locale, { day, month: 1 }).split(' ')[0]!

/** 1 = January */
export const monthName = (locale: string, month: number) =>
  dateFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1))

/** 1 = Monday: "Mon" (without the full stop of German and French), "Monday" */
export function weekdayName(locale: string, weekday: number, length: 'short' | 'long' = 'short'): string {
  const name = dateFormat(locale, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday))
  return name.replace(/\.$/, '')
}
