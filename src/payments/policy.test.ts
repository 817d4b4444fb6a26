import { describe, expect, it } from 'vitest'
import { priceRappen, proratedRappen, splitChange, vatIn, whyNotBuy, type Plan } from './policy.ts'

const premium: Plan = { tier: 'PREMIUM', interval: 'month' }
const premiumYear: Plan = { tier: 'PREMIUM', interval: 'year' }
const ultimate: Plan = { tier: 'ULTIMATE', interval: 'month' }
const ultimateYear: Plan = { tier: 'ULTIMATE', interval: 'year' }

describe('a plan change', () => {
  it('to a higher tier or to a year starts now', () => {
    expect(splitChange(premium, ultimate)).toEqual({ now: ultimate, later: null })
    expect(splitChange(premium, premiumYear)).toEqual({ now: premiumYear, later: null })
  })
  it('to a lower tier or to months waits for the end of the paid period', () => {
    expect(splitChange(ultimateYear, premiumYear)).toEqual({ now: null, later: premiumYear })
    expect(splitChange(premiumYear, premium)).toEqual({ now: null, later: premium })
  })
  it('to a year of a lower tier waits as a whole, so that nobody pays for a year of what they give up', () => {
    expect(splitChange(ultimate, premiumYear)).toEqual({ now: null, later: premiumYear })
  })
  it('to a higher tier by the month starts now for the paid year, and the months follow', () => {
    expect(splitChange(premiumYear, ultimate)).toEqual({ now: ultimateYear, later: ultimate })
  })
  it('costs the difference for the rest of the period, or a whole new period less that rest', () => {
    expect(proratedRappen(premium, ultimate, 0.5)).toBe(4950 - 2450)
    expect(proratedRappen(premium, premiumYear, 0.5)).toBe(priceRappen(premiumYear) - 2450)
  })
})

describe('a merchant', () => {
  it('who is suspended can buy a plan, but no promotion', () => {
    const suspended = { is_suspended: true, is_leaving: false }
    expect(whyNotBuy('promotion', suspended)).toBe('suspended')
    expect(whyNotBuy('subscription', suspended)).toBeNull()
  })
  it('whose account waits to be deleted can buy nothing', () => {
    const leaving = { is_suspended: false, is_leaving: true }
    expect(whyNotBuy('promotion', leaving)).toBe('leaving')
    expect(whyNotBuy('subscription', leaving)).toBe('leaving')
  })
})

it('VAT is the part of a price that includes it, and negative in a refund', () => {
  expect(vatIn(49_000, 8.1)).toBe(3672)
  expect(vatIn(-49_000, 8.1)).toBe(-3672)
})
