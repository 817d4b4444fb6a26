import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database } from '../../kit/server/database.ts'
import { GatheredWrites } from '../../kit/server/gathered-writes.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { merchantsOfDeals } from '../../deals/server/deals.ts'
import * as store from './store.ts'

/** Deals that count of one network address in a second: a crowd counts, a machine that reports without end does not. */
export const shownPerSecond = 300
/** While the database fails, deals wait for a retry; beyond this number the oldest are dropped. */
const mostGathered = 20_000

interface Gathered extends store.ShownDeal {
  /** The business of a merchant who saw the list: own deals do not count. */
  viewerBusinessId: string | null
  /** Key of the network address; null in a retry: the limiter has allowed the deal already. */
  from: string | null
}

export interface ShownParts {
  db: Database
  clock: Clock
  /** Limits the seconds in which deals of an address count. */
  limiter: Pick<Limiter, 'take'>
  complain: Complain
}

export interface Beacon {
  beaconId: string
  dealIds: readonly string[]
  /** Key of the network address, which itself is stored nowhere. */
  from: string
  viewerBusinessId: string | null
}

/** Counts the deals that visitors saw, after their requests are answered. */
export class ShownCounter extends GatheredWrites {
  #parts: ShownParts
  #gathered: Gathered[] = []
  #ofAddress = new Map<string, number>()

  constructor(parts: ShownParts) {
    super()
    this.#parts = parts
  }

  count({ beaconId, dealIds, from, viewerBusinessId }: Beacon): void {
    const hour = hourOf(this.#parts.clock.now())
    const before = this.#ofAddress.get(from) ?? 0
    const taken = [...new Set(dealIds.map((id) => id.toLowerCase()))].slice(0, Math.max(0, shownPerSecond - before))
    if (taken.length === 0) return
    this.#ofAddress.set(from, before + taken.length)
    for (const dealId of taken) this.#gathered.push({ beaconId, dealId, hour, viewerBusinessId, from })
    if (this.#gathered.length > mostGathered) this.#gathered.splice(0, this.#gathered.length - mostGathered)
    this.writeSoon()
  }

  protected takeGathered() {
    const gathered = this.#gathered
    this.#gathered = []
    this.#ofAddress = new Map()
    return gathered.length > 0 ? () => this.#writeDown(gathered) : null
  }

  async #writeDown(gathered: Gathered[]): Promise<void> {
    const { db, clock, complain } = this.#parts
    let unwritten = gathered
    try {
      const allowed = await this.#allowed(gathered)
      unwritten = allowed.map((each) => ({ ...each, from: null }))
      const owners = await merchantsOfDeals(db, [...new Set(allowed.map(({ dealId }) => dealId))])
      const ownerOf = new Map(owners.map(({ deal_id, business_id }) => [deal_id, business_id]))
      // unknown deals and a merchant's own deals do not count
      const counted = allowed.filter(({ dealId, viewerBusinessId }) => {
        const owner = ownerOf.get(dealId)
        return owner !== undefined && owner !== viewerBusinessId
      })
      if (counted.length > 0) await store.countShown(db, counted, asDate(clock.now()))
    } catch (error) {
      complain('What visitors saw could not be counted yet.', { error: String(error) })
      this.#gathered = [...unwritten, ...this.#gathered].slice(-mostGathered)
      this.writeSoon()
    }
  }

  async #allowed(gathered: Gathered[]): Promise<Gathered[]> {
    const refused = new Set<string>()
    for (const from of new Set(gathered.map((each) => each.from)))
      if (from !== null && (await this.#parts.limiter.take(from)) > 0) refused.add(from)
    return gathered.filter(({ from }) => from === null || !refused.has(from))
  }
}

export const hourOf = (at: Temporal.Instant) => new Date(Math.floor(at.epochMilliseconds / 3_600_000) * 3_600_000)
