import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { addEvent, addPerformers, addStage } from '../../../test/cast.ts'
import { aVisitor, get, post } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { rooms } from '../../app/rooms.ts'
import type { Room } from '../../kit/server/room.ts'
import { eventChanged, type EventChange } from './events.ts'
import { tryImportLock } from './store/imported.ts'

const heard: EventChange[] = []
/** A room above that counts savers and hears facts, as schedule does. */
const listener: Room<object> = {
  name: 'listener',
  looksInto: ['events'],
  open: () => ({}),
  onFacts: () => ({ [eventChanged]: async (data) => void heard.push(data as unknown as EventChange) }),
}

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp({ rooms: [...rooms, listener] })
  token = await aModerator(app)
})
afterAll(() => app.close())

const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  api(app, path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  })
const upload = (table: string, name: string) => {
  const form = new FormData()
  form.set('file', new Blob([table]), name)
  const headers = { authorization: `Bearer ${token}` }
  return api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
}
const newest = async () => (await get(app, '/api/admin/log?limit=1', token)).body[0]
const entries = async () => Number((await get(app, '/api/admin/log', token)).headers.get('x-total-count'))
const undo = (entryId: string) => undoConfirmed(app, token, entryId)

describe('staff', () => {
  it('create an event once per key; the log has one entry, which can be undone', async () => {
    const before = await entries()
    const stage_id = await addStage(app.db, 'Rheinbühne')
    const body = {
      title: 'Hochwasser',
      starts_at: '2026-06-20T21:15:00+02:00',
      stage_id,
      performers: ['Hochwasser', 'Rostrot'],
      price_chf: 0,
      ticket_url: 'tickets.example.org/hochwasser',
    }
    const key = { 'idempotency-key': 'make-hochwasser' }
    const first = await send('POST', '/api/events', body, key)
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      title: 'Hochwasser',
      stage: 'Rheinbühne',
      price_chf: 0,
      ends_at: null,
      festival_day: '2026-06-20',
      ticket_url: 'https://tickets.example.org/hochwasser',
    })
    const again = await send('POST', '/api/events', body, key)
    expect(again.body.event_id).toBe(first.body.event_id)
    expect((await send('POST', '/api/events', { ...body, title: 'Other' }, key)).body.code).toBe('key_used')
    expect(await send('POST', '/api/events', { ...body, languages: ['de-CH', 'Deutsch und Englisch'] })).toMatchObject({
      status: 400,
      body: { fields: { 'languages.1': 'Please use codes such as de, fr or en.' } },
    })
    expect(await entries()).toBe(before + 1)
    const entry = await newest()
    expect(entry).toMatchObject({ action: 'create-event', object_name: 'Hochwasser', actor: 'Mo', can_undo: true })
    expect((await undo(entry.entry_id)).status).toBe(200)
    expect((await get(app, `/api/events/${first.body.event_id}`)).status).toBe(404)
    expect((await undo(entry.entry_id)).body.code).toBe('already_undone')
    expect(await newest()).toMatchObject({ action: 'undo', undoes: entry.entry_id, can_undo: true })
  })
  it('delay and move an event: it shows the time and place before, its sequence grows, and rooms above get the fact', async () => {
    const event_id = await addEvent(app.db, 'Rostrot', '2026-06-20T19:00:00Z')
    await addPerformers(app.db, event_id, 'Rostrot')
    // jobs of earlier tests
    await app.runJobs()
    heard.length = 0
    const delayed = await send('PUT', `/api/events/${event_id}`, { starts_at: '2026-06-20T19:30:00Z' })
    expect(delayed.body).toMatchObject({
      status: 'delayed',
      ends_at: '2026-06-20T20:30:00.000Z',
      previous: { starts_at: '2026-06-20T19:00:00.000Z', venue: null },
      sequence: 1,
      performers: [{ performer_name: 'Rostrot' }],
    })
    const delay = await newest()
    const stage_id = await addStage(app.db, 'Lampionzelt')
    const moved = await send('PUT', `/api/events/${event_id}`, { stage_id })
    expect(moved.body).toMatchObject({ status: 'moved', stage: 'Lampionzelt', sequence: 2 })
    expect(moved.body.previous).toEqual({
      starts_at: '2026-06-20T19:00:00.000Z',
      venue: 'Rheinbühne, Rheinbühne square',
    })
    expect(await newest()).toMatchObject({
      before: { stage: 'Rheinbühne, Rheinbühne square' },
      after: { stage: 'Lampionzelt, Lampionzelt square' },
    })
    await app.runJobs()
    // the two jobs run in any order
    expect(heard.map(({ kinds }) => kinds.join(' ')).toSorted()).toEqual(['place status', 'time status'])
    expect(heard.find(({ kinds }) => kinds.includes('place'))).toMatchObject({
      event_id,
      after: { place: 'Lampionzelt, Lampionzelt square' },
    })
    // an undo restores the whole version before, or nothing
    const refused = await undo(delay.entry_id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'changed_later' } })
    expect(refused.body.error).toBe('Mo changed “Rostrot” later, on 20.06. at 19:30. Undo that first.')
    expect((await undo((await newest()).entry_id)).body.kept).toEqual([])
    expect((await undo(delay.entry_id)).body.kept).toEqual([])
    expect((await newest()).undid).toEqual({ action: 'edit-event', at: delay.at })
    expect((await get(app, `/api/events/${event_id}`)).body).toMatchObject({
      starts_at: '2026-06-20T19:00:00.000Z',
      ends_at: '2026-06-20T20:00:00.000Z',
      stage: 'Rheinbühne',
      status: 'scheduled',
      previous: null,
    })
  })
  it('move an event away and back: it is as first announced and shows no move', async () => {
    const event_id = await addEvent(app.db, 'Heimspiel', '2026-06-20T19:00:00Z')
    const edit = async (body: object) => {
      const { status, previous } = (await send('PUT', `/api/events/${event_id}`, body)).body
      return { status, previous }
    }
    const [home, away] = [await addStage(app.db, 'Rheinbühne'), await addStage(app.db, 'Zelt')]
    expect((await edit({ stage_id: away })).status).toBe('moved')
    const later = '2026-06-20T19:30:00Z'
    expect((await edit({ starts_at: later })).status).toBe('delayed')
    expect(await edit({ stage_id: home })).toEqual({
      status: 'delayed',
      previous: { starts_at: '2026-06-20T19:00:00.000Z', venue: null },
    })
    expect(await edit({ starts_at: '2026-06-20T19:00:00Z' })).toEqual({ status: 'scheduled', previous: null })
    await edit({ starts_at: later, stage_id: away })
    expect(await edit({ starts_at: '2026-06-20T19:00:00Z' })).toMatchObject({
      status: 'moved',
      previous: { starts_at: null },
    })
    expect(await edit({ stage_id: home })).toEqual({ status: 'scheduled', previous: null })
  })
  it('set the place of an event for the first time: no move, but its sequence grows', async () => {
    const { body } = await send('POST', '/api/events', { title: 'Ort folgt', starts_at: '2026-06-20T19:00:00Z' })
    const edit = async (stage_id: string | null) => {
      const { status, previous, sequence } = (await send('PUT', `/api/events/${body.event_id}`, { stage_id })).body
      return { status, previous, sequence }
    }
    const stage_id = await addStage(app.db, 'Rheinbühne')
    expect(await edit(stage_id)).toEqual({ status: 'scheduled', previous: null, sequence: 1 })
    expect(await edit(null)).toMatchObject({ status: 'moved', previous: { venue: expect.any(String) } })
    expect(await edit(stage_id)).toEqual({ status: 'scheduled', previous: null, sequence: 3 })
  })
  it('describe an event in Markdown: its page gets elements, HTML tags are dropped, and @names are text', async () => {
    const description =
      'Bring:\n\n      a **lamp**\n\n<p>and <i onclick="x()">rope</i>, see [us](javascript:alert(1)) @lena</p>'
    const { body } = await send('POST', '/api/events', {
      title: 'Night hike',
      starts_at: '2026-06-20T21:00:00+02:00',
      description,
    })
    const content = [
      { e: 'p', c: ['Bring:'] },
      { e: 'p', c: ['a ', { e: 'strong', c: ['lamp'] }] },
      { e: 'p', c: ['and rope, see [us](javascript:alert(1)) @lena'] },
    ]
    const shown = async () => (await get(app, `/api/events/${body.event_id}`)).body
    expect(await shown()).toMatchObject({ description, content })
    await send('PUT', `/api/events/${body.event_id}`, { description: '' })
    expect(await shown()).toMatchObject({ description: null, content: null })
  })
  it('name performers in upper or lower case: each is stored once, in order', async () => {
    const event_id = await addEvent(app.db, 'Gastspiel', '2026-06-20T19:00:00Z')
    await addPerformers(app.db, event_id, 'İlhan')
    const performers = ['Zora', 'İLHAN', 'Ẹ̀kọ́', 'zora', 'ΑΣ']
    const { body } = await send('PUT', `/api/events/${event_id}`, { performers })
    const names = body.performers.map(({ performer_name }: { performer_name: string }) => performer_name)
    expect(names).toEqual(expect.arrayContaining(['Zora', 'Ẹ̀kọ́', 'ΑΣ']))
    expect(names[0]).toBe('Zora')
    expect(names).toHaveLength(4)
  })
  it('get an error for an empty start', async () => {
    const event_id = await addEvent(app.db, 'Steg', '2026-06-20T19:00:00Z')
    for (const [method, path] of [
      ['POST', '/api/events'],
      ['PUT', `/api/events/${event_id}`],
    ] as const) {
      const { status, body } = await send(method, path, { title: 'Steg', starts_at: '' })
      expect({ status, starts_at: body.fields.starts_at }).toEqual({ status: 400, starts_at: 'Please fill this in.' })
    }
  })
  it('cancel an event with a reason: it stays visible, and an undo restores it', async () => {
    const event_id = await addEvent(app.db, 'Dorfrock', '2026-06-20T19:00:00Z')
    const { body } = await send('PUT', `/api/events/${event_id}`, { status: 'cancelled', reason: 'The singer is ill' })
    expect(body.status).toBe('cancelled')
    const entry = await newest()
    expect(entry).toMatchObject({
      reason: 'The singer is ill',
      before: { state: 'scheduled' },
      after: { state: 'cancelled' },
    })
    expect((await undo(entry.entry_id)).body.kept).toEqual([])
    expect((await get(app, `/api/events/${event_id}`)).body.status).toBe('scheduled')
  })
  it('cannot undo an old edit of an event or venue after a newer one, even one to the same value', async () => {
    const stage_id = await addStage(app.db, 'Hafenbühne', { venue_name: 'Hafen' })
    const event_id = await addEvent(app.db, 'Kranmusik', '2026-06-20T19:00:00Z', { stage_id })
    const path = `/api/events/${event_id}`
    const change = async (where: string, body: object) => {
      expect((await send('PUT', where, body)).status).toBe(200)
      return (await newest()).entry_id as string
    }
    const first = await change(path, { status: 'cancelled' })
    const back = await change(path, { status: 'scheduled' })
    const last = await change(path, { status: 'cancelled' })
    expect((await undo(first)).body.code).toBe('changed_later')
    expect((await get(app, path)).body.status).toBe('cancelled')
    // after the newer edits are undone, the old one can be undone too
    expect((await undo(last)).status).toBe(200)
    expect((await undo(back)).status).toBe(200)
    expect((await get(app, path)).body.status).toBe('cancelled')
    expect((await undo(first)).status).toBe(200)
    expect((await get(app, path)).body.status).toBe('scheduled')

    const [{ venue }] = (await get(app, '/api/events?q=kranmusik')).body
    const place = `/api/admin/venues/${venue.venue_id}`
    const free = await change(place, { step_free: true })
    await change(place, { step_free: false })
    await change(place, { step_free: true })
    expect((await undo(free)).body.code).toBe('changed_later')
  })
  it('cannot undo a move after the end was changed, not even in part', async () => {
    const event_id = await addEvent(app.db, 'Nachtzug', '2026-06-20T20:00:00Z')
    const shown = async () => (await get(app, `/api/events/${event_id}`)).body
    await send('PUT', `/api/events/${event_id}`, { starts_at: '2026-06-20T18:00:00Z', ends_at: '2026-06-20T19:00:00Z' })
    const move = (await newest()).entry_id
    await send('PUT', `/api/events/${event_id}`, { ends_at: '2026-06-20T19:30:00Z' })
    expect(await undo(move)).toMatchObject({ status: 409, body: { code: 'changed_later' } })
    expect(await shown()).toMatchObject({
      status: 'moved',
      starts_at: '2026-06-20T18:00:00.000Z',
      ends_at: '2026-06-20T19:30:00.000Z',
      previous: { starts_at: '2026-06-20T20:00:00.000Z' },
    })
  })
  it('undo edits after the old stage was removed: a moved event stays, a deleted one returns without a stage', async () => {
    const gone = (await send('POST', '/api/admin/stages', { stage: 'Floss' })).body.stage_id as string
    const making = (await newest()).entry_id
    const event_id = await addEvent(app.db, 'Treibgut', '2026-06-20T20:00:00Z', { stage_id: gone })
    const deleted = await addEvent(app.db, 'Strandgut', '2026-06-20T20:00:00Z', { stage_id: gone })
    await send('PUT', `/api/events/${event_id}`, { stage_id: await addStage(app.db, 'Ufer') })
    const move = (await newest()).entry_id
    await send('DELETE', `/api/events/${deleted}`, {})
    const deletion = (await newest()).entry_id
    expect((await undo(making)).body.kept).toEqual([])
    expect(await undo(move)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } })
    expect((await get(app, `/api/events/${event_id}`)).body).toMatchObject({ stage: 'Ufer' })
    expect(await undo(deletion)).toMatchObject({ status: 200, body: { kept: ['Strandgut'] } })
    expect((await get(app, `/api/events/${deleted}`)).body).toMatchObject({ stage: null })
  })
  it('delete an event and undo that, with its performers', async () => {
    const event_id = await addEvent(app.db, 'Kupferstich', '2026-06-20T19:00:00Z')
    await addPerformers(app.db, event_id, 'Kupferstich')
    expect((await send('DELETE', `/api/events/${event_id}`, { reason: 'The band split up' })).status).toBe(204)
    expect((await newest()).reason).toBe('The band split up')
    expect((await get(app, `/api/events/${event_id}`)).status).toBe(404)
    expect((await undo((await newest()).entry_id)).status).toBe(200)
    expect((await get(app, `/api/events/${event_id}`)).body.performers).toHaveLength(1)
  })
  it('import a file after a dry run; an undo removes it, except events edited since', async () => {
    const file = (title: string) => {
      const form = new FormData()
      form.set(
        'file',
        new Blob([`id,title,starts_at\n1,${title},2026-06-22T20:00:00Z\n2,Second,2026-06-22T21:00:00Z\n`]),
        'list.csv',
      )
      return form
    }
    const upload = (form: FormData, language = 'en') =>
      api(app, '/api/admin/events/import', {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${token}`, 'accept-language': language },
      })
    const dry = file('First')
    dry.set('dry_run', 'true')
    expect((await upload(dry)).body).toMatchObject({ entry_id: null, counts: { read: 2, new: 2 } })
    expect((await get(app, '/api/events?day=2026-06-22')).body).toEqual([])
    const { body } = await upload(file('First'))
    expect(body).toMatchObject({ source: 'list', counts: { read: 2, new: 2, refused: 0 } })
    const [first] = (await get(app, '/api/events?day=2026-06-22')).body as { event_id: string }[]
    await send('PUT', `/api/events/${first!.event_id}`, { title: 'First, edited' })
    expect((await undo(body.entry_id)).body.kept).toEqual(['First, edited'])
    expect((await get(app, '/api/events?day=2026-06-22')).body).toMatchObject([{ title: 'First, edited' }])
    const bad = new FormData()
    bad.set('file', new Blob(['<rss/>']), 'x.xml')
    expect(await upload(bad)).toMatchObject({ status: 422, body: { code: 'schedule_unreadable' } })
    expect((await upload(bad, 'de')).body.error).toMatch(/^Die Datei ist XML, aber kein Programm: .*«schedule»/)
    expect((await upload(new FormData(), 'fr')).body.error).toBe('Le fichier est vide.')
    const many = new FormData()
    many.set('file', new Blob([`title,starts_at\n${'Set,2026-06-22T20:00:00Z\n'.repeat(5001)}`]), 'x.csv')
    expect(await upload(many)).toMatchObject({ status: 422, body: { error: expect.stringContaining('5,000 events') } })
  })
  it('import a file again after an undo: it makes the same changes, and staff edits stay', async () => {
    const table = (title: string, time: string) => `id,title,starts_at,stage\n1,${title},2026-06-28T${time}:00Z,Halle\n`
    await upload(table('First', '20:00'), 'twice.csv')
    const [event] = (await get(app, '/api/events?day=2026-06-28')).body as { event_id: string }[]
    await send('PUT', `/api/events/${event!.event_id}`, { title: 'Mine' })
    const second = await upload(table('Second', '21:00'), 'twice.csv')
    expect((await undo(second.body.entry_id)).body.kept).toEqual([])
    const shown = async () => (await get(app, '/api/events?day=2026-06-28')).body
    expect(await shown()).toMatchObject([{ title: 'Mine', starts_at: '2026-06-28T20:00:00.000Z' }])
    expect((await upload(table('Second', '21:00'), 'twice.csv')).body.counts).toMatchObject({ changed: 1, same: 0 })
    expect(await shown()).toMatchObject([{ title: 'Mine', starts_at: '2026-06-28T21:00:00.000Z' }])
  })
  it('undo an import: stages and venues that it made are removed, except those in use or edited since', async () => {
    const table = (...rows: string[]) => `id,title,starts_at,stage\n${rows.join('\n')}\n`
    const at = (id: number, stage: string, title = `Set ${id}`) => `${id},${title},2026-06-30T20:00:00Z,${stage}`
    const stages = async () =>
      (
        (await get(app, '/api/admin/stages', token)).body as {
          stage: string
          stage_id: string
          venue: { venue_id: string }
        }[]
      )
        .filter(({ stage }) => /^(Alt|Neu|Entwurf|Ort|Bearbeitet)$/.test(stage))
        .toSorted((a, b) => a.stage.localeCompare(b.stage))
    const names = async () => (await stages()).map(({ stage }) => stage)
    const first = await upload(table(at(1, 'Alt')), 'stages.csv')
    const all = table(at(1, 'Alt'), at(2, 'Alt'), at(3, 'Neu'), at(4, 'Entwurf'), at(5, 'Bearbeitet'))
    const second = await upload(all, 'stages.csv')
    expect(await names()).toEqual(['Alt', 'Bearbeitet', 'Entwurf', 'Neu'])
    const made = Object.fromEntries((await stages()).map((each) => [each.stage, each]))
    await addEvent(app.db, 'Noch geheim', '2026-06-30T19:00:00Z', {
      stage_id: made['Entwurf']!.stage_id,
      state: 'draft',
    })
    app.setNow(Temporal.Instant.from(saturdayEvening).add({ minutes: 1 }).toString())
    await send('PUT', `/api/admin/venues/${made['Bearbeitet']!.venue.venue_id}`, { capacity: 300 })
    expect((await undo(second.body.entry_id)).body.kept).toEqual(['Bearbeitet'])
    expect(await names()).toEqual(['Alt', 'Bearbeitet', 'Entwurf'])
    const venues = await app.db.selectFrom('venues').select('venue_name').where('venue_name', '=', 'Neu').execute()
    expect(venues).toEqual([])
    // a new import makes the stages again
    expect((await upload(all, 'stages.csv')).body.counts).toMatchObject({ new: 4, same: 1 })
    expect(await names()).toEqual(['Alt', 'Bearbeitet', 'Entwurf', 'Neu'])
    const { body } = await get(app, '/api/events?day=2026-06-30')
    expect(body.map(({ stage }: { stage: string }) => stage).toSorted()).toEqual([
      'Alt',
      'Alt',
      'Bearbeitet',
      'Entwurf',
      'Neu',
    ])
    // a later import has a second event on that stage
    expect((await undo(first.body.entry_id)).body.kept).toEqual([])
    expect(await names()).toContain('Alt')
  })
  it('delete an imported event and undo that: the next import finds it and makes no second one', async () => {
    const table = 'id,title,starts_at\n1,Back,2026-06-29T20:00:00Z\n'
    await upload(table, 'back.csv')
    const [event] = (await get(app, '/api/events?day=2026-06-29')).body as { event_id: string }[]
    await send('DELETE', `/api/events/${event!.event_id}`, {})
    const deleted = (await newest()).entry_id
    expect((await undo(deleted)).status).toBe(200)
    expect((await upload(table, 'back.csv')).body.counts).toMatchObject({ new: 0, same: 1 })
    await send('DELETE', `/api/events/${event!.event_id}`, {})
    const again = (await newest()).entry_id
    await upload(table, 'back.csv')
    expect((await get(app, '/api/events?day=2026-06-29')).body).toEqual([])
    expect((await undo(again)).body.kept).toEqual([])
    expect((await get(app, '/api/events?day=2026-06-29')).body).toMatchObject([{ event_id: event!.event_id }])
  })
  it('are refused while another import runs, and nothing is written', async () => {
    const form = new FormData()
    form.set('file', new Blob(['id,title,starts_at\n1,Late,2026-06-27T20:00:00Z\n']), 'late.csv')
    const before = await entries()
    await app.db.transaction().execute(async (other) => {
      expect(await tryImportLock(other)).toBe(true)
      const headers = { authorization: `Bearer ${token}` }
      const refused = await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
      expect(refused).toMatchObject({ status: 409, body: { code: 'import_busy' } })
    })
    expect(await entries()).toBe(before)
  })
  it('undo a large import, and are refused while another one runs', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `${n},Set ${n},2026-07-01T20:00:00Z\n`).join('')
    const { body } = await upload(`id,title,starts_at\n${rows}`, 'large.csv')
    await app.db.transaction().execute(async (other) => {
      expect(await tryImportLock(other)).toBe(true)
      expect(await undo(body.entry_id)).toMatchObject({ status: 409, body: { code: 'import_busy' } })
    })
    expect((await undo(body.entry_id)).body.kept).toEqual([])
    expect((await get(app, '/api/events?day=2026-07-01')).body).toEqual([])
  })
  it('read first in the report what was assumed about the whole file', async () => {
    const { body } = await upload('title,starts_at\nOhne Nummer,2026-07-02 22:00\n', 'noid.csv')
    const note = (text: string) => ({ kind: 'note', place: 'noid.csv', title: '', text })
    expect(body.remarks.slice(0, 2)).toEqual([
      note('Times without an offset are read as Europe/Zurich.'),
      note('1 row has no id: one that changes its title, time or stage is taken as a new event.'),
    ])
  })
  it('read the report in their language', async () => {
    const table =
      'id,title,starts_at,category\n1,Set,2026-07-02 22:00,Zirkus\n2,,2026-07-02 22:00,Zirkus\n3,Set,bald,\n4,Set,2026-07-02 23:00,Zirkus\n'
    const form = new FormData()
    form.set('file', new Blob([table]), 'zirkus.csv')
    form.set('dry_run', 'true')
    const headers = { authorization: `Bearer ${token}`, 'accept-language': 'de' }
    const { body } = await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
    const remarks = body.remarks as { kind: string; place: string; text: string }[]
    expect(remarks.filter(({ kind }) => kind !== 'new').map(({ place, text }) => `${place}: ${text}`)).toEqual([
      'zirkus.csv: Zeiten ohne Zeitzone gelten als Europe/Zurich.',
      'Zeile 2 (ID 1): «Zirkus» ist keine unserer Kategorien: erscheint unter «Anderes» (und 1 weiterer Event)',
      'Zeile 3 (ID 2): der Titel fehlt',
      'Zeile 4 (ID 3): der Beginn «bald» ist keine Zeit',
    ])
  })
  it('import a file with a key, also where refused events hold text that cannot be stored', async () => {
    const event = (id: string, title: string) => ({ id, title, start_date: '2026-07-03T20:00:00Z' })
    const list = [event('1', 'Good'), event('a\0b', 'Set'), event('3', 'Set \ud83c')]
    const form = new FormData()
    form.set('file', new Blob([JSON.stringify(list)]), 'odd.json')
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'import odd' }
    const { status, body } = await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
    expect({ status, counts: body.counts }).toMatchObject({ status: 200, counts: { new: 2, refused: 1 } })
    expect(body.remarks).toContainEqual(expect.objectContaining({ kind: 'note', place: 'event 2 (id a\ufffdb)' }))
    expect(body.remarks).toContainEqual(expect.objectContaining({ kind: 'refused', title: 'Set \ufffd' }))
  })
  it('import a file whose report is too long: missing events come first, and the last line says how many lines are not shown', async () => {
    const table = (ids: number[], title: string) =>
      `id;title;starts_at\n${ids.map((id) => `${id};${title} ${id};2026-06-20 20:00`).join('\n')}\n`
    await upload(table([0], 'Gone'), 'many.csv')
    const many = Array.from({ length: 510 }, (_, n) => n + 1)
    const { body } = await upload(`${table(many, 'Set')}odd;Set;soon\n`, 'many.csv')
    expect(body.counts).toMatchObject({ new: 510, refused: 1 })
    expect(body.remarks).toHaveLength(500)
    const kinds = (body.remarks as { kind: string }[]).map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['refused', 'missing', 'note', 'new'])
    expect(body.remarks.at(-1).text).toMatch(/^14 more lines are not shown\./)
  })

  it('import a file once per key, however often it is sent', async () => {
    const upload = (title: string) => {
      const form = new FormData()
      form.set('file', new Blob([`id,title,starts_at\n1,${title},2026-06-25T20:00:00Z\n`]), 'once.csv')
      return api(app, '/api/admin/events/import', {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'import once' },
      })
    }
    const before = await entries()
    const first = await upload('Once')
    expect(first.body.counts.new).toBe(1)
    expect((await upload('Once')).body).toEqual(first.body)
    expect((await upload('Twice')).body.code).toBe('key_used')
    expect(await entries()).toBe(before + 1)
  })
  it('create a stage at a new or a known venue; it can be undone while the stage is empty', async () => {
    const made = await send('POST', '/api/admin/stages', {
      stage: 'Hinterhof',
      venue_name: 'Kaserne',
      latitude: 47.5636,
      longitude: 7.5907,
      step_free: true,
    })
    expect(made).toMatchObject({ status: 201, body: { stage: 'Hinterhof', venue: { step_free: true } } })
    const entry = (await newest()).entry_id
    const { venue_id } = made.body.venue
    const second = await send('POST', '/api/admin/stages', { stage: 'Vorderhof', venue_id })
    expect(second.body.venue.venue_id).toBe(venue_id)
    const stages = async () =>
      (await get(app, '/api/admin/stages', token)).body.map(({ stage }: { stage: string }) => stage)
    expect((await undo((await newest()).entry_id)).body.kept).toEqual([])
    expect(await stages()).not.toContain('Vorderhof')
    await addEvent(app.db, 'Hofmusik', '2026-06-26T19:00:00Z', { stage_id: made.body.stage_id })
    expect((await undo(entry)).body.code).toBe('nothing_to_undo')
    expect(await stages()).toContain('Hinterhof')
    for (const [body, code] of [
      [{ stage: 'x', venue_id: '01978e94-a0e8-7f8b-8a4a-d23113936317' }, 'venue_unknown'],
      [{ stage: 'x', latitude: 47 }, 'invalid_input'],
      [{ stage: '' }, 'invalid_input'],
    ])
      expect(await send('POST', '/api/admin/stages', body)).toMatchObject({ status: 400, body: { code } })
  })
  it('edit place and facilities of a venue: its events are found nearby, and the edit can be undone unless it was changed later', async () => {
    const stage_id = await addStage(app.db, 'Industriehof', { venue_name: 'Depot', latitude: null, longitude: null })
    await addEvent(app.db, 'Ambossmusik', '2026-06-20T17:00:00Z', { stage_id })
    const shown = async (query: string) =>
      (await get(app, `/api/events?q=${query}`)).body.map(({ venue }: { venue: unknown }) => venue)
    const [{ venue_id }] = (await shown('ambossmusik')) as [{ venue_id: string }]
    const edit = (body: object) => send('PUT', `/api/admin/venues/${venue_id}`, body)
    const place = { latitude: '47.56', longitude: 7.59 }
    const edited = await edit({ venue_name: 'Werkhalle', ...place, capacity: 300, quiet_area: true })
    expect(edited.body).toMatchObject({ venue_name: 'Werkhalle', latitude: 47.56, capacity: 300, step_free: null })
    expect(await shown('werkhalle')).toEqual([edited.body])
    const entry = await newest()
    expect(entry).toMatchObject({
      action: 'edit-venue',
      object_name: 'Werkhalle',
      before: { venue_name: 'Depot', latitude: null },
      after: { venue_name: 'Werkhalle', capacity: 300 },
    })
    await edit({ longitude: 7.6, latitude: 47.56 })
    expect((await undo(entry.entry_id)).body.code).toBe('changed_later')
    expect((await undo((await newest()).entry_id)).body.kept).toEqual([])
    expect((await undo(entry.entry_id)).body.kept).toEqual([])
    expect(await shown('depot')).toMatchObject([{ venue_name: 'Depot', longitude: null, capacity: null }])
    await edit({ longitude: 7.6, latitude: 47.56 })
    await edit({ latitude: null, longitude: '' })
    expect(await shown('depot')).toMatchObject([{ longitude: null }])
    expect((await undo((await newest()).entry_id)).body.kept).toEqual([])
    expect(await shown('depot')).toMatchObject([{ longitude: 7.6, latitude: 47.56 }])
    for (const body of [{ latitude: 47 }, { latitude: 'north', longitude: 7 }, { capacity: 0 }, { venue_name: '' }])
      expect(await edit(body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((await send('PUT', '/api/admin/venues/none', {})).body.code).toBe('venue_not_found')
  })
  it('see drafts, which nobody else does', async () => {
    const { body } = await send('POST', '/api/events', {
      title: 'Secret Act',
      starts_at: '2026-06-23T20:00:00Z',
      status: 'draft',
    })
    expect((await get(app, '/api/admin/events?day=2026-06-23', token)).body).toMatchObject([{ title: 'Secret Act' }])
    expect((await get(app, `/api/admin/events/${body.event_id}`, token)).status).toBe(200)
    expect((await get(app, `/api/events/${body.event_id}`)).status).toBe(404)
  })
  it.each([
    [{ title: 'ab' }, 'invalid_input'],
    [{ starts_at: '2026-06-20 20:00' }, 'invalid_input'],
    [{ starts_at: '2026-06-20T25:00' }, 'invalid_input'],
    [{ starts_at: '2062-06-24T21:00' }, 'invalid_input'],
    [{ starts_at: '1026-06-24T21:00' }, 'invalid_input'],
    [{ ends_at: '2062-06-24T23:00' }, 'invalid_input'],
    [{ ends_at: '2026-06-01T00:00:00Z' }, 'end_before_start'],
    [{ stage_id: '01978e94-a0e8-7f8b-8a4a-d23113936317' }, 'stage_unknown'],
    [{ ticket_url: 'javascript:alert(1)' }, 'invalid_input'],
    [{ ticket_url: 'http://[' }, 'invalid_input'],
    [{ status: 'ended' }, 'invalid_input'],
  ])('get an error for %j', async (body, code) => {
    const event_id = await addEvent(app.db, 'Glasshouse', '2026-06-24T19:00:00Z')
    expect(await send('PUT', `/api/events/${event_id}`, body)).toMatchObject({ status: 400, body: { code } })
  })
  it('get an error beside a price or age that is no number; a number typed as text is accepted', async () => {
    const event_id = await addEvent(app.db, 'Glasshouse', '2026-06-24T19:00:00Z')
    const edit = (body: object) => send('PUT', `/api/events/${event_id}`, body)
    expect(await edit({ price_chf: '12.–', age_min: '16+' })).toMatchObject({
      status: 400,
      body: { fields: { price_chf: 'Please enter a number.', age_min: 'Please enter a number.' } },
    })
    expect((await edit({ price_chf: '12.5', age_min: 16 })).body).toMatchObject({ price_chf: 12.5, age_min: 16 })
    expect((await edit({ price_chf: '', age_min: null })).body).toMatchObject({ price_chf: null, age_min: null })
  })
  it('do not overwrite an edit that somebody else made in the meantime', async () => {
    const event_id = await addEvent(app.db, 'Glasshouse', '2026-06-24T19:00:00Z')
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' }
    expect((await send('PUT', `/api/events/${event_id}`, { title: 'Other' }, stale)).status).toBe(409)
  })
})

it('every action of staff makes one log entry, which says whether it can be undone', async () => {
  const { body } = await api(app, '/api/openapi.json')
  const actions = Object.values(body.paths as Record<string, Record<string, Record<string, unknown>>>)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => (operation['x-staff-action'] as { action: string; inverse: boolean } | undefined) ?? [])
  // their undos are tested above, and in the rooms urgent, cases and forum
  expect(actions.map(({ action, inverse }) => `${action} ${inverse}`).toSorted()).toEqual([
    'create-event true',
    'create-stage true',
    'decide-appeal false',
    'decide-report true',
    'delete-event true',
    'edit-event true',
    'edit-source false',
    'edit-source false',
    'edit-venue true',
    'end-urgent true',
    'import-businesses true',
    'import-events true',
    'import-events true',
    'import-places true',
    'lift-suspension true',
    'moderate-member true',
    'moderate-post true',
    'moderate-topic true',
    'send-urgent true',
    'suspend-business true',
    'undo true',
  ])
})

it('a visitor can neither edit the programme nor read the log', async () => {
  const lena = await aVisitor(app)
  expect((await post(app, '/api/events', { title: 'Mine' }, { token: lena.authToken })).status).toBe(403)
  expect((await get(app, '/api/admin/log', lena.authToken)).status).toBe(403)
})
