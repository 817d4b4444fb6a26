import { AsyncLocalStorage } from 'node:async_hooks'
import { waitAtMost } from './wait-at-most.ts'

/** What requests leave behind is gathered for so long, so that a crowd costs a statement a second; `kill -9` loses at most these. */
const gatherMs = 1000
/** Who reads what was gathered waits so long for its writing. */
const patienceMs = 1000

/** Gathers what requests leave behind and writes it away from them, one write after the other. */
export abstract class GatheredWrites {
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  /** What comes while one is written is written after it, together. */
  #next: Promise<void> | null = null
  /** Writing is the work of no request: it has its own time, and who asked may only read. */
  readonly #apart = AsyncLocalStorage.snapshot()

  /** Hands over what was gathered so far, as the work that writes it and never throws; null: nothing. */
  protected abstract takeGathered(): (() => Promise<void>) | null

  /** Something was gathered. */
  protected writeSoon(): void {
    this.#timer ??= this.#apart(() => setTimeout(() => void this.write(), gatherMs))
  }

  /** Ends when all that was gathered so far is written, or kept for another try. Never throws. */
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

  /** For who reads what was gathered: writes it first. While the database takes no writes nobody waits for it for long. */
  written(): Promise<void> {
    return waitAtMost(patienceMs, this.write())
  }

  /** At a stop nothing is lost, as far as the database can be reached. */
  async close(): Promise<void> {
    await this.write()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
