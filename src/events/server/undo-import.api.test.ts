import { afterAll, beforeAll, expect, it } from 'vitest'
import { aVisitor, get, post, type Person } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let token: string
let lena: Person
beforeAll(async () => {
  app = await startTestApp()
  token = await aModerator(app)
  lena = await aVisitor(app)
})
afterAll(() => app.close())

const upload = async (name: string, rows: string[], how: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(how)) form.set(field, value)
  form.set('file', new Blob([`id,title,starts_at,stage\n${rows.join('\n')}\n`]), name)
  const headers = { authorization: `Bearer ${token}` }
  return (await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })).body
}
const undo = (entryId: string, body: object, language = 'en') =>
  api(app, `/api/admin/log/${entryId}/undo`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'accept-language': language,
      authorization: `Bearer ${token}`,
    },
  })
const entries = async () => (await get(app, '/api/admin/log', token)).body as Record<string, unknown>[]
const newest = async () => (await entries())[0]!
const onDay = async (day: string) =>
  (await get(app, `/api/events?day=${day}`)).body as { event_id: string; title: string; stage: string }[]
const save = (person: Person, event_id: string) =>
  post(app, '/api/schedule', { event_id, note: 'By the bar' }, { token: person.authToken })

it('an undo of several events needs the confirmed number, and the refusal says how many people saved them', async () => {
  const day = '2026-06-20'
  const { entry_id } = await upload(
    'three.csv',
    [1, 2, 3].map((n) => `${n},Set ${n},${day}T20:00:00Z,Halle`),
  )
  const [first, second] = await onDay(day)
  const noah = await aVisitor(app, 'noah@example.org')
  for (const event of [first!, second!]) await save(lena, event.event_id)
  await save(noah, first!.event_id)
  const before = await entries()
  const refused = await undo(entry_id, {})
  expect(refused).toMatchObject({ status: 409, body: { code: 'unconfirmed' } })
  expect(refused.body.error).toBe(
    '3 events would change at once, 3 of them disappear; 2 people have saved any of them. Confirm the number 3 to go on.',
  )
  expect((await undo(entry_id, {}, 'de')).body.error).toContain('3 Events würden sich auf einmal ändern')
  expect((await undo(entry_id, {}, 'fr')).body.error).toContain('3 événements changeraient d’un coup')
  // a wrong number means that nobody read it
  expect((await undo(entry_id, { confirmed: 2 })).body.code).toBe('unconfirmed')
  const reach = { kind: 'event', hidden: 3, shown: 0, changed: 0, people: 2 }
  expect((await undo(entry_id, { dry_run: true })).body).toEqual({ entry_id: null, reach, kept: [] })
  expect(await onDay(day)).toHaveLength(3)
  expect(await entries()).toEqual(before)
  expect((await undo(entry_id, { confirmed: 3 })).body).toMatchObject({ reach, kept: [] })
  expect(await onDay(day)).toEqual([])
})

it('an import can be undone and redone again and again, with stages, saves and source', async () => {
  const day = '2026-06-21'
  const name = 'programme.csv'
  await upload(name, [`1,Before,${day}T19:00:00Z,Halle`])
  const rows = [`1,After,${day}T19:00:00Z,Halle`, `2,New,${day}T20:00:00Z,Floss`]
  const { entry_id } = await upload(name, rows)
  const imported = (await onDay(day)).map(({ event_id, title, stage }) => ({ event_id, title, stage }))
  expect(imported).toMatchObject([{ title: 'After' }, { title: 'New', stage: 'Floss' }])
  await save(lena, imported[1]!.event_id)
  const before = (await get(app, '/api/schedule', lena.authToken)).body.entries
  let entry = entry_id as string
  for (const round of [1, 2]) {
    expect((await undoConfirmed(app, token, entry)).body.kept, `undo ${round}`).toEqual([])
    expect((await onDay(day)).map(({ title }) => title)).toEqual(['Before'])
    expect((await get(app, '/api/admin/stages', token)).text).not.toContain('Floss')
    expect((await entries()).find(({ entry_id: id }) => id === entry_id)).toMatchObject({
      is_undone: true,
      can_undo: false,
    })
    const undone = await newest()
    // the rows that the undo stores for its redo are not shown
    expect(JSON.stringify(undone)).not.toContain('Floss')
    expect(undone).toMatchObject({ action: 'undo', undoes: entry, can_undo: true, is_undone: false })
    const redo = await undoConfirmed(app, token, String(undone['entry_id']))
    expect(redo.body, `redo ${round}`).toMatchObject({
      reach: { kind: 'event', hidden: 0, shown: 1, changed: 1, people: 1 },
      kept: [],
    })
    expect((await onDay(day)).map(({ event_id, title, stage }) => ({ event_id, title, stage }))).toEqual(imported)
    const saved = (await get(app, '/api/schedule', lena.authToken)).body.entries as { entry_id: string; note: string }[]
    expect(saved.map((each) => [each.entry_id, each.note])).toEqual(
      (before as typeof saved).map((each) => [each.entry_id, each.note]),
    )
    // the redone import is undone by undoing the entry of the redo
    expect((await entries()).find(({ entry_id: id }) => id === entry_id)).toMatchObject({ is_undone: false })
    entry = String((await newest())['entry_id'])
    expect(await newest()).toMatchObject({ undid: { action: 'undo' } })
  }
  // the events belong to their source again
  expect((await upload(name, rows)).counts).toEqual({ read: 2, new: 0, changed: 0, same: 2, refused: 0 })
})

it('a redo is refused after the file was imported again, and names that import', async () => {
  const day = '2026-06-22'
  const rows = (title: string) => [`1,${title},${day}T19:00:00Z,Kahn`, `2,Other,${day}T20:00:00Z,Kahn`]
  const { entry_id } = await upload('again.csv', rows('One'))
  await undoConfirmed(app, token, entry_id)
  const undone = String((await newest())['entry_id'])
  await upload('again.csv', rows('One anew'))
  const refused = await undoConfirmed(app, token, undone)
  expect(refused.body.code).toBe('changed_later')
  expect(refused.body.error).toBe('Mo imported “again.csv” later, on 20.06. at 19:30. Undo that first.')
  expect((await onDay(day)).map(({ title, stage }) => [title, stage])).toEqual([
    ['One anew', 'Kahn'],
    ['Other', 'Kahn'],
  ])
})

it('undone edits of an event and a venue can be redone', async () => {
  const day = '2026-06-23'
  await upload('venue.csv', [`1,Quiet,${day}T19:00:00Z,Werft`])
  const [event] = (await get(app, `/api/events?day=${day}`)).body as {
    event_id: string
    venue: { venue_id: string }
  }[]
  const put = (path: string, body: object) => post(app, path, body, { method: 'PUT', token })
  const steps = [
    [`/api/events/${event!.event_id}`, { title: 'Loud' }, async () => (await onDay(day))[0]!.title, 'Quiet', 'Loud'],
    [
      `/api/admin/venues/${event!.venue.venue_id}`,
      { address: 'Hafen 1' },
      async () => (await get(app, `/api/events/${event!.event_id}`)).body.venue.address,
      null,
      'Hafen 1',
    ],
  ] as const
  for (const [path, body, shown, before, after] of steps) {
    expect((await put(path, body)).status).toBe(200)
    // one event needs no confirmation
    expect((await undo(String((await newest())['entry_id']), {})).status).toBe(200)
    expect(await shown()).toBe(before)
    expect((await undo(String((await newest())['entry_id']), {})).status).toBe(200)
    expect(await shown()).toBe(after)
  }
})

it('an import that changes several known events needs their confirmed number; new events need none', async () => {
  const day = '2026-06-24'
  const rows = (title: string) => [1, 2, 3].map((n) => `${n},${title} ${n},${day}T20:00:00Z,Kran`)
  await upload('changed.csv', rows('Old').slice(0, 2))
  for (const { event_id } of await onDay(day)) await save(lena, event_id)
  const reach = { kind: 'event', hidden: 0, shown: 0, changed: 2, people: 1 }
  expect(await upload('changed.csv', rows('New'), { dry_run: 'true' })).toMatchObject({ reach, entry_id: null })
  expect((await upload('changed.csv', rows('New'))).code).toBe('unconfirmed')
  expect((await onDay(day)).map(({ title }) => title).toSorted()).toEqual(['Old 1', 'Old 2'])
  expect(await upload('changed.csv', rows('New'), { confirmed: '2' })).toMatchObject({ reach, counts: { new: 1 } })
  expect((await onDay(day)).map(({ title }) => title).toSorted()).toEqual(['New 1', 'New 2', 'New 3'])
})
