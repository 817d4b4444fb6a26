import { hash, randomBytes } from 'node:crypto'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import { onceInAWhile, type Complain } from '../../kit/server/complaints.ts'
import type { Database } from '../../kit/server/database.ts'
import { GatheredWrites } from '../../kit/server/gathered-writes.ts'
import { BoundedCache } from '../../kit/server/bounded-cache.ts'
import * as store from './store.ts'

export type Viewed = 'business' | 'deal'

/** Views of one page by one visitor that count within `windowMinutes`. */
export const countedPerWindow = 10
/** The same for all visitors of one network address: a crowd behind one address counts, a machine with many user agents does not. */
export const countedPerAddress = 200
export const windowMinutes = 30

/** How long the owner of a page is cached, so that a crowd costs one lookup. */
const ownerMs = 2_000
const mostOwners = 5_000
/** Visitors of one statement; more within its second are not counted. */
const mostGathered = 20_000

interface Parts {
  db: Database
  clock: Clock
  complain: Complain
}

/** Counts views after their requests are answered, at most ten per visitor, subject and 30 minutes. */
export class ViewCounter extends GatheredWrites {
  readonly #parts: Parts
  readonly #complain: Complain
  /** By subject and visitor, in order of arrival. */
  #gathered = new Map<string, store.GatheredView>()
  /** Cached: the salt of a day never changes once it is in the database, so several instances agree. */
  #salt: { day: string; bytes: Promise<Buffer> } | null = null

  /** Pages that do not exist are not cached. */
  readonly #owners = new BoundedCache<string, { owner: string; until: number }>('whose page a crowd opens', {
    most: mostOwners,
  })

  constructor(parts: Parts) {
    super()
    this.#parts = parts
    this.#complain = onceInAWhile(parts.complain)
  }

  /**
   * Counts one view. The visitor is stored as a hash of network address and user agent with a salt of the day; the address itself
   * is stored nowhere.
   */
  async count(viewed: { kind: Viewed; subjectId: string; visitor: { address: string; userAgent: string } }) {
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

  /** The owner of a page, cached; `find` looks it up, and throws for a page that does not exist. */
  async ownerOf(kind: Viewed, subjectId: string, find: () => Promise<string>): Promise<string> {
    const key = `${kind} ${subjectId}`
    const cached = this.#owners.get(key)
    if (cached && performance.now() < cached.until) return cached.owner
    const owner = await find()
    this.#owners.set(key, { owner, until: performance.now() + ownerMs })
    return owner
  }

  #add(view: store.GatheredView): void {
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

  /** No retry: a statement without an answer may have been committed, and its views must not count twice. */
  async #writeDown(gathered: store.GatheredView[]): Promise<void> {
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
    const current = this.#salt
    return current.bytes.catch((error: unknown) => {
      if (this.#salt === current) this.#salt = null
      throw error
    })
  }
}

/** A plain hash instead of an HMAC, which takes twice as long: only half of the digest is stored, so nobody can extend it. */
function nameless(salt: Buffer, text: string): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'buffer').subarray(0, 16)
}
