import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { waitAtMost } from '../../kit/server/wait-at-most.ts'
import { merchantsOfDeals } from '../../deals/server/deals.ts'
import type { Shown } from './store.ts'
import * as store from './store.ts'

/** Beacons are gathered for so long, so that a crowd costs one statement a second; a crash loses at most these. */
export const gatherMs = 1000
/** Who reads figures waits so long for what was gathered. */
const patienceMs = 1000
/** Deals of one address in one second; a crowd behind one address counts, one machine with many names does not. */
export const shownPerSecond = 300
/** Beyond this, what cannot be written yet is dropped, oldest first. */
const mostGathered = 20_000

interface Gathered extends Shown {
  /** A merchant who looks at the list. */
  viewerBusinessId: string | null
  /** null: allowed already, and to be written once more. */
  from: string | null
}

export interface ShownParts {
  db: Database
  clock: Clock
  /** Seconds in which something was counted, by address. */
  limiter: Pick<Limiter, 'take'>
  complain: Complain
}

export interface Beacon {
  beaconId: string
  dealIds: readonly string[]
  /** Key of the address, not the address itself. */
  from: string
  viewerBusinessId: string | null
}

/** Counts what visitors saw in lists, away from their requests. */
export class ShownCounter {
  #parts: ShownParts
  #gathered: Gathered[] = []
  #ofAddress = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  /** Writing is the work of no request: it has its own time, and who asked may only read. */
  readonly #apart = AsyncLocalStorage.snapshot()

  constructor(parts: ShownParts) {
    this.#parts = parts
  }

  take({ beaconId, dealIds, from, viewerBusinessId }: Beacon): void {
    const hour = hourOf(this.#parts.clock.now())
    const before = this.#ofAddress.get(from) ?? 0
    const taken = [...new Set(dealIds.map((id) => id.toLowerCase()))].slice(0, Math.max(0, shownPerSecond - before))
    if (taken.length === 0) return
    this.#ofAddress.set(from, before + taken.length)
    for (const dealId of taken) this.#gathered.push({ beaconId, dealId, hour, viewerBusinessId, from })
    this.#timer ??= this.#apart(() => setTimeout(() => void this.write(), gatherMs))
  }

  /** Writes what was gathered so far, one write after the other. */
  write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const gathered = this.#gathered
    this.#gathered = []
    this.#ofAddress = new Map()
    if (gathered.length > 0)
      this.#apart(() => {
        this.#writing = this.#writing.then(() => this.#writeDown(gathered))
      })
    return this.#writing
  }

  /** For who reads figures: writes first what was gathered. While the database takes no writes nobody waits for it for long. */
  written(): Promise<void> {
    return waitAtMost(patienceMs, this.write())
  }

  async #writeDown(gathered: Gathered[]): Promise<void> {
    const { db, clock, complain } = this.#parts
    let unwritten = gathered
    try {
      const allowed = await this.#allowed(gathered)
      unwritten = allowed.map((each) => ({ ...each, from: null }))
      const owners = await merchantsOfDeals(db, [...new Set(allowed.map(({ dealId }) => dealId))])
      const ownerOf = new Map(owners.map(({ deal_id, business_id }) => [deal_id, business_id]))
      // unknown deals, and a merchant's own look at the list
      const counted = allowed.filter(({ dealId, viewerBusinessId }) => {
        const owner = ownerOf.get(dealId)
        return owner !== undefined && owner !== viewerBusinessId
      })
      if (counted.length > 0) await store.countShown(db, counted, asDate(clock.now()))
    } catch (error) {
      complain('What visitors saw could not be counted yet.', { error: String(error) })
      this.#gathered = [...unwritten, ...this.#gathered].slice(-mostGathered)
      this.#timer ??= setTimeout(() => void this.write(), gatherMs)
    }
  }

  async #allowed(gathered: Gathered[]): Promise<Gathered[]> {
    const refused = new Set<string>()
    for (const from of new Set(gathered.map((each) => each.from)))
      if (from !== null && (await this.#parts.limiter.take(from)) > 0) refused.add(from)
    return gathered.filter(({ from }) => from === null || !refused.has(from))
  }

  /** At a stop nothing is lost, as far as the database can be reached. */
  async close(): Promise<void> {
    await this.write()
    if (this.#timer) clearTimeout(this.#timer)
  }
}

export const hourOf = (at: Temporal.Instant) => new Date(Math.floor(at.epochMilliseconds / 3_600_000) * 3_600_000)
