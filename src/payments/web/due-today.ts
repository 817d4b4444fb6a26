import { leftOf, splitChange, priceRappen, proratedRappen, type Plan } from '../policy.ts'
import type { MySubscription } from '../contract.ts'

/** What a plan change costs and when. `isAbout`: an estimate, as the rest of the paid period is deducted by the second. */
export type Due =
  { kind: 'same' } | { kind: 'today'; chf: number; isAbout: boolean; after: Plan } | { kind: 'later'; at: string }

/** null: unknown, because a payment is overdue. */
export function dueToday(paid: MySubscription | null, wanted: Plan, nowMs: number): Due | null {
  const current = paid?.provider_id && paid.status !== 'canceled' ? planOf(paid) : null
  if (!current) return { kind: 'today', chf: priceRappen(wanted) / 100, isAbout: false, after: wanted }
  if (paid!.status !== 'active' || !paid!.current_period_end) return null
  const { now, later } = splitChange(current, wanted)
  if (!now) return later ? { kind: 'later', at: paid!.current_period_end } : { kind: 'same' }
  const until = Date.parse(paid!.current_period_end)
  const left = leftOf({ from: beginOf(until, current), until }, nowMs)
  return { kind: 'today', chf: proratedRappen(current, now, left) / 100, isAbout: true, after: later ?? now }
}

/** The current plan; null: there is none. */
export const planOf = ({ tier, interval }: MySubscription): Plan | null =>
  (tier === 'PREMIUM' || tier === 'ULTIMATE') && interval ? { tier, interval } : null

/** Start of a period that ends at `until`. A period that ends on the 31st may have begun on the last day of a shorter month. */
function beginOf(until: number, { interval }: Plan): number {
  const begin = new Date(until)
  const day = begin.getUTCDate()
  begin.setUTCMonth(begin.getUTCMonth() - (interval === 'year' ? 12 : 1))
  if (begin.getUTCDate() !== day) begin.setUTCDate(0)
  return begin.getTime()
}
