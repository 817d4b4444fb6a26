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
  dealAction,
  returnFault,
  type DealViewer,
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

it('visitors return their claims until these are redeemed; claims of others are unknown to them', () => {
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

it('a business redeems only codes of its own deals', () => {
  expect(mayRedeem(ownTill, { business_id: 'bar' })).toBe(true)
  expect(mayRedeem(device, { business_id: 'cafe' })).toBe(false)
})

it('offline scans count from registered devices alone', () => {
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

it('only the owner sees the devices of a business', () => {
  expect(ownsBusiness('0190AB', '0190ab')).toBe(true)
  expect(ownsBusiness('0190cd', '0190ab')).toBe(false)
  expect(ownsBusiness(null, '0190ab')).toBe(false)
})

const evening = Date.parse('2026-06-20T17:30:00Z')
const at = (clock: string) => `2026-06-20T${clock}:00Z`
const usable = { usable_now: true, usable_from: null, usable_until: at('23:00'), open_now: true }
const tomorrow = { ...usable, usable_now: false, usable_from: '2026-06-21T16:00:00Z', usable_until: null }
const nextWeek = { ...tomorrow, usable_from: '2026-06-27T16:00:00Z' }
const running = {
  status: 'active',
  per_user_limit: 1,
  starts_at: null,
  over_at: null,
  business_id: 'bar',
  ...usable,
} as const
const guest: DealViewer = { session: 'guest', role: null, businessId: null, holdsCode: false, redeemed: 0 }
const visitor: DealViewer = { ...guest, session: 'user', role: 'user' }
const merchant: DealViewer = { ...guest, session: 'business', role: 'business', businessId: 'bar' }

it.each([
  ['a visitor', visitor, {}, { is: 'get_code' }],
  ['a guest', guest, {}, { is: 'log_in' }],
  ['who holds a code', { ...visitor, holdsCode: true }, { status: 'paused' }, { is: 'show_code' }],
  ['who has used it up', { ...visitor, redeemed: 1 }, {}, { is: 'used' }],
  ['its merchant', merchant, { status: 'sold_out' }, { is: 'edit' }],
  ['another merchant', { ...merchant, businessId: 'cafe' }, {}, { is: 'for_visitors' }],
  ['who looks within a day of its hours', visitor, tomorrow, { is: 'get_code' }],
  ['who looks days before', visitor, nextWeek, { is: 'save', why: 'later', from: nextWeek.usable_from }],
  [
    'before it begins',
    guest,
    { status: 'scheduled', starts_at: at('20:00') },
    { is: 'save', why: 'later', from: at('20:00') },
  ],
  ['when it is sold out', guest, { status: 'sold_out' }, { is: 'save', why: 'sold_out', from: null }],
  ['when it is paused', visitor, { status: 'paused' }, { is: 'none' }],
  ['after its last minute', visitor, { over_at: at('17:30') }, { is: 'none' }],
] as const)('the button of a deal with codes, for %s', (_, who, differs, action) => {
  expect(dealAction({ ...running, redemption_mode: 'code', ...differs }, who, evening)).toEqual(action)
})

it.each([
  ['now', {}, { is: 'show_at_counter' }],
  ['at unknown hours', { usable_now: null, open_now: null, usable_until: null }, { is: 'show_at_counter' }],
  ['before its hours', tomorrow, { is: 'save', why: 'later', from: tomorrow.usable_from }],
  ['after its hours, by an old answer', { usable_until: at('17:00') }, { is: 'save', why: 'later', from: null }],
  ['when it is sold out', { status: 'sold_out' }, { is: 'none' }],
] as const)('the button of a deal without codes, %s', (_, differs, action) => {
  for (const who of [guest, visitor])
    expect(dealAction({ ...running, redemption_mode: 'none', ...differs }, who, evening)).toEqual(action)
})
