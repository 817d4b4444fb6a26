import { currentSession, followSession, storedInSession } from '../../accounts/web/session.ts'
import { pushOwnerKey } from '../../kit/browser/offline-caches.ts'

/** Beside the session: the server knows that this browser takes pushes in it. */
export const pushTold = 'mySessionPush'

export function storedOwner(): string | null {
  try {
    return localStorage.getItem(pushOwnerKey)
  } catch {
    return null
  }
}

/** Pushes end on the server with each session; its owner's next login in this browser brings them back. @returns what ends it */
export function followPushes(): () => void {
  const look = () => {
    if (currentSession() === 'guest' || storedOwner() === null || storedInSession(pushTold) !== null) return
    // few have switched pushes on, and need it once after a login
    void import('./push-device.ts').then(({ tellPushesAgain }) => tellPushesAgain()).catch(() => {})
  }
  look()
  return followSession(look)
}
