import { unzipSync } from 'fflate'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvent, addPerformers, addStage } from '../../../test/cast.ts'
import { aVisitor, get, post, type Person } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { removeDeletedEvents } from '../../events/server/events.ts'

let app: TestApp
let lena: Person
let staff: string
let other: string
beforeAll(async () => {
  app = await startTestApp()
  lena = await aVisitor(app)
  staff = await aModerator(app)
  // in part at the same time as the first event below, and by the same performer
  other = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:30:00Z', { stage_id: await addStage(app.db, 'Zelt') })
  await addPerformers(app.db, other, 'Rostrot')
})
afterAll(() => app.close())

const send = (method: string, path: string, body: unknown = {}) =>
  api(app, path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${staff}` },
  })
const upload = async (table: string, name: string) => {
  const form = new FormData()
  form.set('file', new Blob([`id,title,starts_at,stage\n${table}\n`]), name)
  const headers = { authorization: `Bearer ${staff}` }
  return (await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })).body
}
const newest = async () => (await get(app, '/api/admin/log?limit=1', staff)).body[0].entry_id as string
const undo = async (entryId: string) => (await undoConfirmed(app, staff, entryId)).body
const remove = async (eventId: string) => {
  expect((await send('DELETE', `/api/events/${eventId}`)).status).toBe(204)
  return newest()
}
const save = async (event_id: string, note: string) => {
  const wish = { event_id, note, priority: 'must', reminders: [15, 30] }
  expect((await post(app, '/api/schedule', wish, { token: lena.authToken })).status).toBe(201)
}
interface Entry {
  entry_id: string
  priority: string
  note: string | null
  reminders: number[]
  event: { event_id: string; sequence: number }
}
const entryOf = async (eventId: string) =>
  ((await get(app, '/api/schedule', lena.authToken)).body.entries as Entry[]).find(
    ({ event }) => event.event_id === eventId,
  )
const onDay = async (day: string) =>
  (await get(app, `/api/events?day=${day}`)).body as { event_id: string; title: string }[]
const removeAt = (instant: string) =>
  removeDeletedEvents({ db: app.db, clock: { now: () => Temporal.Instant.from(instant) } })
/** Lena's entries in her export, also of a deleted event. */
const exportedNotes = async () => {
  const answer = await fetch(`${app.url}/api/me/export`, { headers: { authorization: `Bearer ${lena.authToken}` } })
  return new TextDecoder().decode(unzipSync(new Uint8Array(await answer.arrayBuffer()))['data.json'])
}

describe('an event that staff delete', () => {
  it('is hidden everywhere, and the undo brings it back with its entries in schedules', async () => {
    const text = { category: 'sport', description: 'Bring your own chair' } as const
    const id = await addEvent(app.db, 'Kupferstich', '2026-06-20T18:00:00Z', text)
    await addPerformers(app.db, id, 'Rostrot')
    await save(id, 'Meet Noah left of the stage')
    await post(app, '/api/schedule', { event_id: other }, { token: lena.authToken })
    const before = (await entryOf(id))!
    const shared = (await post(app, '/api/schedule/share', undefined, { token: lena.authToken })).body
      .share_url as string
    const feed = (await post(app, '/api/schedule/feed/rotate', undefined, { token: lena.authToken })).body
      .feed_url as string
    const performer = await app.db
      .selectFrom('event_performers')
      .select('performer_id')
      .where('event_id', '=', id)
      .executeTakeFirstOrThrow()
    const key = `/api/favorites/performer/${performer.performer_id}`
    await get(app, key, lena.authToken, { method: 'PUT' })
    const sitemap = /<loc>([^<]*sitemap-events[^<]*)</.exec((await api(app, '/sitemap.xml')).text)![1]!
    const places: [path: string, shows: string, token?: string][] = [
      ['/api/events?q=kupferstich', id],
      ['/api/events?day=2026-06-20', id],
      [`/api/events?ids=${id}`, id],
      [`/api/events/${id}`, id],
      [`/api/events/${other}/neighbours`, id],
      ['/api/events/programme', 'sport'],
      ['/api/events/programme', 'Rheinbühne'],
      ['/api/events/now-next', id],
      ['/api/events/venues', id],
      ['/api/events/changes', 'Kupferstich'],
      ['/api/events.ics', 'Bring your own chair'],
      [`/api/events.ics?event=${id}`, 'Bring your own chair'],
      ['/api/events.json', 'Kupferstich'],
      ['/api/events.xml', 'Kupferstich'],
      [new URL(sitemap).pathname, id],
      ['/api/schedule', id, lena.authToken],
      [`/api/shared/${new URL(shared).pathname.split('/').at(-1)}`, id],
      [new URL(feed).pathname, 'CATEGORIES:sport'],
      ['/api/admin/events?q=kupferstich', id, staff],
      [`/api/admin/events/${id}`, id, staff],
      // a saved performer is shown with their next event
      ['/api/favorites', id, lena.authToken],
      [`/og/event/${id}.png`, 'PNG'],
    ]
    const shown = async () => {
      const found: string[] = []
      for (const [path, shows, token] of places)
        if ((await get(app, path, token)).text.includes(shows)) found.push(path)
      return found
    }
    const all = places.map(([path]) => path)
    expect(await shown()).toEqual(all)

    const deletion = await remove(id)
    expect(await shown()).toEqual([])
    const changes = (await get(app, '/api/events/changes')).body as { event_id: string; event: unknown }[]
    expect(changes.find(({ event_id }) => event_id === id)).toMatchObject({ event: null })
    expect((await post(app, '/api/schedule', { event_id: id }, { token: lena.authToken })).body.code).toBe(
      'event_not_found',
    )
    expect((await send('PUT', `/api/events/${id}`, { title: 'Other' })).body.code).toBe('event_not_found')
    expect((await send('DELETE', `/api/events/${id}`)).body.code).toBe('event_not_found')
    expect(await exportedNotes()).toContain('Meet Noah left of the stage')
    // nobody is reminded of a hidden event
    const due = () => app.db.selectFrom('schedule_reminders').select('due_at').where('event_id', '=', id).execute()
    expect((await due()).every(({ due_at }) => due_at === null)).toBe(true)

    expect((await undo(deletion)).kept).toEqual([])
    expect(await shown()).toEqual(all)
    const { event: was, ...saved } = before
    expect(await entryOf(id)).toMatchObject(saved)
    // calendars take the event again because its number is higher
    expect((await entryOf(id))!.event.sequence).toBeGreaterThan(was.sequence)
    // the other reminder was too late when it was set
    expect((await due()).flatMap(({ due_at }) => due_at?.toISOString() ?? [])).toEqual(['2026-06-20T17:45:00.000Z'])
  })

  it('comes back as a draft if it was one', async () => {
    const id = await addEvent(app.db, 'Geheimtipp', '2026-06-20T18:00:00Z', { state: 'draft' })
    await undo(await remove(id))
    expect((await get(app, `/api/admin/events/${id}`, staff)).body).toMatchObject({ status: 'draft' })
  })

  it('no longer keeps its stage from being deleted, and then comes back without it', async () => {
    const { stage_id } = (await send('POST', '/api/admin/stages', { stage: 'Ponton' })).body
    const making = await newest()
    const id = await addEvent(app.db, 'Treibgut', '2026-06-20T20:00:00Z', { stage_id })
    await save(id, 'With a hat')
    const deletion = await remove(id)
    expect((await undo(making)).kept).toEqual([])
    expect((await undo(deletion)).kept).toEqual(['Treibgut'])
    expect((await get(app, `/api/events/${id}`)).body).toMatchObject({ stage: null })
    expect(await entryOf(id)).toMatchObject({ note: 'With a hat' })
  })

  it('is removed with its entries a month after its end, or after a year', async () => {
    const long = { ends_at: '2026-06-20T21:00:00Z', over_at: '2026-06-20T21:00:00Z' }
    const id = await addEvent(app.db, 'Abschied', '2026-06-20T20:00:00Z', long)
    const future = await addEvent(app.db, 'Nächstes Jahr', '2028-06-20T20:00:00Z')
    await save(id, 'Bring tissues')
    await save(future, 'Far away')
    const deletion = await remove(id)
    await remove(future)
    await removeAt('2026-07-20T17:00:00Z')
    expect(await exportedNotes()).toContain('Bring tissues')
    await removeAt('2026-07-20T21:30:00Z')
    expect(await exportedNotes()).not.toContain('Bring tissues')
    expect(await exportedNotes()).toContain('Far away')
    await removeAt('2027-06-20T18:00:00Z')
    expect(await exportedNotes()).not.toContain('Far away')
    // the log still has the event, but not the entries
    expect((await undo(deletion)).kept).toEqual([])
    expect((await get(app, `/api/events/${id}`)).status).toBe(200)
    expect(await entryOf(id)).toBeUndefined()
  })

  it('is not touched at night unless it is deleted', async () => {
    const id = await addEvent(app.db, 'Dauergast', '2026-06-20T20:00:00Z', { state: 'draft' })
    await removeAt('2030-01-01T00:00:00Z')
    expect((await get(app, `/api/admin/events/${id}`, staff)).status).toBe(200)
  })
})

describe('an imported event', () => {
  it('that staff deleted stays deleted in the next import, which says so; restored, it takes the values of the file', async () => {
    await upload('1,Erster,2026-06-21T20:00:00Z,Halle\n2,Zweiter,2026-06-21T21:00:00Z,Halle', 'zwei.csv')
    const [first] = await onDay('2026-06-21')
    await save(first!.event_id, 'Front row')
    const deletion = await remove(first!.event_id)
    const again = await upload('1,Erster!,2026-06-21T20:00:00Z,Halle', 'zwei.csv')
    expect(again.counts).toEqual({ read: 1, new: 0, changed: 0, same: 1, refused: 0 })
    expect(again.remarks.map(({ kind, title }: { kind: string; title: string }) => [kind, title])).toEqual([
      ['note', 'Erster!'],
      ['missing', 'Zweiter'],
    ])
    expect(again.remarks[0].text).toContain('stays deleted')
    expect((await onDay('2026-06-21')).map(({ title }) => title)).toEqual(['Zweiter'])
    expect((await undo(deletion)).kept).toEqual([])
    const third = await upload('1,Erster!,2026-06-21T20:00:00Z,Halle', 'zwei.csv')
    expect(third.counts).toMatchObject({ new: 0, changed: 1 })
    expect((await onDay('2026-06-21')).map(({ title }) => title)).toEqual(['Erster!', 'Zweiter'])
    expect(await entryOf(first!.event_id)).toMatchObject({ note: 'Front row' })
  })

  it('that an undo of the import removed is the same event in the next import, with its entries', async () => {
    const table = '1,Probe,2026-06-22T20:00:00Z,Halle'
    const { entry_id } = await upload(table, 'probe.csv')
    const [event] = await onDay('2026-06-22')
    await save(event!.event_id, 'Ask for an encore')
    expect((await undo(entry_id)).kept).toEqual([])
    expect(await onDay('2026-06-22')).toEqual([])
    expect(await entryOf(event!.event_id)).toBeUndefined()
    const again = await upload(table, 'probe.csv')
    expect(again.counts).toMatchObject({ read: 1, new: 1, same: 0 })
    expect(await onDay('2026-06-22')).toMatchObject([{ event_id: event!.event_id, title: 'Probe' }])
    expect(await entryOf(event!.event_id)).toMatchObject({ note: 'Ask for an encore', reminders: [15, 30] })
    expect((await upload(table, 'probe.csv')).counts).toMatchObject({ new: 0, same: 1 })
  })
})

it('a saved event whose creation is undone goes, and comes back with its entries when the undo is undone', async () => {
  const { body } = await send('POST', '/api/events', { title: 'Zugabe', starts_at: '2026-06-20T20:00:00Z' })
  const id = body.event_id as string
  const making = await newest()
  await save(id, 'Do not miss it')
  expect((await undo(making)).reach).toEqual({ kind: 'event', hidden: 1, shown: 0, changed: 0, people: 1 })
  expect((await get(app, `/api/events/${id}`)).status).toBe(404)
  expect(await entryOf(id)).toBeUndefined()
  expect((await undo(await newest())).reach).toEqual({ kind: 'event', hidden: 0, shown: 1, changed: 0, people: 1 })
  expect(await entryOf(id)).toMatchObject({ note: 'Do not miss it', reminders: [15, 30] })
})

describe('calendars', () => {
  /** Title, status and number of an event in a calendar. */
  const inCalendar = async (path: string, eventId: string) => {
    const calendar = new ICAL.Component(ICAL.parse((await api(app, path)).text))
    const event = calendar
      .getAllSubcomponents('vevent')
      .find((each) => String(each.getFirstPropertyValue('uid')).startsWith(eventId))
    return event && ['summary', 'status', 'sequence'].map((name) => event.getFirstPropertyValue(name))
  }
  const feedOf = async ({ authToken }: Person) =>
    new URL((await post(app, '/api/schedule/feed/rotate', undefined, { token: authToken })).body.feed_url).pathname

  it('have a deleted event as cancelled, with a higher sequence, until its row is removed', async () => {
    const id = await addEvent(app.db, 'Letzter Walzer', '2026-06-20T18:00:00Z', { description: 'Secret guests' })
    await save(id, 'Dancing shoes')
    const paths = [await feedOf(lena), '/api/events.ics', `/api/events.ics?event=${id}`]
    for (const path of paths) expect(await inCalendar(path, id)).toEqual(['Letzter Walzer', 'CONFIRMED', 0])
    const deletion = await remove(id)
    for (const path of paths) {
      expect(await inCalendar(path, id)).toEqual(['Letzter Walzer', 'CANCELLED', 1])
      expect((await api(app, path)).text).not.toContain('Secret guests')
    }
    expect(await inCalendar('/api/events.ics?day=2026-06-21', id)).toBeUndefined()
    await undo(deletion)
    for (const path of paths) expect(await inCalendar(path, id)).toEqual(['Letzter Walzer', 'CONFIRMED', 2])
    await remove(id)
    await removeAt('2026-07-20T17:00:00Z')
    for (const path of paths) expect(await inCalendar(path, id)).toEqual(['Letzter Walzer', 'CANCELLED', 3])
    await removeAt('2026-07-22T00:00:00Z')
    for (const path of paths) expect(await inCalendar(path, id)).toBeUndefined()
  })

  it('do not have a deleted draft that was never published', async () => {
    const id = await addEvent(app.db, 'Wasserzeichen', '2026-06-20T18:00:00Z', { state: 'draft' })
    await remove(id)
    expect((await api(app, '/api/events.ics')).text).not.toContain('Wasserzeichen')
  })
})
