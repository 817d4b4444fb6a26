import { useSyncExternalStore } from 'react'

/** Who uses this browser, as far as the menus care. The server decides every right by itself. */
export type Session = 'guest' | 'user' | 'business'

/** The storage keys of the specification. */
const keys = ['authToken', 'refreshToken', 'userType', 'businessId'] as const
export type SessionKey = (typeof keys)[number]

const listeners = new Set<() => void>()

/**
 * Follows logging in and out in this tab and in others. While the server's page is being taken over it is `guest`, as
 * the server rendered it.
 */
export function useSession(): Session {
  return useSyncExternalStore(follow, currentSession, () => 'guest')
}

/** Logged in is who has an `authToken`, any text, never decoded; `userType` tells the two menus apart. */
export function currentSession(): Session {
  if (storedInSession('authToken') === null) return 'guest'
  return storedInSession('userType') === 'business' ? 'business' : 'user'
}

/** A stored value as it is; null when absent or when the browser keeps its storage shut. */
export function storedInSession(key: SessionKey): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores what a login answered; null removes. False when the browser keeps its storage shut. */
export function keepInSession(values: Partial<Record<SessionKey, string | null>>): boolean {
  try {
    for (const key of keys) {
      const value = values[key]
      if (value === null) localStorage.removeItem(key)
      else if (value !== undefined) localStorage.setItem(key, value)
    }
    return true
  } catch {
    return false
  } finally {
    for (const tell of listeners) tell()
  }
}

/** Forgets the session and returns to `/` with a new document, so that nothing private stays in memory. */
export function logOut(): void {
  keepInSession({ authToken: null, refreshToken: null, userType: null, businessId: null })
  location.assign('/')
}

function follow(tell: () => void): () => void {
  listeners.add(tell)
  // pageshow: a page out of the back-forward cache has missed what happened meanwhile
  const events = ['storage', 'pageshow', 'focus'] as const
  for (const event of events) addEventListener(event, tell)
  return () => {
    listeners.delete(tell)
    for (const event of events) removeEventListener(event, tell)
  }
}
