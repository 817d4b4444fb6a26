import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { waitMs } from './answer-time.ts'
import { cancelOnServer } from './cancel-on-server.ts'

/** For how long who asks waits, ms. */
interface Hurry {
  connectMs: number
  /** null: as long as it takes. */
  statement: {
    /** The server's clock … */
    ms: number
    /** … and the client's own, for a server that no longer answers at all. */
    answerMs: number
  } | null
}
export const patience: Hurry = { connectMs: 1500, statement: { ms: 3000, answerMs: 3200 } }
/** Leaves time to ask the primary. */
export const replicaHurry: Hurry = { connectMs: 600, statement: { ms: 1400, answerMs: 1500 } }
/** A machine that does much else beside may take its time to answer; a server that is away says so at once. */
export const noHurry: Hurry = { connectMs: 15_000, statement: null }

/** At the server's limit of connections one may become free; so often and so long is looked for it. */
const fullMs = 1000
const fullPauseMs = 100
const tooManyConnections = '53300'

/**
 * A pool in which nobody waits for long: not for a connection, nor for the answer of a statement. A statement that is given
 * up ends its connection at once, and the server is asked to cancel it.
 */
export class BoundedPool extends pg.Pool {
  readonly #connectMs: number
  constructor({ connectMs, statement }: Hurry, config: pg.PoolConfig) {
    super({
      connectionTimeoutMillis: connectMs,
      statement_timeout: statement?.ms ?? 0,
      ...config,
    })
    this.#connectMs = connectMs
    if (statement) this.on('connect', (client) => giveUpInTime(client, statement.answerMs))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    const connecting = this.#connectInTime()
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  async #connectInTime(): Promise<pg.PoolClient> {
    const began = performance.now()
    const ms = waitMs(this.#connectMs)
    const until = began + ms
    for (;;) {
      try {
        // the pool itself waits no longer than the whole time
        const connecting = super.connect()
        return await (ms < this.#connectMs ? inTime(connecting, until) : connecting)
      } catch (error) {
        const isFull = (error as { code?: unknown }).code === tooManyConnections
        if (!isFull || performance.now() + fullPauseMs > Math.min(until, began + fullMs)) throw error
        await sleep(fullPauseMs)
      }
    }
  }
}

/** Where a request has less time left than the pool would wait: a connection that comes too late goes back. */
function inTime(connecting: Promise<pg.PoolClient>, until: number): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isLate = false
    // a plain timer: an abort signal makes an error with its stack for each request that came in time
    const patience = setTimeout(() => {
      isLate = true
      reject(new Error('timeout exceeded when trying to connect'))
    }, until - performance.now())
    connecting.then(
      (client) => {
        clearTimeout(patience)
        if (isLate) client.release()
        else resolve(client)
      },
      (error: unknown) => {
        clearTimeout(patience)
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}

type Done = (error: Error | undefined, result: unknown) => void

/** An answer that came while this process stood still lies in the socket, behind the clock that ended meanwhile. */
const readingMs = 200

/** Runs `giveUp` after `ms`; where the clock itself is late, once what had come is read. */
function clock(ms: number, giveUp: () => void): { isOver: boolean; stop: () => void } {
  const due = performance.now() + ms
  const end = () => {
    own.isOver = true
    giveUp()
  }
  let timer = setTimeout(() => {
    if (performance.now() - due < readingMs) end()
    else timer = setTimeout(end, readingMs)
  }, ms)
  const own = { isOver: false, stop: () => clearTimeout(timer) }
  return own
}

/**
 * Answers for a statement that takes too long, and ends its connection: the next statement would wait behind it, and the server
 * would go on with a commit that waits for a standby, one connection after the other. pg's own clock does neither, and
 * takes what lies unread for late.
 */
function giveUpInTime(client: pg.PoolClient, answerMs: number): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const done = args.find((each): each is Done => typeof each === 'function')
    const asked = args.filter((each) => each !== done && each !== undefined)
    const asking = (answer: Done) => {
      const patience = clock(waitMs(answerMs), () => {
        void client.end()
        cancelOnServer(client)
        answer(new Error('Query read timeout'), undefined)
      })
      return query(...asked, (error: Error | undefined, result: unknown) => {
        if (patience.isOver) return
        patience.stop()
        answer(error, result)
      })
    }
    if (done) return asking(done)
    return new Promise((resolve, reject) => asking((error, result) => (error ? reject(error) : resolve(result))))
  }) as typeof client.query
}
