/**
 * The VTIMEZONE of a calendar (RFC 5545, 3.6.5): one observance for each change of the clocks between the two moments, and one
 * for the offset before. Calendars that know the zone by name ignore it.
 */
export function timeZoneBlock(zone: string, from: Temporal.Instant, to: Temporal.Instant): string {
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`]
  const start = from.toZonedDateTimeISO(zone)
  lines.push(...observance(start, start))
  for (let at = start.getTimeZoneTransition('next'); at; at = at.getTimeZoneTransition('next')) {
    if (Temporal.Instant.compare(at.toInstant(), to) > 0) break
    lines.push(...observance(at.subtract({ nanoseconds: 1 }), at))
  }
  return [...lines, 'END:VTIMEZONE'].join('\r\n')
}

function observance(before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime): string[] {
  const kind = isSummer(after) ? 'DAYLIGHT' : 'STANDARD'
  // DTSTART is in the offset before the change
  const onset = after.toInstant().toZonedDateTimeISO(before.offset)
  return [
    `BEGIN:${kind}`,
    `DTSTART:${onset.toPlainDateTime().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`,
    `TZOFFSETFROM:${before.offset.replace(':', '')}`,
    `TZOFFSETTO:${after.offset.replace(':', '')}`,
    `END:${kind}`,
  ]
}

/** The offset is above the zone's smaller one of January and July, so this holds on both hemispheres. */
function isSummer(at: Temporal.ZonedDateTime): boolean {
  const offsets = [1, 7].map((month) => at.with({ month, day: 1 }).offsetNanoseconds)
  return at.offsetNanoseconds > Math.min(...offsets)
}
