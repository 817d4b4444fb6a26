import { expect, it } from 'vitest'
import { roles } from '../accounts/limits.ts'
import { dealStatuses } from '../deals/limits.ts'
import { claimStates } from './limits.ts'
import {
  hasReachedLimit,
  mayClaim,
  mayRedeem,
  mayRedeemLater,
  mayUndo,
  ownsBusiness,
  tillOf,
  undoUntil,
  claimFault,
  returnFault,
} from './policy.ts'

const ownTill = { businessId: 'bar', tillId: null, redeemOnly: false }
const device = { businessId: 'bar', tillId: 'counter', redeemOnly: true }

it('visitors claim deals; merchants, staff and guests do not', () => {
  expect([...roles, null].filter(mayClaim)).toEqual(['user'])
})

it('a deal with codes can be claimed while it runs, and one without codes never', () => {
  const faults = (redemption_mode: 'code' | 'none') =>
    Object.fromEntries(dealStatuses.map((status) => [status, claimFault({ status, redemption_mode })]))
  const alike = {
    draft: 'unknown',
    archived: 'unknown',
    sold_out: 'sold_out',
    scheduled: 'not_running',
    paused: 'not_running',
    expired: 'not_running',
  }
  expect(faults('code')).toEqual({ ...alike, active: null })
  expect(faults('none')).toEqual({ ...alike, active: 'no_code_needed' })
})

it('a visitor who has redeemed a deal twice of two times gets no further code', () => {
  expect([0, 1, 2, 3].map((redeemed) => hasReachedLimit(redeemed, { per_user_limit: 2 }))).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('who holds a claim gives it back until it is redeemed; to others it is unknown', () => {
  const faults = (accountId: string) =>
    claimStates.map((state) => returnFault({ account_id: 'lena', state }, accountId))
  expect(faults('lena')).toEqual([null, 'already_used', null, null])
  expect(faults('tom')).toEqual(claimStates.map(() => 'unknown'))
  expect(returnFault({ account_id: null, state: 'open' }, 'lena')).toBe('unknown')
})

it('a device of another business counts as not registered', () => {
  expect(tillOf('bar', { till_id: 'counter', business_id: 'bar' })).toEqual({ ...ownTill, tillId: 'counter' })
  expect(tillOf('bar', { till_id: 'counter', business_id: 'cafe' })).toEqual(ownTill)
  expect(tillOf('bar', undefined)).toEqual(ownTill)
})

it('a business redeems codes of its own deals alone', () => {
  expect(mayRedeem(ownTill, { business_id: 'bar' })).toBe(true)
  expect(mayRedeem(device, { business_id: 'cafe' })).toBe(false)
})

it('scans without a network count from registered devices alone', () => {
  expect(mayRedeemLater(device)).toBe(true)
  expect(mayRedeemLater(ownTill)).toBe(false)
})

it('a merchant undoes every redemption of the business, a redeem-only device its own, and nobody a conflict', () => {
  const here = { state: 'redeemed', till_id: 'counter' }
  const elsewhere = { state: 'redeemed', till_id: 'terrace' }
  expect([here, elsewhere].map((each) => mayUndo(ownTill, each))).toEqual([true, true])
  expect([here, elsewhere].map((each) => mayUndo(device, each))).toEqual([true, false])
  expect(mayUndo(ownTill, { ...here, state: 'conflict' })).toBe(false)
})

it('a redemption can be undone for 15 minutes after it was recorded', () => {
  expect(undoUntil({ recorded_at: '2026-06-20T18:00:00.000Z' }).toString()).toBe('2026-06-20T18:15:00Z')
})

it('the devices of a business are seen by its owner alone', () => {
  expect(ownsBusiness('0190AB', '0190ab')).toBe(true)
  expect(ownsBusiness('0190cd', '0190ab')).toBe(false)
  expect(ownsBusiness(null, '0190ab')).toBe(false)
})
