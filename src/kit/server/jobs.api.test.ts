import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  caughtUp,
  promote,
  startForwarder,
  startOwnPostgres,
  startStandby,
  type OwnPostgres,
} from '../../../test/postgres-pair.ts'
import { appForTest } from '../../../test/start-app.ts'
import { openDatabase } from './database.ts'
import { startJobs, type JobHandlers } from './jobs.ts'

// silent workers are found only after some seconds
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

it('a job whose worker never got it, as may happen while commits wait, runs all the same', async () => {
  const { db } = await appForTest()
  const done: unknown[] = []
  const jobs = await startJobs(db, () => ({ 'lost-job': { run: async (data) => void done.push(data['n']) } }), {
    zone: 'Europe/Zurich',
    log: () => {},
  })
  onTestFinished(() => jobs.stop())
  // fetched eight times by workers that never got the answer: the queue itself would not retry any more
  await db.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, 'lost-job', { n: 1 })
    await sql`
      update jobs.job set state = 'active', started_on = now() - interval '9s', heartbeat_on = now() - interval '9s',
        retry_count = retry_limit, output = '{"cutOff": 3}'
      where name = 'lost-job'`.execute(trx)
  })
  await vi.waitFor(() => expect(done).toEqual([1]), { timeout: 90_000, interval: 100 })
})

/** A PostgreSQL server behind a forwarder whose address stays the same. */
async function aQueue() {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  const forwarder = await startForwarder(postgres)
  onTestFinished(() => forwarder.close())
  /** Starts another instance with a worker. */
  const work = async (url: string, run: JobHandlers[string]['run']) => {
    const { db } = openDatabase({ connectionString: url })
    onTestFinished(() => db.destroy())
    const jobs = await startJobs(db, () => ({ 'a-job': { run } }), {
      zone: 'Europe/Zurich',
      log: () => {},
    })
    onTestFinished(() => jobs.stop())
    return { db, jobs }
  }
  return { postgres, forwarder, work }
}
const statesIn = async (server: OwnPostgres) =>
  (await server.sql<{ state: string }>("select state::text from jobs.job where name = 'a-job'")).map(
    ({ state }) => state,
  )
const soon = { timeout: 90_000, interval: 100 }

it('a job of an instance that lost the database is taken over by another instance', async () => {
  const { postgres, forwarder, work } = await aQueue()
  const held = Promise.withResolvers<undefined>()
  const ran: string[] = []
  const first = await work(forwarder.url, async () => {
    ran.push('the first')
    await held.promise
  })
  onTestFinished(() => held.resolve(undefined))
  await first.db.transaction().execute((trx) => first.jobs.enqueue(trx, 'a-job', {}))
  await vi.waitFor(() => expect(ran).toEqual(['the first']), soon)
  forwarder.leadTo(null)
  onTestFinished(() => forwarder.leadTo(postgres))
  await work(postgres.url, async () => void ran.push('another'))
  await vi.waitFor(async () => expect(await statesIn(postgres)).toEqual(['completed']), soon)
  expect(ran).toEqual(['the first', 'another'])
})

it('a job whose end could not be written because the primary died runs again on the new primary', async () => {
  const { postgres, forwarder, work } = await aQueue()
  const standby = await startStandby(postgres, { synchronous: false })
  onTestFinished(() => standby.stop())
  const held = Promise.withResolvers<undefined>()
  let begun = 0
  let ended = 0
  const { db, jobs } = await work(forwarder.url, async () => {
    if (++begun === 1) await held.promise
    ended++
  })
  await db.transaction().execute((trx) => jobs.enqueue(trx, 'a-job', {}))
  await vi.waitFor(() => expect(begun).toBe(1), soon)
  await caughtUp(standby, postgres)
  await postgres.kill()
  forwarder.leadTo(null)
  held.resolve(undefined)
  await vi.waitFor(() => expect(ended).toBe(1), soon)
  await promote(standby)
  expect(await statesIn(standby)).toEqual(['active'])
  forwarder.leadTo(standby)
  await vi.waitFor(async () => expect(await statesIn(standby)).toEqual(['completed']), soon)
  expect([begun, ended]).toEqual([2, 2])
})

it('one query for all queues wakes only the worker of the queue that has a job', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  const { db, pool } = openDatabase({ connectionString: postgres.url })
  onTestFinished(() => db.destroy())
  let looks = 0
  const fetched: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const [asked] = args as [string | { text?: string }]
      const text = typeof asked === 'string' ? asked : (asked.text ?? '')
      if (text.includes('from unnest')) looks++
      const [, queue] = /next AS [^]*?\bj\.name = '(\w+)'/.exec(text) ?? []
      if (queue) fetched.push(queue)
      return query(...args)
    }) as typeof client.query
  })
  const names = Array.from({ length: 20 }, (_, n) => `queue_${n}`)
  const done: string[] = []
  const handlerOf = (name: string) => [name, { run: async () => void done.push(name) }] as const
  const jobs = await startJobs(db, () => Object.fromEntries(names.map(handlerOf)), {
    zone: 'Europe/Zurich',
    log: () => {},
  })
  onTestFinished(() => jobs.stop())
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3), soon)
  await db.transaction().execute((trx) => jobs.enqueue(trx, 'queue_7', {}))
  await vi.waitFor(() => expect(done).toEqual(['queue_7']), soon)
  // each worker fetched once at its start, and then only the worker of queue_7
  expect(fetched.filter((name) => names.includes(name) && name !== 'queue_7').toSorted()).toEqual(
    names.filter((name) => name !== 'queue_7').toSorted(),
  )
})
