/**
 * A cache in memory that drops what was not used for longest. It holds at most `most` values or, with `sizeOf`, values whose sizes add
 * up to at most `most`. `name`: its row in docs/decisions/0072-caches.md.
 */
export class BoundedCache<Key, Value> {
  readonly name: string
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  /** The value used last is at the end. */
  readonly #values = new Map<Key, Value>()
  #size = 0

  constructor(name: string, { most, sizeOf = () => 1 }: { most: number; sizeOf?: (value: Value) => number }) {
    this.name = name
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const value = this.#values.get(key)
    if (value === undefined) return
    this.#values.delete(key)
    this.#size -= this.#sizeOf(value)
  }
}
