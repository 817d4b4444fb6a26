import { describe, expect, it } from 'vitest'
import { mostLookedAt, rounded, shareToLookAt, shares } from './share.ts'

/** As if every lot were fair. */
const choose = async (all: number) => {
  const asked: number[] = []
  const share = await shareToLookAt(async (each, cap) => {
    asked.push(each)
    return Math.min(Math.floor(all / each), cap)
  })
  return { share, asked }
}

describe('the share a map looks at', () => {
  it.each([
    [0, 1],
    [150, 1],
    [2_100, 1],
    [mostLookedAt, 1],
    [7_000, 8],
    [48_000, 8],
    [49_000, 64],
    [384_000, 64],
    [385_000, 512],
    [20_000_000, 512],
  ])('of %i rows is every %i.', async (all, share) => {
    expect((await choose(all)).share).toBe(share)
  })
  it('is never so large that more is looked at than may be, and never needlessly small', async () => {
    for (let all = 1_000; all < 3_000_000; all = Math.ceil(all * 1.07)) {
      const { share, asked } = await choose(all)
      // estimated by a few lots
      expect(all / share).toBeLessThanOrEqual(mostLookedAt * 1.05)
      if (share > 8) expect(all / share).toBeGreaterThan((mostLookedAt / 8) * 0.9)
      expect(asked.length).toBeLessThanOrEqual(2)
    }
  })
  it('is one of those that have an index', async () => {
    for (const all of [10, 1e4, 1e5, 1e6]) expect(shares).toContain((await choose(all)).share)
  })
})

describe('an estimate', () => {
  it.each([
    [0, 0],
    [7, 7],
    [64, 64],
    [128, 130],
    [1_984, 2_000],
    [87_654, 88_000],
  ])('of %i is said as %i', (count, said) => expect(rounded(count)).toBe(said))
})
