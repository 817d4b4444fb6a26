import type { Tier } from '../businesses/contract.ts'

/** What can be paid for: a tier above FREE, by month or by year. */
export type PaidTier = Exclude<Tier, 'FREE'>
export type Interval = 'month' | 'year'
export interface Plan {
  tier: PaidTier
  interval: Interval
}

/** CHF 49 and CHF 99 per month; a year costs ten months. Rappen, with VAT where it is charged. */
const monthRappen: Record<PaidTier, number> = { PREMIUM: 4900, ULTIMATE: 9900 }
const monthsPerYear = 10

export function priceRappen({ tier, interval }: Plan): number {
  return monthRappen[tier] * (interval === 'year' ? monthsPerYear : 1)
}

/** CHF 200 for 30 days of featured placement. */
export const promotionRappen = 20_000
export const promotionDays = 30
/** A tier that could not be charged for stays for so many days. */
export const overdueDays = 7
export const overdueEnd = (since: Date): Date => new Date(+since + overdueDays * 24 * 60 * 60_000)

const ranks: Record<Tier, number> = { FREE: 0, PREMIUM: 1, ULTIMATE: 2 }
export const rankOf = (tier: Tier): number => ranks[tier]
export const samePlan = (a: Plan, b: Plan): boolean => a.tier === b.tier && a.interval === b.interval

/**
 * What of a change happens now and what waits for the end of the paid period: more is given now and paid for pro rata,
 * less comes when what was paid for is used up. A lower tier takes its interval along: nobody pays for a year of what they
 * are giving up. `null`: nothing.
 */
export function splitChange(current: Plan, wanted: Plan): { now: Plan | null; later: Plan | null } {
  if (rankOf(wanted.tier) < rankOf(current.tier)) return { now: null, later: wanted }
  const now: Plan = {
    tier: rankOf(wanted.tier) > rankOf(current.tier) ? wanted.tier : current.tier,
    interval: wanted.interval === 'year' ? 'year' : current.interval,
  }
  return { now: samePlan(now, current) ? null : now, later: samePlan(now, wanted) ? null : wanted }
}

/**
 * What a change costs now, rappen: the new price of the time that is left, less what was paid for it. Another interval begins
 * a period of its own. Stripe's proration does the same by the second.
 * @param left part of the paid period that is left, 0 to 1
 */
export function proratedRappen(before: Plan, after: Plan, left: number): number {
  const share = after.interval === before.interval ? left : 1
  return Math.max(0, Math.round(priceRappen(after) * share) - Math.round(priceRappen(before) * left))
}

/** How much of a paid period is left, 0 to 1. */
export function leftOf({ from, until }: { from: number; until: number }, now: number): number {
  return Math.min(1, Math.max(0, (until - now) / (until - from)))
}

/** The part of a price that is VAT, where the price includes it; of money that goes back negative. @param rate percent */
export function vatIn(amountRappen: number, rate: number): number {
  const part = Math.round((Math.abs(amountRappen) * rate) / (100 + rate))
  return amountRappen < 0 ? -part : part
}
