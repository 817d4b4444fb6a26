import pg from 'pg'
import { waitMs } from './answer-time.ts'

/** Address of PostgreSQL: a URL, or the parts of a unix socket. */
export type DatabaseAddress = pg.PoolConfig

/** Time limits of the database for requests, ms. */
interface TimeLimits {
  connectMs: number
  /** Measured by the server (`statement_timeout`). */
  statementMs: number
  /** Measured by this process, for a server that does not answer at all. */
  answerMs: number
}
const usualLimits: TimeLimits = { connectMs: 1500, statementMs: 3000, answerMs: 3200 }
/** Shorter, so that there is time left to ask the primary. */
const replicaLimits: TimeLimits = { connectMs: 600, statementMs: 1400, answerMs: 1500 }
/** Long, as connecting may be slow on a busy machine; a server that is down refuses at once. */
const patientConnectMs = 15_000

export interface PoolOptions {
  maxConnections?: number
  log?: (error: Error) => void
  /** For starts and commands: no time limits on statements. */
  patient?: boolean
  /** A statement that writes fails with `WroteWhileReading`. */
  readOnly?: boolean
  /** The pool of a replica: shorter time limits, so that the primary can be asked next. */
  isReplica?: boolean
  /** Gets the process number of the server backend whose statement was given up. */
  gaveUp?: (processId: number) => void
  /** `application_name` of the connections, at most 63 characters. */
  name?: string
}

/**
 * Opens a pool of connections. They prepare their statements by name, and give up statements without an answer. A statement ends within 3 s
 * and a wait for a connection within 1.5 s, so that a hanging database gives 503 instead of a hanging page.
 */
export function openPool(address: DatabaseAddress, options: PoolOptions): pg.Pool {
  const { patient = false, readOnly = false, isReplica = false, gaveUp } = options
  const { name = readOnly ? 'rheinklang reading' : 'rheinklang' } = options
  const timeLimits = patient ? null : isReplica ? replicaLimits : usualLimits
  const pool = new pg.Pool({
    Client: clientWith({ answerMs: timeLimits?.answerMs ?? null, readOnly, gaveUp }),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: timeLimits?.connectMs ?? patientConnectMs,
    ...(timeLimits ? { statement_timeout: timeLimits.statementMs } : {}),
    idleTimeoutMillis: 30_000,
    // connections cache plans: closing them frees that memory
    maxLifetimeSeconds: 900,
    application_name: name,
    // statements are written so that one generic plan serves all values; planning each time costs more than running them
    options: [
      // no idle limit of the server: the pool closes idle connections
      '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan -c idle_session_timeout=0',
      ...(readOnly ? ['-c default_transaction_read_only=on'] : []),
      // overrides limits of the role or database; pg's own option does not send 0
      ...(patient ? ['-c statement_timeout=0 -c lock_timeout=0'] : []),
    ].join(' '),
    ...address,
  })
  // without these listeners a connection that breaks, idle or in use, would end the process
  pool.on('error', (error) => options.log?.(error))
  pool.on('connect', (client) => client.on('error', (error) => options.log?.(error)))
  return pool
}

/** A rule whose contract only reads has written: a bug, whatever the state of the database. */
export class WroteWhileReading extends Error {
  constructor(cause: unknown) {
    super('A rule of the reading database has written: its contract must say `changes: true`', { cause })
  }
}

/** The server takes no writes: it is a standby. */
export const readOnlyServer = '25006'
/** An unlogged table on a standby, or a plan from before a migration. */
export const unsupported = '0A000'

/** A named statement costs its connection about 200 kB, so only the first statements get a name. */
const namedStatements = 80

/** The class of a pool's connections. A connection is closed when one of its statements is given up; the pool then drops it. */
function clientWith(limits: {
  answerMs: number | null
  readOnly: boolean
  gaveUp: PoolOptions['gaveUp']
}): new () => pg.ClientBase {
  return class extends pg.Client {
    readonly #names = new Map<string, string>()

    /** Takes the forms that kysely, the pool and rate-limiter-flexible use: a text, with or without values, or an object. */
    override query(statement: unknown, values?: unknown, callback?: unknown): never {
      const done = [values, callback].find((each): each is Done => typeof each === 'function')
      const given = typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig)
      const answer = this.#ask(Array.isArray(values) && values.length > 0 ? this.#named(given.text, values) : given)
      if (!done) return answer as never
      answer.then(
        (result) => done(undefined, result),
        (error: Error) => done(error, undefined),
      )
      return undefined as never
    }

    /** Gives each text a name, so that PostgreSQL parses it once per connection and caches its plan. */
    #named(text: string, values: unknown[]): pg.QueryConfig {
      let name = this.#names.get(text)
      if (!name && this.#names.size < namedStatements) this.#names.set(text, (name = `s${this.#names.size}`))
      return { text, values, ...(name ? { name } : {}), ...(text.startsWith(textInstantsMark) ? textInstants : {}) }
    }

    async #ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
      const timer = limits.answerMs === null ? null : startTimer(waitMs(limits.answerMs), () => this.#giveUp())
      try {
        return await super.query(statement)
      } catch (error) {
        const { code } = error as { code?: unknown }
        if (limits.readOnly && code === readOnlyServer) throw new WroteWhileReading(error)
        // a new connection may reach the new primary, and has no plans of the old schema
        if (code === readOnlyServer || code === unsupported) void this.end()
        throw error
      } finally {
        timer?.stop()
      }
    }

    /** Closes the connection: the statement fails, and so does the next one that waits behind it. */
    #giveUp(): void {
      // the types of pg lack it
      const { processID } = this as unknown as { processID: number | null }
      void this.end()
      if (processID !== null) limits.gaveUp?.(processID)
    }
  }
}

type Done = (error: Error | undefined, result: pg.QueryResult | undefined) => void

/** Time to read an answer that came while this process was busy. */
const readingMs = 200

/** Calls `isOver` after `ms`, in two steps: if this process was busy at the first, the second leaves time to read a waiting answer. */
function startTimer(ms: number, isOver: () => void): { stop: () => void } {
  let timer = setTimeout(() => (timer = setTimeout(isOver, readingMs)), ms - readingMs)
  return { stop: () => clearTimeout(timer) }
}

// Parsers of the whole process. Our int8 values fit into a double; dates stay text, as a `date` has no zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)

/** A statement that begins with this returns instants as ISO texts instead of Dates. */
export const textInstantsMark = '/* text instants */ '

const textInstants: Pick<pg.QueryConfig, 'types'> = {
  types: {
    getTypeParser: (type, format) =>
      type === pg.types.builtins.TIMESTAMPTZ && format !== 'binary' ? isoInstant : pg.types.getTypeParser(type, format),
  },
}

/** `2026-06-20 17:30:00.25+00` -> `2026-06-20T17:30:00.250Z`: several times faster than through a Date. */
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
