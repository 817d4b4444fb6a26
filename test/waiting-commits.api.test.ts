import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabases } from '../src/kit/server/database.ts'
import { api } from './start-app.ts'
import { startAppOn, type AppOn } from './app-on.ts'
import { startOwnPostgres, waitForCommits, type OwnPostgres } from './postgres-pair.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let postgres: OwnPostgres
let apps: AppOn[]
beforeAll(async () => {
  postgres = await startOwnPostgres()
  const env = { TRUST_PROXY: 'on' }
  apps = [await startAppOn(postgres.url, { env }), await startAppOn(postgres.url, { env })]
})
afterAll(async () => {
  await waitForCommits(postgres, null)
  for (const app of apps) await app.close()
  await postgres.stop()
})

const message = { name: 'Lena', email: 'lena@example.org', topic: 'visitor', message: 'Lost and found?' }
// each from another IP address, as one may send 20 messages per hour
let writers = 0
const write = (app: AppOn, more: object = {}) =>
  api(app, '/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${writers++}` },
    body: JSON.stringify({ ...message, ...more }),
  })
const reads = ['/api/deals?limit=5', '/api/deals/search?limit=5', '/api/business', '/readyz']

it('while commits wait for a standby, 100 writes get 503, reads go on, and the server’s connections stay free', async () => {
  await waitForCommits(postgres, 'nobody')
  onTestFinished(() => waitForCommits(postgres, null))
  const writes = Array.from({ length: 100 }, async (_, n) => {
    const { status, headers } = await write(apps[n % 2]!)
    return { status, after: Number(headers.get('retry-after')) }
  })
  const taken: number[] = []
  let answered = false
  const all = Promise.all(writes).finally(() => (answered = true))
  while (!answered) {
    // reads do not wait for commits, so they are answered while all writes wait
    for (const path of reads) expect((await api(apps[taken.length % 2]!, path)).status, path).toBe(200)
    const [row] = await postgres.sql<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    taken.push(row!.count)
  }
  const answers = await all
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(answers.filter(({ after }) => !(after > 0))).toEqual([])
  expect(Math.max(...taken)).toBeLessThanOrEqual(30)
  // statements that were given up do not go on waiting on the server
  await vi.waitFor(async () => {
    const waiting = await postgres.sql(
      "select 1 from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'",
    )
    expect(waiting.length).toBeLessThanOrEqual(10)
  }, 90_000)
  await waitForCommits(postgres, null)
  for (const app of apps) expect((await write(app)).status).toBe(201)
})

it('a message that was stored but answered 503 gets its ticket when it is sent again with the same key, from any instance', async () => {
  const sent = { message: 'My umbrella is green.', idempotency_key: '3f8a1c0d9b7e4a65' }
  const stored = () =>
    postgres.sql<{ ticket: string }>('select ticket from contact_messages where message = $1', [sent.message])
  await waitForCommits(postgres, 'nobody')
  onTestFinished(() => waitForCommits(postgres, null))
  expect((await write(apps[0]!, sent)).status).toBe(503)
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), 90_000)
  await waitForCommits(postgres, null)
  for (const app of apps) {
    const again = await write(app, sent)
    expect([again.status, again.body.ticket]).toEqual([201, (await stored())[0]!.ticket])
  }
  expect(await stored()).toHaveLength(1)
})

it('a connection whose commit was given up is closed, also on the server, and never used again', async () => {
  const connections = { writing: 1, reading: 2 }
  const { db } = openDatabases({ primary: { connectionString: postgres.url } }, () => {}, {
    connections,
    name: 'alone',
  })
  onTestFinished(() => db.destroy())
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const before = await backend()
  await waitForCommits(postgres, 'nobody')
  onTestFinished(() => waitForCommits(postgres, null))
  const mark = sql`insert into view_salts (day, salt) values ('2026-06-20', 'x') on conflict do nothing`
  await expect(mark.execute(db)).rejects.toThrow('Connection terminated')
  // the pool has only one connection, and it is a new one
  expect(await backend()).not.toBe(before)
  await vi.waitFor(
    async () => expect(await postgres.sql('select 1 from pg_stat_activity where pid = $1', [before])).toEqual([]),
    90_000,
  )
})
