import { expect, it } from 'vitest'
import * as policy from './policy.ts'

const now = new Date('2026-08-15T20:00:00Z')
const earlier = new Date('2026-08-15T19:00:00Z')
const later = new Date('2026-08-15T21:00:00Z')
const account = { verified_at: earlier, blocked_at: null, deletion_at: null, confirm_by: null }

it('moderators and admins are staff, visitors and merchants are not', () => {
  expect(['moderator', 'admin'].every(policy.isStaff)).toBe(true)
  expect(['user', 'business'].some(policy.isStaff)).toBe(false)
})

it('only staff may have reserved names, and only merchants long ones', () => {
  expect(policy.canHaveReservedName('admin')).toBe(true)
  expect(policy.canHaveReservedName('business')).toBe(false)
  expect(policy.nameLength('business')).toBeGreaterThan(policy.nameLength('user'))
  expect(policy.nameLength('moderator')).toBe(policy.nameLength('user'))
})

it('an account gets mail only with a confirmed address, and not while it is blocked or leaving', () => {
  expect(policy.canGetMail(account)).toBe(true)
  expect(policy.canGetMail({ ...account, verified_at: null })).toBe(false)
  expect(policy.canGetMail({ ...account, blocked_at: earlier })).toBe(false)
  expect(policy.canGetMail({ ...account, deletion_at: later })).toBe(false)
})

it('an account is deleted once its 14 days are over, not before', () => {
  expect(policy.isDeletionDue({ ...account, deletion_at: earlier }, now)).toBe(true)
  expect(policy.isDeletionDue({ ...account, deletion_at: later }, now)).toBe(false)
  expect(policy.isDeletionDue({ ...account, deletion_at: null }, now)).toBe(false)
})

it('an unconfirmed account is overdue only after it was asked to confirm and the time is over', () => {
  expect(policy.isConfirmationOverdue({ ...account, verified_at: null, confirm_by: earlier }, now)).toBe(true)
  expect(policy.isConfirmationOverdue({ ...account, verified_at: null, confirm_by: null }, now)).toBe(false)
  expect(policy.isConfirmationOverdue({ ...account, verified_at: earlier, confirm_by: earlier }, now)).toBe(false)
})
