import { expect, it } from 'vitest'
import { isOwnBusiness, maySeePage } from './policy.ts'

const owner = { businessId: '0190A000-0000-7000-8000-000000000001' }
const other = { businessId: '0190a000-0000-7000-8000-000000000002' }
const visitor = { businessId: null }
const business = { business_id: '0190a000-0000-7000-8000-000000000001', is_shown: true }

it('a merchant owns one business; visitors and guests own none', () => {
  expect([owner, other, visitor, null].map((who) => isOwnBusiness(who, business.business_id))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

it('everybody sees a public business, its owner alone a suspended or leaving one', () => {
  expect([owner, other, visitor, null].every((who) => maySeePage(business, who))).toBe(true)
  const hidden = { ...business, is_shown: false }
  expect([owner, other, visitor, null].map((who) => maySeePage(hidden, who))).toEqual([true, false, false, false])
})
