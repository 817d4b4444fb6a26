import { outbox, type Intent } from './outbox.ts'
import { followOutbox, useOutbox } from './use-outbox.ts'

/**
 * Something that a guest has saved on this phone, until an account takes it over: an intent of the owner `guest`. It carries what a list
 * shows of it, so that the list needs no server.
 */
export interface Pick {
  id: string
}

/** Kind of the outbox's intents, and name of the offline copy, of a schedule; a guest's picks of events are there too. Phones store it. */
export const scheduleOutbox = 'schedule'

/** Most picks of a kind on one phone. */
export const picksMost = 200

const none: readonly never[] = []
const read = new Map<string, { all: readonly Intent[]; picks: readonly Pick[] }>()

/** Newest last. The same list until something changes. */
export function picksOf<P extends Pick>(kind: string): readonly P[] {
  const all = outbox.all()
  const known = read.get(kind)
  if (known?.all === all) return known.picks as readonly P[]
  const of = outbox.of(kind, 'guest') as Intent<Pick>[]
  const now = [...new Map(of.map(({ subject, data }) => [subject, { ...data, id: subject }])).values()]
  const isSame = known?.picks.length === now.length && now.every(({ id }, n) => id === known.picks[n]!.id)
  const picks = isSame ? known.picks : now
  read.set(kind, { all, picks })
  return picks as Pick[] as P[]
}

/** The picks, also of other tabs; empty on the server and during hydration. */
export const usePicks = <P extends Pick>(kind: string): readonly P[] =>
  useOutbox(() => picksOf<P>(kind), none, followPicks)

/** @returns false: too many, or they cannot be stored; then none is added */
export function addPicks(kind: string, picks: readonly Pick[]): boolean {
  const there = new Set(picksOf(kind).map(({ id }) => id))
  const fresh = picks.filter(({ id }) => !there.has(id))
  if (there.size + fresh.length > picksMost) return false
  const added = fresh.map((data) => outbox.add({ kind, owner: 'guest', subject: data.id, data }))
  if (outbox.isStored()) return true
  outbox.remove(added)
  return false
}

export function removePicks(kind: string, ids: readonly string[]): void {
  outbox.remove(outbox.of(kind, 'guest').filter(({ subject }) => ids.includes(subject)))
}

/** Also follows changes by other tabs. @returns stops following */
export function followPicks(hear: () => void): () => void {
  moveOldPicks()
  return followOutbox(hear)
}

// Delete one release after 1.1: version 1.0 stored the picks of events as one list.
const oldKey = 'picks.events'

function moveOldPicks() {
  try {
    const text = localStorage.getItem(oldKey)
    if (text === null) return
    const old: unknown = JSON.parse(text)
    const picks = Array.isArray(old) ? old.filter(isPick).slice(0, picksMost) : []
    const first = Date.now() - picks.length
    for (const [n, data] of picks.entries())
      outbox.add({
        key: `moved-${data.id}`,
        at: first + n,
        kind: scheduleOutbox,
        owner: 'guest',
        subject: data.id,
        data,
      })
    if (outbox.isStored()) localStorage.removeItem(oldKey)
  } catch {
    // storage is blocked, or its content is unreadable
  }
}

const isPick = (value: unknown): value is Pick =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'
