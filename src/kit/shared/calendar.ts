/** Dates are written as in Switzerland, in English as in Britain. */
const regional: Record<string, string> = { en: 'en-GB', de: 'de-CH', fr: 'fr-CH' }
const formats = new Map<string, Intl.DateTimeFormat>()

/** A cached formatter: a phone needs a tenth of a second to make its first one. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(regional[locale] ?? locale, options)))
  return format
}

/** Local date and time in a zone. */
export interface Wall {
  /** "2026-11-20" */
  isoDay: string
  day: number
  /** 1 = January */
  month: number
  /** 1 = Monday */
  weekday: number
  /** Minute of the day, from 0. */
  minute: number
}

/** @param zone IANA name @param ms since 1970 @throws RangeError for an invalid moment or an unknown zone */
export function wallIn(zone: string, ms: number): Wall {
  const time = wallTime(zone, ms)
  const [year, month, day, hour, minute] = time.split(/\D/).map(Number) as [number, number, number, number, number]
  const weekday = ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1
  return { isoDay: time.slice(0, 10), day, month, weekday, minute: hour * 60 + minute }
}

/** The same in the form of `<input type="datetime-local">`: "2026-06-20T18:00". */
export function wallTime(zone: string, ms: number): string {
  // Swedish uses the order of ISO 8601; a half-typed year may have less than four digits
  const written = dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(ms)
  return written.replace(' ', 'T').padStart(16, '0')
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** End of a night: until 06:00 people still count it to the day before. */
export const nightEndsMinute = 6 * 60

/** Calendar days from `from` to `to`. */
export const daysBetween = (from: Wall, to: Wall) =>
  Math.round((Date.parse(to.isoDay) - Date.parse(from.isoDay)) / dayMs)

/** True when a time such as "23:52" needs no day beside it: it is today, or in the small hours of the coming night. */
export function isClockEnough(now: Wall, then: Wall): boolean {
  const days = daysBetween(now, then)
  return days === 0 || (days === 1 && then.minute < nightEndsMinute && now.minute >= nightEndsMinute)
}

/**
 * End of "today" and "tonight", ms since 1970: 06:00 of the coming night. Before 06:00 it is the coming midnight, as the next night
 * is "tomorrow".
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

/** "21:05"; "21.06., 21:05" if `at` is on another day than `known`. Both in ms since 1970. */
export function clockWithDay(zone: string, at: number, known: number): string {
  const wall = wallIn(zone, at)
  if (wall.isoDay === wallIn(zone, known).isoDay) return clockText(wall)
  const [, month, day] = wall.isoDay.split('-')
  return `${day}.${month}., ${clockText(wall)}`
}

/** "5 December", "5. Dezember", "1er décembre" */
export function dayText(locale: string, { day, month }: Pick<Wall, 'day' | 'month'>): string {
  const text = dateFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, month - 1, day),
  )
  return locale === 'fr' ? text.replace(/^1 /, '1er ') : text
}

/** "5 December 2026" */
export const dateText = (locale: string, wall: Wall) => `${dayText(locale, wall)} ${wall.isoDay.slice(0, 4)}`

/** The day as it stands before the name of a month: "5", "5." */
export const dayOfMonth = (locale: string, day: number) => dayText(locale, { day, month: 1 }).split(' ')[0]!

/** 1 = January */
export const monthName = (locale: string, month: number) =>
  dateFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1))

/** 1 = Monday: "Mon", "Mo", "lun." (French keeps its full stop), "Monday" */
export function weekdayName(locale: string, weekday: number, length: 'short' | 'long' = 'short'): string {
  const name = dateFormat(locale, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday))
  return locale === 'fr' ? name : name.replace(/\.$/, '')
}

/** A date or time at the head of a line: French names of days and months begin in lower case. */
export const atHead = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "19:30–21:00", "Mon–Wed"; spaced where a part has a space: "Fri 20 – Sun 22 November". */
export const rangeText = (from: string, to: string) => (/ /.test(from + to) ? `${from} – ${to}` : `${from}–${to}`)
