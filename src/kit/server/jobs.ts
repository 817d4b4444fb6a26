import { fromKysely, PgBoss, type Job } from 'pg-boss'
import type { Database, Sql } from './database.ts'

/** Work done later and in the background. Every job must be idempotent: it may run again after a crash. */
export interface Jobs {
  /** Enqueues in the caller's transaction, so that the job exists exactly when the change does. */
  enqueue(db: Sql, name: string, data: object): Promise<void>
  stop(): Promise<void>
}

export interface JobHandlers {
  [name: string]: {
    /** Runs daily or so instead of being enqueued: cron expression in the festival's zone. */
    cron?: string
    /** Somebody waits for it: looked for this often instead of every two seconds. */
    lookEveryS?: number
    run: (data: Record<string, unknown>, jobs: Jobs) => Promise<void>
  }
}

const retries = { retryLimit: 8, retryDelay: 10, retryBackoff: true, expireInSeconds: 300 }

/** Many jobs at a look, each settled by itself; while there are more, the next look follows at once. */
const batches = { batchSize: 10, perJobResults: true, burstWhenBatchFull: true } as const

/** Starts the queue and its workers; with several instances each job still runs on one of them. */
export async function startJobs(
  db: Database,
  handlers: JobHandlers,
  options: {
    zone: string
    log: (error: unknown) => void
    /** Queues that are only filled here and worked off elsewhere. */
    queues?: string[]
  },
): Promise<Jobs> {
  const boss = new PgBoss({ db: fromKysely(db), schema: 'jobs' })
  boss.on('error', options.log)
  await boss.start()
  const jobs: Jobs = {
    async enqueue(trx, name, data) {
      await boss.send(name, data, { db: fromKysely(trx) })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5000 })
    },
  }
  const outcomeOf = async (run: () => Promise<void>) => {
    try {
      await run()
      return { status: 'completed' as const }
    } catch (error) {
      options.log(error)
      return { status: 'failed' as const, output: { message: error instanceof Error ? error.name : 'failed' } }
    }
  }
  for (const name of options.queues ?? []) await boss.createQueue(name, retries)
  for (const [name, { cron, lookEveryS, run }] of Object.entries(handlers)) {
    await boss.createQueue(name, retries)
    await boss.work(
      name,
      { ...batches, ...(lookEveryS ? { pollingIntervalSeconds: lookEveryS } : {}) },
      (taken: Job<Record<string, unknown>>[]) =>
        Promise.all(taken.map(async (job) => ({ id: job.id, ...(await outcomeOf(() => run(job.data ?? {}, jobs))) }))),
    )
    if (cron) await boss.schedule(name, cron, null, { tz: options.zone })
  }
  return jobs
}
