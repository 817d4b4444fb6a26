import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { aVisitor, get, logIn, post } from '../../../test/people.ts'
import { anotherInstance, appForTest } from '../../../test/start-app.ts'
import { openStream, type TestStream } from '../../../test/streams.ts'
import { live } from '../room.ts'
import { cursorOf } from './cursor.ts'
import type { LiveEvent } from '../contract.ts'
import { forgetEvents, personalChannel, publish } from './live.ts'

/** An app with a room that publishes events of lanterns in public channels. */
async function lanternApp(options: Parameters<typeof appForTest>[0] = {}) {
  let house!: House
  const lanterns: Room<object> = {
    name: 'lanterns',
    looksInto: ['live'],
    open: (given) => ((house = given), {}),
    answers: () => ({ publicChannels: ['lantern'] }),
  }
  const app = await appForTest({ now: null, rooms: [...rooms, lanterns], ...options })
  const tell = (...events: LiveEvent[]) =>
    app.db.transaction().execute((trx) => publish(house.of(live), trx, ...events))
  return { app, house, tell }
}

const lit = (n: number, channel = 'lantern:1'): LiveEvent => ({ channel, kind: 'lit', data: { n } })
const numbers = (stream: TestStream) => stream.changes().map(({ data }) => data['n'])
const hears = (stream: TestStream, ...expected: number[]) =>
  vi.waitFor(() => expect(numbers(stream)).toEqual(expected), 90_000)

describe('a stream', () => {
  it('sends a guest the events of the public channels that were named, and of no other', async () => {
    const { app, tell } = await lanternApp()
    const stream = await openStream(app, 'lantern:1,lantern')
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('content-security-policy')).toContain("default-src 'none'")
    await tell(lit(1))
    await tell(lit(2, 'lantern:2'), lit(3, 'lantern'))
    await hears(stream, 1, 3)
    expect(stream.changes()[0]).toEqual({ channel: 'lantern:1', kind: 'lit', data: { n: 1 } })
  })

  it('sends nothing of a transaction that was rolled back', async () => {
    const { app, house, tell } = await lanternApp()
    const stream = await openStream(app, 'lantern:1')
    const undone = app.db.transaction().execute(async (trx) => {
      await publish(house.of(live), trx, lit(1))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await tell(lit(2))
    await hears(stream, 2)
  })

  it('brings one’s own channel along with a token, and nobody else’s', async () => {
    const { app, tell } = await lanternApp()
    const lena = await aVisitor(app, 'lena@example.org')
    const tom = await aVisitor(app, 'tom@example.org')
    const idOf = async (email: string) =>
      (await app.db.selectFrom('accounts').select('account_id').where('email', '=', email).executeTakeFirstOrThrow())
        .account_id
    const [lenaId, tomId] = [await idOf('lena@example.org'), await idOf('tom@example.org')]
    const [ofLena, ofTom] = [
      await openStream(app, '', { token: lena.authToken }),
      await openStream(app, 'lantern:1', { token: tom.authToken }),
    ]
    await tell(lit(1, personalChannel(lenaId)), lit(2, personalChannel(tomId)), lit(3))
    await hears(ofLena, 1)
    await hears(ofTom, 2, 3)
    const stolen = await get(app, `/api/stream?channels=${personalChannel(lenaId)}`, tom.authToken)
    expect(stolen).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(stolen.body.fields.channels).toBeTruthy()
  })

  it('ends with its session, on every instance, and those of other sessions go on', async () => {
    const { app, tell } = await lanternApp()
    const other = await anotherInstance(app)
    const lena = await aVisitor(app, 'lena@example.org')
    const again = await logIn(app, '/api/auth/login', 'lena@example.org')
    const [here, there, another] = [
      await openStream(app, 'lantern:1', { token: lena.authToken }),
      await openStream(other, '', { token: lena.authToken }),
      await openStream(app, 'lantern:1', { token: again.authToken }),
    ]
    const out = await post(app, '/api/auth/logout', { refreshToken: lena.refreshToken }, { token: lena.authToken })
    expect(out.status).toBe(204)
    await vi.waitFor(() => expect([here.isOver(), there.isOver()]).toEqual(['whole', 'whole']), 20_000)
    await tell(lit(1))
    await hears(another, 1)
    expect(another.isOver()).toBe('no')
    expect([...here.changes(), ...there.changes()]).toEqual([])
  })

  it('is refused to a guest who names no channel, and a dead token counts as none', async () => {
    const { app } = await lanternApp()
    const lena = await aVisitor(app)
    for (const channels of [
      '',
      '?channels=',
      '?channels=attic',
      '?channels=lantern:1,account:1',
      '?channels=lantern:%2e',
    ])
      expect(await get(app, `/api/stream${channels}`), channels).toMatchObject({ status: 400 })
    const many = Array.from({ length: 21 }, (_, n) => `lantern:${n}`).join(',')
    expect((await get(app, `/api/stream?channels=${many}`)).status).toBe(400)
    await post(app, '/api/auth/logout', { refreshToken: lena.refreshToken }, { token: lena.authToken })
    const stream = await openStream(app, 'lantern:1', { token: lena.authToken })
    expect(stream.status).toBe(200)
    expect(stream.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(await get(app, '/api/stream', lena.authToken)).toMatchObject({ status: 400 })
  })

  it('receives the events of another instance, in the order of its commits', async () => {
    const { app, house } = await lanternApp()
    const other = await anotherInstance(app)
    // the other instance has no room of lanterns, but every instance has the channels of accounts
    const lena = await aVisitor(app)
    const { account_id } = await app.db.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
    const own = personalChannel(account_id)
    const streams = [
      await openStream(app, '', { token: lena.authToken }),
      await openStream(other, '', { token: lena.authToken }),
    ]
    for (let n = 1; n <= 20; n++)
      await (n % 2 ? app : other).db.transaction().execute((trx) => publish(house.of(live), trx, lit(n, own)))
    const all = Array.from({ length: 20 }, (_, n) => n + 1)
    for (const stream of streams) await hears(stream, ...all)
  })
})

describe('a stream that comes back', () => {
  it('resumes after the last message, with nothing missing and nothing sent twice', async () => {
    const { app, tell } = await lanternApp()
    const first = await openStream(app, 'lantern:1')
    await tell(lit(1))
    await hears(first, 1)
    const lastEventId = first.messages.at(-1)!.id
    first.close()
    await tell(lit(2))
    await tell(lit(3, 'lantern:2'))
    const again = await openStream(app, 'lantern:1', { lastEventId })
    await tell(lit(4))
    await hears(again, 2, 4)
  })

  it('also receives an event that was numbered earlier and committed later', async () => {
    const { app, house, tell } = await lanternApp()
    const stream = await openStream(app, 'lantern:1')
    const slow = await app.db.startTransaction().execute()
    await publish(house.of(live), slow, lit(1))
    await tell(lit(2))
    await hears(stream, 2)
    const lastEventId = stream.messages.at(-1)!.id
    stream.close()
    await slow.commit().execute()
    await hears(await openStream(app, 'lantern:1', { lastEventId }), 1)
  })

  it('gets a reset when it was away for too long, missed too much, or sends an id that is not ours', async () => {
    const { app, house, tell } = await lanternApp({ now: '2026-06-20T17:30:00Z' })
    const stream = await openStream(app, 'lantern:1')
    const lastEventId = stream.messages.at(-1)!.id
    for (const strange of ['5', 'x', '10:5:@1', '1:9:7,7@1', `${'9'.repeat(30)}:1:@1`, "1:2:@1' or 1"])
      expect((await openStream(app, 'lantern:1', { lastEventId: strange })).messages, strange).toMatchObject([
        { event: 'reset' },
      ])
    await tell(...Array.from({ length: 201 }, (_, n) => lit(n)))
    expect((await openStream(app, 'lantern:1', { lastEventId })).messages[0]).toMatchObject({ event: 'reset' })
    expect((await openStream(app, 'lantern:2', { lastEventId })).messages[0]).toMatchObject({ event: 'open' })
    app.setNow('2026-06-20T18:31:00Z')
    expect((await openStream(app, 'lantern:2', { lastEventId })).messages[0]).toMatchObject({ event: 'reset' })
    await forgetEvents(house.of(live))
    const { rows } = await sql<{ count: number }>`select count(*) from live_events`.execute(app.db)
    expect(rows[0]!.count).toBe(0)
  })
})

describe('streams and their instance', () => {
  it('end at once at a stop, with a complete answer, and resume at another instance', async () => {
    const { app } = await lanternApp()
    const other = await anotherInstance(app)
    const lena = await aVisitor(app)
    const streams = await Promise.all(
      Array.from({ length: 30 }, () => openStream(other, '', { token: lena.authToken })),
    )
    await other.stop()
    await vi.waitFor(() => expect(streams.map((stream) => stream.isOver())).toEqual(Array(30).fill('whole')), 90_000)
    const back = await openStream(app, '', { token: lena.authToken, lastEventId: streams[0]!.messages[0]!.id })
    expect(back.messages[0]).toMatchObject({ event: 'open' })
  })

  it('are limited for an address, and one that ends frees its place', async () => {
    const { app } = await lanternApp({ env: { STREAMS_PER_ADDRESS: '10' } })
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(app, 'lantern:1')))
    const refused = await get(app, '/api/stream?channels=lantern:1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('30')
    expect((await get(app, '/api/deals')).status).toBe(200)
    streams[0]!.close()
    await vi.waitFor(async () => expect((await openStream(app, 'lantern:1')).status).toBe(200), 90_000)
  })

  it('miss nothing when the connection to the database breaks', async () => {
    const { app, tell } = await lanternApp()
    const stream = await openStream(app, 'lantern:1')
    const cut = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'rheinklang listening' and datname = current_database()`.execute(app.db)
    await cut()
    await tell(lit(1))
    await hears(stream, 1)
    await cut()
    await tell(lit(2))
    await hears(stream, 1, 2)
  })
})

it('a forged id that PostgreSQL refuses does not disturb other streams', async () => {
  const { app, tell } = await lanternApp()
  const timeline = /\.\d+$/.exec((await openStream(app, 'lantern:1')).messages[0]!.id!)![0]
  // PostgreSQL refuses these: the order of their numbers is impossible
  for (const snapshot of [
    '1:4294967296:',
    '1:9223372036854775808:',
    '1:9999999999999999999:',
    '4294967295:4294967297:4294967296',
  ]) {
    const lastEventId = `${snapshot}@${Date.parse('2026-06-20T17:30:00Z')}${timeline}`
    const odd = await openStream(app, 'lantern:1', { lastEventId })
    expect(odd.messages[0]!.event, snapshot).toBe('reset')
  }
  const stream = await openStream(app, 'lantern:1')
  await tell(lit(1))
  await hears(stream, 1)
})

it('reads an id only if PostgreSQL can read its snapshot', () => {
  expect(cursorOf('10:20:12,15@1750440000000.2')).toEqual({
    snapshot: '10:20:12,15',
    at: 1_750_440_000_000,
    timeline: 2,
  })
  expect(cursorOf('10:10:@5.3')).toEqual({ snapshot: '10:10:', at: 5, timeline: 3 })
  const epoch = '4294967296'
  for (const none of [
    `1:${epoch}:@1.1`,
    `${epoch}:${epoch}:@1.1`,
    `1:9223372036854775808:@1.1`,
    `1:9${epoch}:${epoch}@1.1`,
  ])
    expect(cursorOf(none), none).toBeNull()
  for (const none of [
    '',
    '10:20:9@1.1',
    '10:20:20@1.1',
    '10:20:,@1.1',
    '0:1:@1.1',
    '20:10:@1.1',
    '10:20:12',
    '10:10:@5',
    '10:10:@5.x',
  ])
    expect(cursorOf(none), none).toBeNull()
})
