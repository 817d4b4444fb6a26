import { sql } from 'kysely'
import { fromKysely, PgBoss, type Job } from 'pg-boss'
import type { Database, Sql } from './database.ts'

/** Work done later and in the background. Every job must be idempotent: it may run again after a crash. */
export interface Jobs {
  /** Enqueues in the caller's transaction, so that the job exists exactly when the change does. `afterS`: not to run before. */
  enqueue(db: Sql, name: string, data: object, afterS?: number): Promise<void>
  /**
   * Enqueues `{ [key]: value }` for the values that no job waits or works for, as if it had never been lost or given up.
   * In a transaction: several instances may ask at once, and each value gets one job.
   */
  enqueueMissing(trx: Sql, name: string, key: string, values: string[]): Promise<void>
  /** What waits for another try of these jobs is tried now. */
  hurry(names: string[]): Promise<void>
  /** Takes no more jobs and lets those that run end; after `timeoutMs` they are left for another start. */
  stop(timeoutMs?: number): Promise<void>
}

export interface JobHandlers {
  [name: string]: {
    /** Runs daily or so instead of being enqueued: cron expression in the zone of `options`. */
    cron?: string
    /** Tried until it is done, however long that takes, instead of being given up after an hour or so. */
    untilDone?: boolean
    run: (data: Record<string, unknown>, jobs: Jobs) => Promise<void>
  }
}

/**
 * Whoever works for a job says so every few seconds. Silence means that the process is gone, or was cut off from the
 * database; a job that takes hours is never begun twice at once.
 */
const silentS = 15
const saysSoEveryS = 4
/**
 * One look tells which queues have a job to do, and wakes their workers. Each worker looking by itself took 34 statements a
 * second, 3 % of a core in the app and as much in the database, while there was nothing to do.
 */
const lookMs = 500
/** A worker that nobody wakes looks by itself. */
const ownLookS = 60
/** How often it is looked for jobs whose worker is silent. */
const lookForSilentMs = 5_000
/**
 * Whoever gets a job says so at once. While commits wait a job may be given to nobody: the look that gave it away was not
 * answered. It is taken back before the queue would (`silentS`), as often as it happens.
 */
const notBegunS = 8
/** A job that is cut off so often may be what ends the process; it goes on in the queue's own pace. */
const cutOffAtMost = 3

const retries = {
  retryLimit: 8,
  retryDelay: 10,
  retryBackoff: true,
  // longer than the longest nightly work; who hangs for so long is given up
  expireInSeconds: 6 * 3600,
  heartbeatSeconds: silentS,
  // what is done is of no use, and every look for silent workers passes it
  deleteAfterSeconds: 24 * 3600,
}

/** With growing pauses of up to a quarter of an hour. */
const untilDone = { ...retries, retryLimit: 1_000_000, retryDelayMax: 15 * 60, retentionSeconds: 400 * 24 * 3600 }

/** Many jobs at a look, each settled by itself; while there are more, the next look follows at once. */
const batches = { batchSize: 10, perJobResults: true, burstWhenBatchFull: true } as const

/** Starts the queue and its workers; with several instances each job still runs on one of them. */
export async function startJobs(
  db: Database,
  /** Told the queue, which exists before its workers. */
  handlersOf: (jobs: Jobs) => JobHandlers | Promise<JobHandlers>,
  options: {
    zone: string
    log: (error: unknown) => void
    /** Queues that are only filled here and worked off elsewhere. */
    queues?: string[]
  },
): Promise<Jobs> {
  const boss = new PgBoss({ db: fromKysely(db), schema: 'jobs' })
  // what was left behind at the end may still fail for want of a database, and is nobody's concern any more
  let isOver = false
  const log = (error: unknown) => void (isOver || options.log(error))
  boss.on('error', log)
  await boss.start()
  /** By queue. */
  const workers = new Map<string, string>()
  let isLooking = false
  const look = async () => {
    if (isLooking || workers.size === 0) return
    isLooking = true
    try {
      for (const name of await queuesWithWork(db, [...workers.keys()])) boss.notifyWorker(workers.get(name)!)
    } catch (error) {
      log(error)
    } finally {
      isLooking = false
    }
  }
  const looking = setInterval(() => void look(), lookMs)
  // what this or another instance had in hand when it was killed; `db` gives up a look long before the next
  const lookForSilent = setInterval(() => void takeBackFromSilent(db).catch(log), lookForSilentMs)
  const jobs: Jobs = {
    ...queueOf(boss, db),
    async stop(timeoutMs = 5_000) {
      clearInterval(lookForSilent)
      clearInterval(looking)
      await boss.stop({ graceful: true, timeout: timeoutMs })
      isOver = true
    },
  }
  const outcomeOf = async (run: () => Promise<void>) => {
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
      { ...batches, heartbeatRefreshSeconds: saysSoEveryS, pollingIntervalSeconds: ownLookS },
      async (taken: Job<Record<string, unknown>>[]) => {
        const ids = taken.map(({ id }) => id)
        await boss.touch(name, ids).catch(log)
        return Promise.all(
          taken.map(async (job) => ({ id: job.id, ...(await outcomeOf(() => run(job.data ?? {}, jobs))) })),
        )
      },
    )
    workers.set(name, worker)
    if (cron) await boss.schedule(name, cron, null, { tz: options.zone })
  }
  return jobs
}

/** Those of the queues in which a job is due. */
async function queuesWithWork(db: Database, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as asked (name)
    where exists (
      select from jobs.job
      where job.name = asked.name and state < 'active' and not blocked and start_after <= now())`.execute(db)
  return rows.map(({ name }) => name)
}

/** The queue of a job, tried as often as its handler says. */
export async function makeQueue(boss: PgBoss, name: string, handler: JobHandlers[string]): Promise<void> {
  await boss.createQueue(name, retries)
  // also where a command, or a version before this one, has made it
  await boss.updateQueue(name, handler.untilDone ? untilDone : retries)
}

/** What fills the queues, whoever works them off. */
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

/** Otherwise the queue would look for them once a minute, and each would wait for its retry delay. */
async function takeBackFromSilent(db: Database): Promise<void> {
  // nobody has tried it, so no try is lost
  await sql`
    update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null, retry_limit = retry_limit + 1
    where state = 'active' and heartbeat_on = started_on and started_on < now() - ${notBegunS} * interval '1s'`.execute(
    db,
  )
  await sql`
    update jobs.job set
      state = 'retry', start_after = now(), heartbeat_on = null,
      output = jsonb_build_object('cutOff', coalesce((output ->> 'cutOff')::int, 0) + 1)
    where state = 'active' and heartbeat_on + heartbeat_seconds * interval '1s' < now()
      and retry_count < retry_limit and coalesce((output ->> 'cutOff')::int, 0) < ${cutOffAtMost}`.execute(db)
}
