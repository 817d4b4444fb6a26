import type { Deal } from './contract.ts'

/** When a deal can be used. Apart from `policy.ts`, because every list of deals loads it. */

/** Unusable whatever the hours of its place. */
type Gone = Extract<Deal['status'], 'sold_out' | 'paused' | 'expired'>
export const isGone = (status: Deal['status']): status is Gone =>
  status === 'sold_out' || status === 'paused' || status === 'expired'

const soonMs = 120 * 60_000

export type DealTime =
  | { is: 'now'; until: string | null }
  | { is: 'soon' | 'later'; from: string; until: string | null }
  | { is: 'past' }
  | { is: 'unknown' }

type Times = Pick<Deal, 'usable_now' | 'usable_from' | 'usable_until' | 'open_now'>

/**
 * Where a deal is in its times at `now` (ms since 1970), by an answer of before. `past`: this time is over, and the answer has no
 * next one. With unknown hours of the place never `now` or `soon`, as nobody can promise it.
 */
export function dealTime(
  { usable_now, usable_from: from, usable_until: until, open_now }: Times,
  now: number,
): DealTime {
  if (until !== null && Date.parse(until) <= now) return { is: 'past' }
  if (usable_now === null) return { is: 'unknown' }
  if (usable_now || (from !== null && Date.parse(from) <= now))
    return open_now === null ? { is: 'unknown' } : { is: 'now', until }
  if (from === null) return { is: 'past' }
  const isSoon = open_now !== null && Date.parse(from) - now <= soonMs
  return { is: isSoon ? 'soon' : 'later', from, until }
}

/** Whether it certainly cannot be used at `now`; with unknown hours of the place, by its own days and hours. */
export function isOutside(deal: Times, now: number): boolean {
  const { is } = dealTime(deal, now)
  return is !== 'now' && is !== 'unknown'
}
