import { sql } from 'kysely'
import { fromKysely, PgBoss, type Job } from 'pg-boss'
import type { Database, Sql } from './database.ts'

/** The queue of background jobs. Every job must be idempotent: it may run again after a crash. */
export interface Jobs {
  /** Enqueues a job in the caller's transaction, so it exists only if the change does. `afterS`: seconds before it may run. */
  enqueue(db: Sql, name: string, data: object, afterS?: number): Promise<void>
  /**
   * Enqueues a job `{ [key]: value }` for each value that has no waiting or running job. Call it in a transaction: several instances may
   * call it at once, and each value still gets one job.
   */
  enqueueMissing(trx: Sql, name: string, key: string, values: string[]): Promise<void>
  /** Retries the failed jobs of these queues now. */
  hurry(names: string[]): Promise<void>
  /** Takes no more jobs and waits for running ones; after `timeoutMs` the next start runs them again. */
  stop(timeoutMs?: number): Promise<void>
}

export interface JobHandlers {
  [name: string]: {
    /** Runs by this cron expression, in the zone of `options`, instead of being enqueued. */
    cron?: string
    /** Retried until it succeeds, instead of being given up after about an hour. */
    untilDone?: boolean
    run: (data: Record<string, unknown>, jobs: Jobs) => Promise<void>
  }
}

/**
 * A worker sends a heartbeat for its job every 4 s. After 15 s without one its process has ended or lost the database, and the job runs
 * again. So a job may take hours and never runs twice at once.
 */
const heartbeatTimeoutS = 15
const heartbeatS = 4
/**
 * Interval of one query that finds all queues with due jobs and wakes their workers. If each worker polled by itself, an idle app would
 * send 34 statements a second: 3 % of a core in the app, and as much in the database.
 */
const pollMs = 500
/** Interval at which a worker polls by itself if it is not woken. */
const ownPollS = 60
const takeBackMs = 5_000
/**
 * A worker sends its first heartbeat at once. Without it the worker never got the job: the fetch was committed, but its answer was lost,
 * as may happen while commits wait for a standby. Such jobs are taken back earlier, any number of times.
 */
const firstHeartbeatTimeoutS = 8
/** A job taken back more often may be what ends the process; from then on it waits for the queue's usual retry. */
const takeBacksAtMost = 3

const retries = {
  retryLimit: 8,
  retryDelay: 10,
  retryBackoff: true,
  // longer than the longest nightly work; a job that hangs longer fails
  expireInSeconds: 6 * 3600,
  heartbeatSeconds: heartbeatTimeoutS,
  // finished jobs slow down every search for silent workers
  deleteAfterSeconds: 24 * 3600,
}

/** Retries with growing pauses of up to 15 minutes. */
const untilDone = { ...retries, retryLimit: 1_000_000, retryDelayMax: 15 * 60, retentionSeconds: 400 * 24 * 3600 }

/** Jobs per fetch, each completed or failed by itself. After a full batch the next fetch follows at once. */
const batches = { batchSize: 10, perJobResults: true, burstWhenBatchFull: true } as const

/** Starts the queue and its workers. With several instances, each job runs on one of them. */
export async function startJobs(
  db: Database,
  /** Gets the queue, which exists before the workers. */
  handlersOf: (jobs: Jobs) => JobHandlers | Promise<JobHandlers>,
  options: {
    zone: string
    log: (error: unknown) => void
    /** Queues that this process fills without working for them. */
    queues?: string[]
  },
): Promise<Jobs> {
  const boss = new PgBoss({ db: fromKysely(db), schema: 'jobs' })
  // jobs that fail after shutdown are ignored
  let isOver = false
  const log = (error: unknown) => void (isOver || options.log(error))
  boss.on('error', log)
  await boss.start()
  /** Worker by queue. */
  const workers = new Map<string, string>()
  let isPolling = false
  const poll = async () => {
    if (isPolling || workers.size === 0) return
    isPolling = true
    try {
      for (const name of await queuesWithWork(db, [...workers.keys()])) boss.notifyWorker(workers.get(name)!)
    } catch (error) {
      log(error)
    } finally {
      isPolling = false
    }
  }
  const polling = setInterval(() => void poll(), pollMs)
  // no guard against overlap: the time limit of a statement is shorter than the interval
  const takingBack = setInterval(() => void takeBackFromSilent(db).catch(log), takeBackMs)
  const jobs: Jobs = {
    ...queueOf(boss, db),
    async stop(timeoutMs = 5_000) {
      clearInterval(takingBack)
      clearInterval(polling)
      await boss.stop({ graceful: true, timeout: timeoutMs })
      isOver = true
    },
  }
  const resultOf = async (run: () => Promise<void>) => {
    try {
      await run()
      return { status: 'completed' as const }
    } catch (error) {
      log(error)
      return { status: 'failed' as const, output: { message: error instanceof Error ? error.name : 'failed' } }
    }
  }
  for (const name of options.queues ?? []) await boss.createQueue(name, retries)
  for (const [name, handler] of Object.entries(await handlersOf(jobs))) {
    const { cron, run } = handler
    await makeQueue(boss, name, handler)
    const worker = await boss.work(
      name,
      { ...batches, heartbeatRefreshSeconds: heartbeatS, pollingIntervalSeconds: ownPollS },
      async (taken: Job<Record<string, unknown>>[]) => {
        const ids = taken.map(({ id }) => id)
        await boss.touch(name, ids).catch(log)
        return Promise.all(
          taken.map(async (job) => ({ id: job.id, ...(await resultOf(() => run(job.data ?? {}, jobs))) })),
        )
      },
    )
    workers.set(name, worker)
    if (cron) await boss.schedule(name, cron, null, { tz: options.zone })
  }
  return jobs
}

/** The queues that have a due job. */
async function queuesWithWork(db: Database, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as asked (name)
    where exists (
      select from jobs.job
      where job.name = asked.name and state < 'active' and not blocked and start_after <= now())`.execute(db)
  return rows.map(({ name }) => name)
}

/** Creates the queue of a job, with the retries that its handler wants. */
export async function makeQueue(boss: PgBoss, name: string, handler: JobHandlers[string]): Promise<void> {
  await boss.createQueue(name, retries)
  // the queue may exist already, created by a command or an older version
  await boss.updateQueue(name, handler.untilDone ? untilDone : retries)
}

/** The functions that fill queues; no workers needed. */
export function queueOf(boss: PgBoss, db: Database): Omit<Jobs, 'stop'> {
  return {
    async enqueue(trx, name, data, afterS = 0) {
      await boss.send(name, data, { db: fromKysely(trx), ...(afterS > 0 ? { startAfter: afterS } : {}) })
    },
    async enqueueMissing(trx, name, key, values) {
      await sql`select pg_advisory_xact_lock(hashtext(${`jobs ${name}`}))`.execute(trx)
      const { rows } = await sql<{ value: string }>`
        select value from unnest(${values}::text[]) as wanted (value)
        where not exists (
          select from jobs.job where name = ${name} and state < 'completed' and data ->> ${key}::text = value)`.execute(
        trx,
      )
      if (rows.length === 0) return
      await boss.insert(
        name,
        rows.map(({ value }) => ({ data: { [key]: value } })),
        { db: fromKysely(trx) },
      )
    },
    async hurry(names) {
      await sql`
        update jobs.job set start_after = now()
        where name = any(${names}::text[]) and state = 'retry' and start_after > now()`.execute(db)
    },
  }
}

/** Retries jobs of silent workers at once. The queue itself checks once a minute, and then waits for the retry delay. */
async function takeBackFromSilent(db: Database): Promise<void> {
  // no worker has tried these jobs, so each gets one more retry
  await sql`
    update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null, retry_limit = retry_limit + 1
    where state = 'active' and heartbeat_on = started_on and started_on < now() - ${firstHeartbeatTimeoutS} * interval '1s'`.execute(
    db,
  )
  await sql`
    update jobs.job set
      state = 'retry', start_after = now(), heartbeat_on = null,
      output = jsonb_build_object('cutOff', coalesce((output ->> 'cutOff')::int, 0) + 1)
    where state = 'active' and heartbeat_on + heartbeat_seconds * interval '1s' < now()
      and retry_count < retry_limit and coalesce((output ->> 'cutOff')::int, 0) < ${takeBacksAtMost}`.execute(db)
}
