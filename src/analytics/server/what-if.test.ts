import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectedAt, marginOf } from './what-if.ts'

const redemptions = fc.integer({ min: 0, max: 100_000 })
const rappen = fc.integer({ min: 1, max: 10_000_000 }).map((each) => each / 100)

it('45 redemptions at CHF 10 become about 34 at CHF 12', () => {
  const expected = expectedAt({ redemptions: 45, priceNow: 10, price: 12 })
  // 31.85 × 1.2^−2.5 and 58.15 × 1.2^−0.8
  expect(expected).toEqual({ low: 20, mid: 34, high: 51 })
  expect(marginOf(expected, 12, 4.5)).toEqual({ low: 150, mid: 255, high: 382.5 })
})

it('at a loss per piece the most redemptions are the worst case', () => {
  expect(marginOf({ low: 20, mid: 30, high: 40 }, 8, 10)).toEqual({ low: -80, mid: -60, high: -40 })
})

it('the current price keeps the redemptions of today in the middle', () => {
  fc.assert(
    fc.property(redemptions, rappen, (count, price) => {
      expect(expectedAt({ redemptions: count, priceNow: price, price }).mid).toBe(count)
    }),
  )
})

it('the low end is never above the middle, and the middle never above the high end', () => {
  fc.assert(
    fc.property(redemptions, rappen, rappen, rappen, (count, priceNow, price, cost) => {
      const expected = expectedAt({ redemptions: count, priceNow, price })
      for (const { low, mid, high } of [expected, marginOf(expected, price, cost)]) {
        expect(low).toBeLessThanOrEqual(mid)
        expect(mid).toBeLessThanOrEqual(high)
      }
    }),
  )
})

it('a higher price never expects more redemptions', () => {
  fc.assert(
    fc.property(redemptions, rappen, rappen, rappen, (count, priceNow, a, b) => {
      const at = (price: number) => expectedAt({ redemptions: count, priceNow, price })
      const [cheap, dear] = [at(Math.min(a, b)), at(Math.max(a, b))]
      for (const end of ['low', 'mid', 'high'] as const) expect(dear[end]).toBeLessThanOrEqual(cheap[end])
    }),
  )
})
