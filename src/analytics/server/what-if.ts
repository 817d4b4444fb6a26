/**
 * What another price may bring. Redemptions follow the price with a constant elasticity e: R(p) = R0 · (p / p0)^(−e), with the
 * redemptions R0 of the last 30 days at the current price p0.
 *
 * e is an assumption and not measured on the deal: 0.8 to 2.5 is the usual order of size for restaurants and leisure, and 1.5 lies
 * in between. R0 is a count, so chance in it is taken as that of a Poisson distribution: R0 ± 1.96 · √R0 (95 %). `low` and `high` are the worst
 * and the best over both. A merchant who changed the price within these days has redemptions of both prices in R0.
 */

export const elasticity = { low: 0.8, mid: 1.5, high: 2.5 } as const
/** The formula says nothing of prices further away than half or double of the current one. */
export const furthestPrice = 2

export interface Range {
  low: number
  mid: number
  high: number
}

/** Redemptions in as many days as `redemptions` was counted in, whole: `low` rounded down, `high` up. */
export function expectedAt({
  redemptions,
  priceNow,
  price,
}: {
  redemptions: number
  priceNow: number
  price: number
}): Range {
  const chance = 1.96 * Math.sqrt(redemptions)
  const factor = (e: number) => (price / priceNow) ** -e
  const [worst, best] = [factor(elasticity.low), factor(elasticity.high)].toSorted((a, b) => a - b) as [number, number]
  return {
    low: Math.floor(Math.max(0, redemptions - chance) * worst),
    mid: Math.round(redemptions * factor(elasticity.mid)),
    high: Math.ceil((redemptions + chance) * best),
  }
}

/** What is left in CHF when each piece costs `cost`; where a piece costs more than its price, more redemptions are the worse case. */
export function marginOf(expected: Range, price: number, cost: number): Range {
  const of = (redemptions: number) => Math.round(redemptions * (price - cost) * 100) / 100
  const ends = [of(expected.low), of(expected.high)] as const
  return { low: Math.min(...ends), mid: of(expected.mid), high: Math.max(...ends) }
}
