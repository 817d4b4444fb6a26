import { afterAll, beforeAll, expect, it } from 'vitest'
import { addStage } from '../../../test/cast.ts'
import { checkEveryField, twoPictures } from '../../../test/every-field.ts'
import { get, post } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Event, Stage } from '../contract.ts'
import { eventFields } from '../event.ts'
import { venueFields } from '../venue.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await aModerator(app)
})
afterAll(() => app.close())

const send = (path: string, method: string, body: object) => post(app, path, body, { method, token })
async function made(path: string, values: object) {
  const { status, text, body } = await send(path, 'POST', values)
  expect(status, text).toBe(201)
  return body
}
async function change(path: string, values: object) {
  const { status, text } = await send(path, 'PUT', values)
  expect(status, text).toBe(200)
}

it('every field of an event is stored: created, changed, left alone, emptied', async () => {
  await checkEveryField(
    eventFields,
    {
      title: ['Hochwasser', 'Niedrigwasser'],
      description: ['Loud.', 'Quiet.'],
      category: ['music', 'culture'],
      status: ['scheduled', 'cancelled'],
      // the hours of an all-day event
      starts_at: ['2026-06-20T04:00:00.000Z', '2026-06-20T20:15:00.000Z'],
      ends_at: ['2026-06-21T04:00:00.000Z', '2026-06-20T22:30:00.000Z'],
      all_day: [true, false],
      stage_id: [await addStage(app.db, 'Rheinbühne'), await addStage(app.db, 'Münsterplatz')],
      performers: [['Hochwasser', 'Rostrot'], ['Rostrot']],
      languages: [['de', 'fr'], ['de-CH']],
      price_chf: [12.5, 0],
      age_min: [16, 18],
      family_friendly: [true, false],
      ticket_url: ['https://example.org/tickets', 'https://example.com/tickets'],
      image_url: await twoPictures(app, '/api/admin/events/pictures', token),
    },
    {
      create: async (values) => `/api/events/${(await made('/api/events', values)).event_id}`,
      change,
      read: async (path) => {
        const { body } = await get(app, path)
        return { ...body, performers: (body as Event).performers.map(({ performer_name }) => performer_name) }
      },
    },
  )
})

it('every field of a venue is stored: created, changed, left alone, emptied', async () => {
  await checkEveryField(
    venueFields,
    {
      venue_name: ['Oberer Rheinweg', 'Unterer Rheinweg'],
      address: ['Oberer Rheinweg 1', 'Unterer Rheinweg 1'],
      latitude: [47.55, 47.56],
      longitude: [7.6, 7.59],
      capacity: [400, 500],
      quiet_area: [false, true],
    },
    {
      create: async (values) => (await made('/api/admin/stages', { ...values, stage: 'Ufer' })).venue.venue_id,
      change: (id, values) => change(`/api/admin/venues/${id}`, values),
      read: async (id) => {
        const stages: Stage[] = (await get(app, '/api/admin/stages', token)).body
        return { ...stages.find(({ venue }) => venue.venue_id === id)!.venue }
      },
    },
  )
})
