import { outbox, type Intent } from './outbox.ts'
import { followOutbox, useOutbox } from './use-outbox.ts'

/**
 * What a guest has picked on this phone for a room, until an account takes it over: intents of the owner `guest`, newest last. Each
 * carries what a list shows of it, so that the list needs no server.
 */
export interface Pick {
  id: string
}

/** Picks of a room that one phone stores at most. */
export const picksMost = 200

const none: readonly never[] = []
const read = new Map<string, { all: readonly Intent[]; picks: readonly Pick[] }>()

/** The same list until something changes. */
export function picksOf<P extends Pick>(room: string): readonly P[] {
  const all = outbox.all()
  const known = read.get(room)
  if (known?.all === all) return known.picks as readonly P[]
  const of = outbox.of(room, 'guest') as Intent<Pick>[]
  const now = [...new Map(of.map(({ subject, data }) => [subject, { ...data, id: subject }])).values()]
  const isSame = known?.picks.length === now.length && now.every(({ id }, n) => id === known.picks[n]!.id)
  const picks = isSame ? known.picks : now
  read.set(room, { all, picks })
  return picks as Pick[] as P[]
}

/** Follows the picks, also those of other tabs; none on the server and while its page is being taken over. */
export const usePicks = <P extends Pick>(room: string): readonly P[] =>
  useOutbox(() => picksOf<P>(room), none, followPicks)

/** False when there are too many, or the browser cannot store them: then none is added. */
export function addPicks(room: string, picks: readonly Pick[]): boolean {
  const there = new Set(picksOf(room).map(({ id }) => id))
  const fresh = picks.filter(({ id }) => !there.has(id))
  if (there.size + fresh.length > picksMost) return false
  const added = fresh.map((data) => outbox.add({ room, owner: 'guest', subject: data.id, data }))
  if (outbox.isStored()) return true
  outbox.remove(added)
  return false
}

export function removePicks(room: string, ids: readonly string[]): void {
  outbox.remove(outbox.of(room, 'guest').filter(({ subject }) => ids.includes(subject)))
}

/** Also those of other tabs. @returns what ends it */
export function followPicks(hear: () => void): () => void {
  moveOldPicks()
  return followOutbox(hear)
}

// Can go one release after 1.1: version 1.0 stored the picks of events as one list.
const oldKey = 'picks.events'

function moveOldPicks() {
  try {
    const text = localStorage.getItem(oldKey)
    if (text === null) return
    const old: unknown = JSON.parse(text)
    const picks = Array.isArray(old) ? old.filter(isPick).slice(0, picksMost) : []
    const first = Date.now() - picks.length
    for (const [n, data] of picks.entries())
      outbox.add({ key: `moved-${data.id}`, at: first + n, room: 'schedule', owner: 'guest', subject: data.id, data })
    if (outbox.isStored()) localStorage.removeItem(oldKey)
  } catch {
    // storage is blocked, or what is stored cannot be read
  }
}

const isPick = (value: unknown): value is Pick =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'
