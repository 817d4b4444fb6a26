import { dayEndsAtHour } from '../contract.ts'

/** The festival day of a moment, YYYY-MM-DD: until 06:00 it is the day before. */
export function festivalDayOf(at: Temporal.Instant, zone: string): string {
  const here = at.toZonedDateTimeISO(zone)
  const date = here.toPlainDate()
  return (here.hour < dayEndsAtHour ? date.subtract({ days: 1 }) : date).toString()
}

/** The longest event that belongs to the festival day of its start alone. */
const oneDayHours = 24

/** The last festival day of an event: that of its last moment, if it is all day or longer than 24 hours; else that of its start. */
export function lastDayOf(event: { starts_at: string; over_at: string; all_day: boolean }, zone: string): string {
  const [starts, over] = [Temporal.Instant.from(event.starts_at), Temporal.Instant.from(event.over_at)]
  const isLong = event.all_day || starts.until(over).total('hours') > oneDayHours
  return festivalDayOf(isLong ? over.subtract({ nanoseconds: 1 }) : starts, zone)
}

/**
 * Start and end of an all-day event, ISO instants: 06:00 of its first day and of the day after its last one, in the zone.
 * Without an end the event lasts one day.
 */
export function wholeDays({ starts_at, ends_at }: { starts_at: string; ends_at: string | null }, zone: string) {
  const at = (day: string, add: number) =>
    new Date(
      Temporal.PlainDate.from(day)
        .add({ days: add })
        .toZonedDateTime({ timeZone: zone, plainTime: { hour: dayEndsAtHour } }).epochMilliseconds,
    ).toISOString()
  const first = festivalDayOf(Temporal.Instant.from(starts_at), zone)
  const last =
    ends_at === null ? first : festivalDayOf(Temporal.Instant.from(ends_at).subtract({ nanoseconds: 1 }), zone)
  return { starts_at: at(first, 0), ends_at: at(last > first ? last : first, 1) }
}

/** More days without an event than these separate two editions of the festival. */
const betweenEditionsDays = 60

/**
 * First and last day of the edition that is on, else of the next, else of the last: a programme may also hold past years.
 * `days`: those with events, in order; one on which no event begins, but an exhibition goes on, makes no edition. null: there are none.
 */
export function editionAt(days: readonly { day: string; begun: number }[], today: string): FestivalDays | null {
  const editions: FestivalDays[] = []
  for (const { day, begun } of days) {
    if (begun === 0) continue
    const last = editions.at(-1)
    if (last && Temporal.PlainDate.from(last.end).until(day).days <= betweenEditionsDays) last.end = day
    else editions.push({ start: day, end: day })
  }
  return editions.find(({ end }) => end >= today) ?? editions.at(-1) ?? null
}

/** A longer edition is a venue's calendar, not a festival. */
const longestFestivalDays = 31

/**
 * The days of a programme as people look for them: days of the festival and from today on, in order of time, then earlier ones,
 * newest first. Beyond `most` the oldest days are left out first, then those furthest ahead.
 * `days`: those with events, in order; `festival`: set by the operator, null: found in the programme.
 */
export function daysByInterest<Day extends { day: string; begun: number }>(
  days: readonly Day[],
  { today, festival, most }: { today: string; festival: FestivalDays | null; most: number },
): { days: (Day & { is_earlier: boolean })[]; leftOut: number } {
  const { start, end } = festival ?? shortEdition(days, today) ?? { start: today, end: today }
  const isOfFestival = ({ day }: Day) => day >= start && day <= end
  const isEarlier = (each: Day) => each.day < today && !isOfFestival(each)
  const chosen = [
    ...days.filter(isOfFestival),
    ...days.filter((each) => each.day >= today && !isOfFestival(each)),
    ...days.filter(isEarlier).toReversed(),
  ].slice(0, most)
  const [earlier, wanted] = [chosen.filter(isEarlier), chosen.filter((each) => !isEarlier(each))]
  const ordered = [...wanted.toSorted((a, b) => (a.day < b.day ? -1 : 1)), ...earlier]
  return {
    days: ordered.map((each) => ({ ...each, is_earlier: isEarlier(each) })),
    leftOut: days.length - chosen.length,
  }
}

export interface FestivalDays {
  start: string
  end: string
}

function shortEdition(days: readonly { day: string; begun: number }[], today: string): FestivalDays | null {
  const edition = editionAt(days, today)
  if (!edition) return null
  const length = Temporal.PlainDate.from(edition.start).until(edition.end).days
  return length < longestFestivalDays ? edition : null
}
