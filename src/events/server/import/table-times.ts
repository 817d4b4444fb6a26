import type { DayOrder } from '../../limits.ts'
import { momentOf } from './read-times.ts'
import type { ReadingOptions } from './schedule-item.ts'

/** A time as a table gives it: a day, a time of day, both, or an instant; a range also has its end. */
export interface CellTime {
  day?: Temporal.PlainDate
  /** Minutes from the start of the day; from 1440 on they belong to the day after. */
  minutes?: number
  /** Of a range such as "20:00 – 21:30". */
  endMinutes?: number
  /** Of a range over several days. */
  endDay?: Temporal.PlainDate
  /** Of a time with its offset. */
  instant?: Temporal.Instant
  /** Of a range whose start has an offset. */
  endInstant?: Temporal.Instant
  /** True: the day is a weekday of the festival; a date beside it counts before. */
  isWeekday?: true
}

/** Letters of a time; longer texts are none. */
const longest = 80

const weekdays: Record<string, number> = Object.fromEntries(
  [
    'mo montag mon monday lun lundi',
    'di dienstag tue tues tuesday mar mardi',
    'mi mittwoch wed wednesday mer mercredi',
    'do donnerstag thu thur thurs thursday jeu jeudi',
    'fr freitag fri friday ven vendredi',
    'sa samstag sonnabend sat saturday sam samedi',
    'so sonntag sun sunday dim dimanche',
  ].flatMap((list, at) => list.split(' ').map((word) => [word, at + 1])),
)
const weekdayOf = (plainText: string) => weekdays[/^([a-z]{2,10})[.,:]*(?:\s|$)/.exec(plainText)?.[1] ?? '']

/** True: a weekday alone or with a time of day, but no date. */
export const isWeekdayAlone = (text: string) => weekdayOf(plainOf(text.slice(0, longest))) !== undefined

const months: Record<string, number> = {
  jan: 1,
  feb: 2,
  fev: 2,
  mar: 3,
  mrz: 3,
  maerz: 3,
  apr: 4,
  avr: 4,
  mai: 5,
  may: 5,
  jun: 6,
  juin: 6,
  jul: 7,
  juil: 7,
  aug: 8,
  aou: 8,
  sep: 9,
  okt: 10,
  oct: 10,
  nov: 11,
  dez: 12,
  dec: 12,
}
/** Longest beginnings first: "juil" is July, "juin" June. */
const monthOf = (word: string): number | undefined =>
  [5, 4, 3].map((length) => months[word.slice(0, length)]).find((month) => month !== undefined)

/** A day with slashes whose order its numbers do not tell: both are at most 12 and differ. */
export const slashParts = (text: string): [number, number] | null => {
  const [, a, b] = /^\D*(\d{1,2})\/(\d{1,2})\/\d{2,4}/.exec(text.slice(0, longest)) ?? []
  return a === undefined || b === undefined ? null : [Number(a), Number(b)]
}

export interface CellTimeOptions {
  order: DayOrder
  /** Of dates without one. */
  year: number | null
  /** Days of the festival, for weekdays without a date. null: not known. */
  festival?: ReadingOptions['festival']
}

/** Between the start and the end of a range of dates. */
const betweenDates = /\s+(?:→|[–—-]|bis|to|until|au)\s+/

/** Reads a time of a table as people write it. null: no time. */
export function cellTimeOf(written: string, options: CellTimeOptions): CellTime | null {
  if (written.length > longest) return null
  const zoned = /^(.*?)\s*\((?:GMT|UTC)(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)(.*)$/i.exec(written)
  if (zoned) {
    const [, before, sign = '+', hours = '00', minutes = '00', after] = zoned
    return atOffset(cellTimeOf(`${before}${after}`, options), `${sign}${hours.padStart(2, '0')}:${minutes}`)
  }
  const [first, second, ...more] = written.trim().split(betweenDates)
  const last = second !== undefined && more.length === 0 ? singleTimeOf(second, options) : null
  if (!last?.day) return singleTimeOf(written, options)
  // "28.11. – 30.11.2026"
  const start = singleTimeOf(first!, last.isWeekday ? options : { ...options, year: last.day.year })
  if (!start?.day || start.endMinutes !== undefined || last.endMinutes !== undefined) return null
  return { ...start, endDay: last.day, ...(last.minutes === undefined ? {} : { endMinutes: last.minutes }) }
}

/** A time of day in a zone of its own. */
function atOffset(time: CellTime | null, offset: string): CellTime | null {
  const { day, minutes, endDay = day, endMinutes } = time ?? {}
  if (!day || minutes === undefined) return time
  const at = (on: Temporal.PlainDate, minute: number) =>
    on.toZonedDateTime({ timeZone: offset }).add({ minutes: minute }).toInstant()
  return { instant: at(day, minutes), ...(endMinutes === undefined ? {} : { endInstant: at(endDay!, endMinutes) }) }
}

function singleTimeOf(written: string, { order, year, festival }: CellTimeOptions): CellTime | null {
  const text = written.trim()
  const instant = /\d[T ]\d.*(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?$/i.test(text) ? momentOf(text, 'UTC') : null
  if (instant) return { instant }
  const serial = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0
  if (serial >= 20_000 && serial < 80_000) return ofSerial(serial)
  if (/^0(?:[.,]\d+)?$/.test(text)) return { minutes: Math.round(Number(text.replace(',', '.')) * 1440) }
  const whole = plainOf(text)
  const plainText = whole
    // the weekday adds nothing: "Sa, 28.11.2026"; "mar" is Tuesday before a day and its month, else March
    .replace(
      /^(?:mar(?:di)?(?=[.,]*\s+\d{1,2}(?:er)?(?:[./]|\s+[a-z]))|(?:mo|di|mi|do|fr|sa|so|lun|mer|jeu|ven|sam|dim|tu|we|th|su|mon|tue|wed|thu|fri|sat|sun)[a-z]*)[.,]*\s+(?=\S)/,
      '',
    )
  const dated = dayAtStart(plainText, order, year)
  if (!dated) {
    const day = dayOfWeekday(weekdayOf(whole), festival)
    if (day && whole in weekdays) return { day, isWeekday: true }
    const clock = clockOf(plainText)
    return clock && day ? { day, isWeekday: true, ...clock } : clock
  }
  if ('fault' in dated) return null
  const rest = dated.rest.replace(/^(?:[\s,;T|–-]|um|at|a\b|ab|des\b)+/i, '').trim()
  if (rest === '') return { day: dated.day }
  const clock = clockOf(rest)
  return clock && { day: dated.day, ...clock }
}

const plainOf = (text: string) =>
  text
    .trim()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The day of the festival with that weekday, or the one after its end, for the last night. null: there is none, or several. */
function dayOfWeekday(weekday: number | undefined, festival: CellTimeOptions['festival']): Temporal.PlainDate | null {
  if (!festival || weekday === undefined) return null
  const start = Temporal.PlainDate.from(festival.start)
  const days = start.until(festival.end).days + 1
  const after = (weekday - start.dayOfWeek + 7) % 7
  return after <= days && after + 7 >= days ? start.add({ days: after }) : null
}

function ofSerial(serial: number): CellTime {
  const whole = Math.floor(serial)
  const day = Temporal.PlainDate.from('1899-12-30').add({ days: whole })
  const minutes = Math.round((serial - whole) * 1440)
  return minutes === 0 ? { day } : { day, minutes }
}

/** The day at the start of a text. null: it begins with none; `fault`: with one that does not exist. */
function dayAtStart(
  text: string,
  order: DayOrder,
  year: number | null,
): { day: Temporal.PlainDate; rest: string } | { fault: true } | null {
  const forms: [RegExp, (parts: string[]) => [year: string | undefined, month: number | undefined, day: string]][] = [
    [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ([y, m, d]) => [y, Number(m), d!]],
    [/^(\d{4})(\d\d)(\d\d)(?!\d)/, ([y, m, d]) => [y, Number(m), d!]],
    [
      /^(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4})(?!\d)|(\d\d)(?![\d:.h]))?/,
      ([d, m, long, short]) => [long ?? short, Number(m), d!],
    ],
    [/^(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)/, ([d, m, y]) => [y, Number(m), d!]],
    [
      /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d)(?!\d))?/,
      ([a, b, y]) => {
        const isDayFirst = Number(a) > 12 || (Number(b) <= 12 && order === 'day-first')
        return isDayFirst ? [y, Number(b), a!] : [y, Number(a), b!]
      },
    ],
    [
      /^(\d{1,2})(?:\.|er|st|nd|rd|th)? ?(?:of )?([a-z]{3,10})\.?,?(?: ?(\d{4})(?!\d|:))?/,
      ([d, m, y]) => [y, monthOf(m!), d!],
    ],
    [
      /^([a-z]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:,? ?(\d{4})(?!\d|:))?/,
      ([m, d, y]) => [y, monthOf(m!), d!],
    ],
  ]
  for (const [form, read] of forms) {
    const found = form.exec(text)
    if (!found) continue
    const [inText, month, day] = read(found.slice(1))
    if (month === undefined) continue
    const ofYear = inText === undefined ? year : Number(inText) + (inText.length === 2 ? 2000 : 0)
    if (ofYear === null) return { fault: true }
    try {
      const read = Temporal.PlainDate.from({ year: ofYear, month, day: Number(day) }, { overflow: 'reject' })
      return { day: read, rest: text.slice(found[0].length) }
    } catch {
      return { fault: true }
    }
  }
  return null
}

/** "20:00", "20.00 Uhr", "20h30", "8 pm", "25:30", "20:00 – 21:30". */
function clockOf(written: string): CellTime | null {
  const text = written.replace(
    /^(?:(?:ab|ca|circa|gegen|um|von|des|vers|env|environ|a partir de|from|at|around|about)\b\.?\s*)+/,
    '',
  )
  const [first, second, ...more] = text.split(/\s*(?:[→–—-]|\bbis\b|\bto\b|\ba\b(?!\.?m))\s*/).filter(Boolean)
  if (first === undefined || more.length > 0) return null
  const ends = second === undefined ? undefined : minutesIn(second)
  // "8 – 10 pm"
  const half = /[ap]\.?m/.exec(second ?? '')?.[0]
  const starts = minutesIn(half && !/[ap]\.?m/.test(first) ? `${first} ${half}` : first, second !== undefined)
  if (starts === null || ends === null) return null
  return ends === undefined ? { minutes: starts } : { minutes: starts, endMinutes: ends < starts ? ends + 1440 : ends }
}

/** Minutes of a time of day, up to 30:00 for the hours after midnight. A bare hour counts in a range alone. */
function minutesIn(text: string, isInRange = false): number | null {
  const form = /^(\d{1,2})(?:[:.h](\d\d)(?:[:.]\d\d(?:\.\d+)?)?)?\s*(h|uhr|heures?|o'?clock|[ap]\.?m\.?)?(?:\s*uhr)?$/
  const [, hour, minute, unit] = form.exec(text.trim()) ?? []
  if (hour === undefined || (minute === undefined && unit === undefined && !isInRange)) return null
  let hours = Number(hour)
  if (unit?.startsWith('p') && hours < 12) hours += 12
  if (unit?.startsWith('a') && hours === 12) hours = 0
  const total = hours * 60 + Number(minute ?? 0)
  return Number(minute ?? 0) < 60 && total <= 30 * 60 ? total : null
}

/** A duration as people write it, in minutes: "90", "90 min", "1:30", "1h30", "1,5 h", "1 Std. 30 Min.", "PT1H30M". null: none. */
export function durationIn(written: string): number | null {
  const text = written
    .slice(0, longest)
    .trim()
    .toLowerCase()
    .replace(',', '.')
    .replace(/^(?:ca\.?|circa|env(?:iron)?\.?|about|~)\s*/, '')
  const minutes = /^(\d{1,4}(?:\.0+)?)\s*(?:m|min|mins|minutes?|minuten|['’′])?\.?$/.exec(text)
  if (minutes) return Math.round(Number(minutes[1]))
  const clock = /^(\d{1,3}):(\d\d)(?::\d\d)?$/.exec(text)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  const parts =
    /^(?:pt)?(\d{1,3}(?:\.\d+)?)\s*(?:h|std|hours?|hrs?|stunden?|heures?)\.?\s*(?:(\d{1,2})\s*(?:m|min|minutes?|minuten)?\.?)?$/.exec(
      text,
    )
  return parts ? Math.round(Number(parts[1]) * 60) + Number(parts[2] ?? 0) : null
}
