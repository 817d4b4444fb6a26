// on every page, also on those that come without the app: it imports nothing

/** Items that local storage could not take, by name: they hold for as long as this page. */
export const unstored = new Map<string, string>()

/** Called when all that an owner had here was forgotten. */
export const onForgotten = new Set<() => void>()

/** In local storage: how many changes each room has made here that the server has not been told; see unsent.ts. */
export const unsentKey = 'unsent'

/**
 * By room how many changes were not sent, of who is logged in and of the device, of which those that the server has refused count too until
 * somebody has read that; what a guest has saved waits for a login. See outbox.ts.
 */
export function allUnsent(): Record<string, number> {
  const counts = { ...storedUnsent() }
  for (const [name, text] of items()) {
    const [, ofUser, room] = /^outbox:(?:(user)|device)-[^:]*:([^:]+)/.exec(name) ?? []
    if (room && !(ofUser && text.includes('"refused":{'))) counts[room] = (counts[room] ?? 0) + 1
  }
  return counts
}

function items(): [string, string][] {
  try {
    return [...new Map([...Object.entries(localStorage), ...unstored])]
  } catch {
    return [...unstored]
  }
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
  const isOfOwner = (name: string) => /^(?:outbox|myCopy):/.test(name) && name.split(':')[1] === owner
  if (owner !== 'guest') for (const name of unstored.keys()) if (isOfOwner(name)) unstored.delete(name)
  try {
    if (owner !== 'guest')
      for (const name of Object.keys(localStorage)) if (isOfOwner(name)) localStorage.removeItem(name)
    const { [ofDevice]: stays } = storedUnsent()
    for (const key of Object.keys(localStorage)) if (key.startsWith(unsentKey)) localStorage.removeItem(key)
    if (stays) localStorage.setItem(unsentKey, JSON.stringify({ [ofDevice]: stays }))
  } catch {
    // storage is blocked: nothing was stored
  }
  for (const tell of onForgotten) tell()
}
