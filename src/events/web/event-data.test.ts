import { expect, it } from 'vitest'
import type { Event, ShownEvent } from '../contract.ts'
import { eventData } from './event-data.ts'

const starts_at = '2026-06-20T19:00:00.000Z'
const data = (status: Event['status'], previous: Event['previous']) => {
  const event = { event_id: 'one', title: 'Set', status, starts_at, performers: [], languages: [], previous }
  const site = { origin: 'https://festival.example' } as Parameters<typeof eventData>[0]
  const { eventStatus, previousStartDate } = eventData(site, { ...event, venue: null } as unknown as ShownEvent)
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

it('Search engines get a description without Markdown, performers only if there are some, the festival as organiser, and days of an all-day event', () => {
  const site = { origin: 'https://festival.example', name: 'Rheinklang' } as Parameters<typeof eventData>[0]
  const event = {
    event_id: 'one',
    title: 'Market',
    status: 'scheduled',
    starts_at: '2026-06-20T04:00:00.000Z',
    ends_at: '2026-06-22T04:00:00.000Z',
    all_day: true,
    festival_day: '2026-06-20',
    last_day: '2026-06-21',
    performers: [],
    languages: [],
    venue: null,
    description: '**Old** things',
    content: [{ e: 'p', c: [{ e: 'strong', c: ['Old'] }, ' things'] }],
  } as unknown as ShownEvent
  const data = eventData(site, event)
  expect(data).toMatchObject({
    description: 'Old things',
    startDate: '2026-06-20',
    endDate: '2026-06-21',
    organizer: { '@type': 'Organization', name: 'Rheinklang', url: 'https://festival.example' },
  })
  expect(data['performer']).toBeUndefined()
})
