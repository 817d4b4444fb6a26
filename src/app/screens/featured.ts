import type { Deal } from '../../deals/contract.ts'

type Shown = Pick<Deal, 'deal_id' | 'business_id' | 'usable_now' | 'usable_from'>

const soonMs = 2 * 60 * 60_000
const perMerchant = 2

/**
 * The deals that home shows: of those `promoted` and then of `others`, in their order, what can be used now, then what
 * begins within two hours, then the rest; at most two of one merchant.
 */
export function featured<D extends Shown>(promoted: D[], others: D[], count: number, now: number): D[] {
  const known = new Set(promoted.map((deal) => deal.deal_id))
  const all = [...promoted, ...others.filter((deal) => !known.has(deal.deal_id))]
  const inOrder = all.toSorted((a, b) => wait(a, now) - wait(b, now))
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

function wait({ usable_now, usable_from }: Shown, now: number): 0 | 1 | 2 {
  if (usable_now) return 0
  return usable_from !== null && Date.parse(usable_from) - now <= soonMs ? 1 : 2
}
