import { onOwnerChanged, unstored } from './outbox-items.ts'

/** What the outbox and offline copies need of a browser; tests give their own. */
export interface Device {
  /** Throws where the browser blocks storage. */
  storage(): Storage
  /** What storage could not take, by name. */
  unstored: Map<string, string>
  /** ms since 1970 */
  now(): number
  /** Absent on pages without TLS. */
  locks(): Pick<LockManager, 'request'> | undefined
  /** Calls `hear` with the name of each item that another tab has changed; null: any may have changed. */
  onStorage(hear: (name: string | null) => void): void
}

export const browser: Device = {
  storage() {
    // the server renders for everybody
    if (typeof document === 'undefined') throw new Error('no browser')
    return localStorage
  },
  unstored,
  now: () => Date.now(),
  locks: () => (globalThis.navigator as Partial<Navigator> | undefined)?.locks,
  onStorage(hear) {
    if (typeof document === 'undefined') return
    addEventListener('storage', ({ key }) => hear(key))
    onOwnerChanged.add(() => hear(null))
    // a page in the back-forward cache misses what other tabs change
    addEventListener('pageshow', ({ persisted }) => persisted && hear(null))
  },
}

/**
 * Items of local storage whose names begin alike. What storage cannot take stays in the memory of this page, which lies over storage:
 * an item that could not be stored is read all the same.
 */
export function itemsOf(device: Device, isOurs: (name: string) => boolean, hear: () => void) {
  const { unstored } = device
  const unstoredNames = () => [...unstored.keys()].filter(isOurs)
  device.onStorage((name) => {
    if (name !== null && !isOurs(name)) return
    // another tab has changed it later
    if (name !== null) unstored.delete(name)
    hear()
  })
  return {
    get(name: string): string | null {
      const text = unstored.get(name)
      if (text !== undefined) return text
      try {
        return device.storage().getItem(name)
      } catch {
        return null
      }
    },
    set(name: string, text: string): void {
      try {
        device.storage().setItem(name, text)
        unstored.delete(name)
      } catch {
        unstored.set(name, text)
      }
    },
    remove(name: string): void {
      unstored.delete(name)
      try {
        device.storage().removeItem(name)
      } catch {
        // storage is blocked: nothing was stored
      }
    },
    names(): string[] {
      let stored: string[] = []
      try {
        stored = Object.keys(device.storage()).filter(isOurs)
      } catch {
        // storage is blocked: only memory is left
      }
      return [...new Set([...stored, ...unstoredNames()])]
    },
    /** Stores what storage could not take before. */
    storeAgain(): void {
      for (const name of unstoredNames()) this.set(name, unstored.get(name)!)
    },
    /** Whether an item is stored as it was set, or all are. */
    isStored: (name?: string) => (name === undefined ? unstoredNames().length === 0 : !unstored.has(name)),
  }
}
