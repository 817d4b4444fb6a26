import { expect, it } from 'vitest'
import { roles } from '../accounts/limits.ts'
import { dealStatuses } from '../deals/limits.ts'
import { canBeRated, isGiven, isKnownToVisitors, mayRate, mayReply, staysWhenTakenBack } from './policy.ts'

it('visitors rate deals; merchants, staff and guests do not', () => {
  expect([...roles, null].filter(mayRate)).toEqual(['user'])
})

it('a deal is rated from its beginning to its end, and after that by who has redeemed it', () => {
  const rated = (hasRedeemed: boolean) =>
    dealStatuses.filter((status) => isKnownToVisitors({ status }) && canBeRated({ status }, hasRedeemed))
  expect(rated(false)).toEqual(['active', 'paused', 'sold_out'])
  expect(rated(true)).toEqual(['active', 'paused', 'sold_out', 'expired'])
})

it('only the business that was rated replies', () => {
  expect(mayReply('bar', { business_id: 'bar' })).toBe(true)
  expect(mayReply('cafe', { business_id: 'bar' })).toBe(false)
  expect(mayReply(null, { business_id: 'bar' })).toBe(false)
})

it('a rating that its author took back is unknown to everybody', () => {
  expect(isGiven({ withdrawn_at: null })).toBe(true)
  expect(isGiven({ withdrawn_at: '2026-06-20T18:00:00.000Z' })).toBe(false)
})

it('a rating that staff have hidden stays as an empty row when its author takes it back', () => {
  expect(staysWhenTakenBack({ hidden_at: '2026-06-20T18:00:00.000Z' })).toBe(true)
  expect(staysWhenTakenBack({ hidden_at: null })).toBe(false)
})
