/*
 * Clocks and names of days without `Intl`: a browser's first formatter of dates looks through all languages it knows, a
 * tenth of a second on a phone, while the page is brought alive. Names are those of CLDR for Switzerland; a test compares.
 */

interface Names {
  weekdays: readonly string[]
  months: readonly string[]
  /** Behind the number of a day. */
  ordinal: string
}

const words = (text: string) => text.split(' ')
const names: Record<string, Names> = {
  en: {
    weekdays: words('Mon Tue Wed Thu Fri Sat Sun'),
    months: words('January February March April May June July August September October November December'),
    ordinal: '',
  },
  de: {
    weekdays: words('Mo Di Mi Do Fr Sa So'),
    months: words('Januar Februar März April Mai Juni Juli August September Oktober November Dezember'),
    ordinal: '.',
  },
  fr: {
    weekdays: words('lun mar mer jeu ven sam dim'),
    months: words('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    ordinal: '',
  },
}
const namesIn = (locale: string): Names => names[locale] ?? names['en']!

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
  const shifted = ms + minutesAhead(zone, ms) * minuteMs
  const date = new Date(shifted)
  return {
    isoDay: date.toISOString().slice(0, 10),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: ((date.getUTCDay() + 6) % 7) + 1,
    minute: date.getUTCHours() * 60 + date.getUTCMinutes(),
  }
}

const minuteMs = 60_000

/** By how many minutes the clocks of a zone are ahead of UTC. */
function minutesAhead(zone: string, ms: number): number {
  return typeof Temporal === 'undefined'
    ? minutesAheadByParts(zone, ms)
    : Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / (minuteMs * 1e6)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** For browsers without `Temporal`. */
export function minutesAheadByParts(zone: string, ms: number): number {
  let format = formats.get(zone)
  if (!format) {
    const two = '2-digit'
    const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const
    formats.set(zone, (format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })))
  }
  const parts = format.formatToParts(ms)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return Math.round((shown - Math.floor(ms / minuteMs) * minuteMs) / minuteMs)
}

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
  return `${dayOfMonth(locale, day)} ${monthName(locale, month)}`
}

/** "5", "5." before the name of a month. */
export const dayOfMonth = (locale: string, day: number) => `${day}${namesIn(locale).ordinal}`

/** 1 = January */
export const monthName = (locale: string, month: number) => namesIn(locale).months[month - 1] ?? ''

/** 1 = Monday: "Mon" */
export const weekdayName = (locale: string, weekday: number) => namesIn(locale).weekdays[weekday - 1] ?? ''
