import { useSyncExternalStore } from 'react'
import { useSession } from './session.ts'

/** Key in this tab's storage: the address of the account that logged in here is unconfirmed. */
const key = 'rheinklang-unverified'
const listeners = new Set<() => void>()

/** Stores whether the address is confirmed; true also dismisses the line. */
export function noteAddress(isConfirmed: boolean): void {
  try {
    if (isConfirmed) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, 'yes')
  } catch {
    // Storage is blocked: nobody can be logged in either.
  }
  for (const listener of listeners) listener()
}

/** Whether the line about the unconfirmed address is shown: logged in, unconfirmed, not dismissed. */
export function useUnverified(): boolean {
  const isNoted = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => {
      try {
        return sessionStorage.getItem(key) !== null
      } catch {
        return false
      }
    },
    () => false,
  )
  return useSession() !== 'guest' && isNoted
}
