import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../database-types.ts'
import { withinAnswerTime } from './answer-time.ts'

/** A standby for rules that only read. */
export interface Replica {
  pool: pg.Pool
  db: Kysely<DB>
  /** It answered the last check. */
  isThere: boolean
  /** It answered the last check, and lagged by at most `mostLagMs`. */
  isFresh: boolean
}

export interface Replicas {
  /** The next fresh replica that is not in `tried`, else null. */
  fresh(tried: ReadonlySet<Replica>): Replica | null
  /** The next replica that answers, however old its data: for when the primary is down. */
  any(): Replica | null
  /** Call when a replica has failed a read: it is not used until it answers a check. */
  failed(replica: Replica): void
  /** Call when the primary has not answered a read. If it takes no mark either, reads go to replicas until it does. */
  primaryFailed(): void
  isPrimaryAway(): boolean
  close(): Promise<void>
}

/** Pause between checks. In each one an instance writes its time as a mark on the primary, and reads the mark on every replica. */
const checkPauseMs = 1_000
/** Most lag of a fresh replica behind the newest known mark. A lag in bytes would say nothing while few people write. */
const mostLagMs = 2_500
/** Time limit of a check. */
const checkMs = 1_000

/** Watches replicas. Replicas that have the newest mark stay fresh when the primary is down. */
export function watchReplicas(primary: Kysely<DB>, replicas: Replica[]): Replicas {
  let newestMs: number | null = null
  let takesNoMark = false
  let hasFailed = false
  let turn = 0
  let isClosed = false
  const check = async () => {
    await Promise.all([
      inCheckTime(() => leaveMark(primary)).then(
        (ms) => {
          // it may go back: after a failover it is the time of another machine
          newestMs = ms
          takesNoMark = false
          hasFailed = false
        },
        // reads may still work: commits may be waiting for a standby
        () => void (takesNoMark = true),
      ),
      ...replicas.map(async (replica) => {
        const markMs = await inCheckTime(() => findMark(replica.db)).catch(() => null)
        replica.isThere = markMs !== null
        replica.isFresh = markMs !== null && newestMs !== null && newestMs - markMs <= mostLagMs
      }),
    ])
    if (isClosed) return
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, checkPauseMs)
      timer.unref()
      endPause = resolve
    })
  }
  let timer: NodeJS.Timeout | undefined
  let endPause = () => {}
  const run = async () => {
    while (!isClosed) await check()
  }
  const running = run()

  const next = (fits: (replica: Replica) => boolean): Replica | null => {
    for (let tried = 0; tried < replicas.length; tried++) {
      const replica = replicas[turn++ % replicas.length]!
      if (fits(replica)) return replica
    }
    return null
  }
  return {
    fresh: (tried) => next((replica) => replica.isFresh && !tried.has(replica)),
    any: () => next(({ isThere }) => isThere),
    failed(replica) {
      replica.isThere = false
      replica.isFresh = false
    },
    primaryFailed: () => void (hasFailed = true),
    isPrimaryAway: () => hasFailed && takesNoMark,
    async close() {
      isClosed = true
      clearTimeout(timer)
      endPause()
      await running
      await Promise.all(replicas.map(({ db }) => db.destroy()))
    },
  }
}

function inCheckTime<T>(work: () => Promise<T>): Promise<T> {
  return withinAnswerTime(work, 0, checkMs)
}

/** @returns time of the mark by the primary's clock, ms since 1970 */
export async function leaveMark(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    insert into replication_marks (mark_id, left_at) values (1, clock_timestamp())
    on conflict (mark_id) do update set left_at = clock_timestamp()
    returning extract(epoch from left_at)::float8 * 1000 as ms`.execute(db)
  return rows[0]!.ms
}

/** @returns time of the mark, ms since 1970; null: there is none yet */
export async function findMark(db: Kysely<DB>): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from left_at)::float8 * 1000 as ms from replication_marks where mark_id = 1`.execute(db)
  return rows[0]?.ms ?? null
}
