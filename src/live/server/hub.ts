import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import { onceInAWhile } from '../../kit/server/complaints.ts'
import type { Opened } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { OpenStream } from '../../kit/server/streams.ts'
import { resumableMinutes } from '../contract.ts'
import { cursorOf, idOf, type Cursor } from './cursor.ts'
import * as store from './store.ts'

/** Passes events to the streams of this instance. One database connection of its own listens for those of all instances. */
export interface Hub {
  /** An event in the channel `endsWith` ends the stream. @returns a function that leaves */
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
/** Streams written to before other work of the process gets its turn. */
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
  /** Not in `listeners` until they were sent what they missed. */
  const joining = new Set<Listener>()
  let opened: Opened | null = null
  /** Up to here all `listeners` have their events. Null while nobody listens. */
  let delivered: Cursor | null = null
  /** Since when `recent` is complete, ms. */
  let followedSince = 0
  /** Identities of events delivered of late, and when (ms), the oldest first: a new primary may list them again. */
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
    // a standby may lag behind what was delivered
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
      // it left during the query
      if (!joining.delete(listener)) continue
      for (const channel of listener.channels)
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    }
  }

  async function sendToListeners(db: Opened['db'], before: Cursor, now: Cursor): Promise<void> {
    const eventsOf = new Map<Listener, store.EventRow[]>()
    const news = new Set<string>()
    // a new primary may reuse numbers: then delivered events are recognised by their identity
    const isSamePrimary = before.timeline === now.timeline
    const since = new Date(Math.max(followedSince, before.at - overlapMs))
    for (let after = 0; ;) {
      const from = { after, limit: pageSize }
      const page = isSamePrimary
        ? await store.eventsBetween(db, { before: before.snapshot, now: now.snapshot }, from)
        : await store.eventsSince(db, { since, now: now.snapshot }, from)
      for (const event of page) {
        if (recent.has(event.identity)) continue
        news.add(event.identity)
        for (const listener of listeners.get(event.channel) ?? []) {
          const own = eventsOf.get(listener)
          if (own) own.push(event)
          else eventsOf.set(listener, [event])
        }
      }
      if (page.length < pageSize) break
      after = page.at(-1)!.event_id
    }
    for (const identity of news) recent.set(identity, now.at)
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

  /** A new stream begins now; one that resumes gets what it missed. */
  async function catchUp(db: Opened['db'], listener: Listener, now: Cursor): Promise<void> {
    const { channels, stream } = listener
    const id = idOf(now)
    if (stream.lastEventId === null) return stream.send({ id, event: 'open', data: '{}' })
    const last = cursorOf(stream.lastEventId)
    if (!last || last.timeline !== now.timeline || now.at - last.at > resumableMinutes * 60_000)
      return stream.send({ id, event: 'reset', data: '{}' })
    const between = { before: last.snapshot, now: now.snapshot }
    const missed = await store.eventsOfChannels(db, channels, between, missedAtMost + 1).catch((error: unknown) => {
      // a forged id that PostgreSQL refuses must not stop the other streams
      if (isOfWrongValue(error)) return null
      throw error
    })
    if (!missed || missed.length > missedAtMost) return stream.send({ id, event: 'reset', data: '{}' })
    if (missed.length > 0) send(listener, missed, id)
    else stream.send({ id, event: 'open', data: '{}' })
  }
}

/** Class 22 of PostgreSQL's errors: data exceptions. */
const isOfWrongValue = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22')

function send({ endsWith, stream }: Listener, events: store.EventRow[], id: string) {
  if (events.some(({ channel }) => channel === endsWith)) stream.end()
  else stream.send({ id, event: 'changes', data: jsonOf(events) })
}

const jsonOf = (events: store.EventRow[]) => `[${events.map(({ json }) => json).join(',')}]`

function openListening(ownConnection: House['ownConnection'], notified: () => void): Opened {
  const opened = ownConnection(notified)
  opened.pool.on('connect', (client) => {
    client.on('notification', notified)
    // a connection that cannot listen fails at the next statement too, where the error is handled
    client.query(store.listenStatement).catch(() => {})
  })
  return opened
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
