import type { Deal } from '../../deals/contract.ts'

type FeaturedDeal = Pick<Deal, 'deal_id' | 'business_id' | 'usable_now' | 'usable_from' | 'open_now'>

const soonMs = 2 * 60 * 60_000
const perMerchant = 2

/**
 * The deals that home shows: first those that can be used now, then those that begin within two hours, then those that begin before
 * `tonight` or whose hours are unknown, then the rest. Within each group promoted deals come first. At most two of one
 * merchant. Moments are ms since 1970.
 */
export function featured<D extends FeaturedDeal>(
  promoted: D[],
  others: D[],
  count: number,
  at: { now: number; tonight: number },
): D[] {
  const known = new Set(promoted.map((deal) => deal.deal_id))
  const all = [...promoted, ...others.filter((deal) => !known.has(deal.deal_id))]
  const inOrder = all.toSorted((a, b) => wait(a, at) - wait(b, at))
  const ofMerchant = new Map<string, number>()
  return inOrder
    .filter((deal) => {
      const before = ofMerchant.get(deal.business_id) ?? 0
      // an answer that names no merchant cannot be counted
      if (deal.business_id) ofMerchant.set(deal.business_id, before + 1)
      return before < perMerchant
    })
    .slice(0, count)
}

/** Group of a deal, the same as in the order `best` (`migrations/0014_deals_questions.sql`). */
function wait(
  { usable_now, usable_from, open_now }: FeaturedDeal,
  { now, tonight }: { now: number; tonight: number },
): 0 | 1 | 2 | 3 {
  if (usable_now) return 0
  if (usable_now === null) return 2
  const from = usable_from === null ? Infinity : Date.parse(usable_from)
  if (from - now <= soonMs && open_now !== null) return 1
  return from < tonight ? 2 : 3
}
