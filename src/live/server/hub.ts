import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../kit/server/clock.ts'
import { onceInAWhile, type Complain } from '../../kit/server/complaints.ts'
import type { Opened } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { OpenStream } from '../../kit/server/streams.ts'
import { resumableMinutes } from '../contract.ts'
import { cursorOf, idOf, type Cursor } from './cursor.ts'
import * as store from './store.ts'

/** Sends events to the open streams of this instance. It has its own database connection, which is notified by all instances. */
export interface Hub {
  /** An event in the channel `endsWith` ends the stream. @returns a function that removes the stream from the hub */
  join(channels: string[], stream: OpenStream, endsWith?: string | null): () => void
  close(): Promise<void>
}

/** Commits within this time are read together. */
const pauseMs = 20
/** Events are read this often even without a notification, so that a connection that broke silently is opened again. */
const pollMs = 5_000
const afterErrorMs = 1_000
const pageSize = 1_000
/** A stream that missed more events gets `reset`: loading the page's data again is cheaper. */
const missedAtMost = 200
/** After writing to this many streams, the process gets to do other work. */
const writtenAtOnce = 500
/** After a failover: events this recent may be missing on the new primary, or exist there alone. */
const overlapMs = 60_000

interface Listener {
  /** Includes `endsWith`. */
  channels: string[]
  endsWith: string | null
  stream: OpenStream
}

export function openHub(house: { clock: Clock; complain: Complain; ownConnection: House['ownConnection'] }): Hub {
  const complain = onceInAWhile(house.complain)
  const listeners = new Map<string, Set<Listener>>()
  /** New streams. They move to `listeners` once they were sent the events they missed. */
  const joining = new Set<Listener>()
  let opened: Opened | null = null
  /** All `listeners` have their events up to this cursor. Null while nobody listens. */
  let delivered: Cursor | null = null
  /** `recent` has every event since this time (ms). */
  let followedSince = 0
  /** Identities of recently delivered events, and when (ms), the oldest first. After a failover the new primary may list them again. */
  const recent = new Map<string, number>()
  let isClosed = false
  let wake = () => {}
  let hasNews = false
  const readSoon = () => {
    hasNews = true
    wake()
  }
  const polling = setInterval(readSoon, pollMs)
  polling.unref()
  // started here, outside of any request, so that no request's time limit ends it
  const running = run()

  return {
    join(named, stream, endsWith = null) {
      const listener = { channels: endsWith === null ? named : [...named, endsWith], endsWith, stream }
      joining.add(listener)
      readSoon()
      return () => {
        joining.delete(listener)
        for (const channel of listener.channels) {
          const others = listeners.get(channel)
          others?.delete(listener)
          if (others?.size === 0) listeners.delete(channel)
        }
      }
    },
    async close() {
      isClosed = true
      clearInterval(polling)
      readSoon()
      await running
      await opened?.db.destroy()
    },
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      if (!hasNews) await new Promise<void>((resolve) => (wake = resolve))
      hasNews = false
      if (isClosed) return
      if (joining.size === 0 && listeners.size === 0) {
        delivered = null
        continue
      }
      try {
        await readEvents()
        await pause(pauseMs)
      } catch (error) {
        if (isClosed) return
        complain('Live updates wait for the database.', {
          code: String((error as { code?: unknown }).code ?? 'unknown'),
        })
        hasNews = true
        await pause(afterErrorMs)
      }
    }
  }

  /** Sends what was committed since the last read to the listeners, then lets new ones join. */
  async function readEvents(): Promise<void> {
    opened ??= openListening(house.ownConnection, readSoon)
    const { db } = opened
    const current = await store.currentSnapshot(db)
    // a standby may not have events yet that were delivered already
    if (!current) throw Object.assign(new Error('The database is a standby'), { code: 'standby' })
    const now: Cursor = { ...current, at: house.clock.now().epochMilliseconds }
    if (delivered === null) {
      followedSince = now.at
      recent.clear()
    } else if (delivered.snapshot !== now.snapshot || delivered.timeline !== now.timeline)
      await sendToListeners(db, delivered, now)
    delivered = now
    for (const listener of joining) {
      await catchUp(db, listener, now)
      // the stream was closed during the query
      if (!joining.delete(listener)) continue
      for (const channel of listener.channels)
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    }
  }

  async function sendToListeners(db: Opened['db'], before: Cursor, now: Cursor): Promise<void> {
    const eventsOf = new Map<Listener, store.EventRow[]>()
    const newIdentities = new Set<string>()
    // a new primary may reuse event numbers: find events by time, and skip delivered ones by their identity
    const isSamePrimary = before.timeline === now.timeline
    const since = new Date(Math.max(followedSince, before.at - overlapMs))
    for (let after = 0; ;) {
      const from = { after, limit: pageSize }
      const page = isSamePrimary
        ? await store.eventsBetween(db, { before: before.snapshot, now: now.snapshot }, from)
        : await store.eventsSince(db, { since, now: now.snapshot }, from)
      for (const event of page) {
        if (recent.has(event.identity)) continue
        newIdentities.add(event.identity)
        for (const listener of listeners.get(event.channel) ?? []) {
          const own = eventsOf.get(listener)
          if (own) own.push(event)
          else eventsOf.set(listener, [event])
        }
      }
      if (page.length < pageSize) break
      after = page.at(-1)!.event_id
    }
    for (const identity of newIdentities) recent.set(identity, now.at)
    for (const [identity, at] of recent) {
      if (at > now.at - 2 * overlapMs) break
      recent.delete(identity)
    }
    const id = idOf(now)
    let written = 0
    for (const [listener, own] of eventsOf) {
      send(listener, own, id)
      if (++written % writtenAtOnce === 0) await turn()
    }
  }

  /** A new stream gets events from now on. A resumed stream gets the events it missed, or `reset` if those are unknown or too many. */
  async function catchUp(db: Opened['db'], listener: Listener, now: Cursor): Promise<void> {
    const { channels, stream } = listener
    const id = idOf(now)
    if (stream.lastEventId === null) return stream.send({ id, event: 'open', data: '{}' })
    const last = cursorOf(stream.lastEventId)
    if (!last || last.timeline !== now.timeline || now.at - last.at > resumableMinutes * 60_000)
      return stream.send({ id, event: 'reset', data: '{}' })
    const between = { before: last.snapshot, now: now.snapshot }
    const missed = await store
      .eventsBetween(db, between, { channels, limit: missedAtMost + 1 })
      .catch((error: unknown) => {
        // PostgreSQL refuses a forged `Last-Event-ID`: send `reset`, and do not fail for the other streams
        if (isDataException(error)) return null
        throw error
      })
    if (!missed || missed.length > missedAtMost) return stream.send({ id, event: 'reset', data: '{}' })
    if (missed.length > 0) send(listener, missed, id)
    else stream.send({ id, event: 'open', data: '{}' })
  }
}

/** True for PostgreSQL's error class 22, data exceptions. */
const isDataException = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22')

function send({ endsWith, stream }: Listener, events: store.EventRow[], id: string) {
  if (events.some(({ channel }) => channel === endsWith)) stream.end()
  else stream.send({ id, event: 'changes', data: jsonOf(events) })
}

const jsonOf = (events: store.EventRow[]) => `[${events.map(({ json }) => json).join(',')}]`

function openListening(ownConnection: House['ownConnection'], notified: () => void): Opened {
  const opened = ownConnection(notified)
  opened.pool.on('connect', (client) => {
    client.on('notification', notified)
    // ignored here: a broken connection fails at the next statement too, where the error is handled
    client.query(store.listenStatement).catch(() => {})
  })
  return opened
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
