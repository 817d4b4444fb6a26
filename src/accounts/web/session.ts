import { useSyncExternalStore } from 'react'
import { currentSession, followSession, storedInSession, type Session, type SessionKey } from './session-store.ts'

export * from './session-store.ts'

/** The session, updated by logins and logouts in this tab and others. `guest` during hydration, as the server rendered. */
export function useSession(): Session {
  return useSyncExternalStore(followSession, currentSession, () => 'guest')
}

/** `useSession`, but `unknown` on the server and during hydration: for private pages. */
export function useKnownSession(): Session | 'unknown' {
  return useSyncExternalStore<Session | 'unknown'>(followSession, currentSession, () => 'unknown')
}

/** A stored value, kept up to date; null: absent, on the server, or during hydration. */
export function useStored(key: SessionKey): string | null {
  return useSyncExternalStore(
    followSession,
    () => storedInSession(key),
    () => null,
  )
}
