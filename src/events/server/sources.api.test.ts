import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import { openOutside } from '../../kit/server/outside.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { queueDueMails } from '../../notifications/server/mails.ts'
import { notifications } from '../../notifications/room.ts'
import { schedule } from '../../schedule/room.ts'
import { sendEventNotices } from '../../schedule/server/schedule.ts'
import { aVisitor, get, mailsTo, post, type Person } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { events } from '../room.ts'
import { readDueSources } from './sources.ts'
import { claimDueSource } from './store.ts'

let app: TestApp
let house!: House
let staff: string
let lena: Person
let host: Server
let canary: Server
let canaryHits = 0
let hits = 0
let answers: RequestListener
let minutes = 0
let programmes = 0
/** Name of the programme of the test. */
let source = ''
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  host = createServer((request, response) => {
    hits++
    answers(request, response)
  })
  canary = createServer((_, response) => {
    canaryHits++
    response.end('id,title,start\n1,Secret,2026-06-21T20:00:00Z')
  })
  for (const server of [host, canary]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
  app = await startTestApp({
    rooms: [...rooms, door],
    outside: { isAllowed: (address, port) => address === '127.0.0.1' && [host, canary].map(portOf).includes(port) },
  })
  staff = await aModerator(app)
  lena = await aVisitor(app)
})
afterAll(async () => {
  await app.close()
  for (const server of [host, canary]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(async () => {
  source = `programme-${programmes++}`
  hits = canaryHits = minutes = 0
  // logins last a quarter of an hour
  app.setNow(saturdayEvening)
  // sources of earlier tests are due too, and this test's server does not answer for them
  await app.db.deleteFrom('programme_sources').execute()
  await app.db.deleteFrom('notifications').execute()
})

const address = (path = '/schedule.csv') => `http://127.0.0.1:${portOf(host)}${path}`
const path = (what = '') => `/api/admin/programme-sources/${source}${what}`
const put = (more: object = {}, headers: Record<string, string> = {}) =>
  post(app, path(), { address: address(), every_minutes: 5, ...more }, { method: 'PUT', token: staff, headers })
const readNow = () => post(app, path('/read'), undefined, { token: staff })
const apply = (hash: string) => post(app, path('/apply'), { hash }, { token: staff })
const stored = async () => (await get(app, '/api/admin/programme-sources', staff)).body[0]
const pass = (more: number) => {
  minutes += more
  app.setNow(Temporal.Instant.from(saturdayEvening).add({ minutes }).toString())
}
/** The job, when the sources are due. */
const readLater = async (after = 5) => {
  pass(after)
  await readDueSources(house.of(events))
  await app.runJobs()
}

interface Entry {
  title: string
  start: string
  stage: string
}
const entry = (n: number): Entry => ({
  title: `Set ${n} of ${source}`,
  start: `2026-06-21T${10 + (n % 10)}:00:00Z`,
  stage: 'Halle',
})
const csv = (entries: Map<number, Entry>) =>
  [
    'id,title,start,stage',
    ...[...entries].map(([id, { title, start, stage }]) => `${id},${title},${start},${stage}`),
  ].join('\n')
/** The address gives these events from now on. */
const give = (entries: Map<number, Entry>) => {
  answers = (_, response) => response.end(csv(entries))
}
const several = (count: number) => new Map(Array.from({ length: count }, (_, index) => [index, entry(index)]))
/** Ten events are read from the address and applied. */
async function followed(count = 10) {
  const entries = several(count)
  give(entries)
  const { body } = await put()
  expect((await apply(body.source.waiting.hash)).body.applied).toBe(true)
  hits = 0
  return entries
}
const titles = async () =>
  (
    await app.db
      .selectFrom('events')
      .select('title')
      .where('source', '=', source)
      .where('deleted_at', 'is', null)
      .orderBy('title')
      .execute()
  ).map(({ title }) => title.split(' of ')[0])
const idOf = async (title: string) =>
  (await app.db.selectFrom('events').select('event_id').where('title', '=', title).executeTakeFirstOrThrow()).event_id
const bell = async (token: string) =>
  ((await get(app, '/api/notifications', token)).body as { text: string }[]).map(({ text }) => text)
const newestEntry = async () => (await get(app, '/api/admin/log?limit=1', staff)).body[0]

describe('a programme by address', () => {
  it('is read first without a change, and imported after a yes to what was shown', async () => {
    give(several(3))
    const { status, body } = await put()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      applied: false,
      source: { source, every_minutes: 5, good_at: null, waiting: { read: 3, new: 3, removed: 0, coming: 0 } },
      report: { source, counts: { read: 3, new: 3 }, entry_id: null },
    })
    expect(await titles()).toEqual([])
    expect(await newestEntry()).toMatchObject({ action: 'edit-source', object_name: source })
    // the job imports nothing either
    await readLater()
    expect(await titles()).toEqual([])
    expect(await bell(staff)).toEqual([])
    expect((await apply(body.source.waiting.hash)).body).toMatchObject({ applied: true, source: { waiting: null } })
    expect(await titles()).toEqual(['Set 0', 'Set 1', 'Set 2'])
    expect(await newestEntry()).toMatchObject({
      action: 'import-events',
      actor: 'Mo',
      object_name: source,
      can_undo: true,
    })
  })

  it('takes a small change at once, and people who saved a removed event are notified', async () => {
    const entries = await followed()
    const gone = await idOf(entries.get(3)!.title)
    expect((await post(app, '/api/schedule', { event_id: gone }, { token: lena.authToken })).status).toBeLessThan(300)
    entries.delete(3)
    entries.set(4, { ...entry(4), title: `Renamed of ${source}` })
    give(entries)
    await readLater()
    expect(await titles()).toEqual(['Renamed', ...[0, 1, 2, 5, 6, 7, 8, 9].map((n) => `Set ${n}`)])
    const logged = await newestEntry()
    expect(logged).toMatchObject({ action: 'import-events', actor: 'command', object_name: source })
    expect(await stored()).toMatchObject({
      waiting: null,
      problem: null,
      counts: { read: 9, new: 0, changed: 1, removed: 1 },
    })
    // the job that groups the changes may not have run yet
    const sentNotices = async () => {
      pass(1)
      await sendEventNotices(house.of(schedule))
      return bell(lena.authToken)
    }
    await expect.poll(sentNotices).toEqual([`Set 3 of ${source}: no longer in the programme`])
    // the log brings the event back; what the address gives next waits, and when applied leaves the event
    const undone = await post(app, `/api/admin/log/${logged.entry_id}/undo`, { confirmed: 2 }, { token: staff })
    expect(undone.status, undone.text).toBe(200)
    entries.set(5, { ...entry(5), title: `Again of ${source}` })
    give(entries)
    await readLater()
    expect(await titles()).not.toContain('Again')
    expect((await apply((await stored()).waiting.hash as string)).body.applied).toBe(true)
    expect(await titles()).toContain('Set 3')
    expect(await titles()).toContain('Again')
  })

  it('takes an answer that differs in nothing but the time of the request as the same', async () => {
    const entries = several(10)
    const withTime = () => {
      answers = (_, response) => response.end(`${csv(entries)}\n${' '.repeat(hits)}`)
    }
    withTime()
    const { body } = await put()
    expect((await apply(body.source.waiting.hash as string)).body.applied).toBe(true)
    await readLater()
    expect(await stored()).toMatchObject({ waiting: null, counts: { read: 10, new: 0, changed: 0, removed: 0 } })
  })

  it('brings an event back with what people saved when the address has it again', async () => {
    const entries = await followed()
    const id = await idOf(entries.get(2)!.title)
    const without = new Map(entries)
    without.delete(2)
    give(without)
    await readLater()
    expect(await titles()).not.toContain('Set 2')
    give(entries)
    await readLater()
    expect(await titles()).toContain('Set 2')
    expect(await idOf(entries.get(2)!.title)).toBe(id)
  })

  it('removes no event that runs or is over: lists of coming events leave it out', async () => {
    const entries = several(10)
    entries.set(0, { ...entry(0), start: '2026-06-19T10:00:00Z' })
    // it is 17:30, and an open end counts an hour
    entries.set(1, { ...entry(1), start: '2026-06-20T17:00:00Z' })
    give(entries)
    await apply((await put()).body.source.waiting.hash)
    for (const n of [0, 1, 2]) entries.delete(n)
    give(entries)
    await readLater()
    expect(await stored()).toMatchObject({ waiting: null, counts: { read: 7, removed: 1 } })
    expect(await titles()).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9].map((n) => `Set ${n}`))
  })

  it('of four events lets the removal of three wait', async () => {
    await followed(4)
    give(several(1))
    await readLater()
    expect(await titles()).toHaveLength(4)
    expect(await stored()).toMatchObject({ waiting: { removed: 3, coming: 4 } })
  })

  it('keeps events that are over, and those that the file has in a form that cannot be read', async () => {
    const entries = several(10)
    entries.set(0, { ...entry(0), start: '2026-06-19T10:00:00Z' })
    give(entries)
    await apply((await put()).body.source.waiting.hash)
    entries.delete(0)
    entries.set(1, { ...entry(1), start: 'soon' })
    give(entries)
    await readLater()
    expect(await titles()).toHaveLength(10)
    expect(await stored()).toMatchObject({ waiting: null, counts: { removed: 0 } })
  })

  it('lets a change of more than a fifth wait, and tells staff once by bell and mail', async () => {
    const entries = await followed(20)
    for (const n of [1, 2, 3]) entries.delete(n)
    for (const n of [4, 5]) entries.set(n, { ...entry(n), start: '2026-06-22T20:00:00Z' })
    // small shifts are no move
    entries.set(6, { ...entry(6), start: '2026-06-21T16:20:00Z' })
    give(entries)
    await readLater()
    await readLater()
    expect(await titles()).toHaveLength(20)
    expect(await stored()).toMatchObject({ waiting: { removed: 3, moved: 2, coming: 20 } })
    const text = `“${source}” would remove 3 events and move 2 of 20. Nothing is changed before you apply it.`
    expect(await bell(staff)).toEqual([text])
    await queueDueMails(house.of(notifications))
    await app.runJobs()
    const mails = await mailsTo(app, 'moderator@example.org')
    expect(mails.filter(({ subject }) => subject === text)).toHaveLength(1)
    const { hash } = (await stored()).waiting
    expect((await apply(hash)).body).toMatchObject({ applied: true, source: { waiting: null } })
    expect(await titles()).toHaveLength(17)
  })

  it('answers with a new report if the content changed between the report and the yes', async () => {
    const entries = await followed()
    for (const n of [1, 2, 3, 4]) entries.delete(n)
    give(entries)
    await readLater()
    const { hash } = (await stored()).waiting
    entries.delete(5)
    give(entries)
    const later = await apply(hash)
    expect(later.body).toMatchObject({
      applied: false,
      source: { waiting: { removed: 5 } },
      report: { entry_id: null },
    })
    expect(await titles()).toHaveLength(10)
    expect((await apply(later.body.source.waiting.hash)).body.applied).toBe(true)
    expect(await titles()).toHaveLength(5)
  })

  it('forgets what waits when the address gives the applied content again', async () => {
    const entries = await followed()
    give(several(4))
    await readLater()
    expect((await stored()).waiting).not.toBeNull()
    give(entries)
    expect((await readNow()).body).toMatchObject({ applied: false, report: null, source: { waiting: null } })
    expect(await titles()).toHaveLength(10)
  })

  it('stays in its last state while the address is broken, and is read less and less often until it is good', async () => {
    const entries = await followed()
    const row = () => app.db.selectFrom('programme_sources').selectAll().executeTakeFirstOrThrow()
    const interval = async () => {
      const { next_read_at, read_at } = await row()
      return (next_read_at!.getTime() - read_at!.getTime()) / 60_000
    }
    answers = (_, response) => response.writeHead(503).end()
    const waits: number[] = []
    for (let failed = 0; failed < 5; failed++) {
      await readLater(61)
      waits.push(await interval())
    }
    expect(waits).toEqual([10, 20, 40, 60, 60])
    app.setNow(saturdayEvening)
    expect((await stored()).problem).toContain('The URL answers with the status 503 instead of a file.')
    const german = await api(app, '/api/admin/programme-sources', {
      headers: { authorization: `Bearer ${staff}`, 'accept-language': 'de' },
    })
    expect(german.body[0].problem).toContain('Der Link antwortet mit dem Status 503 statt mit einer Datei.')
    expect(await titles()).toHaveLength(10)
    give(entries)
    await readLater(61)
    expect(await row()).toMatchObject({ problem: null, failures: 0 })
    expect(await interval()).toBe(5)
  })

  it('shows staff a fault of this site and logs it, and the other addresses are still read', async () => {
    const entries = await followed()
    pass(1)
    const sound = address('/sound.csv')
    const other = await post(
      app,
      `/api/admin/programme-sources/${source}-sound`,
      { address: sound, every_minutes: 5 },
      { method: 'PUT', token: staff },
    )
    expect(other.status, other.text).toBe(200)
    const before = await titles()
    await sql`alter table events add constraint no_broken_titles check (title not like 'Broken%')`.execute(app.db)
    onTestFinished(async () => {
      await sql`alter table events drop constraint no_broken_titles`.execute(app.db)
    })
    entries.set(4, { ...entry(4), title: `Broken of ${source}` })
    answers = ({ url }, response) => response.end(url === '/sound.csv' ? csv(several(3)) : csv(entries))
    pass(5)
    await expect(readDueSources(house.of(events))).rejects.toThrow('no_broken_titles')
    const [broken, read] = (await get(app, '/api/admin/programme-sources', staff)).body
    expect(broken).toMatchObject({
      source,
      problem: 'An error on this site interrupted the reading. The next try is at 19:46.',
      next_read_at: '2026-06-20T17:46:00.000Z',
      counts: { read: 10 },
    })
    expect(read).toMatchObject({
      source: `${source}-sound`,
      problem: null,
      read_at: app.now().toString({ fractionalSecondDigits: 3 }),
    })
    expect(await titles()).toEqual(before)
    // "Read now" fails as well, and the next good content clears the problem
    expect((await readNow()).status).toBe(500)
    give(entries.set(4, entry(4)))
    expect((await readNow()).body.source).toMatchObject({ problem: null, good_at: expect.any(String) })
  })

  it('with a fault in each of two sources has both in the log', async () => {
    await followed()
    await post(
      app,
      `/api/admin/programme-sources/${source}-too`,
      { address: address(), every_minutes: 5 },
      { method: 'PUT', token: staff },
    )
    await sql`alter table programme_sources add constraint no_reads check (read_at < '2026-06-20T17:35Z' or problem is not null)`.execute(
      app.db,
    )
    onTestFinished(async () => {
      await sql`alter table programme_sources drop constraint no_reads`.execute(app.db)
    })
    pass(6)
    const faults = await readDueSources(house.of(events)).catch((error: AggregateError) => error.errors as Error[])
    expect(faults!.map(({ message }) => message.includes('no_reads'))).toEqual([true, true])
  })

  it('is not compared again while its content is the same', async () => {
    await followed()
    const before = await newestEntry()
    await readLater()
    expect(hits).toBe(1)
    expect(await stored()).toMatchObject({ counts: { read: 10, new: 0, changed: 0, removed: 0 } })
    expect(await newestEntry()).toEqual(before)
  })

  it('is read by one instance at a time', async () => {
    await followed()
    pass(6)
    const own = house.of(events)
    await Promise.all([readDueSources(own), readDueSources(own), readDueSources(own)])
    expect(hits).toBe(1)
    expect(await claimDueSource(app.db, new Date(app.now().epochMilliseconds))).toBeNull()
  })

  it('is no longer read once staff stop it, and its events stay', async () => {
    await followed()
    expect((await post(app, path(), undefined, { method: 'DELETE', token: staff })).status).toBe(204)
    await readLater()
    expect(hits).toBe(0)
    expect(await titles()).toHaveLength(10)
    expect((await get(app, '/api/admin/programme-sources', staff)).body).toEqual([])
    expect((await readNow()).status).toBe(404)
  })
})

describe('an address', () => {
  const refusedFor = async (more: object) => {
    const { status, body } = await put(more)
    expect(status, JSON.stringify(body)).toBe(422)
    expect((await get(app, '/api/admin/programme-sources', staff)).body).toEqual([])
    return body.error as string
  }

  it('in the own network, or without https, is refused', async () => {
    expect(await refusedFor({ address: 'https://10.0.0.1/schedule.xml' })).toBe(
      'The URL leads into the server’s own network. Enter a public URL.',
    )
    expect(await refusedFor({ address: 'http://example.org/schedule.xml' })).toBe('The URL must begin with https://.')
    expect(await refusedFor({ address: 'file:///etc/passwd' })).toBe('The URL must begin with https://.')
  })

  it('may lead on once to the same host, and not to another one', async () => {
    const entries = several(2)
    answers = (request, response) =>
      request.url === '/moved' ? response.writeHead(302, { location: '/new.csv' }).end() : response.end(csv(entries))
    expect((await put({ address: address('/moved') })).body.report.counts.read).toBe(2)
    await app.db.deleteFrom('programme_sources').execute()
    answers = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${portOf(canary)}/` }).end()
    expect(await refusedFor({})).toBe('The URL redirects to another server. Enter the URL of the file itself.')
    answers = (_, response) => response.writeHead(301, { location: '/round' }).end()
    expect(await refusedFor({})).toContain('The URL answers with the status 301 instead of a file.')
    expect(canaryHits).toBe(0)
  })

  it('that gives a web page, too much, or another status is refused with one sentence', async () => {
    answers = (_, response) => response.end('<!doctype html><title>Log in</title>')
    expect(await refusedFor({})).toMatch(/^The file is a web page\./)
    answers = (_, response) => {
      response.writeHead(200, { 'content-length': String(300 * 2 ** 20) })
      response.write('id,title')
    }
    expect(await refusedFor({})).toBe('The URL returns more than 8 MB.')
    answers = (_, response) => void response.write(Buffer.alloc(9 * 2 ** 20, 'a'))
    expect(await refusedFor({})).toBe('The URL returns more than 8 MB.')
    answers = (_, response) => response.writeHead(404).end('nothing here')
    expect(await refusedFor({})).toContain('The URL answers with the status 404 instead of a file.')
    answers = (_, response) => void response.destroy()
    expect(await refusedFor({})).toBe('The URL cannot be reached.')
  })

  it('that does not send its file in time is given up', async () => {
    answers = (_, response) => void response.write('id,title,start\n')
    const outside = openOutside({ isAllowed: () => true })
    await expect(outside.fetch(address(), { maxBytes: 1000, timeoutMs: 30 })).rejects.toThrow('too slow')
  })

  it('that another one replaces starts anew: its first content waits', async () => {
    await followed()
    give(several(9))
    expect((await put({ address: address('/other.csv') })).body).toMatchObject({
      applied: false,
      source: { good_at: null, waiting: { removed: 1 } },
    })
    await readLater()
    expect(await titles()).toHaveLength(10)
  })
})
