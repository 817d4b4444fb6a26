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

/** The streams of this instance, and the one connection on which it reads what is told on all instances. */
export interface Hub {
  /**
   * `endsWith`: once something is told in this channel the stream is over.
   * @returns how to leave
   */
  join(channels: string[], stream: OpenStream, endsWith?: string | null): () => void
  close(): Promise<void>
}

/** Commits that come close together are looked at together. */
const pauseMs = 20
/** Without word from the database it is looked all the same: a connection that broke silently is opened again by that. */
const lookMs = 5_000
const afterErrorMs = 1_000
const pageSize = 1_000
/** More than this was missed: asking anew is cheaper. */
const missedAtMost = 200
/** Streams that are written to before others get their turn. */
const writtenAtOnce = 500
/** What the primary before had told so long before its end may be missing on the new one, and the reverse. */
const overlapMs = 60_000

interface Listener {
  /** With the one that ends it. */
  channels: string[]
  endsWith: string | null
  stream: OpenStream
}

export function openHub(house: { clock: Clock; complain: Complain; ownConnection: House['ownConnection'] }): Hub {
  const complain = onceInAWhile(house.complain)
  const listeners = new Map<string, Set<Listener>>()
  const coming = new Set<Listener>()
  let opened: Opened | null = null
  /** What all listeners but the coming ones have been told. */
  let told: Cursor | null = null
  /** Since when it is known what they were told, ms. */
  let followedSince = 0
  /** What they were told of late, and when; the oldest first. */
  const lately = new Map<string, number>()
  let isClosed = false
  let wake = () => {}
  let hasNews = false
  const look = () => {
    hasNews = true
    wake()
  }
  const looking = setInterval(look, lookMs)
  looking.unref()
  // begun here, so that it runs in nobody's request and under nobody's time limit
  const running = run()

  return {
    join(named, stream, endsWith = null) {
      const listener = { channels: endsWith === null ? named : [...named, endsWith], endsWith, stream }
      coming.add(listener)
      look()
      return () => {
        coming.delete(listener)
        for (const channel of listener.channels) {
          const others = listeners.get(channel)
          others?.delete(listener)
          if (others?.size === 0) listeners.delete(channel)
        }
      }
    },
    async close() {
      isClosed = true
      clearInterval(looking)
      look()
      await running
      await opened?.db.destroy()
    },
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      if (!hasNews) await new Promise<void>((resolve) => (wake = resolve))
      hasNews = false
      if (isClosed) return
      if (coming.size === 0 && listeners.size === 0) {
        // nobody listens, so nothing needs to be followed
        told = null
        continue
      }
      try {
        await tell()
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

  /** One look: what has become visible since the last goes to who listens; then who came meanwhile joins in. */
  async function tell(): Promise<void> {
    opened ??= openListening(house.ownConnection, look)
    const { db } = opened
    const seen = await store.whatIsSeen(db)
    // it may be behind what was told already
    if (!seen) throw Object.assign(new Error('The database is a standby'), { code: 'standby' })
    const now: Cursor = { ...seen, at: house.clock.now().epochMilliseconds }
    if (told === null) {
      followedSince = now.at
      lately.clear()
    } else if (told.seen !== now.seen || told.timeline !== now.timeline) await tellListeners(db, told, now)
    told = now
    for (const listener of coming) {
      await catchUp(db, listener, now)
      // left while it was looked for
      if (!coming.delete(listener)) continue
      for (const channel of listener.channels)
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    }
  }

  async function tellListeners(db: Opened['db'], before: Cursor, now: Cursor): Promise<void> {
    const changes = new Map<Listener, store.Change[]>()
    const news = new Set<string>()
    // a new primary gives numbers again that the one before had given: then what was told is known by name
    const isSamePrimary = before.timeline === now.timeline
    const since = new Date(Math.max(followedSince, before.at - overlapMs))
    for (let after = 0; ;) {
      const from = { after, limit: pageSize }
      const page = isSamePrimary
        ? await store.seenSince(db, { before: before.seen, now: now.seen }, from)
        : await store.createdSince(db, { since, now: now.seen }, from)
      for (const change of page) {
        if (lately.has(change.identity)) continue
        news.add(change.identity)
        for (const listener of listeners.get(change.channel) ?? []) {
          const own = changes.get(listener)
          if (own) own.push(change)
          else changes.set(listener, [change])
        }
      }
      if (page.length < pageSize) break
      after = page.at(-1)!.event_id
    }
    for (const identity of news) lately.set(identity, now.at)
    for (const [identity, at] of lately) {
      if (at > now.at - 2 * overlapMs) break
      lately.delete(identity)
    }
    const id = idOf(now)
    let written = 0
    for (const [listener, own] of changes) {
      send(listener, own, id)
      if (++written % writtenAtOnce === 0) await turn()
    }
  }

  /** A new stream begins now; one that comes back gets what it has missed. */
  async function catchUp(db: Opened['db'], listener: Listener, now: Cursor): Promise<void> {
    const { channels, stream } = listener
    const id = idOf(now)
    if (stream.lastEventId === null) return stream.send({ id, event: 'open', data: '{}' })
    const last = cursorOf(stream.lastEventId)
    if (!last || last.timeline !== now.timeline || now.at - last.at > resumableMinutes * 60_000)
      return stream.send({ id, event: 'reset', data: '{}' })
    const between = { before: last.seen, now: now.seen }
    const missed = await store.missedIn(db, channels, between, missedAtMost + 1).catch((error: unknown) => {
      // what only looks like one of ours may be an error to PostgreSQL: that costs nobody but who sent it
      if (isOfWrongValue(error)) return null
      throw error
    })
    if (!missed || missed.length > missedAtMost) return stream.send({ id, event: 'reset', data: '{}' })
    if (missed.length > 0) send(listener, missed, id)
    else stream.send({ id, event: 'open', data: '{}' })
  }
}

/** Class 22 of PostgreSQL's errors: data. */
const isOfWrongValue = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22')

function send({ endsWith, stream }: Listener, changes: store.Change[], id: string) {
  if (changes.some(({ channel }) => channel === endsWith)) stream.end()
  else stream.send({ id, event: 'changes', data: listed(changes) })
}

const listed = (changes: store.Change[]) => `[${changes.map(({ told }) => told).join(',')}]`

function openListening(ownConnection: House['ownConnection'], heard: () => void): Opened {
  const opened = ownConnection(heard)
  opened.pool.on('connect', (client) => {
    client.on('notification', heard)
    // a connection on which this fails is of no use for the next statement either
    client.query(store.listenStatement).catch(() => {})
  })
  return opened
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
