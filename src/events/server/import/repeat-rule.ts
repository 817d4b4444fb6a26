/** Days that a file may have searched for its repeating entries: a tenth of a second each million. */
export interface SearchBudget {
  days: number
}

interface Repeating {
  start: Temporal.PlainDateTime
  /** Value of RRULE. */
  rule: string
  /** False for a time after the end of the rule; it is asked in order. */
  isWithin: (wall: Temporal.PlainDateTime) => boolean
  /** Most times. */
  most: number
  /** True: of more times the last ones are given, not the first. */
  keepsLast?: boolean
  budget: SearchBudget
}

interface Repeats {
  /** In order, the start first, unless the last ones are given. */
  walls: Temporal.PlainDateTime[]
  /** True: the rule gives more times than these, or the search was given up. */
  isCut: boolean
}

/** A rule is followed for ten years. */
const longestDays = 3660

/**
 * Wall times by a rule of RFC 5545, 3.3.10. null: a rule that is not read (by seconds, by week number and their like).
 *
 * ical.js is not asked: it searches for the next time without a limit, for ever in "FREQ=DAILY;INTERVAL=7;BYDAY=MO" from a Tuesday.
 */
export function repeatsOf({ start, rule, isWithin, most, keepsLast = false, budget }: Repeating): Repeats | null {
  const parts = partsOf(rule)
  if (!parts) return null
  const walls = [start]
  const times = parts.times(start)
  const firstDay = dayNumber(start.toPlainDate())
  const count = Math.min(parts.count, most)
  let isShortened = false
  /** False: there are enough times. */
  const take = (wall: Temporal.PlainDateTime): boolean => {
    if (walls.length >= count && !keepsLast) return false
    walls.push(wall)
    if (walls.length > most) {
      walls.shift()
      isShortened = true
    }
    return true
  }
  for (const days of parts.byTime ? [] : periodsOf(parts, start.toPlainDate(), budget)) {
    for (const day of days) {
      if (day < firstDay) continue
      const date = dateOf(day)
      for (const time of times) {
        const wall = date.toPlainDateTime(time)
        if (Temporal.PlainDateTime.compare(wall, start) <= 0) continue
        if (!isWithin(wall)) return { walls, isCut: isShortened }
        if (!take(wall)) return { walls, isCut: walls.length < parts.count }
      }
    }
  }
  const step = parts.interval * parts.byTime
  for (let minutes = step; minutes > 0 && minutes <= longestDays * 1440; minutes += step) {
    const wall = start.add({ minutes })
    if (!isWithin(wall)) return { walls, isCut: isShortened }
    if (!take(wall)) return { walls, isCut: walls.length < parts.count }
  }
  return { walls, isCut: isShortened || budget.days <= 0 }
}

interface RuleParts {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  /** Minutes of a rule by hours or minutes; 0: by days. */
  byTime: number
  interval: number
  count: number
  /** 1: Monday. nth 0: each one. */
  weekdays: { nth: number; weekday: number }[]
  months: number[]
  monthDays: number[]
  yearDays: number[]
  positions: number[]
  weekStart: number
  times: (start: Temporal.PlainDateTime) => Temporal.PlainTime[]
}

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const readKeys =
  'FREQ INTERVAL COUNT UNTIL WKST BYDAY BYMONTH BYMONTHDAY BYYEARDAY BYSETPOS BYHOUR BYMINUTE BYSECOND'.split(' ')

function partsOf(rule: string): RuleParts | null {
  const given = new Map<string, string>()
  for (const part of rule.toUpperCase().split(';').slice(0, 30)) {
    const [name = '', value = ''] = part.trim().split('=')
    if (name === '' || name.startsWith('X-')) continue
    if (!readKeys.includes(name)) return null
    given.set(name, value.trim())
  }
  const numbers = (name: string, least: number, most: number): number[] | null => {
    const value = given.get(name)
    if (value === undefined) return []
    const list = value.split(',').slice(0, 400).map(Number)
    return list.every((each) => Number.isInteger(each) && each >= least && each <= most) ? list : null
  }
  const [interval, count, months, monthDays, yearDays, positions, hours, minutes, seconds] = [
    numbers('INTERVAL', 1, 1e9),
    numbers('COUNT', 1, 1e12),
    numbers('BYMONTH', 1, 12),
    numbers('BYMONTHDAY', -31, 31),
    numbers('BYYEARDAY', -366, 366),
    numbers('BYSETPOS', -366, 366),
    numbers('BYHOUR', 0, 23),
    numbers('BYMINUTE', 0, 59),
    numbers('BYSECOND', 0, 59),
  ]
  const weekdays = (given.get('BYDAY') ?? '')
    .split(',')
    .filter(Boolean)
    .slice(0, 100)
    .map((each) => {
      const [, nth = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(each.trim()) ?? []
      return { nth: Number(nth), weekday: weekdayNames.indexOf(name) + 1 }
    })
  const freq = given.get('FREQ') ?? ''
  if (!interval || !count || !months || !monthDays || !yearDays || !positions || !hours || !minutes || !seconds)
    return null
  if (weekdays.some(({ weekday }) => weekday === 0) || seconds.length > 1) return null
  if (positions.length > 0 && hours.length * minutes.length > 1) return null
  const byTime = { HOURLY: 60, MINUTELY: 1 }[freq] ?? 0
  if (byTime === 0 && !['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(freq)) return null
  if (byTime > 0 && [...given.keys()].some((name) => name.startsWith('BY'))) return null
  return {
    freq: freq as RuleParts['freq'],
    byTime,
    interval: interval[0] ?? 1,
    count: count[0] ?? Infinity,
    weekdays,
    months,
    monthDays,
    yearDays,
    positions,
    weekStart: Math.max(1, weekdayNames.indexOf(given.get('WKST') ?? 'MO') + 1),
    times: (start) => {
      const or = (list: number[], own: number) =>
        list.length === 0 ? [own] : [...new Set(list)].toSorted((a, b) => a - b)
      return or(hours, start.hour).flatMap((hour) =>
        or(minutes, start.minute).map((minute) =>
          Temporal.PlainTime.from({ hour, minute, second: seconds[0] ?? start.second }),
        ),
      )
    },
  }
}

/** The days of each period of the rule (a day, week, month or year), from the one of the start on. */
function* periodsOf(parts: RuleParts, start: Temporal.PlainDate, budget: SearchBudget): Generator<number[]> {
  const { freq, interval, positions } = parts
  const first = dayNumber(start)
  const fits = filterOf(parts, start)
  for (let n = 0; ; n += interval) {
    const [from, to] = periodOf(freq, start, n, parts.weekStart)
    // negated, because a year beyond what dates can hold is NaN
    if (!(from - first <= longestDays) || budget.days <= 0) return
    budget.days -= to - from
    const days: number[] = []
    for (let day = from; day < to; day++) if (fits(day)) days.push(day)
    yield positions.length === 0
      ? days
      : days.filter((_, at) => positions.includes(at + 1) || positions.includes(at - days.length))
  }
}

/** First day of the nth period after the start's, and the day after its last. */
function periodOf(freq: RuleParts['freq'], start: Temporal.PlainDate, n: number, weekStart: number): [number, number] {
  const first = dayNumber(start)
  if (freq === 'DAILY') return [first + n, first + n + 1]
  if (freq === 'WEEKLY') {
    const from = first - ((start.dayOfWeek - weekStart + 7) % 7) + n * 7
    return [from, from + 7]
  }
  if (freq === 'MONTHLY') {
    const month = start.year * 12 + start.month - 1 + n
    return [monthStart(month), monthStart(month + 1)]
  }
  return [monthStart((start.year + n) * 12), monthStart((start.year + n + 1) * 12)]
}

/** Which days of a period the rule takes. Without a part that says it, the day of the start. */
function filterOf(
  { freq, weekdays, months, monthDays, yearDays }: RuleParts,
  start: Temporal.PlainDate,
): (day: number) => boolean {
  const saysDay = weekdays.length > 0 || monthDays.length > 0 || yearDays.length > 0
  const ownDay = !saysDay && (freq === 'MONTHLY' || freq === 'YEARLY')
  const ownMonth = ownDay && freq === 'YEARLY' && months.length === 0
  // "2SU" counts within the month; within the year only where a yearly rule names no months
  const nthOfYear = freq === 'YEARLY' && months.length === 0
  return (day) => {
    const at = new Date(day * dayMs)
    const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
    const weekday = at.getUTCDay() || 7
    if (months.length > 0 && !months.includes(month)) return false
    if (ownMonth && month !== start.month) return false
    if (ownDay && date !== start.day) return false
    if (freq === 'WEEKLY' && weekdays.length === 0) return weekday === start.dayOfWeek
    const within = (from: number, to: number) => ({ left: day - from, right: day - to })
    const ofMonth = within(monthStart(year * 12 + month - 1), monthStart(year * 12 + month))
    if (monthDays.length > 0 && !monthDays.includes(date) && !monthDays.includes(ofMonth.right)) return false
    const ofYear = within(monthStart(year * 12), monthStart((year + 1) * 12))
    if (yearDays.length > 0 && !yearDays.includes(ofYear.left + 1) && !yearDays.includes(ofYear.right)) return false
    if (weekdays.length === 0) return true
    const { left, right } = nthOfYear ? ofYear : ofMonth
    const nths = [Math.floor(left / 7) + 1, -(Math.floor((-right - 1) / 7) + 1)]
    const counts = freq === 'MONTHLY' || freq === 'YEARLY'
    return weekdays.some((each) => each.weekday === weekday && (each.nth === 0 || !counts || nths.includes(each.nth)))
  }
}

const dayMs = 86_400_000
const dayNumber = ({ year, month, day }: Temporal.PlainDate) => Date.UTC(year, month - 1, day) / dayMs
/** @param month months since the year 0 */
const monthStart = (month: number) => Date.UTC(Math.floor(month / 12), month % 12, 1) / dayMs
function dateOf(day: number): Temporal.PlainDate {
  const at = new Date(day * dayMs)
  return Temporal.PlainDate.from({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() })
}
