import {
  dayOfMonth,
  monthName,
  nightEndsMinute,
  rangeText,
  wallIn,
  weekdayName,
  type Wall,
} from '../kit/shared/calendar.ts'

/** First and last day of the festival, ISO dates in its zone. */
export interface FestivalDays {
  start: string
  end: string
}

const dayMs = 24 * 60 * 60_000

/** "Fri 20 – Sun 22 November"; a festival of one day "Fri 20 November". */
export function daysText(locale: string, { start, end }: FestivalDays): string {
  const [first, last] = [start, end].map((day) => wallIn('UTC', Date.parse(day))) as [Wall, Wall]
  const [firstYear, lastYear] = [start, end].map((day) => day.slice(0, 4))
  const year = firstYear === lastYear ? '' : ` ${lastYear}`
  const until = `${dayNamed(locale, last)} ${monthName(locale, last.month)}${year}`
  if (start === end) return until
  if (year) return rangeText(`${dayNamed(locale, first)} ${monthName(locale, first.month)} ${firstYear}`, until)
  if (first.month === last.month) return rangeText(dayNamed(locale, first), until)
  return rangeText(`${dayNamed(locale, first)} ${monthName(locale, first.month)}`, until)
}

/** "Fri 20" */
const dayNamed = (locale: string, { weekday, day }: Wall) =>
  `${weekdayName(locale, weekday)} ${dayOfMonth(locale, day)}`

/** Days until the festival; 0 on its days, the last night included; -1 when it is over. */
export function daysTo({ start, end }: FestivalDays, { isoDay: today, minute }: Wall): number {
  const lastDay = minute < nightEndsMinute ? Date.parse(end) + dayMs : Date.parse(end)
  if (Date.parse(today) > lastDay) return -1
  return today >= start ? 0 : Math.round((Date.parse(start) - Date.parse(today)) / dayMs)
}
