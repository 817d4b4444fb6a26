/**
 * Answers of `ask` by key, remembered for `keptMs` after they were asked for, at most `most` of them. Only for what nobody
 * changes to the asker's surprise: another instance has its own memory. A failure is not remembered, and what is over
 * takes no memory longer than until the next question. `name` is that of its row in docs/decisions/0072-caches.md.
 */
export function remembered<T>(
  ask: (key: string) => Promise<T>,
  { keptMs, most }: { name: string; keptMs: number; most: number },
): (key: string) => Promise<T> {
  const kept = new Map<string, { until: number; answer: Promise<T> }>()
  return (key) => {
    const now = performance.now()
    // in the order in which their time is over
    for (const [oldest, { until }] of kept) {
      if (now < until) break
      kept.delete(oldest)
    }
    const found = kept.get(key)
    if (found) return found.answer
    const answer = ask(key)
    if (kept.size >= most) kept.clear()
    const fresh = { until: now + keptMs, answer }
    kept.set(key, fresh)
    answer.catch(() => kept.get(key) === fresh && kept.delete(key))
    return answer
  }
}

/** Values that were set within the last `keptMs`, at most `most` of them. `name`: as above. */
export class Lately<T> {
  readonly #kept = new Map<string, { until: number; value: T }>()
  readonly #keptMs: number
  readonly #most: number

  constructor({ keptMs, most }: { name: string; keptMs: number; most: number }) {
    this.#keptMs = keptMs
    this.#most = most
  }

  get(key: string): T | undefined {
    const found = this.#kept.get(key)
    return found && performance.now() < found.until ? found.value : undefined
  }

  set(key: string, value: T): void {
    if (this.#kept.size >= this.#most) this.#kept.clear()
    this.#kept.set(key, { until: performance.now() + this.#keptMs, value })
  }
}
