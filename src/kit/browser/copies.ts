import { isObject } from './reading.ts'
import { browser, itemsOf, type Device } from './device.ts'

/** What the server said last, for when there is no network. */
export interface Copy<Value> {
  value: Value
  /** When the server said it, ISO, by this device. */
  asOf: string
}

/**
 * Offline copies: one item of local storage for each owner and thing. Those of an account have names in "my", so that they end with its
 * session.
 */
export function openCopies(device: Device) {
  const nameOf = (owner: string, thing: string) => `${owner === 'guest' ? 'copy' : 'myCopy'}:${owner}:${thing}`
  const isOurs = (name: string) => name.startsWith('copy:') || name.startsWith('myCopy:')
  const items = itemsOf(device, isOurs, tell)
  const read = new Map<string, { text: string | null; copy: Stored | null }>()
  const listeners = new Set<() => void>()
  function tell() {
    for (const each of listeners) each()
  }

  /** The same object for as long as nothing has changed. What cannot be read is none. */
  function stored(name: string): Stored | null {
    const text = items.get(name)
    const known = read.get(name)
    if (known?.text === text) return known.copy
    const copy = parsed(text)
    read.set(name, { text, copy })
    return copy
  }

  function write(name: string, value: unknown, asOf: string) {
    // the count makes each text another one, so that an answer can tell whether the copy has changed since it was asked for
    items.set(name, JSON.stringify({ value, asOf, changes: (stored(name)?.changes ?? 0) + 1 } satisfies Stored))
    tell()
  }

  return {
    get: (owner: string, thing: string): Copy<unknown> | null => stored(nameOf(owner, thing)),
    set: (owner: string, thing: string, value: unknown, asOf = new Date(device.now()).toISOString()): void =>
      write(nameOf(owner, thing), value, asOf),
    /**
     * Changes what the server said last by what it has said since: an answer, or live news. Without a copy it begins with `empty`, or
     * nothing happens where that is null.
     */
    change<Value>(owner: string, thing: string, to: (value: Value) => Value, empty: Value | null = null): void {
      const name = nameOf(owner, thing)
      const copy = stored(name)
      const value = copy ? (copy.value as Value) : empty
      if (value !== null) write(name, to(value), copy?.asOf ?? new Date(device.now()).toISOString())
    },
    /**
     * Asks the server and stores the answer; null: no answer. An answer that was asked for before the last change of the copy may be
     * older than it, and is asked for again. `isHere` false: the owner has left meanwhile, so nothing is stored.
     */
    async renew<Value>(
      owner: string,
      thing: string,
      ask: () => Promise<Value | null>,
      isHere: () => boolean,
    ): Promise<Value | null> {
      const name = nameOf(owner, thing)
      for (let tries = 0; tries < triesMost; tries++) {
        const before = items.get(name)
        const value = await ask()
        if (value === null || !isHere()) return null
        if (items.get(name) !== before) continue
        write(name, value, new Date(device.now()).toISOString())
        return value
      }
      return null
    },
    /** Calls `hear` after each change, also of another tab. @returns what ends it */
    follow(hear: () => void): () => void {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

interface Stored extends Copy<unknown> {
  changes: number
}

/** Somebody would have to tap once in each answer's time. */
const triesMost = 10

function parsed(text: string | null): Stored | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (!isObject(stored) || typeof stored['asOf'] !== 'string' || Number.isNaN(Date.parse(stored['asOf']))) return null
    return { value: stored['value'], asOf: stored['asOf'], changes: Number(stored['changes']) || 0 }
  } catch {
    return null
  }
}

export type Copies = ReturnType<typeof openCopies>
export const copies = openCopies(browser)
