import { useSyncExternalStore } from 'react'
import { copies } from './copies.ts'
import { countUnsent } from './outbox-items.ts'
import { outbox } from './outbox.ts'

/**
 * Reads from the outbox and the offline copies, again after each change of either. `read` must return the same value until something
 * changes. `atServer` is the value on the server and during hydration. `by` can follow more than these two.
 */
export function useOutbox<Value>(read: () => Value, atServer: Value, by = followOutbox): Value {
  return useSyncExternalStore(by, read, () => atServer)
}

/** The same without React. @returns stops following */
export function followOutbox(hear: () => void): () => void {
  const leave = [outbox.follow(hear), copies.follow(hear)]
  return () => {
    for (const each of leave) each()
  }
}

/** Number of unsent intents of an owner and of the device, in all rooms or in one. */
export const useUnsent = (owner: () => string, room?: string): number =>
  useOutbox(
    () => Object.entries(countUnsent(owner())).reduce((sum, [name, n]) => (room && room !== name ? sum : sum + n), 0),
    0,
  )
