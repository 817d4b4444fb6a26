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
/** What a store works on: the database itself or a transaction of it. */
export type Sql = Kysely<DB> | Transaction<DB>

export interface Opened {
  db: Database
  /** Of what writes. */
  pool: pg.Pool
}

export type { DatabaseAddress } from './pool.ts'

/** The database over one pool, for commands and what has connections of its own. */
export function openDatabase(address: DatabaseAddress, options: PoolOptions = {}): Opened {
  const pool = openPool(address, options)
  return { db: overPool(pool), pool }
}

const overPool = (pool: pg.Pool): Database => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

/** Connections of an instance: what reads has its own, so that writes which wait take no read with them. */
export interface Connections {
  writing: number
  reading: number
}
export const usualConnections: Connections = { writing: 4, reading: 6 }

/** Where one reading rule reads: all of it from one place, so that a list and its total agree. */
interface Reading {
  /** It need not see what was changed a moment ago. */
  mayLag: boolean
  /** While the primary does not answer, an older answer is better than none. */
  wantsAny: boolean
  /** They have failed it, whatever a look has found since. */
  tried: ReadonlySet<Replica>
  replicas: Replicas | null
  replica: Replica | null
  pool: pg.Pool | null
}

const reading = new AsyncLocalStorage<Reading>()

/**
 * What `work` asks of the database of `openDatabases` goes to connections in which nothing can be written: with `mayLag` to a
 * replica that is fresh, where there is one, else to the primary. Where the one gives no answer others are asked: another fresh
 * replica, the primary, any replica; so `work` may run three times.
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
      // who waited for the answer to another's question asked nobody yet
      if (!replicas) continue
      const isSlow = (error as { code?: unknown }).code === tookTooLong
      if (!replica) {
        wantsAny = true
        if (!isSlow) replicas.primaryFailed()
        // the primary gives a statement more time; others go on asking the replica
      } else if (isSlow) wantsPrimary = true
      else {
        replicas.failed(replica)
        // the next is another one, then the primary
        failed.add(replica)
        wantsPrimary = failed.size > 1
      }
    }
  }
}

/** So many places are asked at most: a replica and the primary may be one machine, and gone together. */
const places = 3

/**
 * The database of a running instance, over two pools, and one for each replica. Rooms know one database: which connections a
 * rule gets follows from its contract (`whileReading`); jobs and all else get the writing ones.
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
  // a replica that is away says so at each look, which is no news
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
 * A commit that waits for a standby is ended neither by `statement_timeout` nor by the end of its connection, and would keep
 * one of the server's connections. The writer has given it up by then, so nobody takes it for done.
 */
const endWaitingCommit = "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'"

export { WroteWhileReading } from './pool.ts'

/** For what writes by connections of its own, which would go unnoticed. */
export function refuseWhileReading(what: string): void {
  if (reading.getStore()) throw new WroteWhileReading(what)
}

/** The server ended a statement that took longer than it may. */
const tookTooLong = '57014'
/** Of the network, its names included: a name server may fail as well. */
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
 * PostgreSQL cannot be reached, lets us in no more, is starting, stopping or too slow, or takes no writes: a passing state,
 * answered with 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  // the queue hands on the errors of its looks as plain objects
  const { code = '', message = '' } = error as { code?: unknown; message?: unknown }
  if (typeof code !== 'string' || typeof message !== 'string') return false
  // class 40: what the server rolled back for the sake of others, as a standby does with a read that its replay must pass
  if (/^(08|28|40|57P0|53|58)/.test(code) || [tookTooLong, '3D000', readOnlyServer, unsupported].includes(code))
    return true
  if (unreachable.has(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/.test(
    message,
  )
}
