import { dayEndsAtHour } from '../contract.ts'

/** The day of the festival that a moment belongs to: until 06:00 it is still the evening before. YYYY-MM-DD. */
export function festivalDayOf(at: Temporal.Instant, zone: string): string {
  const here = at.toZonedDateTimeISO(zone)
  const date = here.toPlainDate()
  return (here.hour < dayEndsAtHour ? date.subtract({ days: 1 }) : date).toString()
}

/** After so many days without an event another edition of the festival begins. */
const betweenEditionsDays = 60

/**
 * The first and last day of the edition that is on, else of the next, else of the last: a programme may also hold last year's.
 * `days` are those with events, in order.
 */
export function editionAt(days: readonly string[], today: string): { start: string; end: string } | null {
  const editions: { start: string; end: string }[] = []
  for (const day of days) {
    const last = editions.at(-1)
    if (last && Temporal.PlainDate.from(last.end).until(day).days <= betweenEditionsDays) last.end = day
    else editions.push({ start: day, end: day })
  }
  return editions.find(({ end }) => end >= today) ?? editions.at(-1) ?? null
}
