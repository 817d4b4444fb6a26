import pg from 'pg'
import { waitMs } from './answer-time.ts'

/** How to reach PostgreSQL: a URL, or the parts of a unix socket. */
export type DatabaseAddress = pg.PoolConfig

/** For how long a request waits for the database, ms. */
interface Patience {
  connectMs: number
  /** On the server's clock. */
  statementMs: number
  /** On our own clock, for a server that no longer answers at all. */
  answerMs: number
}
const usualPatience: Patience = { connectMs: 1500, statementMs: 3000, answerMs: 3200 }
/** Leaves time to ask the primary. */
const patienceWithReplica: Patience = { connectMs: 600, statementMs: 1400, answerMs: 1500 }
/** A machine that does much else beside may take its time to connect; a server that is away says so at once. */
const patientConnectMs = 15_000

export interface PoolOptions {
  maxConnections?: number
  log?: (error: Error) => void
  /** True for what prepares a start and for commands, which may take their time: no limits on statements. */
  patient?: boolean
  /** True for rules that only read: a statement that writes fails with `WroteWhileReading`. */
  readOnly?: boolean
  /** True for a replica: the primary can be asked where it takes long. */
  isReplica?: boolean
  /** Told which server process had a statement of ours that we gave up. */
  gaveUp?: (processId: number) => void
  /** What the database shows of its connections, at most 63 characters. */
  name?: string
}

/**
 * Opens a pool of connections that name their statements and give up those without an answer. Every statement ends within 3 s
 * and every wait for a connection within 1.5 s, so that a hanging database gives 503 and never a hanging page.
 */
export function openPool(address: DatabaseAddress, options: PoolOptions): pg.Pool {
  const { patient = false, readOnly = false, isReplica = false, gaveUp } = options
  const { name = readOnly ? 'rheinklang reading' : 'rheinklang' } = options
  const patience = patient ? null : isReplica ? patienceWithReplica : usualPatience
  const pool = new pg.Pool({
    Client: clientWith({ answerMs: patience?.answerMs ?? null, readOnly, gaveUp }),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: patience?.connectMs ?? patientConnectMs,
    ...(patience ? { statement_timeout: patience.statementMs } : {}),
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

/** A rule whose contract says that it only reads has written: a mistake of ours, whatever the state of the database. */
export class WroteWhileReading extends Error {
  constructor(cause: unknown) {
    super('A rule of the reading database has written: its contract must say `changes: true`', { cause })
  }
}

/** The server takes no writes: a standby, or a primary that has just become one. */
export const readOnlyServer = '25006'
/** Not possible now: an unlogged table on a standby, or a plan from before a migration. */
export const unsupported = '0A000'

/** Each named statement costs its connection some 200 kB, so only the first shapes that are asked for get a name. */
const namedStatements = 80

/** The connections of a pool. One on which a statement was given up is closed, and the pool lets it go. */
function clientWith(limits: {
  answerMs: number | null
  readOnly: boolean
  gaveUp: PoolOptions['gaveUp']
}): new () => pg.ClientBase {
  return class extends pg.Client {
    readonly #names = new Map<string, string>()

    /** As kysely, the pool and the counters of limits call it: a text, perhaps with values, or both with a name. */
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

    /** Named by its text, so that PostgreSQL parses it once per connection and keeps its plan. */
    #named(text: string, values: unknown[]): pg.QueryConfig {
      let name = this.#names.get(text)
      if (!name && this.#names.size < namedStatements) this.#names.set(text, (name = `s${this.#names.size}`))
      return { text, values, ...(name ? { name } : {}), ...(text.startsWith(textInstantsMark) ? textInstants : {}) }
    }

    async #ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
      const patience = limits.answerMs === null ? null : startTimer(waitMs(limits.answerMs), () => this.#giveUp())
      try {
        return await super.query(statement)
      } catch (error) {
        const { code } = error as { code?: unknown }
        if (limits.readOnly && code === readOnlyServer) throw new WroteWhileReading(error)
        // the next connection may lead to the server that takes writes now, and plans of another schema are dropped
        if (code === readOnlyServer || code === unsupported) void this.end()
        throw error
      } finally {
        patience?.stop()
      }
    }

    /** The statement fails by that, and so does the next one, which would have waited behind it. */
    #giveUp(): void {
      // not in the types of pg
      const { processID } = this as unknown as { processID: number | null }
      void this.end()
      if (processID !== null) limits.gaveUp?.(processID)
    }
  }
}

type Done = (error: Error | undefined, result: pg.QueryResult | undefined) => void

/** An answer that came while this process stood still lies in the socket, and is read within this time. */
const readingMs = 200

/** Ends after `ms` in two steps: where the first one was late, the second still leaves time to read what has come. */
function startTimer(ms: number, isOver: () => void): { stop: () => void } {
  let timer = setTimeout(() => (timer = setTimeout(isOver, readingMs)), ms - readingMs)
  return { stop: () => clearTimeout(timer) }
}

// One set of parsers for the whole process. int8 counts fit a double here; dates stay text (a `date` has no zone).
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)

/** At the head of a statement: the instants it answers come as ISO texts instead of dates. */
export const textInstantsMark = '/* text instants */ '

const textInstants: Pick<pg.QueryConfig, 'types'> = {
  types: {
    getTypeParser: (type, format) =>
      type === pg.types.builtins.TIMESTAMPTZ && format !== 'binary' ? isoInstant : pg.types.getTypeParser(type, format),
  },
}

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
