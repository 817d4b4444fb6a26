import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { makeQueue, queueOf, type JobHandlers, type Jobs, type startJobs } from '../src/kit/server/jobs.ts'

export interface InlineJobs {
  /** Replaces the app's `startJobs`. */
  start: typeof startJobs
  /** Runs all due jobs, and the jobs that they enqueue. A job that fails waits for its retry. */
  run(): Promise<void>
  /** The same, if a job was enqueued recently. */
  runIfAny(): Promise<void>
}

/**
 * Number of answers after which a new job is looked for: an answer may end before the transaction of another request has committed its
 * job.
 */
const looksForOne = 3

/**
 * The real queue, in its tables and in the transaction of a change, but without polling workers, supervision and schedules: the test says
 * when jobs run. It starts faster, costs nothing between jobs, and no test waits for a worker.
 */
export function inlineJobs(): InlineJobs {
  let looks = 0
  let queue: Promise<void> = Promise.resolve()
  let runDue = async () => {}

  const start: typeof startJobs = async (db, handlersOf, { log, queues = [] }) => {
    const boss = new PgBoss({ db: fromKysely(db), schema: 'jobs', supervise: false, schedule: false })
    boss.on('error', log)
    await boss.start()
    const fill = queueOf(boss, db)
    const noticed =
      <Args extends unknown[]>(enqueue: (...args: Args) => Promise<void>) =>
      (...args: Args) => ((looks = looksForOne), enqueue(...args))
    const jobs: Jobs = {
      enqueue: noticed(fill.enqueue),
      enqueueMissing: noticed(fill.enqueueMissing),
      hurry: noticed(fill.hurry),
      async stop() {
        runDue = async () => {}
        await queue
        await boss.stop({ graceful: false })
      },
    }
    const handlers: JobHandlers = {
      ...Object.fromEntries(queues.map((name) => [name, { run: async () => {} }])),
      ...(await handlersOf(jobs)),
    }
    const known = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const [name, handler] of Object.entries(handlers)) if (!known.has(name)) await makeQueue(boss, name, handler)

    runDue = async () => {
      for (;;) {
        const { rows } = await sql<{ name: string }>`
          select distinct name from jobs.job where state < 'active' and start_after <= now()`.execute(db)
        const due = rows.filter(({ name }) => Object.hasOwn(handlers, name))
        if (due.length === 0) return
        let done = 0
        for (const { name } of due) {
          for (const job of await boss.fetch<Record<string, unknown>>(name, { batchSize: 100 })) {
            try {
              await handlers[name]!.run(job.data ?? {}, jobs)
              await boss.complete(name, job.id)
              done++
            } catch (error) {
              log(error)
              await boss.fail(name, job.id, { message: error instanceof Error ? error.name : 'failed' })
            }
          }
        }
        // a job that fails and retries at once waits for the next answer, or this would never end
        if (done === 0) return
      }
    }
    return jobs
  }

  // one run at a time: jobs that a run has fetched are neither due nor done for another
  const run = () => {
    const ran = queue.then(() => runDue())
    queue = ran.catch(() => {})
    return ran
  }
  return { start, run, runIfAny: async () => (looks-- > 0 ? run() : undefined) }
}
