import { onTestFinished, vi } from 'vitest'

/** A minimal browser with stored items, until the end of the test. Modules are loaded anew, as in a new page. */
export function aBrowserWith(items: Record<string, string> = {}): Storage {
  const stored = StoredHere.of(items)
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', stored)
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  return stored
}

/** Local storage of a browser for tests; `room`: most characters, with names. */
export class StoredHere implements Storage {
  [name: string]: unknown
  static of(items: Record<string, string> = {}, room = Infinity): Storage {
    const storage = new StoredHere()
    Object.assign(storage, items)
    Object.defineProperty(storage, 'room', { value: room, writable: true })
    return storage
  }

  get length(): number {
    return Object.keys(this).length
  }
  key(n: number): string | null {
    return Object.keys(this)[n] ?? null
  }
  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? String(this[name]) : null
  }
  setItem(name: string, text: string): void {
    const others = Object.entries(this).filter(([each]) => each !== name)
    const taken = others.reduce((sum, [each, value]) => sum + each.length + String(value).length, 0)
    if (taken + name.length + text.length > Number(this['room'])) throw new DOMException('full', 'QuotaExceededError')
    this[name] = String(text)
  }
  removeItem(name: string): void {
    delete this[name]
  }
  clear(): void {
    for (const name of Object.keys(this)) delete this[name]
  }
}
