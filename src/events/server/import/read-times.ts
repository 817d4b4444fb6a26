import { importText, type ImportText } from '../../../kit/server/import-text.ts'
import { dateFormat } from '../../../kit/shared/calendar.ts'

/** Letters of a time; on a megabyte the patterns below would run for hours. */
const timeMost = 100

/**
 * Reads a time of a file: "2024-12-27T10:30:00+01:00" with its offset, "2024-05-31 17:20:00" in `zone`. A wall time that a
 * change of clocks skips or doubles is read as Temporal's "compatible". null: no time.
 */
export function momentOf(text: string, zone: string): Temporal.Instant | null {
  if (text.length > timeMost) return null
  const iso = text
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?/, (_, day: string, time: string) => {
      return `${day}T${time.padStart(time.length > 5 ? 8 : 5, '0')}`
    })
  try {
    // a zone in brackets after an offset adds nothing
    if (/(Z|[+-]\d\d(:?\d\d)?)(\[[^\]]*\])?$/i.test(iso)) return Temporal.Instant.from(iso)
    // refuse other forms: Temporal would ignore the zone that they name
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(iso)) return null
    return Temporal.PlainDateTime.from(iso).toZonedDateTime(zone).toInstant()
  } catch {
    return null
  }
}

/** `momentOf` for tables, which also hold "27.11.2026 23:30", the form of Excel in Switzerland. */
export function tableMomentOf(text: string, zone: string): Temporal.Instant | null {
  if (text.length > timeMost) return null
  const found = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d\d)[ ,T]+(\d{1,2})[:.h](\d\d)(?:[:.](\d\d))?$/.exec(text.trim())
  if (!found) return momentOf(text, zone)
  const [day, month, year, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0)) as Numbers
  const parts = { year: year < 100 ? 2000 + year : year, month, day, hour, minute, second }
  try {
    return Temporal.PlainDateTime.from(parts, { overflow: 'reject' }).toZonedDateTime(zone).toInstant()
  } catch {
    return null
  }
}

type Numbers = [number, number, number, number, number, number]

const badTime = (which: 'start' | 'end', text: string) =>
  importText('badTime', { which, text: text.slice(0, 40), lacks: whatLacks(text) })

function whatLacks(text: string): string {
  if (/^(?:\d{1,2}\. ?\d{1,2}\. ?(?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)$/.test(text)) return 'timeOfDay'
  return /^\d{1,2}[:.h]\d\d$/.test(text) ? 'date' : 'all'
}

/** "00:40", "6:00", "40:00", "0:40:00", "40" or "PT40M" in minutes, also negative; null: no duration. */
export function minutesOf(text: string): number | null {
  const trimmed = text.slice(0, timeMost).trim()
  if (/^\d{1,4}$/.test(trimmed)) return Number(trimmed)
  const [, sign, days, hours, minutes] = /^(-?)(?:(\d{1,2}):)??(\d{1,3}):(\d{2})(?::00)?$/.exec(trimmed) ?? []
  if (hours === undefined || minutes === undefined) return isoMinutesOf(trimmed)
  const total = (Number(days ?? 0) * 24 + Number(hours)) * 60 + Number(minutes)
  return sign ? -total : total
}

function isoMinutesOf(text: string): number | null {
  const [, days = 0, hours = 0, minutes = 0] =
    /^P(?=[\dT])(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+S)?)?$/i.exec(text) ?? []
  return /^P/i.test(text) && /\d/.test(text) ? (Number(days) * 24 + Number(hours)) * 60 + Number(minutes) || null : null
}

/** A day of a programme, in the words of the file; each may be empty. */
export interface ProgrammeDay {
  date: string
  start: string
  end: string
  /** Earlier starts belong to the next calendar day, such as "04:00". */
  change: string
}

/**
 * The start of an event: by its own date with a time, or by its time of day on a day of the programme. "01:30" on a day that changes
 * at 04:00 is in the night after it. null: no time.
 */
export function startOf(date: string, time: string, day: ProgrammeDay, zone: string): Temporal.Instant | null {
  const full = momentOf(date, zone)
  if (full || !/^(\d{4}-\d\d-\d\d)?$/.test(date)) return full
  const on = date || day.date.slice(0, 10)
  const first = momentOf(`${on} ${time}`, zone)
  // a date that is not the day's is the date of the calendar
  if (!first || (date !== '' && date !== day.date.slice(0, 10))) return first
  const next = first.toZonedDateTimeISO(zone).add({ days: 1 }).toInstant()
  const [begins, ends] = [momentOf(day.start, zone), momentOf(day.end, zone)]
  if (begins && ends) {
    const isInNight = Temporal.Instant.compare(first, begins) < 0 && Temporal.Instant.compare(next, ends) < 0
    return isInNight ? next : first
  }
  const changes = minutesOf(day.change) ?? 240
  return (minutesOf(time.slice(0, 5)) ?? 0) < changes ? next : first
}

/** Why the start of an event cannot be read; null: it can. */
export function startFault(date: string, time: string, starts: Temporal.Instant | null): ImportText | null {
  if (starts) return null
  return date === '' && time === '' ? importText('noStart') : badTime('start', [date, time].filter(Boolean).join(' '))
}

/** The note about an end that cannot be read, by which it is open. */
export const endNote = (text: string, ends: Temporal.Instant | null): ImportText[] =>
  text !== '' && !ends ? [importText('openEnd', { text: text.slice(0, 40) })] : []

/** True: this machine knows the zone by that IANA name. */
export function isZone(zone: string): boolean {
  try {
    dateFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The note that `zone` was assumed, for a file that names none; none if all its times have an offset. */
export const notesOfZone = (times: string[], zone: string): ImportText[] =>
  times.some(
    (time) =>
      time !== '' && time.length <= timeMost && !/[T ].*(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?$/i.test(time.trim()),
  )
    ? [importText('zoneGuessed', { zone })]
    : []
