import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import { hasTimeLeft } from './answer-time.ts'
import {
  openPool,
  readOnlyServer,
  unsupported,
  WroteWhileReading,
  type DatabaseAddress,
  type PoolOptions,
} from './pool.ts'
import { watchReplicas, type Replica, type Replicas } from './replicas.ts'
import type { DB } from '../../database-types.ts'

export type Database = Kysely<DB>
/** First argument of stores: the database or a transaction. */
export type Sql = Kysely<DB> | Transaction<DB>

/** Works in the open transaction, or starts one. */
export function inTransaction<Result>(db: Sql, work: (trx: Sql) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : (db as Database).transaction().execute(work)
}

export interface Opened {
  db: Database
  /** The pool of the writing connections. */
  pool: pg.Pool
}

export type { DatabaseAddress } from './pool.ts'

/** Opens the database with one pool, for commands and for code that needs its own connections. */
export function openDatabase(address: DatabaseAddress, options: PoolOptions = {}): Opened {
  const pool = openPool(address, options)
  return { db: overPool(pool), pool }
}

const overPool = (pool: pg.Pool): Database => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

/** Connections per instance. Reads have their own, so that waiting writes do not block them. */
export interface Connections {
  writing: number
  reading: number
}
export const usualConnections: Connections = { writing: 4, reading: 6 }

/** The database that one reading rule uses. All of its queries go to the same one, so that a list and its total agree. */
interface Reading {
  /** The rule need not see the latest changes. */
  mayLag: boolean
  /** The primary did not answer: any replica will do, however old its data. */
  wantsAny: boolean
  /** Replicas that have failed this rule: they are not asked again, even if they answer by now. */
  tried: ReadonlySet<Replica>
  replicas: Replicas | null
  replica: Replica | null
  pool: pg.Pool | null
}

const reading = new AsyncLocalStorage<Reading>()

/**
 * Runs `work` with read-only connections: to a fresh replica with `mayLag`, else to the primary. If that database does not answer,
 * `work` runs again with another one (another fresh replica, the primary, any replica), at most three times in all.
 * @throws WroteWhileReading where `work` writes
 */
export async function whileReading<T>(work: () => Promise<T>, { mayLag = false } = {}): Promise<T> {
  let wantsAny = false
  let wantsPrimary = false
  const failed = new Set<Replica>()
  for (let tried = 1; ; tried++) {
    const place: Reading = {
      mayLag: mayLag && !wantsAny && !wantsPrimary,
      wantsAny,
      tried: failed,
      replicas: null,
      replica: null,
      pool: null,
    }
    try {
      return await reading.run(place, work)
    } catch (error) {
      const { replicas, replica, pool } = place
      if ((pool && !replicas) || !isDatabaseUnavailable(error) || tried === places || !hasTimeLeft()) throw error
      // `work` waited for a shared answer that failed, and has not used a database itself
      if (!replicas) continue
      const isSlow = (error as { code?: unknown }).code === tookTooLong
      if (!replica) {
        wantsAny = true
        if (!isSlow) replicas.primaryFailed()
        // too slow for the replica's limit: the primary allows a statement more time
      } else if (isSlow) wantsPrimary = true
      else {
        replicas.failed(replica)
        // after one failed replica try another, after two the primary
        failed.add(replica)
        wantsPrimary = failed.size > 1
      }
    }
  }
}

/** Databases tried per rule: a replica and the primary may run on one machine and fail together. */
const places = 3

/**
 * Opens the database of a running instance: a writing pool, a reading pool, and a pool for each replica. Rooms see one `db`. Rules whose
 * contract only reads get reading connections (`whileReading`); everything else gets writing ones.
 */
export function openDatabases(
  addresses: { primary: DatabaseAddress; replicas?: DatabaseAddress[] },
  log: (error: Error) => void,
  { connections = usualConnections, name }: { connections?: Connections | undefined; name?: string } = {},
): Opened {
  const reader = openPool(addresses.primary, { maxConnections: connections.reading, log, readOnly: true })
  const writer = openPool(addresses.primary, {
    maxConnections: connections.writing,
    log,
    gaveUp: (processId) => void reader.query(endWaitingCommit, [processId]).catch(() => {}),
    ...(name ? { name } : {}),
  })
  // replicas have no log: one that is down would fail every look
  const replicas = (addresses.replicas ?? []).map((address): Replica => {
    const pool = openPool(address, { maxConnections: connections.reading, readOnly: true, isReplica: true })
    return { pool, db: overPool(pool), isThere: false, isFresh: false }
  })
  const watched = replicas.length > 0 ? watchReplicas(overPool(writer), replicas) : null
  const readingPool = (at: Reading) => {
    at.replicas = watched
    const wantsAny = at.wantsAny || watched?.isPrimaryAway()
    at.replica = ((at.mayLag || wantsAny) && watched?.fresh(at.tried)) || (wantsAny && watched?.any()) || null
    return at.replica?.pool ?? reader
  }
  const either = {
    connect: () => {
      const at = reading.getStore()
      return (at ? (at.pool ??= readingPool(at)) : writer).connect()
    },
    end: async () => {
      await watched?.close()
      await Promise.all([writer.end(), reader.end()])
    },
  } as unknown as pg.Pool
  return { db: overPool(either), pool: writer }
}

/**
 * Cancels a commit that waits for a standby: neither `statement_timeout` nor closing the connection ends it, and it would use up one of
 * the server's connections. The writer has already reported it as failed.
 */
const endWaitingCommit = "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'"

export { WroteWhileReading } from './pool.ts'

/** For code that writes by its own connections, which are not read-only. @throws WroteWhileReading inside `whileReading` */
export function refuseWhileReading(what: string): void {
  if (reading.getStore()) throw new WroteWhileReading(what)
}

/** `statement_timeout` */
const tookTooLong = '57014'
/** Network errors, failures of name servers among them. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
])

/**
 * True where PostgreSQL cannot be reached, refuses connections, is starting, stopping or too slow, or takes no writes: a passing failure,
 * answered with 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  // pg-boss passes errors on as plain objects
  const { code = '', message = '' } = error as { code?: unknown; message?: unknown }
  if (typeof code !== 'string' || typeof message !== 'string') return false
  // class 40: rolled back because of others, such as a read on a standby that blocks its replay
  if (/^(08|28|40|57P0|53|58)/.test(code) || [tookTooLong, '3D000', readOnlyServer, unsupported].includes(code))
    return true
  if (unreachable.has(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/.test(
    message,
  )
}
