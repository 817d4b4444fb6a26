import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../database-types.ts'
import { withinAnswerTime } from './answer-time.ts'

/** A standby that rules which only read may be answered from. */
export interface Replica {
  pool: pg.Pool
  db: Kysely<DB>
  /** It answered the last look. */
  isThere: boolean
  /** … and had all that the primary had written until shortly before. */
  isFresh: boolean
}

export interface Replicas {
  /** The next one that is fresh and not `tried`, else null. */
  fresh(tried: ReadonlySet<Replica>): Replica | null
  /** One that answers, however old: better than nothing where the primary is gone. */
  any(): Replica | null
  /** It has failed a read: nobody is sent there until it answers again. */
  failed(replica: Replica): void
  /** The primary has given a read no answer. Where it takes no mark either, reads go to a replica first until it does. */
  primaryFailed(): void
  isPrimaryAway(): boolean
  close(): Promise<void>
}

/** So often each instance leaves a mark on the primary, and looks which replicas have it. */
const lookMs = 1_000
/** A replica may be so far behind the newest mark that this instance knows of, ms: a lag in bytes says nothing in a quiet town. */
const mostLagMs = 2_500
/** A look ends within a second, whatever hangs. */
const lookEndsMs = 1_000

/**
 * Watches replicas. The newest mark is remembered beyond the primary's death: replicas that have it stay fresh while there is
 * no primary.
 */
export function watchReplicas(primary: Kysely<DB>, replicas: Replica[]): Replicas {
  let newestMs: number | null = null
  let takesNoMark = false
  let hasFailed = false
  let turn = 0
  let isClosed = false
  let looking = Promise.resolve()
  const look = async () => {
    await Promise.all([
      soon(() => leaveMark(primary)).then(
        (ms) => {
          // after a failover another machine's clock tells the time
          newestMs = ms
          takesNoMark = false
          hasFailed = false
        },
        // alone it tells nothing of reads: commits may wait
        () => void (takesNoMark = true),
      ),
      ...replicas.map(async (replica) => {
        const markMs = await soon(() => findMark(replica.db)).catch(() => null)
        replica.isThere = markMs !== null
        replica.isFresh = markMs !== null && newestMs !== null && newestMs - markMs <= mostLagMs
      }),
    ])
    if (isClosed) return
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lookMs)
      timer.unref()
      endPause = resolve
    })
  }
  let timer: NodeJS.Timeout | undefined
  let endPause = () => {}
  const run = async () => {
    while (!isClosed) await look()
  }
  looking = run()

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
      await looking
      await Promise.all(replicas.map(({ db }) => db.destroy()))
    },
  }
}

/** Under a time limit of its own: nobody's request is behind it. */
function soon<T>(work: () => Promise<T>): Promise<T> {
  return withinAnswerTime(work, 0, lookEndsMs)
}

/** @returns when that was, by the primary's clock, ms since 1970 */
export async function leaveMark(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    insert into replication_marks (mark_id, left_at) values (1, clock_timestamp())
    on conflict (mark_id) do update set left_at = clock_timestamp()
    returning extract(epoch from left_at)::float8 * 1000 as ms`.execute(db)
  return rows[0]!.ms
}

/** null: it has none yet. */
export async function findMark(db: Kysely<DB>): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from left_at)::float8 * 1000 as ms from replication_marks where mark_id = 1`.execute(db)
  return rows[0]?.ms ?? null
}
