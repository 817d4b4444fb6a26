import { wallIn } from '../kit/shared/calendar.ts'
import { groupBy } from '../kit/shared/group-by.ts'
import { distanceKm, walkingMinutes, type Position } from '../kit/shared/geo.ts'

/** An event as the rules of time need it. Instants are ISO 8601. */
export interface Timed {
  event_id: string
  starts_at: string
  /** null: open end; it counts 60 minutes. */
  ends_at: string | null
  /** true: it has days, no times, so it clashes with nothing and no way leads to or from it. Default: false. */
  all_day?: boolean | undefined
  /** null: not known; the way then takes 0 minutes. */
  venue: { latitude: number | null; longitude: number | null } | null
}

type Span = Pick<Timed, 'starts_at' | 'ends_at' | 'all_day'>

const minuteMs = 60_000
/** Length of an event with an open end, as in the programme. */
const openEndMs = 60 * minuteMs
/** A way with fewer spare minutes is tight. */
export const tightBelowMinutes = 5
/** Deals are offered in gaps of at least this length. */
export const gapMinutes = 25
/** Places nearer than this count as one, km. */
const samePlaceKm = 0.02

/** ms since 1970. */
export const startOf = ({ starts_at }: Pick<Span, 'starts_at'>): number => Date.parse(starts_at)
/** ms since 1970. */
export const endOf = ({ starts_at, ends_at }: Span): number =>
  ends_at === null ? Date.parse(starts_at) + openEndMs : Date.parse(ends_at)

export const inOrder = (a: Timed, b: Timed): number => startOf(a) - startOf(b) || (a.event_id < b.event_id ? -1 : 1)

/** The festival day ("2026-06-20") of a moment in ms since 1970; it ends at six in the morning. */
export const festivalDayAt = (zone: string, at: number): string => wallIn(zone, at - 6 * 60 * minuteMs).isoDay

/** Things by festival day, in order. */
export const byFestivalDay = <T>(things: readonly T[], dayOf: (thing: T) => string): [day: string, things: T[]][] =>
  [...groupBy(things, dayOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * Things by the festival day on which they begin. Those of several days are also on the later of their days on which another one
 * begins, so that an exhibition of weeks adds no days of its own.
 */
export function byEachFestivalDay<T>(
  things: readonly T[],
  daysOf: (thing: T) => { festival_day: string; last_day: string },
): Map<string, T[]> {
  const days = new Set(things.map((thing) => daysOf(thing).festival_day))
  const shown = things.flatMap((thing) => {
    const { festival_day, last_day } = daysOf(thing)
    return [...days]
      .filter((day) => day >= festival_day && (day === festival_day || day <= last_day))
      .map((day) => ({ day, thing }))
  })
  return new Map([...groupBy(shown, ({ day }) => day)].map(([day, of]) => [day, of.map(({ thing }) => thing)] as const))
}

/** True: the event lasts all day or for days, so that people come and go. */
const isOpenDoor = (event: Span): boolean =>
  event.all_day === true || endOf(event) - startOf(event) > 24 * 60 * minuteMs

/** True: both run at the same time. An event that begins at the end of the other does not clash, and those of days never do. */
export const clash = (a: Span, b: Span): boolean =>
  !isOpenDoor(a) && !isOpenDoor(b) && startOf(a) < endOf(b) && startOf(b) < endOf(a)

/** Of the events of a plan that begin before `event`: those that clash with it, and the one that ends last. */
export function runningInto<T extends Timed>(event: T, plan: readonly T[]): { clashes: T[]; last: T | undefined } {
  const earlier = isOpenDoor(event) ? [] : plan.filter((other) => !isOpenDoor(other) && inOrder(other, event) < 0)
  const last = earlier.toSorted((a, b) => endOf(b) - endOf(a) || inOrder(b, a))[0]
  return { clashes: earlier.filter((other) => clash(other, event)), last }
}

/** Minutes for which both run, rounded up. */
export const sharedMinutes = (a: Timed, b: Timed): number =>
  Math.ceil((Math.min(endOf(a), endOf(b)) - Math.max(startOf(a), startOf(b))) / minuteMs)

/** Minutes on foot: straight line × 1.3 at 80 m a minute, rounded up; 0 at the same place, or if a place is not known. */
export function walkBetween(a: Pick<Timed, 'venue'>, b: Pick<Timed, 'venue'>): number {
  const [from, to] = [placeOf(a), placeOf(b)]
  return from && to ? walk(from, to) : 0
}

export function walk(from: Position, to: Position): number {
  const km = distanceKm(from, to)
  return km < samePlaceKm ? 0 : walkingMinutes(km)
}

export const placeOf = ({ venue }: Pick<Timed, 'venue'>): Position | null =>
  venue?.latitude == null || venue.longitude == null ? null : { latitude: venue.latitude, longitude: venue.longitude }

export type Fit = 'fits' | 'tight' | 'impossible'

/** The way from an event to the next one. */
export interface Way {
  /** Minutes from the end to the next start, rounded down; negative if they clash. */
  gap: number
  /** Minutes on foot. */
  walk: number
  fit: Fit
  /** The latest time to leave, ISO 8601 in UTC, at a full minute. */
  leave_at: string
}

/** The way from `a` to `b`, which does not begin before `a`. */
export function wayBetween(a: Timed, b: Timed): Way {
  const walk = walkBetween(a, b)
  const gap = Math.floor((startOf(b) - endOf(a)) / minuteMs)
  const spare = gap - walk
  return {
    gap,
    walk,
    fit: spare < 0 ? 'impossible' : spare < tightBelowMinutes ? 'tight' : 'fits',
    leave_at: new Date(Math.floor((startOf(b) - walk * minuteMs) / minuteMs) * minuteMs).toISOString(),
  }
}
