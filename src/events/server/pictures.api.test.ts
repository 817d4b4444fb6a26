import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvent } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, post } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { nightlyServices } from '../../../test/rooms.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { createFileStore, newFileName } from '../../kit/server/uploads.ts'
import { eventPicturesADay } from '../contract.ts'
import { deleteUnusedPictures } from './events.ts'

let app: TestApp
let staff: string
beforeAll(async () => {
  app = await startTestApp()
  staff = await aModerator(app)
})
afterAll(() => app.close())

const picture = (background: string) =>
  sharp({ create: { width: 1600, height: 1200, channels: 3, background } })
    .jpeg()
    .toBuffer()
const upload = (bytes: Uint8Array, token = staff, path = '/api/admin/events/pictures') => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'picture.jpg')
  return api(app, path, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })
}
const uploaded = async (background: string) => {
  const { status, body } = await upload(await picture(background))
  expect(status).toBe(201)
  return body.url as string
}
const edit = (eventId: string, body: object) =>
  api(app, `/api/events/${eventId}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${staff}` },
  })
const newest = async () => (await get(app, '/api/admin/log?limit=1', staff)).body[0]
const undo = async () => post(app, `/api/admin/log/${(await newest()).entry_id}/undo`, undefined, { token: staff })
const shownOf = async (eventId: string) => (await get(app, `/api/events/${eventId}`)).body.image_url as string | null
const statusOf = async (path: string) => (await fetch(app.url + path)).status
const night = (now: string) => {
  const { db, clock } = nightlyServices(app, now)
  return deleteUnusedPictures({ db, clock, files: createFileStore({ folder: `${app.dataDir}/uploads`, s3: null }) })
}

describe('staff', () => {
  it('set, replace and remove the picture of an event; each is in the log and can be undone', async () => {
    const id = await addEvent(app.db, 'Hochwasser', '2026-06-20T19:00:00Z')
    const [red, blue] = [await uploaded('red'), await uploaded('blue')]
    expect(red).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/)
    expect((await edit(id, { image_url: red })).body).toMatchObject({ image_url: red, sequence: 0 })
    expect(await newest()).toMatchObject({
      action: 'edit-event',
      before: { image_url: null },
      after: { image_url: red },
      can_undo: true,
    })
    expect((await get(app, '/api/events?q=hochwasser')).body).toMatchObject([{ image_url: red }])
    expect(await statusOf(red)).toBe(200)
    await edit(id, { image_url: blue })
    expect((await undo()).body.kept).toEqual([])
    expect(await shownOf(id)).toBe(red)
    await edit(id, { image_url: '' })
    expect(await shownOf(id)).toBeNull()
    await undo()
    expect(await shownOf(id)).toBe(red)
    // a field that is not sent stays
    await edit(id, { title: 'Hochwasser II' })
    expect(await shownOf(id)).toBe(red)
  })

  it('create an event with a picture', async () => {
    const image_url = await uploaded('green')
    const { body } = await post(
      app,
      '/api/events',
      { title: 'Laubfrosch', starts_at: '2026-06-20T20:00:00Z', image_url },
      { token: staff },
    )
    expect(body.image_url).toBe(image_url)
  })

  it('cannot use a picture that was not uploaded for an event', async () => {
    const id = await addEvent(app.db, 'Glasshouse', '2026-06-20T19:00:00Z')
    const cafe = await aMerchant(app)
    const ofMerchant = (await upload(await picture('red'), cafe.authToken, '/api/uploads')).body.url as string
    for (const image_url of [
      'https://evil.example/tracker.gif',
      '//evil.example/x.webp',
      '/uploads/00000000-0000-4000-8000-000000000000.webp',
      '/og/site.png',
      ofMerchant,
    ])
      expect(await edit(id, { image_url }), image_url).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', fields: { image_url: expect.stringContaining('upload') } },
      })
    expect(await shownOf(id)).toBeNull()
  })

  it('get an error for a file that is no picture; nobody else can upload one', async () => {
    expect((await upload(new TextEncoder().encode('<svg/>'))).body).toMatchObject({
      code: 'picture_no_image',
      fields: { file: expect.any(String) },
    })
    const lena = await aVisitor(app)
    expect((await upload(await picture('red'), lena.authToken)).status).toBe(403)
  })
})

it('an import keeps the picture that staff chose', async () => {
  const send = (title: string) => {
    const form = new FormData()
    form.set('file', new Blob([`id,title,starts_at\n1,${title},2026-06-22T20:00:00Z\n`]), 'pictures.csv')
    const headers = { authorization: `Bearer ${staff}` }
    return api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
  }
  await send('Erster')
  const [{ event_id }] = (await get(app, '/api/events?day=2026-06-22')).body
  const image_url = await uploaded('red')
  await edit(event_id, { image_url })
  expect((await send('Erster (neu)')).body.counts.changed).toBe(1)
  expect((await get(app, `/api/events/${event_id}`)).body).toMatchObject({ title: 'Erster (neu)', image_url })
})

it('an unused picture is deleted after a day, unless an undo can restore it', async () => {
  const id = await addEvent(app.db, 'Rostrot', '2026-06-20T19:00:00Z')
  const [unused, replaced, shown] = [await uploaded('red'), await uploaded('green'), await uploaded('blue')]
  await edit(id, { image_url: replaced })
  await edit(id, { image_url: shown })
  await night('2026-06-21T17:00:00Z')
  expect(await statusOf(unused)).toBe(200)
  await night('2026-06-21T18:00:00Z')
  expect(await statusOf(unused)).toBe(404)
  expect(await statusOf(shown)).toBe(200)
  await undo()
  expect(await shownOf(id)).toBe(replaced)
  expect(await statusOf(replaced)).toBe(200)
  expect((await edit(id, { image_url: unused })).status).toBe(400)
})

it('staff can upload only so many pictures a day, even several at once', async () => {
  const before = await app.db.selectFrom('event_pictures').select('name').execute()
  const made_at = new Date(saturdayEvening)
  await app.db
    .insertInto('event_pictures')
    .values(Array.from({ length: eventPicturesADay - before.length - 2 }, () => ({ name: newFileName(), made_at })))
    .execute()
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => upload(bytes)))).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429, 429])
})
