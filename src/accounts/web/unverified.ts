import { useSyncExternalStore } from 'react'
import { useSession } from './session.ts'

/** Beside the session, in this tab alone: the address of who logged in here is not confirmed yet. */
const key = 'rheinklang-unverified'
const listeners = new Set<() => void>()

/** What the account says of its address; also to put the reminder away. */
export function noteAddress(isConfirmed: boolean): void {
  try {
    if (isConfirmed) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, 'yes')
  } catch {
    // storage is shut: there is nobody logged in either
  }
  for (const tell of listeners) tell()
}

/** True while somebody is logged in who was told to confirm the address, and neither did nor put it away. */
export function useUnverified(): boolean {
  const isNoted = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
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
