import type { OpeningWeek, DaySpan, weekDays } from '../contract.ts'

type Day = (typeof weekDays)[number]
type Week = Record<Day, DaySpan[]>
/** One rule of an opening_hours text: it sets or adds hours on some days of the year and of the week. */
interface Rule {
  /** Days of a leap year, 0 = 1 January; null: every day. */
  dates: Set<number> | null
  days: Set<Day>
  spans: DaySpan[]
  /** true: adds hours to earlier rules; false: replaces them. */
  adds: boolean
}

const week: Day[] = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const all: Day[] = [...week, 'PH']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** A leap year, so that there is a 29 February. */
const firstDay = Date.UTC(2024, 0, 1)
const daysOfYear = 366
const dayMs = 24 * 60 * 60_000
/** Minimum days of a season. Fewer days are exceptions. */
const shortestSeason = 10

/**
 * An OSM opening_hours text as tables: a week for each season, and days of the year that differ. null: a table cannot hold it
 * (sunset, comments, the first Monday of a month, school holidays). Only for texts that `parseOpeningHours` understands.
 */
export function weekOf(text: string): OpeningWeek | null {
  const rules = rulesOf(text)
  if (!rules || rules.every(({ spans }) => spans.length === 0)) return null
  // holidays get a row only if a rule names them apart from other days
  const shown = rules.some(({ days }) => days.has('PH') && days.size < all.length) ? all : week
  const runs = runsOf(rules)
  const seasons: OpeningWeek['seasons'] = []
  for (const { from, until, length, hours } of runs.toSorted((a, b) => b.length - a.length)) {
    const alike = seasons.find(({ days }) => days.every(({ day, spans }) => same(spans, hours[day])))
    const dates = { from: monthDay(from), until: monthDay(until) }
    if (alike) alike.dates.push(dates)
    else if (length >= shortestSeason)
      seasons.push({ dates: [dates], days: shown.map((day) => ({ day, spans: hours[day] })) })
  }
  const others = runs.filter(
    ({ hours }) => !seasons.some(({ days }) => days.every((each) => same(each.spans, hours[each.day]))),
  )
  // an exception is shown with one set of hours for all weekdays
  if (seasons.length === 0 || seasons.length > 6 || others.length > 8) return null
  if (others.some(({ hours }) => week.some((day) => !same(hours[day], hours.Mo)))) return null
  for (const { dates } of seasons) dates.sort((a, b) => (a.from < b.from ? -1 : 1))
  // a single season is shown without dates, as the whole year
  if (seasons.length === 1) seasons[0]!.dates = []
  return {
    seasons,
    exceptions: others.map(({ from, until, hours }) => ({
      from: monthDay(from),
      until: monthDay(until),
      spans: hours.Mo,
    })),
  }
}

/** Splits the year into runs of dates with the same week. A run may go past New Year. */
function runsOf(rules: Rule[]): { from: number; until: number; length: number; hours: Week }[] {
  const runs: { from: number; until: number; length: number; hours: Week }[] = []
  for (let date = 0; date < daysOfYear; date++) {
    const hours = weekOn(date, rules)
    const last = runs.at(-1)
    if (last && all.every((day) => same(last.hours[day], hours[day]))) {
      last.until = date
      last.length++
    } else runs.push({ from: date, until: date, length: 1, hours })
  }
  const [first, last] = [runs[0]!, runs.at(-1)!]
  if (runs.length > 1 && all.every((day) => same(first.hours[day], last.hours[day]))) {
    runs.shift()
    last.until = first.until
    last.length += first.length
  }
  return runs
}

function weekOn(date: number, rules: Rule[]): Week {
  const hours = Object.fromEntries(all.map((day) => [day, [] as DaySpan[]])) as Week
  for (const { dates, days, spans, adds } of rules) {
    if (dates && !dates.has(date)) continue
    for (const day of days) hours[day] = adds && spans.length > 0 ? joined([...hours[day], ...spans]) : spans
  }
  return hours
}

function rulesOf(text: string): Rule[] | null {
  const rules: Rule[] = []
  let holidays: 'no' | 'open' | 'off' = 'no'
  for (const chain of text.split(';')) {
    const parts = chain.split(/(?<=\d{2}\+?|off|closed|24\/7)\s*,\s*(?=[A-Z])/i)
    for (const [place, part] of parts.entries()) {
      if (part.trim() === '') continue
      const rule = ruleOf(part.trim(), place > 0)
      if (!rule) return null
      const { days, spans, dates, adds } = rule
      // "PH off; Mo-Fr …": a holiday on a Monday has the hours of the later rule, which a table cannot show
      if (holidays !== 'no' && !days.has('PH') && (!adds || holidays === 'off') && !dates) return null
      if (days.has('PH') && days.size < all.length) holidays = spans.length > 0 ? 'open' : 'off'
      rules.push(rule)
    }
  }
  return rules
}

const weekday = '(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)'
const date = `(?:${months.join('|')})(?: ?\\d{1,2}(?!\\d|:\\d))?`
const time = '\\d{2}:\\d{2}-\\d{2}:\\d{2}\\+?'
const wholeRule = new RegExp(
  `^((?:${date})(?: ?- ?(?:${date}|\\d{1,2}(?!\\d|:\\d)))?(?:, ?(?:${date})(?: ?- ?(?:${date}|\\d{1,2}(?!\\d|:\\d)))?)*:?)? ?` +
    `(${weekday}(?: ?- ?${weekday})?(?:, ?${weekday}(?: ?- ?${weekday})?)*)? ?` +
    `(24/7|off|closed|${time}(?: ?, ?${time})*)$`,
  'i',
)

function ruleOf(text: string, adds: boolean): Rule | null {
  const [, dates, days, times] = wholeRule.exec(text.replace(/\s+/g, ' ')) ?? []
  if (!times) return null
  const spans = spansOf(times)
  const on = datesOf(dates)
  return spans && on !== 'unreadable' ? { dates: on, days: daysOf(days), spans, adds } : null
}

/** Days of `Mo-Fr,Su,PH`; undefined: every day and holidays. */
function daysOf(text: string | undefined): Set<Day> {
  const days = new Set<Day>()
  if (text === undefined) return new Set(all)
  for (const part of text.replaceAll(' ', '').split(',')) {
    const [first, last = first] = part
      .split('-')
      .map((name) => all.find((day) => day.toLowerCase() === name.toLowerCase())!)
    if (first === 'PH') days.add('PH')
    else
      for (let at = week.indexOf(first!); ; at = (at + 1) % 7) {
        days.add(week[at]!)
        if (week[at] === last || last === 'PH') break
      }
  }
  return days
}

/** Dates of `Apr-Sep`, `Dec 24-26` or `Dec 24-Jan 2`, several with commas. */
function datesOf(text: string | undefined): Set<number> | null | 'unreadable' {
  if (text === undefined) return null
  const dates = new Set<number>()
  for (const part of text.replace(/:$/, '').split(',')) {
    const [, month, day, untilMonth, untilDay] =
      /^\s*([a-z]{3}) ?(\d+)?(?: ?- ?([a-z]{3})? ?(\d+)?)?\s*$/i.exec(part) ?? []
    if (!month) return 'unreadable'
    const lastMonth = untilMonth ?? month
    // "Apr 15-Oct" is not valid: a range that begins with a day ends with one
    if (day && part.includes('-') && !untilDay) return 'unreadable'
    const from = dayOfYear(month, Number(day ?? 1))
    const until = untilDay
      ? dayOfYear(lastMonth, Number(untilDay))
      : day
        ? from
        : (dayOfYear(nextMonth(lastMonth), 1) + daysOfYear - 1) % daysOfYear
    if (!Number.isInteger(from) || !Number.isInteger(until)) return 'unreadable'
    for (let at = from; ; at = (at + 1) % daysOfYear) {
      dates.add(at)
      if (at === until) break
    }
  }
  return dates
}

const monthIndex = (name: string) => months.findIndex((month) => month.toLowerCase() === name.toLowerCase())
const nextMonth = (name: string) => months[(monthIndex(name) + 1) % 12]!

/** NaN: there is no such day. */
function dayOfYear(month: string, day: number): number {
  const at = Date.UTC(2024, monthIndex(month), day)
  return day >= 1 && new Date(at).getUTCMonth() === monthIndex(month) ? (at - firstDay) / dayMs : NaN
}

/** As MM-DD. */
const monthDay = (date: number) => new Date(firstDay + date * dayMs).toISOString().slice(5, 10)

/** Spans of `11:30-14:00,17:30-22:30`; [] when closed; null: invalid times. */
function spansOf(text: string): DaySpan[] | null {
  if (/^(off|closed)$/i.test(text)) return []
  if (text === '24/7') return [{ opens: '00:00', closes: '24:00', open_end: false }]
  const spans: DaySpan[] = []
  for (const part of text.replaceAll(' ', '').split(',')) {
    const [, opens = '', closes = '', plus] = /^(\d\d:[0-5]\d)-(\d\d:[0-5]\d)(\+?)$/.exec(part) ?? []
    const length = minutes(closes) - minutes(opens)
    // a span of 24 hours or more cannot be shown, except 00:00-24:00
    if (opens === '' || opens >= '24:00' || length === 0 || length >= (opens === '00:00' ? 1441 : 1440)) return null
    spans.push({ opens, closes: closes > '24:00' ? clock(minutes(closes) - 1440) : closes, open_end: plus === '+' })
  }
  return joined(spans)
}

/** Spans in order, merged where they touch or overlap. A span past midnight stays with its day. */
function joined(spans: DaySpan[]): DaySpan[] {
  const result: DaySpan[] = []
  for (const span of spans.toSorted((a, b) => minutes(a.opens) - minutes(b.opens))) {
    const last = result.at(-1)
    if (!last || minutes(span.opens) > end(last)) result.push({ ...span })
    else if (end(span) > end(last)) Object.assign(last, { closes: span.closes, open_end: span.open_end })
  }
  return result
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const end = ({ opens, closes }: DaySpan) => minutes(closes) + (minutes(closes) <= minutes(opens) ? 1440 : 0)
const clock = (of: number) => `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
const same = (a: DaySpan[], b: DaySpan[]) => JSON.stringify(a) === JSON.stringify(b)
