import { afterAll, beforeAll, expect, it } from 'vitest'
import { addStage } from '../../../test/cast.ts'
import { expectEveryField, twoPictures } from '../../../test/every-field.ts'
import { get, post } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Event } from '../contract.ts'
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
async function made(path: string, body: object) {
  const { status, text, body: answer } = await send(path, 'POST', body)
  expect(status, text).toBe(201)
  return answer
}

it('no field of an event that can be sent is lost', async () => {
  let path = ''
  await expectEveryField(
    eventFields,
    {
      title: ['Hochwasser', 'Niedrigwasser'],
      description: ['Loud.', 'Quiet.'],
      category: ['music', 'culture'],
      status: ['scheduled', 'cancelled'],
      starts_at: ['2026-06-20T19:15:00.000Z', '2026-06-20T20:15:00.000Z'],
      ends_at: ['2026-06-20T21:00:00.000Z', '2026-06-20T22:30:00.000Z'],
      stage_id: [await addStage(app.db, 'Rheinbühne'), await addStage(app.db, 'Münsterplatz')],
      performers: [['Hochwasser', 'Rostrot'], ['Rostrot']],
      languages: [['de', 'fr'], ['de-CH']],
      price_chf: [12.5, 0],
      age_min: [16, 18],
      family_friendly: [true, false],
      ticket_url: ['https://example.org/tickets', 'https://example.com/tickets'],
      image_url: await twoPictures(app, token, '/api/admin/events/pictures'),
    },
    {
      make: async (body) => (path = `/api/events/${(await made('/api/events', body)).event_id}`),
      change: (body) => send(path, 'PUT', body),
      read: async () => {
        const { body } = await get(app, path)
        return { ...body, performers: (body as Event).performers.map(({ performer_name }) => performer_name) }
      },
    },
  )
})

it('no field of a venue that can be sent is lost', async () => {
  let stageId = ''
  let path = ''
  await expectEveryField(
    venueFields,
    {
      venue_name: ['Oberer Rheinweg', 'Unterer Rheinweg'],
      address: ['Oberer Rheinweg 1', 'Unterer Rheinweg 1'],
      latitude: [47.55, 47.56],
      longitude: [7.6, 7.59],
      capacity: [400, 500],
      step_free: [true, false],
      quiet_area: [false, true],
    },
    {
      make: async (body) => {
        const { stage_id, venue } = await made('/api/admin/stages', { ...body, stage: 'Ufer' })
        stageId = stage_id
        path = `/api/admin/venues/${venue.venue_id}`
      },
      change: (body) => send(path, 'PUT', body),
      read: async () => {
        const stages: { stage_id: string; venue: object }[] = (await get(app, '/api/admin/stages', token)).body
        return stages.find(({ stage_id }) => stage_id === stageId)!.venue
      },
    },
  )
})
