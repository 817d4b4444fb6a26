import { expect, it } from 'vitest'
import type { Event } from '../contract.ts'
import { daysOf, endBeside, endOfDay, fieldsOf, eventBody, startOfDay } from './event-fields.ts'

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

it('The form of an event has a performer on each line, with commas in names, and sends performers only if changed', () => {
  const event = named('Earth, Wind & Fire')
  const fields = fieldsOf(event, zone)
  expect(eventBody(fields, event, zone).body).not.toHaveProperty('performers')
  const more = { ...fields, performers: `${fields['performers']}\n Glasshouse \n` }
  expect(eventBody(more, event, zone).body).toMatchObject({ performers: ['Earth, Wind & Fire', 'Glasshouse'] })
  expect(eventBody({ ...fields, performers: '' }, event, zone).body).toMatchObject({ performers: [] })
  expect(eventBody({ ...fields, languages: 'de, en' }, event, zone).body).toMatchObject({ languages: ['de', 'en'] })
  expect(eventBody(fields, event, zone).body).not.toHaveProperty('languages')
})

it('The form of a past event sends a status only if somebody chose one', () => {
  const starts_at = '2026-06-20T19:00:00.000Z'
  const over = (starts: string | null, venue: string | null) =>
    ({ ...named(), status: 'ended', starts_at, previous: { starts_at: starts, venue } }) as Event
  const statusOf = (event: Event) => {
    const fields = fieldsOf(event, zone)
    expect(eventBody(fields, event, zone).isStatusChanged).toBe(false)
    expect(eventBody({ ...fields, status: 'cancelled' }, event, zone).isStatusChanged).toBe(true)
    return fields['status']
  }
  expect(statusOf({ ...named(), status: 'ended', starts_at })).toBe('scheduled')
  expect(statusOf(over(null, 'Rheinbühne'))).toBe('moved')
  expect(statusOf(over('2026-06-20T20:00:00.000Z', null))).toBe('moved')
  expect(statusOf(over('2026-06-20T18:00:00.000Z', null))).toBe('delayed')
})

it('The form of an event sends a price or age that is no number as typed, so that the server refuses it', () => {
  const event = named()
  const fields = fieldsOf(event, zone)
  const sent = (price_chf: string, age_min = '') => {
    const { body } = eventBody({ ...fields, price_chf, age_min }, event, zone)
    return [body.price_chf, body.age_min]
  }
  expect(sent('', '')).toEqual([null, null])
  expect(sent(' 12,50 ', '16')).toEqual([12.5, 16])
  expect(sent('CHF 12')).toEqual([12, null])
  expect(sent('12.–', '16+')).toEqual(['12.–', '16+'])
  expect(sent('Infinity', '0x10')).toEqual(['Infinity', '0x10'])
})

it('The form of an event moves the end along with the start, and sends the end that it shows', () => {
  const event = { ...named(), starts_at: '2026-06-20T19:15:30Z', ends_at: '2026-06-20T20:15:30Z' } as Event
  const saved = fieldsOf(event, zone)
  expect(eventBody(saved, event, zone).body).not.toHaveProperty('ends_at')
  const typed = (fields: typeof saved, starts_at: string) => ({
    ...fields,
    ends_at: endBeside(fields, saved, starts_at),
    starts_at,
  })
  const delayed = typed(saved, '2026-06-20T21:45')
  expect(eventBody(delayed, event, zone).body).toMatchObject({
    starts_at: '2026-06-20T21:45',
    ends_at: '2026-06-20T22:45',
  })
  // half typed starts
  expect(['0002-06-21T21:45', '', '2026-06-21T01:30'].reduce(typed, delayed)['ends_at']).toBe('2026-06-21T02:30')
  // a typed end stays, also an empty one
  for (const ends_at of ['2026-06-20T23:00', '']) {
    const own = typed({ ...saved, ends_at }, '2026-06-20T21:45')
    expect(eventBody(own, event, zone).body).toMatchObject({ ends_at: ends_at || null })
  }
  // an unchanged end is sent with another start too
  const later = { ...saved, starts_at: '2026-06-20T21:30' }
  expect(eventBody(later, event, zone).body).toMatchObject({ ends_at: '2026-06-20T22:15' })
})

it('The form of an all-day event shows its first and last day, and sends 06:00 of the first and of the day after the last', () => {
  const market = { starts_at: '2026-06-20T04:00:00.000Z', ends_at: '2026-06-22T04:00:00.000Z', all_day: true }
  const event = { ...named(), ...market } as Event
  const fields = fieldsOf(event, zone)
  expect(daysOf(fields)).toEqual({ first: '2026-06-20', last: '2026-06-21' })
  expect(eventBody(fields, event, zone).body).toMatchObject({ all_day: true })
  expect(eventBody(fields, event, zone).body).not.toHaveProperty('starts_at')
  const longer = { ...fields, starts_at: startOfDay('2026-06-19'), ends_at: endOfDay('2026-06-22') }
  expect(eventBody(longer, event, zone).body).toMatchObject({
    starts_at: '2026-06-19T06:00',
    ends_at: '2026-06-23T06:00',
  })
  expect([startOfDay(''), endOfDay('')]).toEqual(['', ''])
  expect(daysOf({ ...fields, ends_at: '' })).toEqual({ first: '2026-06-20', last: '' })
})
