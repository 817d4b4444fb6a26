import { expect, it } from 'vitest'
import { isOver, isOwnBusiness, isPublic, publishingBar, takesPlace } from './policy.ts'

const cafe = '0190a000-0000-7000-8000-00000000cafe'
const evening = new Date('2026-06-20T17:30:00Z')

it.each(['published', 'paused', 'active', 'scheduled', 'sold_out', 'expired'])(
  'everybody sees a deal that is %s',
  (state) => expect(isPublic(state)).toBe(true),
)

it.each(['draft', 'archived', 'hidden'])('only its merchant sees a deal that is %s', (state) =>
  expect(isPublic(state)).toBe(false),
)

it('a deal is the own one of its merchant, and of no visitor, guest or other merchant', () => {
  expect(isOwnBusiness({ businessId: cafe.toUpperCase() }, cafe)).toBe(true)
  expect(isOwnBusiness({ businessId: '0190a000-0000-7000-8000-00000000ba12' }, cafe)).toBe(false)
  expect(isOwnBusiness({ businessId: null }, cafe)).toBe(false)
  expect(isOwnBusiness(null, cafe)).toBe(false)
})

const merchant = { is_suspended: false, is_leaving: false, mustConfirm: false }
it.each([
  ['with a confirmed email can publish', {}, null],
  ['who is suspended cannot', { is_suspended: true, is_leaving: true, mustConfirm: true }, 'bySuspension'],
  ['whose account is being deleted cannot', { is_leaving: true, mustConfirm: true }, 'whileLeaving'],
  ['without a confirmed email cannot', { mustConfirm: true }, 'untilConfirmed'],
])('a merchant %s', (_, differs, bar) => {
  expect(publishingBar({ ...merchant, ...differs })).toBe(bar)
})

it('a published deal takes a place until the moment it ends, and one without an end for good', () => {
  expect(takesPlace({ state: 'published', ends_at: null }, evening)).toBe(true)
  expect(takesPlace({ state: 'published', ends_at: '2026-06-20T17:30:01Z' }, evening)).toBe(true)
  expect(takesPlace({ state: 'published', ends_at: '2026-06-20T17:30:00Z' }, evening)).toBe(false)
  expect(takesPlace({ state: 'paused', ends_at: null }, evening)).toBe(false)
  expect(isOver({ ends_at: null }, evening)).toBe(false)
})
