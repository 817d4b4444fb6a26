import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { DialectWithCommits } from './after-commit.ts'
import { hasTimeLeft } from './answer-time.ts'
import { BoundedPool, noHurry, patience, replicaHurry } from './bounded-pool.ts'
import { watchReplicas, type Replica, type Replicas } from './replicas.ts'
import type { DB } from '../../database-types.ts'

export type Database = Kysely<DB>
/** What a store works on: the database itself or a transaction of it. */
export type Sql = Kysely<DB> | Transaction<DB>

/** How to reach PostgreSQL: a URL, or the parts of a unix socket. */
export type DatabaseAddress = pg.PoolConfig

// One set of parsers for the whole process. int8 counts fit a double here; dates stay text (a `date` has no zone).
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)

/** `2026-06-20 17:30:00.25+00` as `2026-06-20T17:30:00.250Z`: several times faster than by way of a date. */
function isoInstant(text: string): string {
  const zone = text.length - 3
  if (zone < 19 || text[10] !== ' ' || !text.endsWith('+00')) {
    // years of five digits, infinity
    const instant: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text)
    return instant instanceof Date ? instant.toISOString() : text
  }
  const milliseconds = zone === 19 ? '000' : text.slice(20, Math.min(zone, 23)).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const textInstants: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ && format !== 'binary' ? isoInstant : pg.types.getTypeParser(type, format),
}
/** At the head of a statement: the instants it answers come as ISO texts instead of dates. */
export const textInstantsMark = '/* text instants */ '

export interface Opened {
  db: Database
  /** Of what writes. */
  pool: pg.Pool
}

/**
 * Opens a pool. Every statement ends within 3 s and every wait for a connection within 1.5 s, so that a hanging database
 * gives 503 and never a hanging page.
 */
export function openDatabase(address: DatabaseAddress, options: PoolOptions = {}): Opened {
  const pool = openPool(address, options)
  const named = withNamedStatements(pool, options.readOnly ?? false)
  return { db: new Kysely<DB>({ dialect: new DialectWithCommits({ pool: named }) }), pool }
}

interface PoolOptions {
  maxConnections?: number
  log?: (error: Error) => void
  /** True for what prepares a start and for commands, which may take their time: no limits on statements. */
  patient?: boolean
  /** True for rules that only read: a statement that writes fails with `WroteWhileReading`. */
  readOnly?: boolean
  /** True for what can be asked elsewhere, should it take long. */
  isReplica?: boolean
  /** What the database shows of its connections, at most 63 characters. */
  name?: string
}

export function openPool(address: DatabaseAddress, options: PoolOptions): pg.Pool {
  const { patient = false, readOnly = false, isReplica = false } = options
  const { name = readOnly ? 'rheinklang reading' : 'rheinklang' } = options
  const pool = new BoundedPool(patient ? noHurry : isReplica ? replicaHurry : patience, {
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: 30_000,
    // a connection keeps plans; a fresh one gives their memory back
    maxLifetimeSeconds: 900,
    application_name: name,
    // statements are written so that one plan serves all values; planning each time costs more than running them
    options: [
      // what is idle is closed by the pool, before a limit of the server's may cut it
      '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan -c idle_session_timeout=0',
      ...(readOnly ? ['-c default_transaction_read_only=on'] : []),
      // a role or a database may have limits of its own; pg sends no 0
      ...(patient ? ['-c statement_timeout=0 -c lock_timeout=0'] : []),
    ].join(' '),
    ...address,
  })
  // without a listener an idle connection that breaks would end the process
  pool.on('error', (error) => options.log?.(error))
  // … and so would one that breaks in use, where the pool does not listen
  pool.on('connect', (client) => client.on('error', (error) => options.log?.(error)))
  return pool
}

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
  const writer = openPool(addresses.primary, { maxConnections: connections.writing, log, ...(name ? { name } : {}) })
  const reader = openPool(addresses.primary, { maxConnections: connections.reading, log, readOnly: true })
  const pools = { writer: withNamedStatements(writer, false), reader: withNamedStatements(reader, true) }
  // a replica that is away says so at each look, which is no news
  const replicas = (addresses.replicas ?? []).map((address): Replica => {
    const pool = withNamedStatements(
      openPool(address, { maxConnections: connections.reading, readOnly: true, isReplica: true }),
      true,
    )
    return { pool, db: new Kysely<DB>({ dialect: new DialectWithCommits({ pool }) }), isThere: false, isFresh: false }
  })
  const watched =
    replicas.length > 0
      ? watchReplicas(new Kysely<DB>({ dialect: new DialectWithCommits({ pool: pools.writer }) }), replicas)
      : null
  const readingPool = (at: Reading) => {
    at.replicas = watched
    const wantsAny = at.wantsAny || watched?.isPrimaryAway()
    at.replica = ((at.mayLag || wantsAny) && watched?.fresh(at.tried)) || (wantsAny && watched?.any()) || null
    return at.replica?.pool ?? pools.reader
  }
  const either = {
    connect: () => {
      const at = reading.getStore()
      return (at ? (at.pool ??= readingPool(at)) : pools.writer).connect()
    },
    end: async () => {
      await watched?.close()
      await Promise.all([writer.end(), reader.end()])
    },
  } as unknown as pg.Pool
  return { db: new Kysely<DB>({ dialect: new DialectWithCommits({ pool: either }) }), pool: writer }
}

/** A rule whose contract says that it only reads has written: a mistake of ours, whatever the state of the database. */
export class WroteWhileReading extends Error {
  constructor(cause: unknown) {
    super('A rule of the reading database has written: its contract must say `changes: true`', { cause })
  }
}

/** For what writes by connections of its own, which would go unnoticed. */
export function refuseWhileReading(what: string): void {
  if (reading.getStore()) throw new WroteWhileReading(what)
}

/** Each named statement costs its connection some 200 kB, so only the first shapes that are asked for get a name. */
const namedStatements = 80

/** Names each statement by its text, so that PostgreSQL parses it once per connection and keeps its plan. */
export function withNamedStatements(pool: pg.Pool, readOnlyPool: boolean) {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    let name = names.get(sql)
    if (!name && names.size < namedStatements) names.set(sql, (name = `s${names.size}`))
    return name
  }
  const patched = new WeakSet<object>()
  // closed instead of being used again
  const unfit = new WeakSet<object>()
  return {
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      // each time it is handed out the pool gives it a fresh `release`; the driver says `false` where all was well
      const release = client.release.bind(client)
      client.release = (error) => release(error || unfit.has(client))
      if (!patched.has(client)) {
        patched.add(client)
        const query = client.query.bind(client) as (...args: unknown[]) => unknown
        client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
          const answer =
            typeof first === 'string' && Array.isArray(values) && values.length > 0
              ? query(
                  {
                    name: nameOf(first),
                    text: first,
                    values,
                    ...(first.startsWith(textInstantsMark) ? { types: textInstants } : {}),
                  },
                  ...rest,
                )
              : query(first, values, ...rest)
          if (!(answer instanceof Promise)) return answer
          return answer.catch((error: unknown) => {
            const { code = '' } = error as { code?: string }
            if (readOnlyPool && code === readOnly) throw new WroteWhileReading(error)
            // the next connection may lead to the server that takes writes now, and plans of another schema are dropped
            if ([readOnly, unsupported].includes(code)) unfit.add(client)
            throw error
          })
        }) as typeof client.query
      }
      return client
    },
  } as unknown as pg.Pool
}

/** The server takes no writes: a standby, or a primary that has just become one. */
const readOnly = '25006'
/** Not possible now: an unlogged table on a standby, or a plan from before a migration. */
const unsupported = '0A000'
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
  if (/^(08|28|40|57P0|53|58)/.test(code) || [tookTooLong, '3D000', readOnly, unsupported].includes(code)) return true
  if (unreachable.has(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/.test(
    message,
  )
}
