import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codesOf, endOfStep, slotOf, stepAt } from './rotating-codes.ts'

const key = Buffer.from('0f'.repeat(32), 'hex')
const step = stepAt(Temporal.Instant.from('2026-06-20T17:30:00Z'))

describe('rotating codes', () => {
  it('are six digits that change with each step of 30 seconds', () => {
    const codes = codesOf(key, 42, step, 2880).match(/\d{6}/g)!
    expect(codes).toHaveLength(2880)
    // a few repeat by chance
    expect(new Set(codes).size).toBeGreaterThan(2850)
    expect(endOfStep(step).toString()).toBe('2026-06-20T17:30:30Z')
    expect(stepAt(Temporal.Instant.from('2026-06-20T17:30:29.999Z'))).toBe(step)
  })

  it('lead back to their slot, only in their own step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 2 ** 40 }), (slot, at) => {
        const code = codesOf(key, slot, at, 1)
        expect(slotOf(key, code, at)).toBe(slot)
      }),
      { numRuns: 500 },
    )
    const code = codesOf(key, 7, step, 1)
    expect(slotOf(key, code, step + 1)).not.toBe(7)
    expect(slotOf(randomBytes(32), code, step)).not.toBe(7)
  })

  it('never repeat among the slots of a business within one step', () => {
    const codes = Array.from({ length: 3000 }, (_, slot) => codesOf(key, slot * 333, step, 1))
    expect(new Set(codes).size).toBe(3000)
  })

  it('are spread evenly: neighbouring slots and steps have no more in common than by chance', () => {
    const tens = Array.from({ length: 10 }, () => 0)
    const codes = codesOf(key, 1, step, 5000).match(/\d{6}/g)!
    for (const code of codes) tens[Number(code[0])]!++
    for (const count of tens) expect(Math.abs(count - 500)).toBeLessThan(120)
  })

  it('are the same when made all at once or one by one', () => {
    const all = codesOf(key, 123_456, step, 50).match(/\d{6}/g)!
    expect(all.map((_, index) => codesOf(key, 123_456, step + index, 1))).toEqual(all)
  })
})
