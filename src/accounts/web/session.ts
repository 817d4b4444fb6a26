import { useSyncExternalStore } from 'react'
import { currentSession, followSession, storedInSession, type Session, type SessionKey } from './session-store.ts'

export * from './session-store.ts'

/**
 * Follows logging in and out in this tab and in others. While the server's page is being taken over it is `guest`, as
 * the server rendered it.
 */
export function useSession(): Session {
  return useSyncExternalStore(followSession, currentSession, () => 'guest')
}

/** The same, but `unknown` on the server and while its page is being taken over: for pages that not everybody may see. */
export function useKnownSession(): Session | 'unknown' {
  return useSyncExternalStore<Session | 'unknown'>(followSession, currentSession, () => 'unknown')
}

/** A stored value, followed; null when absent, on the server and while its page is being taken over. */
export function useStored(key: SessionKey): string | null {
  return useSyncExternalStore(
    followSession,
    () => storedInSession(key),
    () => null,
  )
}
