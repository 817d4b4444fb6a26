import { currentSession, followSession, storedInSession } from '../../accounts/web/session.ts'
import { pushOwnerKey } from '../../kit/browser/offline-caches.ts'

/** Key beside the session in storage: set once this browser is registered for pushes in this session. */
export const pushRegistered = 'mySessionPush'

export function storedOwner(): string | null {
  try {
    return localStorage.getItem(pushOwnerKey)
  } catch {
    return null
  }
}

/** The server deletes push subscriptions with each session; this renews it at the owner's next login. @returns stops following */
export function followPushes(): () => void {
  const look = () => {
    if (currentSession() === 'guest' || storedOwner() === null || storedInSession(pushRegistered) !== null) return
    // Loaded late: only browsers with pushes need it, once after a login.
    void import('./push-device.ts').then(({ renewPushes }) => renewPushes()).catch(() => {})
  }
  look()
  return followSession(look)
}
