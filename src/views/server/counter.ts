import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import { onceInAWhile, type Complain } from '../../kit/server/complaints.ts'
import type { Database } from '../../kit/server/database.ts'
import { GatheredWrites } from '../../kit/server/gathered-writes.ts'
import { BoundedCache } from '../../kit/server/bounded-cache.ts'
import type { GatheredView } from './store.ts'
import * as store from './store.ts'

export type Viewed = 'business' | 'deal'

/** A visitor's views of one page count at most this often … */
export const countedPerWindow = 10
/** All visitors of one address together: a crowd behind one address counts, one machine with many names does not. */
export const countedPerAddress = 200
/** … within this many minutes. */
export const windowMinutes = 30

/** Whose page it is that a crowd opens is looked up once in this time. */
const knownMs = 2_000
const mostKnown = 5_000
/** Visitors of one statement; what comes beyond them within its second is not counted. */
const mostGathered = 20_000

interface Parts {
  db: Database
  clock: Clock
  complain: Complain
}

/** Counts views away from their requests, at most ten per visitor, subject and 30 minutes. */
export class ViewCounter extends GatheredWrites {
  readonly #parts: Parts
  readonly #complain: Complain
  /** By subject and visitor, in the order in which they came. */
  #gathered = new Map<string, GatheredView>()
  /** The salt of a day never changes once it is in the database, so remembering it is safe with several instances. */
  #salt: { day: string; bytes: Promise<Buffer> } | null = null

  /** What is not there is never kept. */
  readonly #known = new BoundedCache<string, { owner: string; until: number }>('whose page a crowd opens', {
    most: mostKnown,
  })

  constructor(parts: Parts) {
    super()
    this.#parts = parts
    this.#complain = onceInAWhile(parts.complain)
  }

  /**
   * The visitor is known only as a keyed hash of address and user agent with a salt of the day; the address itself is
   * stored nowhere.
   */
  async take(viewed: { kind: Viewed; subjectId: string; visitor: { address: string; userAgent: string } }) {
    const now = this.#parts.clock.now()
    const salt = await this.#saltOf(now.toZonedDateTimeISO('UTC').toPlainDate().toString())
    const { kind, subjectId, visitor } = viewed
    this.#add({
      kind,
      subjectId: subjectId.toLowerCase(),
      visitor: nameless(salt, `${visitor.address}\n${visitor.userAgent}`),
      address: nameless(salt, visitor.address),
      views: 1,
    })
  }

  /** Whose page it is, by `find`, which throws for a page that is not there. */
  async ownerOf(kind: Viewed, subjectId: string, find: () => Promise<string>): Promise<string> {
    const key = `${kind} ${subjectId}`
    const known = this.#known.get(key)
    if (known && performance.now() < known.until) return known.owner
    const owner = await find()
    this.#known.set(key, { owner, until: performance.now() + knownMs })
    return owner
  }

  #add(view: GatheredView): void {
    const key = `${view.kind} ${view.subjectId} ${view.visitor.toString('latin1')}`
    const known = this.#gathered.get(key)
    if (known) known.views = Math.min(countedPerWindow, known.views + view.views)
    else if (this.#gathered.size < mostGathered) this.#gathered.set(key, view)
    this.writeSoon()
  }

  protected takeGathered() {
    const gathered = [...this.#gathered.values()]
    this.#gathered.clear()
    return gathered.length > 0 ? () => this.#writeDown(gathered) : null
  }

  /** What cannot be written is not counted: it may have been written without an answer, and must not count twice. */
  async #writeDown(gathered: GatheredView[]): Promise<void> {
    const { db, clock } = this.#parts
    const limits = { windowMinutes, countedPerWindow, countedPerAddress }
    try {
      await store.countViews(db, gathered, asDate(clock.now()), limits)
    } catch (error) {
      this.#complain('Views could not be counted.', { code: String((error as { code?: unknown }).code ?? '') })
    }
  }

  async #saltOf(day: string): Promise<Buffer> {
    if (this.#salt?.day !== day) this.#salt = { day, bytes: store.saltOfDay(this.#parts.db, day, randomBytes(32)) }
    const asked = this.#salt
    return asked.bytes.catch((error: unknown) => {
      if (this.#salt === asked) this.#salt = null
      throw error
    })
  }
}

/** Salt first, in one step: nobody sees the digest whole, so that nothing can be added to it, and HMAC takes twice as long. */
function nameless(salt: Buffer, text: string): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'buffer').subarray(0, 16)
}
