import { expect, it } from 'vitest'
import { roles } from '../accounts/limits.ts'
import { dealStatuses } from '../deals/limits.ts'
import { canBeRated, isKnownToVisitors, isWithdrawn, mayBeDeleted, mayRate, mayReply } from './policy.ts'

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

it('a rating can be deleted, but is only emptied and withdrawn where staff have hidden it', () => {
  expect(mayBeDeleted({ hidden_at: null })).toBe(true)
  expect(mayBeDeleted({ hidden_at: '2026-06-20T18:00:00.000Z' })).toBe(false)
  expect(isWithdrawn({ withdrawn_at: '2026-06-20T19:00:00.000Z' })).toBe(true)
  expect(isWithdrawn({ withdrawn_at: null })).toBe(false)
})
