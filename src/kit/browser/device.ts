import { onOwnerChanged, unstored } from './outbox-items.ts'

/** The parts of a browser that the outbox and the offline copies use; tests pass their own. */
export interface Device {
  /** @throws if the browser blocks storage */
  storage(): Storage
  /** Items that did not fit into storage, by name. */
  unstored: Map<string, string>
  /** ms since 1970 */
  now(): number
  /** undefined on pages without TLS. */
  locks(): Pick<LockManager, 'request'> | undefined
  /** Calls `hear` with the name of each item that another tab changes; null: any item may have changed. */
  onStorage(hear: (name: string | null) => void): void
}

export const browser: Device = {
  storage() {
    // pages are rendered on the server without a person's data
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
    // a page in the back-forward cache gets no storage events
    addEventListener('pageshow', ({ persisted }) => persisted && hear(null))
  },
}

/** Items of local storage with a common prefix. Items that do not fit stay in the memory of this page and are read like stored ones. */
export function itemsOf(device: Device, isOurs: (name: string) => boolean, hear: () => void) {
  const { unstored } = device
  const unstoredNames = () => [...unstored.keys()].filter(isOurs)
  device.onStorage((name) => {
    if (name !== null && !isOurs(name)) return
    // the change of the other tab is later
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
        // storage is blocked: only the items in memory
      }
      return [...new Set([...stored, ...unstoredNames()])]
    },
    /** Tries again to store the items that are in memory only. */
    storeAgain(): void {
      for (const name of unstoredNames()) this.set(name, unstored.get(name)!)
    },
    /** Whether this item, or without a name every item, is stored. */
    isStored: (name?: string) => (name === undefined ? unstoredNames().length === 0 : !unstored.has(name)),
  }
}
