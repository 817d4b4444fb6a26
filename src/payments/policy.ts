/** What plans and promotions cost, how a plan changes, and who can buy. */
import type { Tier } from '../businesses/contract.ts'

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
/** Days that a tier stays after a payment for it failed. */
export const overdueDays = 7
export const overdueEnd = (since: Date): Date => new Date(+since + overdueDays * 24 * 60 * 60_000)

/** Nobody sees a suspended business, so it cannot buy a promotion; one whose account waits to be deleted cannot buy anything. */
export function whyNotBuy(
  what: 'subscription' | 'promotion',
  merchant: { is_suspended: boolean; is_leaving: boolean } | undefined,
): 'suspended' | 'leaving' | null {
  if (what === 'promotion' && merchant?.is_suspended) return 'suspended'
  return merchant?.is_leaving ? 'leaving' : null
}

const ranks: Record<Tier, number> = { FREE: 0, PREMIUM: 1, ULTIMATE: 2 }
export const rankOf = (tier: Tier): number => ranks[tier]
export const samePlan = (a: Plan, b: Plan): boolean => a.tier === b.tier && a.interval === b.interval

/**
 * Splits a plan change into the part that happens now and the part that waits for the end of the paid period. A higher tier or a
 * longer interval starts now and is paid pro rata; a lower tier or a shorter interval waits. With a lower tier the interval waits
 * too, so that nobody pays for a year of a tier that they give up. `null`: no change.
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
 * What a change costs now, in Rappen: the new price for the rest of the period, less the old price for it. Another interval starts
 * a new period at its whole price. The same as Stripe's proration, which counts seconds.
 * @param left remaining part of the paid period, 0 to 1
 */
export function proratedRappen(before: Plan, after: Plan, left: number): number {
  const share = after.interval === before.interval ? left : 1
  return Math.max(0, Math.round(priceRappen(after) * share) - Math.round(priceRappen(before) * left))
}

/** Remaining part of a paid period, 0 to 1. Times in ms. */
export function leftOf({ from, until }: { from: number; until: number }, now: number): number {
  return Math.min(1, Math.max(0, (until - now) / (until - from)))
}

/** VAT in a price that includes it, in Rappen; negative for a refund. @param rate percent */
export function vatIn(amountRappen: number, rate: number): number {
  const part = Math.round((Math.abs(amountRappen) * rate) / (100 + rate))
  return amountRappen < 0 ? -part : part
}
