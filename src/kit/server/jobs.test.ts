import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appForTest } from '../../../test/start-app.ts'
import { startJobs } from './jobs.ts'

// the queue looks every few seconds
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

it('a job that was given to nobody, as while commits wait, runs all the same, however often that happened', async () => {
  const { db } = await appForTest()
  const done: unknown[] = []
  const jobs = await startJobs(
    db,
    () => ({ 'lost-job': { lookEveryS: 1, run: async (data) => void done.push(data['n']) } }),
    { zone: 'Europe/Zurich', log: () => {} },
  )
  onTestFinished(() => jobs.stop())
  // the look committed, and its answer was given up; it was so eight times before, so the queue would try it no more
  await db.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, 'lost-job', { n: 1 })
    await sql`
      update jobs.job set state = 'active', started_on = now() - interval '9s', heartbeat_on = now() - interval '9s',
        retry_count = retry_limit, output = '{"cutOff": 3}'
      where name = 'lost-job'`.execute(trx)
  })
  await vi.waitFor(() => expect(done).toEqual([1]), { timeout: 90_000, interval: 100 })
})
