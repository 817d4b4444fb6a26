import fc from 'fast-check'
import { expect, it } from 'vitest'
import { autoplan, canFollow, priorities, weights, type PlanCandidate } from './autoplan.ts'
import { inOrder } from './times.ts'

const begin = Date.parse('2026-06-20T16:00:00Z')
const at = (minute: number) => new Date(begin + minute * 60_000).toISOString()
/** Metres east of the bridge. */
const venue = (metres: number) => ({ latitude: 47.5601, longitude: 7.5897 + metres / 75_000 })

function candidate(
  event_id: string,
  from: number,
  to: number | null,
  more: Partial<PlanCandidate> & { metres?: number } = {},
): PlanCandidate {
  const { metres = 0, ...rest } = more
  return {
    event_id,
    starts_at: at(from),
    ends_at: to === null ? null : at(to),
    venue: venue(metres),
    priority: 'want',
    ...rest,
  }
}

const candidates = (most: number) =>
  fc
    .array(
      fc.record({
        from: fc.integer({ min: 0, max: 40 }),
        length: fc.option(fc.integer({ min: 1, max: 12 })),
        metres: fc.option(fc.integer({ min: 0, max: 3000 })),
        priority: fc.constantFrom(...priorities),
        cancelled: fc.boolean(),
      }),
      { maxLength: most },
    )
    .map((all) =>
      all.map(({ from, length, metres, priority, cancelled }, index): PlanCandidate => {
        const minute = from * 10
        const event = candidate(`e${index}`, minute, length === null ? null : minute + length * 10, { priority })
        return { ...event, venue: metres === null ? null : venue(metres), cancelled: cancelled && index % 3 === 0 }
      }),
    )

const weightOf = (ids: readonly string[], of: readonly PlanCandidate[]) =>
  ids.reduce((sum, id) => sum + weights[of.find(({ event_id }) => event_id === id)!.priority], 0)

const isFeasible = (events: readonly PlanCandidate[]) =>
  events.every((each, index) => index === 0 || canFollow(events[index - 1]!, each))

/** Tries every choice. */
function bestWeight(all: readonly PlanCandidate[]): number {
  const open = all.filter(({ cancelled }) => !cancelled).toSorted(inOrder)
  let best = 0
  for (let choice = 0; choice < 1 << open.length; choice++) {
    const chosen = open.filter((_, index) => choice & (1 << index))
    const weight = chosen.reduce((sum, { priority }) => sum + weights[priority], 0)
    if (weight > best && isFeasible(chosen)) best = weight
  }
  return best
}

/** Greedy: the most wanted first, if it fits the chosen ones. */
function greedy(all: readonly PlanCandidate[]): PlanCandidate[] {
  const chosen: PlanCandidate[] = []
  for (const each of all
    .filter(({ cancelled }) => !cancelled)
    .toSorted((a, b) => weights[b.priority] - weights[a.priority])) {
    const next = [...chosen, each].toSorted(inOrder)
    if (isFeasible(next)) chosen.splice(0, chosen.length, ...next)
  }
  return chosen
}

it('a plan of up to twelve events is as heavy as the best of all choices', () => {
  fc.assert(
    fc.property(candidates(12), (all) => {
      expect(weightOf(autoplan(all).kept, all)).toBe(bestWeight(all))
    }),
    { numRuns: 150 },
  )
})

it('a plan of up to sixty events can be walked, is never worse than a greedy one, and has a reason for each dropped event', () => {
  fc.assert(
    fc.property(candidates(60), (all) => {
      const { kept, dropped } = autoplan(all)
      const byId = new Map(all.map((each) => [each.event_id, each]))
      expect(isFeasible(kept.map((id) => byId.get(id)!))).toBe(true)
      expect(weightOf(kept, all)).toBeGreaterThanOrEqual(
        weightOf(
          greedy(all).map(({ event_id }) => event_id),
          all,
        ),
      )
      expect([...kept, ...dropped.map(({ event_id }) => event_id)].toSorted()).toEqual([...byId.keys()].toSorted())
      for (const { event_id, reason, because } of dropped) {
        expect(because.every((id) => kept.includes(id))).toBe(true)
        if (reason === 'cancelled') expect(byId.get(event_id)!.cancelled).toBe(true)
        else expect(because.length, `${event_id} is dropped without a reason`).toBeGreaterThan(0)
      }
    }),
    { numRuns: 150 },
  )
})

it('one "must" counts more than many "want"', () => {
  const many = Array.from({ length: 10 }, (_, index) => candidate(`want${index}`, index * 10, index * 10 + 10))
  const must = candidate('must', 0, 100, { priority: 'must' })
  expect(autoplan([...many, must]).kept).toEqual(['must'])
  expect(autoplan([...many, { ...must, priority: 'want' }]).kept).toHaveLength(10)
})

it('an event that is too far away is dropped, and the plan names the events around it', () => {
  const plan = autoplan([
    candidate('before', 0, 60, { priority: 'must' }),
    // 1.5 km are 25 minutes on foot
    candidate('far', 70, 100, { metres: 1500, priority: 'maybe' }),
    candidate('after', 105, 160, { priority: 'must' }),
    candidate('same time', 30, 90, { priority: 'maybe' }),
    candidate('off', 300, 360, { cancelled: true }),
  ])
  expect(plan.kept).toEqual(['before', 'after'])
  expect(plan.dropped).toEqual([
    { event_id: 'same time', reason: 'clash', because: ['before'] },
    { event_id: 'far', reason: 'walk', because: ['before', 'after'] },
    { event_id: 'off', reason: 'cancelled', because: [] },
  ])
})

it('of two equally good plans, the one with less walking wins', () => {
  const start = candidate('start', 0, 60)
  const near = candidate('near', 120, 180, { metres: 100 })
  const far = candidate('far', 120, 180, { metres: 1500 })
  expect(autoplan([start, far, near]).kept).toEqual(['start', 'near'])
})

it('an all-day event is always kept, and displaces nothing', () => {
  const market = candidate('market', -720, 720, { all_day: true, priority: 'maybe', metres: 9000 })
  expect(autoplan([market, candidate('concert', 0, 60), candidate('talk', 30, 90, { priority: 'must' })])).toEqual({
    kept: ['market', 'talk'],
    dropped: [{ event_id: 'concert', reason: 'clash', because: ['talk'] }],
  })
})
