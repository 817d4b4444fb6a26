import { nightEndsMinute, wallIn } from '../../kit/shared/calendar.ts'
import type { ProgrammeDay } from '../contract.ts'
import { isLong, overAt, type LineEvent } from './card-event.ts'

/** A list in order of time, divided by what is over, what runs, and what begins later. */
export interface ProgrammeParts<Event> {
  /** Also cancelled events that were to have begun. */
  over: Event[]
  /** Concerts before exhibitions and other events of a day or longer; last those that are too far away. */
  running: Event[]
  coming: Event[]
}

/** Divides a list at `now` (ms since 1970). `isTooFar`: an event that is over before somebody from here gets there. */
export function partsAt<Event extends LineEvent>(
  events: readonly Event[],
  now: number,
  isTooFar: (event: Event) => boolean,
): ProgrammeParts<Event> {
  const parts: ProgrammeParts<Event> = { over: [], running: [], coming: [] }
  for (const event of events) {
    if (Date.parse(event.starts_at) > now) parts.coming.push(event)
    else if (overAt(event) <= now || event.status === 'cancelled') parts.over.push(event)
    else parts.running.push(event)
  }
  const rank = (event: Event) => (isTooFar(event) ? 2 : event.all_day || isLong(event) ? 1 : 0)
  parts.running.sort((a, b) => rank(a) - rank(b))
  return parts
}

/** Whether a festival day has an event that is not over at `now`; a day of all-day events lasts until its end in the morning. */
export const hasEventsLeft = ({ day, over_at }: Pick<ProgrammeDay, 'day' | 'over_at'>, now: number, zone: string) =>
  over_at ? Date.parse(over_at) > now : day >= wallIn(zone, now - nightEndsMinute * 60_000).isoDay
