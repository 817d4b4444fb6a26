import { endOf, startOf, type Timed } from './times.ts'

/** An event as a reminder sees it. */
export type Reminded = Pick<Timed, 'starts_at' | 'ends_at' | 'all_day'> & { status: string }

/** A reminder of a schedule entry. */
export interface Reminder {
  event: Reminded
  /** Before the start. */
  minutes: number
  /** The start for which it was told, ISO 8601; null: never. Told again only where the event has another start by now. */
  told_for: string | null
}

const minuteMs = 60_000

/** ms since 1970. Minutes are those of a clock that runs on, so summer time changes nothing. */
export const dueAt = ({ event, minutes }: Pick<Reminder, 'event' | 'minutes'>): number =>
  startOf(event) - minutes * minuteMs

/**
 * What becomes of a reminder at `t` (ms since 1970). `waits`: its time has not come. `due`: it is told now, also late, as
 * long as the event runs. `over`: never told any more. `off`: the event does not take place, or is all
 * day: nobody has to be there at 06:00. `told`: for this start.
 */
export function reminderAt(
  t: number,
  { event, minutes, told_for }: Reminder,
): 'waits' | 'due' | 'over' | 'off' | 'told' {
  if (event.status === 'cancelled' || event.status === 'draft' || event.all_day) return 'off'
  if (told_for !== null && Date.parse(told_for) === startOf(event)) return 'told'
  if (t < dueAt({ event, minutes })) return 'waits'
  return t < endOf(event) ? 'due' : 'over'
}

/** What is due at `t` (ms since 1970). */
export const dueReminders = <Each extends Reminder>(t: number, reminders: readonly Each[]): Each[] =>
  reminders.filter((each) => reminderAt(t, each) === 'due')
