import { copies } from './copies.ts'
import { outbox } from './outbox.ts'

/** In local storage: how many changes each room has made here that the server has not been told; see unsent.ts. */
export const unsentKey = 'unsent'

/**
 * By room how many changes were not sent, of who is logged in and of the device, of which those that the server has refused count too until
 * somebody has read that; what a guest has saved waits for a login.
 */
export function allUnsent(): Record<string, number> {
  const counts = { ...storedUnsent() }
  for (const { owner, room, refused } of outbox.all())
    if (owner.startsWith('device-') || (owner.startsWith('user-') && !refused)) counts[room] = (counts[room] ?? 0) + 1
  return counts
}

/** As rooms have counted them that are not in the outbox. */
export function storedUnsent(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(unsentKey) ?? 'null')
    // anything may be stored under this name: a text has keys too, one a letter
    return Object(stored) === stored ? (stored as Record<string, number>) : {}
  } catch {
    return {}
  }
}

/** Under this name they belong to the device, whoever uses it, and stay. */
export const ofDevice = 'till'

/** What `owner` leaves, who logs out: counts, what rooms have stored under names that begin alike, outbox and offline copies. */
export function forgetUnsent(owner: string): void {
  if (owner !== 'guest') {
    outbox.forget(owner)
    copies.forget(owner)
  }
  try {
    const { [ofDevice]: stays } = storedUnsent()
    for (const key of Object.keys(localStorage)) if (key.startsWith(unsentKey)) localStorage.removeItem(key)
    if (stays) localStorage.setItem(unsentKey, JSON.stringify({ [ofDevice]: stays }))
  } catch {
    // storage is shut: nothing was kept
  }
}
