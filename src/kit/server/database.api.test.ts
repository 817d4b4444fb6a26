import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { withinAnswerTime } from './answer-time.ts'
import { isDatabaseUnavailable, whileReading, WroteWhileReading } from './database.ts'
import { query } from './statement.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('an instant of a statement', () => {
  it.each([
    '2026-06-20T17:30:00.000Z',
    '2026-06-20T17:30:00.250Z',
    '2026-06-20T17:30:00.007Z',
    '1969-12-31T23:59:59.900Z',
    '0099-01-01T00:00:00.000Z',
    '+012026-06-20T17:30:00.000Z',
  ])('%s is read as the ISO text of answers', async (instant) => {
    const [row] = await query<{ at: string }>(app.db, 'select $at::timestamptz as at', {
      at: instant.replace(/^\+0/, ''),
    })
    expect(row!.at).toBe(instant)
  })
  it('is cut to milliseconds', async () => {
    const text = "select '2026-06-20 17:30:00.123987+00'::timestamptz as at, null::timestamptz as never, $a::int as a"
    expect(await query(app.db, text, { a: 1 })).toEqual([{ at: '2026-06-20T17:30:00.123Z', never: null, a: 1 }])
  })
  it('is a date in every other statement', async () => {
    const { rows } = await sql<{ at: Date }>`select ${'2026-06-20T17:30:00Z'}::timestamptz as at`.execute(app.db)
    expect(rows[0]!.at).toEqual(new Date('2026-06-20T17:30:00Z'))
  })
})

describe('the time limit of a statement', () => {
  const inALittle = <T>(work: () => Promise<T>) => withinAnswerTime(work, 0, 800)
  it('accepts an answer that came in time while this process was busy', async () => {
    const asked = inALittle(() =>
      sql<{ all: string }>`select pg_sleep(0.1), repeat('x', 300000) as all`.execute(app.db),
    )
    // lets the statement be sent
    await new Promise(setImmediate)
    const until = performance.now() + 1500
    while (performance.now() < until);
    expect((await asked).rows[0]!.all.length).toBe(300_000)
  })
  it('gives up a statement without an answer, and the pool goes on', async () => {
    await expect(inALittle(() => sql`select pg_sleep(2.5)`.execute(app.db))).rejects.toThrow('Connection terminated')
    expect((await sql<{ a: number }>`select 1 as a`.execute(app.db)).rows).toEqual([{ a: 1 }])
  })
})

describe('a database that has become a standby', () => {
  it('is read from, refuses writes with 503, and needs no restart when it takes them again', async () => {
    const standby = await appForTest()
    const name = sql.ref(
      (await sql<{ name: string }>`select current_database() as name`.execute(standby.db)).rows[0]!.name,
    )
    const write = () =>
      api(standby, '/api/contact', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Lena', email: 'lena@example.org', topic: 'visitor', message: 'Lost and found?' }),
      })
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(standby.db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`.execute(standby.db)
    // end this connection too
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(standby.db).catch(() => {})
    await vi.waitFor(async () => expect((await api(standby, '/api/deals?limit=1')).status).toBe(200), 90_000)
    const refused = await write()
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('2')
    await standby.db.transaction().execute(async (trx) => {
      await sql`set transaction read write`.execute(trx)
      await sql`alter database ${name} reset default_transaction_read_only`.execute(trx)
    })
    await vi.waitFor(async () => expect((await write()).status).toBe(201), 90_000)
  })
})

describe('a database whose host name cannot be resolved', () => {
  it('gives 503 with Retry-After', async () => {
    const fault = Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN' })
    const connect = vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(() => Promise.reject(fault))
    const refused = await api(app, '/api/deals?limit=1').finally(() => connect.mockRestore())
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('2')
  })
})

describe('a rule that only reads', () => {
  const insert = () => sql`insert into view_salts (day, salt) values ('2026-06-20', 'x')`.execute(app.db)

  it('fails with WroteWhileReading when it writes, and nothing is written', async () => {
    await expect(whileReading(insert)).rejects.toThrow(WroteWhileReading)
    await expect(whileReading(() => app.db.transaction().execute(insert))).rejects.toThrow(WroteWhileReading)
    expect(isDatabaseUnavailable(await whileReading(insert).catch((error: unknown) => error))).toBe(false)
    expect((await sql`select 1 from view_salts`.execute(app.db)).rows).toEqual([])
  })
  it('has its own connections, so it runs while all writing connections are busy', async () => {
    const held = Promise.withResolvers<undefined>()
    const holding = Array.from({ length: 20 }, () =>
      app.db
        .transaction()
        .execute(() => held.promise)
        .catch(() => {}),
    )
    const { rows } = await whileReading(() => sql<{ one: number }>`select 1 as one`.execute(app.db))
    expect(rows).toEqual([{ one: 1 }])
    held.resolve(undefined)
    await Promise.all(holding)
  })
})

it.each([
  ['a read that a standby cancelled for its replay', '40001', true],
  ['a deadlock', '40P01', true],
  ['an unlogged table on a standby', '0A000', true],
  ['a host name that cannot be resolved now', 'EAI_AGAIN', true],
  ['a name server that fails', 'EAI_FAIL', true],
  ['no network', 'ENETUNREACH', true],
  ['a network that is down', 'ENETDOWN', true],
  ['a machine that is down', 'EHOSTDOWN', true],
  ['a connection that was aborted', 'ECONNABORTED', true],
  ['no port left for a connection', 'EADDRNOTAVAIL', true],
  ['a mistake in a statement', '42601', false],
  ['a violated check of a table', '23514', false],
])('%s (%s) is a passing failure of the database: %s', (_, code, passes) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('from the server'), { code }))).toBe(passes)
})
