/**
 * A moment as files write it: "2024-12-27T10:30:00+01:00" as it stands, "2024-05-31 17:20:00" in the zone. A wall time
 * that the change of clocks leaves out or doubles is read as `Temporal` does by default ("compatible"). null: no moment.
 */
export function momentOf(text: string, zone: string): Temporal.Instant | null {
  const said = text
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?/, (_, day: string, time: string) => {
      return `${day}T${time.padStart(time.length > 5 ? 8 : 5, '0')}`
    })
  try {
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(said)) return Temporal.Instant.from(said)
    if (!/T\d\d:\d\d/.test(said)) return null
    return Temporal.PlainDateTime.from(said).toZonedDateTime(zone).toInstant()
  } catch {
    return null
  }
}

/** "00:40", "6:00", "40:00" or "0:40:00" in minutes; null: no duration. Negative ones are answered as such. */
export function minutesOf(text: string): number | null {
  const [, sign, days, hours, minutes] = /^(-?)(?:(\d{1,2}):)??(\d{1,3}):(\d{2})(?::00)?$/.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined) return null
  const total = (Number(days ?? 0) * 24 + Number(hours)) * 60 + Number(minutes)
  return sign ? -total : total
}

/** Why nothing is known of a moment that names no offset, where the file names a zone that is none; else null. */
export const zoneFault = (zone: string, starts: Temporal.Instant | null): string | null =>
  starts === null && !isZone(zone) ? `the zone "${zone.slice(0, 60)}" is unknown` : null

/** True for a zone of the IANA list that this machine knows. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
