import { importText, type ImportText } from '../../../kit/server/import-text.ts'

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

/** Why the start or end of an event cannot be read; null: both can. An empty end is an open one. */
export function timeFault(starts: string, ends: string, read: (text: string) => unknown): ImportText | null {
  if (starts === '') return importText('noStart')
  if (read(starts) === null) return badTime('start', starts)
  return ends !== '' && read(ends) === null ? badTime('end', ends) : null
}

const badTime = (which: 'start' | 'end', text: string) =>
  importText('badTime', { which, text: text.slice(0, 40), lacks: whatLacks(text) })

function whatLacks(text: string): string {
  if (/^(?:\d{1,2}\. ?\d{1,2}\. ?(?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)$/.test(text)) return 'timeOfDay'
  return /^\d{1,2}[:.h]\d\d$/.test(text) ? 'date' : 'all'
}

/** "00:40", "6:00", "40:00" or "0:40:00" in minutes, also negative; null: no duration. */
export function minutesOf(text: string): number | null {
  const [, sign, days, hours, minutes] = /^(-?)(?:(\d{1,2}):)??(\d{1,3}):(\d{2})(?::00)?$/.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined) return null
  const total = (Number(days ?? 0) * 24 + Number(hours)) * 60 + Number(minutes)
  return sign ? -total : total
}

/** The fault of a time without an offset in a file that names an unknown zone; else null. */
export const zoneFault = (zone: string, starts: Temporal.Instant | null): ImportText | null =>
  starts === null && !isZone(zone) ? unknownZone(zone) : null

export const unknownZone = (zone: string) => importText('unknownZone', { zone: zone.slice(0, 60) })

/** True: this machine knows the zone by that IANA name. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
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
