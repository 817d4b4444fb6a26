import { expect, it } from 'vitest'
import type { Event } from '../contract.ts'
import { endBeside, fieldsOf, saidIn } from './event-fields.ts'

const zone = 'Europe/Zurich'
const named = (...names: string[]) =>
  ({
    title: 'Elements',
    status: 'scheduled',
    category: 'music',
    performers: names.map((performer_name) => ({ performer_id: performer_name, performer_name })),
    languages: ['en'],
    previous: null,
  }) as unknown as Event

it('The form of an event has a performer on each line, whose name may hold a comma, and says nothing of untouched ones', () => {
  const event = named('Earth, Wind & Fire')
  const fields = fieldsOf(event, zone)
  expect(saidIn(fields, event, zone).body).not.toHaveProperty('performers')
  const more = { ...fields, performers: `${fields['performers']}\n Glasshouse \n` }
  expect(saidIn(more, event, zone).body).toMatchObject({ performers: ['Earth, Wind & Fire', 'Glasshouse'] })
  expect(saidIn({ ...fields, performers: '' }, event, zone).body).toMatchObject({ performers: [] })
  expect(saidIn({ ...fields, languages: 'de, en' }, event, zone).body).toMatchObject({ languages: ['de', 'en'] })
  expect(saidIn(fields, event, zone).body).not.toHaveProperty('languages')
})

it('The form of an event that is over says no status that nobody chose', () => {
  const starts_at = '2026-06-20T19:00:00.000Z'
  const over = (starts: string | null, venue: string | null) =>
    ({ ...named(), status: 'ended', starts_at, previous: { starts_at: starts, venue } }) as Event
  const statusOf = (event: Event) => {
    const fields = fieldsOf(event, zone)
    expect(saidIn(fields, event, zone).isStatusSaid).toBe(false)
    expect(saidIn({ ...fields, status: 'cancelled' }, event, zone).isStatusSaid).toBe(true)
    return fields['status']
  }
  expect(statusOf({ ...named(), status: 'ended', starts_at })).toBe('scheduled')
  expect(statusOf(over(null, 'Rheinbühne'))).toBe('moved')
  expect(statusOf(over('2026-06-20T20:00:00.000Z', null))).toBe('moved')
  expect(statusOf(over('2026-06-20T18:00:00.000Z', null))).toBe('delayed')
})

it('The form of an event sends a price and an age that are no plain numbers as they were typed, to be refused', () => {
  const event = named()
  const fields = fieldsOf(event, zone)
  const sent = (price_chf: string, age_min = '') => {
    const { body } = saidIn({ ...fields, price_chf, age_min }, event, zone)
    return [body.price_chf, body.age_min]
  }
  expect(sent('', '')).toEqual([null, null])
  expect(sent(' 12,50 ', '16')).toEqual([12.5, 16])
  expect(sent('CHF 12')).toEqual([12, null])
  expect(sent('12.–', '16+')).toEqual(['12.–', '16+'])
  expect(sent('Infinity', '0x10')).toEqual(['Infinity', '0x10'])
})

it('The form of an event sends the end that it shows with each start, and shows one that moves along with the start', () => {
  const event = { ...named(), starts_at: '2026-06-20T19:15:30Z', ends_at: '2026-06-20T20:15:30Z' } as Event
  const saved = fieldsOf(event, zone)
  expect(saidIn(saved, event, zone).body).not.toHaveProperty('ends_at')
  const typed = (fields: typeof saved, starts_at: string) => ({
    ...fields,
    ends_at: endBeside(fields, saved, starts_at),
    starts_at,
  })
  const delayed = typed(saved, '2026-06-20T21:45')
  expect(saidIn(delayed, event, zone).body).toMatchObject({
    starts_at: '2026-06-20T21:45',
    ends_at: '2026-06-20T22:45',
  })
  // half typed starts on the way
  expect(['0002-06-21T21:45', '', '2026-06-21T01:30'].reduce(typed, delayed)['ends_at']).toBe('2026-06-21T02:30')
  // an end that somebody typed stays, also none
  for (const ends_at of ['2026-06-20T23:00', '']) {
    const own = typed({ ...saved, ends_at }, '2026-06-20T21:45')
    expect(saidIn(own, event, zone).body).toMatchObject({ ends_at: ends_at || null })
  }
  // one that is as before is said as well
  const later = { ...saved, starts_at: '2026-06-20T21:30' }
  expect(saidIn(later, event, zone).body).toMatchObject({ ends_at: '2026-06-20T22:15' })
})
