import { isObject } from './reading.ts'
import { browser, itemsOf, type Device } from './device.ts'

/** The last answer of the server, to be shown offline. */
export interface Copy<Value> {
  value: Value
  /** When the answer came, ISO, by the clock of this device. */
  asOf: string
}

/**
 * Offline copies: one item of local storage for each owner and thing. Names of an account's copies begin with "my", so that they are
 * deleted with the session.
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

  /** The same object until something changes; null also for an unreadable item. */
  function stored(name: string): Stored | null {
    const text = items.get(name)
    const known = read.get(name)
    if (known?.text === text) return known.copy
    const copy = parsed(text)
    read.set(name, { text, copy })
    return copy
  }

  function write(name: string, value: unknown, asOf: string) {
    // the counter makes every stored text different, so that `renew` notices any change during its request
    items.set(name, JSON.stringify({ value, asOf, changes: (stored(name)?.changes ?? 0) + 1 } satisfies Stored))
    tell()
  }

  return {
    get: (owner: string, thing: string): Copy<unknown> | null => stored(nameOf(owner, thing)),
    set: (owner: string, thing: string, value: unknown, asOf = new Date(device.now()).toISOString()): void =>
      write(nameOf(owner, thing), value, asOf),
    /** Updates the copy by a later answer or a live message. Without a copy it starts from `empty`; with `empty` null it does nothing. */
    change<Value>(owner: string, thing: string, to: (value: Value) => Value, empty: Value | null = null): void {
      const name = nameOf(owner, thing)
      const copy = stored(name)
      const value = copy ? (copy.value as Value) : empty
      if (value !== null) write(name, to(value), copy?.asOf ?? new Date(device.now()).toISOString())
    },
    /**
     * Asks the server and stores the answer. Asks again if the copy has changed during the request, because the answer may be older than
     * that change. Stores nothing if the owner has left (`isHere` false).
     * @returns null: no answer
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
    /** Calls `hear` after each change, also by another tab. @returns stops following */
    follow(hear: () => void): () => void {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

interface Stored extends Copy<unknown> {
  changes: number
}

/** Enough: to use them up, somebody must change the copy during each request. */
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
