import { expect, it } from 'vitest'
import type { Event } from '../contract.ts'
import { eventData } from './event-data.ts'

const starts_at = '2026-06-20T19:00:00.000Z'
const data = (status: Event['status'], previous: Event['previous']) => {
  const event = { event_id: 'one', title: 'Set', status, starts_at, performers: [], languages: [], previous }
  const site = { origin: 'https://festival.example' } as Parameters<typeof eventData>[0]
  const { eventStatus, previousStartDate } = eventData(site, { ...event, venue: null } as unknown as Event)
  return [String(eventStatus).split('/').at(-1), previousStartDate]
}

it('Search engines learn of a new time, also an earlier one, but not of a new place alone', () => {
  const later = '2026-06-20T20:00:00.000Z'
  expect(data('scheduled', null)).toEqual(['EventScheduled', undefined])
  expect(data('moved', { starts_at: later, venue: null })).toEqual(['EventRescheduled', later])
  expect(data('moved', { starts_at: null, venue: 'Zelt' })).toEqual(['EventScheduled', undefined])
  expect(data('delayed', { starts_at: later, venue: null })).toEqual(['EventRescheduled', later])
  expect(data('cancelled', { starts_at: later, venue: null })).toEqual(['EventCancelled', undefined])
})
