/** "20:30" at the festival. */
export function wallTime(instant: string, zone: string): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(zone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
