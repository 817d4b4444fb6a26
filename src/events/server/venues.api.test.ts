import { afterAll, beforeAll, expect, it } from 'vitest'
import { addEvent, addStage, bridge } from '../../../test/cast.ts'
import { get } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let ids: Record<string, string>
beforeAll(async () => {
  // Saturday evening, 19:30 in Basel
  app = await startTestApp()
  const tent = await addStage(app.db, 'Lampionzelt', { latitude: bridge.latitude + 0.004 })
  const far = await addStage(app.db, 'Fernbühne', { latitude: bridge.latitude + 0.2 })
  const nowhere = await addStage(app.db, 'Irgendwo', { latitude: null, longitude: null })
  ids = {
    running: await addEvent(app.db, 'Glasshouse', '2026-06-20T17:00:00Z', { category: 'music' }),
    next: await addEvent(app.db, 'Hochwasser', '2026-06-20T19:15:00Z'),
    later: await addEvent(app.db, 'Fanny Lune', '2026-06-20T18:00:00Z', { stage_id: tent }),
    far: await addEvent(app.db, 'Bergruf', '2026-06-20T17:00:00Z', { stage_id: far }),
    placeless: await addEvent(app.db, 'Überall', '2026-06-20T17:00:00Z', { stage_id: nowhere }),
    draft: await addEvent(app.db, 'Secret', '2026-06-20T17:00:00Z', { stage_id: tent, state: 'draft' }),
  }
})
afterAll(() => app.close())

const venues = async (query = '') =>
  (await get(app, `/api/events/venues?lat=${bridge.latitude}&lon=${bridge.longitude}${query}`)).body.map(
    (each: { venue: { venue_name: string }; now: { title: string } | null; next: { title: string } | null }) => [
      each.venue.venue_name,
      each.now?.title ?? null,
      each.next?.title ?? null,
    ],
  )

it('Venues within a radius or box show what is on now and next, running ones first', async () => {
  const rhine = ['Rheinbühne square', 'Glasshouse', 'Hochwasser']
  const tent = ['Lampionzelt square', null, 'Fanny Lune']
  expect(await venues()).toEqual([rhine, tent])
  expect(await venues('&openNow=true')).toEqual([rhine])
  expect(await venues('&q=lune')).toEqual([tent])
  expect(await venues('&category=Music')).toEqual([['Rheinbühne square', 'Glasshouse', null]])
  expect(await venues('&radius=50')).toHaveLength(3)
  expect(await venues('&bbox=7,47.6,8,48')).toEqual([['Fernbühne square', 'Bergruf', null]])
})

it('Followers of the programme read changed and removed events since a moment, page by page', async () => {
  const token = await aModerator(app)
  const send = (method: string, path: string, body: unknown) =>
    api(app, path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
  const since = '2026-06-20T00:00:00Z'
  const changes = async (query = `since=${since}`) => (await get(app, `/api/events/changes?${query}`)).body
  expect((await changes('')).length).toBe(5)
  expect(await changes()).toEqual([])
  await send('PUT', `/api/events/${ids['later']}`, { title: 'Fanny Lune solo' })
  await send('PUT', `/api/events/${ids['next']}`, { status: 'draft' })
  await send('DELETE', `/api/events/${ids['far']}`, {})
  const seen = await changes()
  expect(
    new Map(
      seen.map(({ event_id, event }: { event_id: string; event: { title: string } | null }) => [
        event_id,
        event?.title ?? null,
      ]),
    ),
  ).toEqual(
    new Map([
      [ids['later'], 'Fanny Lune solo'],
      [ids['next'], null],
      [ids['far'], null],
    ]),
  )
  const first = await get(app, `/api/events/changes?since=${since}&limit=2`)
  const [, after] = /after=([^&>]+)/.exec(first.headers.get('link') ?? '')!
  expect(first.headers.get('x-total-count')).toBe('3')
  expect(await changes(`since=${since}&limit=2&after=${after}`)).toEqual(seen.slice(2))
  await send('PUT', `/api/events/${ids['next']}`, { status: 'scheduled' })
  expect((await changes()).filter(({ event }: { event: unknown }) => event === null)).toHaveLength(1)
  expect((await get(app, '/api/events/changes?since=yesterday')).status).toBe(400)
})
