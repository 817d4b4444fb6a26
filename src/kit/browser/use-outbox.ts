import { useSyncExternalStore } from 'react'
import { copies } from './copies.ts'
import { countUnsent } from './outbox-items.ts'
import { outbox } from './outbox.ts'

/**
 * Reads a value from the outbox or the offline copies, and again after each change of either. `read` must return the same value until
 * something changes (else React renders for ever). `atServer`: value on the server and during hydration. `by`: subscribes to changes,
 * by default of these two.
 */
export function useOutbox<Value>(read: () => Value, atServer: Value, by = followOutbox): Value {
  return useSyncExternalStore(by, read, () => atServer)
}

/** Calls `hear` after each change of the outbox or the offline copies. @returns a function that stops it */
export function followOutbox(hear: () => void): () => void {
  const leave = [outbox.follow(hear), copies.follow(hear)]
  return () => {
    for (const each of leave) each()
  }
}

/** Number of intents that wait in the outbox for this owner or for the device, in one kind or (without `kind`) in all. */
export const useUnsent = (owner: () => string, kind?: string): number =>
  useOutbox(
    () => Object.entries(countUnsent(owner())).reduce((sum, [name, n]) => (kind && kind !== name ? sum : sum + n), 0),
    0,
  )
