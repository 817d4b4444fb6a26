import { importText, type ImportText } from './import-text.ts'

/** Letters; the patterns below would take hours for a megabyte. */
const timeMost = 100

/**
 * A moment as files write it: "2024-12-27T10:30:00+01:00" as it stands, "2024-05-31 17:20:00" in the zone. A wall time
 * that the change of clocks leaves out or doubles is read as `Temporal` does by default ("compatible"). null: no moment.
 */
export function momentOf(text: string, zone: string): Temporal.Instant | null {
  if (text.length > timeMost) return null
  const said = text
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?/, (_, day: string, time: string) => {
      return `${day}T${time.padStart(time.length > 5 ? 8 : 5, '0')}`
    })
  try {
    // what follows an offset in brackets is the zone, which adds nothing to it
    if (/(Z|[+-]\d\d(:?\d\d)?)(\[[^\]]*\])?$/i.test(said)) return Temporal.Instant.from(said)
    // anything else than a plain time would lose what it says of its zone
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(said)) return null
    return Temporal.PlainDateTime.from(said).toZonedDateTime(zone).toInstant()
  } catch {
    return null
  }
}

/** The same for tables, in which people also write "27.11.2026 23:30", as Excel does in Switzerland. */
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

/** Why an event cannot be taken with this start and end as its file writes them, the start first; null: it can. */
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

/** "00:40", "6:00", "40:00" or "0:40:00" in minutes; null: no duration. Negative ones are answered as such. */
export function minutesOf(text: string): number | null {
  const [, sign, days, hours, minutes] = /^(-?)(?:(\d{1,2}):)??(\d{1,3}):(\d{2})(?::00)?$/.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined) return null
  const total = (Number(days ?? 0) * 24 + Number(hours)) * 60 + Number(minutes)
  return sign ? -total : total
}

/** Why nothing is known of a moment that names no offset, where the file names a zone that is none; else null. */
export const zoneFault = (zone: string, starts: Temporal.Instant | null): ImportText | null =>
  starts === null && !isZone(zone) ? unknownZone(zone) : null

export const unknownZone = (zone: string) => importText('unknownZone', { zone: zone.slice(0, 60) })

/** True for a zone of the IANA list that this machine knows. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** What to say of a file that names no zone, by its times as they are written: nothing where all have an offset. */
export const notesOfZone = (times: string[], zone: string): ImportText[] =>
  times.some(
    (time) =>
      time !== '' && time.length <= timeMost && !/[T ].*(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?$/i.test(time.trim()),
  )
    ? [importText('zoneGuessed', { zone })]
    : []
