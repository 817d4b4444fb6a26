import { useSyncExternalStore } from 'react'
import { outbox } from './outbox.ts'
import { allUnsent, storedUnsent, unsentKey } from './unsent-store.ts'

const listeners = new Set<() => void>()

/** How many changes a room has made on this device that the server has not been told. */
export function tellUnsent(room: string, count: number): void {
  try {
    const { [room]: _, ...others } = storedUnsent()
    const all = count > 0 ? { ...others, [room]: count } : others
    if (Object.keys(all).length > 0) localStorage.setItem(unsentKey, JSON.stringify(all))
    else localStorage.removeItem(unsentKey)
  } catch {
    // storage is shut: the room keeps them for as long as this page
  }
  for (const tell of listeners) tell()
}

/** Of all rooms or of one, followed; 0 on the server and while its page is taken over. */
export function useUnsent(room?: string): number {
  return useSyncExternalStore(
    follow,
    () => count(room),
    () => 0,
  )
}

const count = (room?: string) =>
  Object.entries(allUnsent()).reduce((sum, [name, each]) => (room && room !== name ? sum : sum + each), 0)

function follow(tell: () => void): () => void {
  listeners.add(tell)
  addEventListener('storage', tell)
  const leave = outbox.follow(tell)
  return () => {
    leave()
    listeners.delete(tell)
    removeEventListener('storage', tell)
  }
}
