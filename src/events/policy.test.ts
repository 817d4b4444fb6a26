import { expect, it } from 'vitest'
import {
  announcedKinds,
  importDecision,
  isDeletedByStaff,
  isPublic,
  needsConsent,
  noteMove,
  publicSaves,
} from './policy.ts'
import type { PlannedEvent } from './policy.ts'

const concert: PlannedEvent = {
  title: 'Concert',
  description: null,
  state: 'scheduled',
  starts_at: '2026-06-20T19:00:00.000Z',
  ends_at: null,
  stage_id: 'rhine',
  previous_starts_at: null,
  previous_place: null,
}
const draft = { ...concert, state: 'draft' as const }
const later = '2026-06-20T20:00:00.000Z'
const places = new Map([
  ['rhine', 'Rheinbühne'],
  ['harbour', 'Hafenbühne'],
])

it('visitors see published events and no drafts, and the number of saves from five on', () => {
  expect([concert, draft, null].map(isPublic)).toEqual([true, false, false])
  expect([4, 5].map(publicSaves)).toEqual([null, 5])
})

it('people hear that a saved event has another time or text, is gone, or is back', () => {
  expect(announcedKinds(concert, { ...concert, starts_at: later, title: 'Late concert' }, 0)).toEqual(['time', 'text'])
  expect(announcedKinds(concert, null, 0)).toEqual(['gone'])
  expect(announcedKinds(concert, draft, 0)).toEqual(['gone'])
  expect(announcedKinds(null, concert, 3)).toEqual(['back'])
  expect(announcedKinds(draft, concert, 3)).toEqual(['back'])
})

it('nobody hears of a new event, of drafts, or of a change that leaves the plan as it is', () => {
  expect(announcedKinds(null, concert, 0)).toEqual([])
  expect(announcedKinds(draft, { ...draft, starts_at: later }, 3)).toEqual([])
  expect(announcedKinds(concert, { ...concert }, 3)).toEqual([])
})

it('a later start delays an event, an earlier start or another stage moves it, and back as announced it is scheduled', () => {
  const delayed = noteMove(concert, { ...concert, starts_at: later }, places)
  expect(delayed).toMatchObject({ state: 'delayed', previous_starts_at: concert.starts_at })
  expect(noteMove(concert, { ...concert, starts_at: '2026-06-20T18:00:00.000Z' }, places).state).toBe('moved')
  const moved = noteMove(delayed, { ...delayed, stage_id: 'harbour' }, places)
  expect(moved).toMatchObject({ state: 'moved', previous_place: 'Rheinbühne' })
  expect(noteMove(moved, { ...moved, stage_id: 'rhine', starts_at: concert.starts_at }, places)).toEqual(concert)
})

it('a draft, a first place and a cancelled event do not become a move', () => {
  expect(noteMove(draft, { ...draft, starts_at: later }, places).state).toBe('draft')
  expect(noteMove({ ...concert, stage_id: null }, concert, places).state).toBe('scheduled')
  const cancelled = { ...concert, state: 'cancelled' as const }
  expect(noteMove(cancelled, { ...cancelled, starts_at: later }, places).state).toBe('cancelled')
})

it('an import writes what its source changed, and leaves what staff edited or deleted', () => {
  expect(importDecision('18:00', '18:00', '19:00')).toBe('write')
  expect(importDecision('18:00', '18:00', '18:00')).toBe('unchanged')
  expect(importDecision('18:00', '18:30', '18:00')).toBe('unchanged')
  expect(importDecision('18:00', '18:30', '19:00')).toBe('keep-edit')
  expect(isDeletedByStaff({ is_deleted: true, source_said: { title: 'Concert' } })).toBe(true)
  expect(isDeletedByStaff({ is_deleted: true, source_said: null })).toBe(false)
})

it('a change of a programme by address waits for a yes beyond a fifth of it, and beyond three events or half of a small one', () => {
  const asks = (coming: number, removed: number, moved: number) => needsConsent({ coming, removed, moved })
  expect([asks(30, 3, 3), asks(30, 4, 3)]).toEqual([false, true])
  expect([asks(10, 2, 1), asks(10, 2, 2)]).toEqual([false, true])
  expect([asks(4, 2, 0), asks(4, 2, 1)]).toEqual([false, true])
  expect([asks(2, 1, 0), asks(2, 2, 0), asks(1, 0, 1), asks(0, 0, 0)]).toEqual([false, true, true, false])
})
