import { useSyncExternalStore } from 'react'
import { copies } from './copies.ts'
import { countUnsent } from './outbox-items.ts'
import { outbox } from './outbox.ts'

/**
 * Reads from the outbox and the offline copies, and again after each change of either. `read` must give the same value until something
 * changes; `atServer` holds on the server and while its page is taken over. `by` follows more beside.
 */
export function useOutbox<Value>(read: () => Value, atServer: Value, by = followOutbox): Value {
  return useSyncExternalStore(by, read, () => atServer)
}

/** The same without React. @returns what ends it */
export function followOutbox(hear: () => void): () => void {
  const leave = [outbox.follow(hear), copies.follow(hear)]
  return () => {
    for (const each of leave) each()
  }
}

/** How many intents of an owner and of the device were not sent, of all rooms or of one, followed. */
export const useUnsent = (owner: () => string, room?: string): number =>
  useOutbox(
    () => Object.entries(countUnsent(owner())).reduce((sum, [name, n]) => (room && room !== name ? sum : sum + n), 0),
    0,
  )
