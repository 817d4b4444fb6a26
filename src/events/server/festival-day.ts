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
export function editionAt(days: readonly string[], today: string): FestivalDays | null {
  const editions: FestivalDays[] = []
  for (const day of days) {
    const last = editions.at(-1)
    if (last && Temporal.PlainDate.from(last.end).until(day).days <= betweenEditionsDays) last.end = day
    else editions.push({ start: day, end: day })
  }
  return editions.find(({ end }) => end >= today) ?? editions.at(-1) ?? null
}

/** A longer edition is the calendar of a venue, not a festival. */
const longestFestivalDays = 31

/**
 * The days of a programme in the order in which people want them: those of the festival and from today on, in order of time, then
 * earlier ones, newest first. Of more than `most` the days furthest back are left out, then those furthest ahead.
 * `days` are those with events, in order; `festival`: as the operator says, null: as the programme says.
 */
export function daysByInterest<Day extends { day: string }>(
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

function shortEdition(days: readonly { day: string }[], today: string): FestivalDays | null {
  const edition = editionAt(
    days.map(({ day }) => day),
    today,
  )
  if (!edition) return null
  const length = Temporal.PlainDate.from(edition.start).until(edition.end).days
  return length < longestFestivalDays ? edition : null
}
