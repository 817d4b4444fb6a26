import { expect, it } from 'vitest'
import { percentChange, furthestStep, highest, ratingTrend, shareOf, ticksUpTo } from './findings.ts'

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [17, [0, 5, 10, 15, 20]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])('the lines of a chart up to %d have round numbers and reach at least it', (most, ticks) => {
  expect(ticksUpTo(most)).toEqual(ticks)
})

it('a change is a percentage of the period before; there is none where that period had nothing', () => {
  expect(percentChange(12, 10)).toBe(20)
  expect(percentChange(5, 10)).toBe(-50)
  expect(percentChange(5, 0)).toBeNull()
  expect(percentChange(5, null)).toBeNull()
})

it('small shares keep one decimal', () => {
  expect(shareOf(1, 3)).toBe(33)
  expect(shareOf(1, 30)).toBe(3.3)
  expect(shareOf(1, 0)).toBeNull()
})

it('the highest bar is the first of those that are equally high, and none where all are empty', () => {
  const bars = [{ value: 0 }, { value: 2 }, { value: 2 }]
  expect(highest(bars)).toBe(bars[1])
  expect(highest([{ value: 0 }])).toBeNull()
})

it('the furthest step is the last in which something happened', () => {
  const none = { impressions: 0, opens: 0, visitors: 0, saves: 0, claims: 0, redemptions: 0, sales_chf: 0 }
  expect(furthestStep(none)).toBeNull()
  expect(furthestStep({ ...none, impressions: 5, opens: 2 })).toBe('opens')
})

it('a rating trend begins with the first day on which anybody had rated', () => {
  const day = (count: number, mean: number | null) => ({ at: '', count, mean })
  expect(ratingTrend([day(0, null), day(1, 4), day(2, 4.5)])).toEqual({ first: 4, last: 4.5, came: 3 })
  expect(ratingTrend([day(1, 4.34), day(1, 4.26)])).toMatchObject({ first: 4.3, last: 4.3 })
  expect(ratingTrend([day(0, null)])).toBeNull()
})
