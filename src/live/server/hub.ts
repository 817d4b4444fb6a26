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

/** The streams of this instance, and the one connection on which it hears of what is told on all instances. */
export interface Hub {
  /** @returns how to leave */
  join(channels: string[], stream: OpenStream): () => void
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

interface Listener {
  channels: string[]
  stream: OpenStream
}

export function openHub(house: { clock: Clock; complain: Complain; ownConnection: House['ownConnection'] }): Hub {
  const complain = onceInAWhile(house.complain)
  const listeners = new Map<string, Set<Listener>>()
  const coming = new Set<Listener>()
  let opened: Opened | null = null
  /** What all listeners but the coming ones have been told. */
  let told: string | null = null
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
    join(channels, stream) {
      const listener = { channels, stream }
      coming.add(listener)
      look()
      return () => {
        coming.delete(listener)
        for (const channel of channels) {
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
    const now: Cursor = { seen: await store.whatIsSeen(db), at: house.clock.now().epochMilliseconds }
    if (told !== null && told !== now.seen) await tellListeners(db, told, now)
    told = now.seen
    for (const listener of coming) {
      await catchUp(db, listener, now)
      // left while it was looked for
      if (!coming.delete(listener)) continue
      for (const channel of listener.channels)
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    }
  }

  async function tellListeners(db: Opened['db'], before: string, now: Cursor): Promise<void> {
    const changes = new Map<Listener, store.Change[]>()
    for (let after = 0; ;) {
      const page = await store.seenSince(db, { before, now: now.seen }, { after, limit: pageSize })
      for (const change of page)
        for (const listener of listeners.get(change.channel) ?? []) {
          const own = changes.get(listener)
          if (own) own.push(change)
          else changes.set(listener, [change])
        }
      if (page.length < pageSize) break
      after = page.at(-1)!.event_id
    }
    const id = idOf(now)
    let written = 0
    for (const [{ stream }, own] of changes) {
      stream.send({ id, event: 'changes', data: listed(own) })
      if (++written % writtenAtOnce === 0) await turn()
    }
  }

  /** A new stream begins now; one that comes back gets what it has missed. */
  async function catchUp(db: Opened['db'], { channels, stream }: Listener, now: Cursor): Promise<void> {
    const id = idOf(now)
    if (stream.lastEventId === null) return stream.send({ id, event: 'open', data: '{}' })
    const last = cursorOf(stream.lastEventId)
    if (!last || now.at - last.at > resumableMinutes * 60_000) return stream.send({ id, event: 'reset', data: '{}' })
    const between = { before: last.seen, now: now.seen }
    const missed = await store.missedIn(db, channels, between, missedAtMost + 1)
    if (missed.length > missedAtMost) return stream.send({ id, event: 'reset', data: '{}' })
    stream.send(missed.length > 0 ? { id, event: 'changes', data: listed(missed) } : { id, event: 'open', data: '{}' })
  }
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
