/**
 * What to expect of another price. Redemptions follow the price with a constant elasticity e: R(p) = R0 · (p / p0)^(−e), with the
 * redemptions R0 of the last 30 days at the current price p0.
 *
 * e is assumed, not measured: 0.8 to 2.5 is usual for restaurants and leisure, 1.5 is in between. R0 is a count, so its error is that of
 * a Poisson distribution, R0 ± 1.96 · √R0 (95 %). `low` and `high` are the worst and the best case over both. If the price changed
 * within these days, R0 mixes redemptions at both prices.
 */

export const elasticity = { low: 0.8, mid: 1.5, high: 2.5 } as const
/** The formula holds from half to double the current price. */
export const furthestPrice = 2

export interface Range {
  low: number
  mid: number
  high: number
}

/** Expected redemptions in the same number of days, whole: `low` rounded down, `high` up. */
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

/** Margin in CHF when a piece costs `cost`. Where that is more than the price, more redemptions are the worse case. */
export function marginOf(expected: Range, price: number, cost: number): Range {
  const of = (redemptions: number) => Math.round(redemptions * (price - cost) * 100) / 100
  const ends = [of(expected.low), of(expected.high)] as const
  return { low: Math.min(...ends), mid: of(expected.mid), high: Math.max(...ends) }
}
