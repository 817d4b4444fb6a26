/**
 * Caches the answers of `ask` by key for `ttlMs` after the question, at most `most` of them. Every instance has a cache of its own, so
 * use it only where nobody expects to see a change at once. A failure is not cached, and expired answers are dropped at the next
 * question. `name`: its row in docs/decisions/0072-caches.md.
 */
export function cachedAnswers<T>(
  ask: (key: string) => Promise<T>,
  { ttlMs, most }: { name: string; ttlMs: number; most: number },
): (key: string) => Promise<T> {
  const cache = new Map<string, { until: number; answer: Promise<T> }>()
  return (key) => {
    const now = performance.now()
    // a map lists its entries in the order in which they expire here
    for (const [oldest, { until }] of cache) {
      if (now < until) break
      cache.delete(oldest)
    }
    const found = cache.get(key)
    if (found) return found.answer
    const answer = ask(key)
    if (cache.size >= most) cache.clear()
    const fresh = { until: now + ttlMs, answer }
    cache.set(key, fresh)
    answer.catch(() => cache.get(key) === fresh && cache.delete(key))
    return answer
  }
}

/** A cache of values, each for `ttlMs` after it was set, at most `most` of them. `name`: its row in docs/decisions/0072-caches.md. */
export class TimedCache<T> {
  readonly #values = new Map<string, { until: number; value: T }>()
  readonly #ttlMs: number
  readonly #most: number

  constructor({ ttlMs, most }: { name: string; ttlMs: number; most: number }) {
    this.#ttlMs = ttlMs
    this.#most = most
  }

  get(key: string): T | undefined {
    const found = this.#values.get(key)
    return found && performance.now() < found.until ? found.value : undefined
  }

  set(key: string, value: T): void {
    if (this.#values.size >= this.#most) this.#values.clear()
    this.#values.set(key, { until: performance.now() + this.#ttlMs, value })
  }
}
