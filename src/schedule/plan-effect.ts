import { clash, endOf, inOrder, startOf, walkBetween, wayBetween, type Timed } from './times.ts'

/** An event of a plan, with what a notice names of it. */
export interface Planned extends Timed {
  title: string
}

/** What a changed event means for the plan of somebody who saved it. */
export type PlanEffect =
  { kind: 'clash'; other: string } | { kind: 'leave'; leave_at: string; other: string } | { kind: 'none' }

/** Further apart nobody comes straight from the one before. */
const sameOutingMs = 3 * 60 * 60_000

/**
 * The first that matters: an event that it clashes with only now, else when to leave the one before to be in time. `others`
 * are the other events of the plan that take place; `before` is the changed event as it was;
 * null: it did not take place, so all that it clashes with is new.
 */
export function effectOn(before: Timed | null, after: Planned, others: readonly Planned[]): PlanEffect {
  const clashing = others.filter((other) => clash(after, other) && !(before && clash(before, other))).toSorted(inOrder)
  if (clashing[0]) return { kind: 'clash', other: clashing[0].title }
  if (after.all_day) return { kind: 'none' }
  const last = others
    .filter(
      (other) => !other.all_day && endOf(other) <= startOf(after) && startOf(after) - endOf(other) <= sameOutingMs,
    )
    .toSorted((a, b) => endOf(b) - endOf(a))[0]
  if (!last || walkBetween(last, after) === 0) return { kind: 'none' }
  return { kind: 'leave', leave_at: wayBetween(last, after).leave_at, other: last.title }
}
