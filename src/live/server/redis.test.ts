import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import { openDatabase } from '../../kit/server/database.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { openRedisPeer } from '../../../test/peers/redis.ts'
import { aVisitor, get } from '../../../test/people.ts'
import { anotherInstance, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openStream, type TestStream } from '../../../test/streams.ts'
import { live } from '../room.ts'
import { openHub } from './hub.ts'
import { personalChannel, publish } from './live.ts'

const password = 'wadesInTheRhine'
const log: string[] = []
let peer: Awaited<ReturnType<typeof openRedisPeer>>
let app: TestApp
let house: House
let token: string
let own: string

beforeAll(async () => {
  peer = await openRedisPeer({ password })
  const keyhole: Room<object> = { name: 'keyhole', looksInto: [], open: (given) => ((house = given), {}) }
  app = await startTestApp({ now: null, rooms: [...rooms, keyhole], env: { REDIS_URL: peer.url }, log })
  token = (await aVisitor(app)).authToken
  const { account_id } = await app.db.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
  own = personalChannel(account_id)
})
afterAll(async () => {
  await app.close()
  await peer.stop()
})

const tellOn = (db: TestApp['db'], room: Parameters<typeof publish>[0], ...all: number[]) =>
  db.transaction().execute(async (trx) => {
    for (const n of all) await publish(room, trx, { channel: own, kind: 'lit', data: { n } })
  })
const tell = (...all: number[]) => tellOn(app.db, house.of(live), ...all)
const numbers = (stream: TestStream) => stream.changes().map(({ data }) => data['n'])
const hears = (stream: TestStream, ...expected: number[]) =>
  vi.waitFor(
    () => expect(numbers(stream), `over: ${stream.isOver()}; ${log.slice(-3).join('')}`).toEqual(expected),
    90_000,
  )
const standing = (count: number) => vi.waitFor(() => expect(peer.subscribers()).toBe(count), 90_000)
/** Another instance of the site, and a stream at each. */
async function twoStreams() {
  const other = await anotherInstance(app, { REDIS_URL: peer.url })
  return { other, streams: [await openStream(app, '', { token }), await openStream(other, '', { token })] }
}

it('with Redis instances call each other there and not by the database, and each stream hears all, in order, once', async () => {
  const { streams } = await twoStreams()
  await standing(2)
  const before = peer.published.length
  for (let n = 1; n <= 10; n++) await tell(n)
  for (const stream of streams) await hears(stream, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
  expect(peer.published.length).toBeGreaterThan(before)
  // an instance is all that a call names
  for (const { payload } of peer.published) expect(payload).toMatch(/^[\da-f-]{36}$/)
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen%'`.execute(app.db)
  expect(rows).toEqual([])
})

it('a call follows the commit, and there is none for what was undone', async () => {
  let calls = 0
  const { clock, hub } = house.of(live)
  const room = { clock, hub: { ...hub, ring: () => void calls++ } }
  const undone = app.db.transaction().execute(async (trx) => {
    await publish(room, trx, { channel: own, kind: 'lit', data: {} })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  // on the connection of the undone one, perhaps
  await app.db.transaction().execute((trx) => sql`select 1`.execute(trx))
  expect(calls).toBe(0)
  const slow = await app.db.startTransaction().execute()
  await publish(room, slow, { channel: own, kind: 'lit', data: {} })
  expect(calls).toBe(0)
  await slow.commit().execute()
  expect(calls).toBe(1)
  await publish(room, app.db, { channel: own, kind: 'lit', data: {} })
  expect(calls).toBe(2)
})

it('while Redis is away, also at a start, everything works, streams hear all once, and it is found again', async () => {
  await standing(1)
  const gone = await openStream(app, '', { token })
  gone.close()
  await peer.stop()
  const { streams } = await twoStreams()
  await tell(1)
  for (const stream of streams) await hears(stream, 1)
  // many calls that reach nobody
  for (let n = 2; n <= 5; n++) await tell(n)
  for (const stream of streams) await hears(stream, 1, 2, 3, 4, 5)
  expect((await get(app, '/api/deals')).status).toBe(200)
  await vi.waitFor(() => expect(log.join('\n')).toContain('Live updates wait for Redis'), 90_000)
  expect(log.join('\n')).not.toContain(password)
  await peer.start()
  await standing(2)
  await tell(6)
  for (const stream of streams) await hears(stream, 1, 2, 3, 4, 5, 6)
  const back = await openStream(app, '', { token, lastEventId: gone.messages.at(-1)!.id })
  await hears(back, 1, 2, 3, 4, 5, 6)
})

it('a Redis that answers nothing any more holds up nobody, and is left for one that does', async () => {
  await standing(1)
  const stream = await openStream(app, '', { token })
  peer.hang()
  onTestFinished(() => peer.letGo())
  await tell(1)
  await tell(2)
  await hears(stream, 1, 2)
  await vi.waitFor(() => expect(peer.subscribers()).toBe(0), 90_000)
  peer.letGo()
  await standing(1)
  await tell(3)
  await hears(stream, 1, 2, 3)
})

it('what an instance told and called nobody for, as it was killed, is heard by the others', async () => {
  const { streams } = await twoStreams()
  const { clock, hub } = house.of(live)
  await tellOn(app.db, { clock, hub: { ...hub, ring: () => {} } }, 1)
  for (const stream of streams) await hears(stream, 1)
})

it('a call is answered by a look, and so is each return of Redis', async () => {
  await standing(1)
  const told: string[] = []
  // it would look by itself tomorrow
  const hub = await openHub(
    {
      clock: { now: () => Temporal.Now.instant() },
      complain: () => {},
      ownConnection: () => openDatabase({ connectionString: app.databaseUrl }, { maxConnections: 1 }),
    },
    { redisUrl: peer.url, everyMs: 86_400_000 },
  )
  onTestFinished(() => hub.close())
  hub.join([own], {
    lastEventId: null,
    send: ({ event, data }) => told.push(event === 'open' ? event : data),
    end() {},
  })
  await standing(2)
  await vi.waitFor(() => expect(told).toEqual(['open']), 90_000)
  await tell(1)
  await vi.waitFor(() => expect(told.length).toBe(2), 90_000)
  await peer.stop()
  await tell(2)
  expect(told.length).toBe(2)
  await peer.start()
  await vi.waitFor(() => expect(told.length).toBe(3), 90_000)
  expect(told.slice(1).map((data) => (JSON.parse(data) as { data: object }[]).map((each) => each.data))).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
  ])
})
