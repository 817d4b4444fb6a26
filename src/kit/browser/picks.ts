import { useSyncExternalStore } from 'react'

/**
 * What somebody unknown has picked on this phone, by kind, until the server takes it over: kept in local storage, newest last. Each
 * pick carries what a list shows of it, so that the list needs no server.
 */
export interface Pick {
  id: string
}

/** Picks of a kind that one phone keeps at most. */
export const picksMost = 200

const keyOf = (kind: string) => `picks.${kind}`
const listeners = new Set<() => void>()
const none: readonly never[] = []
const read = new Map<string, { text: string | null; picks: readonly Pick[] }>()

/** What cannot be read is none; the same text gives the same list. */
export function picksOf<P extends Pick>(kind: string): readonly P[] {
  const text = stored(kind)
  const known = read.get(kind)
  if (known && known.text === text) return known.picks as readonly P[]
  const picks = parsed(text)
  read.set(kind, { text, picks })
  return picks as readonly P[]
}

/** Follows the picks, also those of other tabs; none on the server and while its page is being taken over. */
export function usePicks<P extends Pick>(kind: string): readonly P[] {
  return useSyncExternalStore(
    followPicks,
    () => picksOf<P>(kind),
    () => none,
  )
}

/** False when there are too many, or the browser keeps its storage shut. */
export function keepPicks(kind: string, picks: readonly Pick[]): boolean {
  if (picks.length > picksMost) return false
  try {
    if (picks.length === 0) localStorage.removeItem(keyOf(kind))
    else localStorage.setItem(keyOf(kind), JSON.stringify(picks))
    return true
  } catch {
    return false
  } finally {
    for (const tell of listeners) tell()
  }
}

function stored(kind: string): string | null {
  try {
    return localStorage.getItem(keyOf(kind))
  } catch {
    return null
  }
}

function parsed(text: string | null): readonly Pick[] {
  if (!text) return none
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isPick).slice(0, picksMost) : none
  } catch {
    return none
  }
}

const isPick = (value: unknown): value is Pick =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'

/** Also those of other tabs. Answers how to leave. */
export function followPicks(tell: () => void) {
  listeners.add(tell)
  addEventListener('storage', tell)
  return () => {
    listeners.delete(tell)
    removeEventListener('storage', tell)
  }
}
