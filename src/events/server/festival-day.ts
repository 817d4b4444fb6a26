import { dayEndsAtHour } from '../contract.ts'

/** The day of the festival that a moment belongs to: until 06:00 it is still the evening before. YYYY-MM-DD. */
export function festivalDayOf(at: Temporal.Instant, zone: string): string {
  const here = at.toZonedDateTimeISO(zone)
  const date = here.toPlainDate()
  return (here.hour < dayEndsAtHour ? date.subtract({ days: 1 }) : date).toString()
}
