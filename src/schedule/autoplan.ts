import { clash, endOf, inOrder, startOf, walkBetween, wayBetween, type Timed } from './times.ts'

export const priorities = ['must', 'want', 'maybe'] as const
export type Priority = (typeof priorities)[number]

/** An event that a plan may hold, and how much somebody wants to see it. */
export interface PlanCandidate extends Timed {
  priority: Priority
  /** true: it is never planned. */
  cancelled?: boolean
}

/** Why an event is not in the plan. `clash`: it runs at the same time as the events in `because`; `walk`: the way to or from them is too long. */
export interface Dropped {
  event_id: string
  reason: 'clash' | 'walk' | 'cancelled'
  because: string[]
}

export interface Plan {
  /** Ids in order of time. */
  kept: string[]
  dropped: Dropped[]
}

/** For up to 500 events: one more "must" counts more than all "want", one more "want" more than all "maybe". */
export const weights: Record<Priority, number> = { must: 1_000_000, want: 1000, maybe: 1 }

/** True: after the end of `a` there is time to walk to the start of `b`. */
export const canFollow = (a: Timed, b: Timed): boolean =>
  startOf(b) >= endOf(a) && wayBetween(a, b).fit !== 'impossible'

/**
 * The best plan: weighted interval scheduling with walking times. Whoever can go from a to b and from b to c can see all three, so
 * a plan is a path through events in order of time; comparing each pair once finds the heaviest path. Of equally heavy plans the
 * one with less walking wins, then the one that ends earlier. All-day events are always kept.
 */
export function autoplan(candidates: readonly PlanCandidate[]): Plan {
  const wholeDays = candidates.filter(({ cancelled, all_day }) => all_day && !cancelled)
  const open = candidates.filter(({ cancelled, all_day }) => !cancelled && !all_day).toSorted(inOrder)
  const best: Step[] = []
  for (const [index, event] of open.entries()) {
    let before: Step | null = null
    for (let earlier = 0; earlier < index; earlier++) {
      const step = best[earlier]!
      if (canFollow(step.event, event) && isBetter(through(step, event), before && through(before, event)))
        before = step
    }
    best.push(through(before, event))
  }
  let last: Step | null = null
  for (const step of best) if (isBetter(step, last)) last = step
  const kept: PlanCandidate[] = []
  for (let step = last; step; step = step.before) kept.unshift(step.event)
  const timed = candidates.filter((each) => !wholeDays.includes(each))
  return { kept: ids([...kept, ...wholeDays].toSorted(inOrder)), dropped: dropped(timed, kept) }
}

interface Step {
  event: PlanCandidate
  before: Step | null
  weight: number
  walk: number
}

const through = (before: Step | null, event: PlanCandidate): Step => ({
  event,
  before,
  weight: (before?.weight ?? 0) + weights[event.priority],
  walk: before ? before.walk + walkBetween(before.event, event) : 0,
})

function isBetter(step: Step, than: Step | null): boolean {
  if (!than) return true
  if (step.weight !== than.weight) return step.weight > than.weight
  if (step.walk !== than.walk) return step.walk < than.walk
  return endOf(step.event) < endOf(than.event)
}

function dropped(candidates: readonly PlanCandidate[], kept: readonly PlanCandidate[]): Dropped[] {
  return candidates
    .filter((candidate) => !kept.includes(candidate))
    .toSorted(inOrder)
    .map((candidate) => {
      const { event_id, cancelled } = candidate
      if (cancelled) return { event_id, reason: 'cancelled', because: [] }
      const clashing = kept.filter((each) => clash(each, candidate))
      if (clashing.length > 0) return { event_id, reason: 'clash', because: ids(clashing) }
      const before = kept.findLast((each) => endOf(each) <= startOf(candidate))
      const after = kept.find((each) => startOf(each) >= endOf(candidate))
      const tooFar = [
        before && !canFollow(before, candidate) ? before : null,
        after && !canFollow(candidate, after) ? after : null,
      ].filter((each) => each !== null)
      return { event_id, reason: 'walk', because: ids(tooFar) }
    })
}

const ids = (events: readonly PlanCandidate[]) => events.map(({ event_id }) => event_id)
