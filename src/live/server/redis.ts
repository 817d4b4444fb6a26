import { once } from 'node:events'
import type { Complain } from '../../kit/server/complaints.ts'

/** Tells the other instances that there is something to look at in the database; nothing else is in a call. */
export interface Bell {
  /** Returns at once. Where nobody can be told, the others look by themselves. */
  ring(): void
  close(): void
}

const channel = 'rheinklang:live'
const connectMs = 2_000
/** An answer that takes longer will not come: the connection is made anew. */
const answerMs = 2_000
/** A connection that broke silently is found so. */
const pingMs = 5_000
const againMs = 1_000

/**
 * Redis or Valkey as the bell of all instances, by one connection for both directions (RESP 3). Away at the start or later, it
 * is asked again every second. `heard` is also called when the connection stands again: something may have been missed.
 */
export async function openBell(
  url: string,
  { name, heard, complain }: { name: string; heard: () => void; complain: Complain },
): Promise<Bell> {
  // all machines at once would be a crowd
  const redis = await connectionTo(url, () => againMs + Math.random() * 200)
  let isClosed = false
  const sayWhy = (error: unknown) =>
    isClosed ||
    complain('Live updates wait for Redis, and come up to a second late until then.', { code: faultOf(error) })
  redis.on('error', sayWhy)
  redis.on('ready', () => {
    redis.subscribe(channel).then(heard, (error: unknown) => {
      sayWhy(error)
      if (!isClosed) redis.disconnect(true)
    })
  })
  redis.on('message', (_channel: string, from: string) => {
    if (from !== name) heard()
  })
  const ping = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => {})
  }, pingMs)
  ping.unref()

  let isRinging = false
  let again = false
  const ring = () => {
    // one call at a time: those that come meanwhile are one more
    again = isRinging
    if (isRinging || redis.status !== 'ready') return
    isRinging = true
    redis
      .publish(channel, name)
      .catch(() => {})
      .finally(() => {
        isRinging = false
        if (again) ring()
      })
  }
  return {
    ring,
    close() {
      isClosed = true
      clearInterval(ping)
      redis.disconnect()
    },
  }
}

/** What is wrong with it, as a code; null: it can be used. */
export async function troubleWithRedis(url: string): Promise<string | null> {
  const redis = await connectionTo(url, () => null)
  let why: unknown = null
  redis.on('error', (error) => (why ??= error))
  try {
    await once(redis, 'ready')
    await redis.subscribe(channel)
    await redis.publish(channel, 'doctor')
    return null
  } catch (error) {
    return faultOf(why ?? error)
  } finally {
    redis.disconnect()
  }
}

async function connectionTo(url: string, retryStrategy: () => number | null) {
  // not loaded where it is not used
  const { Redis } = await import('ioredis')
  return new Redis(url, {
    connectionName: 'rheinklang',
    connectTimeout: connectMs,
    socketTimeout: answerMs,
    retryStrategy,
    // a call that comes late is of no use
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // publishing works while it loads its data
    enableReadyCheck: false,
    disableClientInfo: true,
  })
}

/** `ECONNREFUSED`, `WRONGPASS` …; an address or a password is in none of them. */
function faultOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return typeof code === 'string' ? code : (/^[A-Z]{3,20}\b/.exec(String(message))?.[0] ?? 'unknown')
}
