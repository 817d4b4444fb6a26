import { expect, it } from 'vitest'
import { scheduleAction, scheduleRoles, sharedPart } from './policy.ts'

it('visitors and staff have a schedule; merchants have none', () => {
  expect(scheduleRoles).toEqual(['user', 'moderator', 'admin'])
})

it('a shared schedule shows neither notes nor reminders', () => {
  const entry = { entry_id: '1', priority: 'must', note: 'Meet Tom', reminders: [15], event: 'Opening' }
  expect(sharedPart(entry)).toEqual({ priority: 'must', event: 'Opening' })
})

it('an event can be added until it is over or cancelled, and a saved one can always be removed', () => {
  const actions = (isSaved: boolean) =>
    ['confirmed', 'moved', 'cancelled'].map((status) =>
      [false, true].map((isOver) => scheduleAction({ status }, { isSaved, isOver })),
    )
  expect(actions(false)).toEqual([
    ['add', null],
    ['add', null],
    [null, null],
  ])
  expect(actions(true).flat()).toEqual(Array.from({ length: 6 }, () => 'remove'))
})
