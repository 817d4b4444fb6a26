import { expect, it } from 'vitest'
import { scheduleRoles, sharedPart } from './policy.ts'

it('visitors and staff have a schedule; merchants have none', () => {
  expect(scheduleRoles).toEqual(['user', 'moderator', 'admin'])
})

it('who has the link of a shared schedule sees neither notes nor reminders', () => {
  const entry = { entry_id: '1', priority: 'must', note: 'Meet Tom', reminders: [15], event: 'Opening' }
  expect(sharedPart(entry)).toEqual({ priority: 'must', event: 'Opening' })
})
