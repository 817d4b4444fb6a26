import { AsyncLocalStorage } from 'node:async_hooks'
import { waitAtMost } from './wait-at-most.ts'

/** Time between writes, so that a crowd costs one statement a second. `kill -9` loses at most the data of this time. */
const gatherMs = 1000
/** Readers wait at most this long for a write. */
const patienceMs = 1000

/** Collects data of many requests and writes it outside of them, one write at a time. */
export abstract class GatheredWrites {
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  /** The write after the current one, with all data that comes meanwhile. */
  #next: Promise<void> | null = null
  /** Runs a write outside of its request, which has a time limit and may be read-only. */
  readonly #apart = AsyncLocalStorage.snapshot()

  /** Takes the collected data and returns a function that writes it and never throws; null: there is none. */
  protected abstract takeGathered(): (() => Promise<void>) | null

  /** Call after collecting data. */
  protected writeSoon(): void {
    this.#timer ??= this.#apart(() => setTimeout(() => void this.write(), gatherMs))
  }

  /** Resolves when all data collected so far is written, or has failed and will be retried. Never throws. */
  write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#writing)
      return (this.#next ??= this.#writing.then(() => {
        this.#next = null
        return this.write()
      }))
    const work = this.takeGathered()
    if (!work) return Promise.resolve()
    this.#writing = this.#apart(() => work().finally(() => (this.#writing = null)))
    return this.#writing
  }

  /** Call before reading the data: writes it first, and waits at most `patienceMs`. */
  written(): Promise<void> {
    return waitAtMost(patienceMs, this.write())
  }

  /** Writes the last data before the server stops. */
  async close(): Promise<void> {
    await this.write()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
