import type { Database } from '../../kit/server/database.ts'
import { areaOf, cellDegrees } from '../../kit/server/nearby.ts'
import { cachedAnswers } from '../../kit/server/timed-cache.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { totalCap } from '../../kit/shared/input.ts'
import {
  mapLimit,
  premiumOnMap,
  radiusKm,
  type Cluster,
  type DealPin,
  type mapDeals as mapDealsEndpoint,
} from '../contract.ts'
import type { DealRoom } from './deals.ts'
import * as store from './store.ts'
import { wantedBy } from './wanted.ts'

type MapRow = store.MapRow | DealPin | Cluster

/** Deals near a place as a map draws them: single up to 2,000, beyond that premium ones and clusters of the rest. */
export async function mapDeals(
  room: DealRoom,
  query: CheckedInput<typeof mapDealsEndpoint>['query'],
): Promise<Page<MapRow>> {
  const wanted = {
    ...(await wantedBy(room, query, query.openNow, query.sponsored)),
    withScheduled: query.sort === 'soonest',
  }
  return onMap(room.db, wanted, areaOf(query, { centre: room.centre, radiusKm: radiusKm.default }), query.compact)
}

interface MapAsked {
  /** ms since 1970 */
  now: number
  wanted: Omit<store.Wanted, 'moment'>
  area: store.Area
  compact: boolean
}

/**
 * A map's answer is the heaviest there is and the same for all who look at the same view, as everybody does at first: it is
 * remembered for a second.
 */
function onMap(db: Database, { moment, ...others }: store.Wanted, area: store.Area, compact: boolean) {
  let maps = keptMaps.get(db)
  if (!maps) {
    const ask = (key: string) => {
      const asked = JSON.parse(key) as MapAsked
      const now = new Date(asked.now)
      const moment = { now, asOf: now, tonight: now }
      return searchForMap(db, { ...asked.wanted, moment }, asked.area, asked.compact)
    }
    keptMaps.set(db, (maps = cachedAnswers(ask, { name: 'maps of one view', ttlMs: 1000, most: 50 })))
  }
  // whoever asks within one second asks for the same moment
  const now = Math.floor(moment.now.getTime() / 1000) * 1000
  return maps(JSON.stringify({ now, wanted: others, area, compact } satisfies MapAsked))
}
const keptMaps = new WeakMap<Database, (asked: string) => Promise<Page<MapRow>>>()

/** Up to 2,000 deals with the specified fields; beyond that premium deals (at most 500) and clusters of the rest. */
async function searchForMap(
  db: Database,
  wanted: store.Wanted,
  area: store.Area,
  compact: boolean,
): Promise<Page<MapRow>> {
  const most = { most: mapLimit, mostPremium: premiumOnMap }
  const rows = await store.dealsOnMap(db, wanted, area, { compact, cell: cellDegrees(area), ...most })
  const shown = rows.map((row): MapRow => {
    if (row.deals !== null)
      return { cluster: row.deals, latitude: row.latitude, longitude: row.longitude, premium: row.premium }
    const { deals: _, premium: __, ...single } = row
    return single
  })
  const isWhole = rows.every(({ deals }) => deals === null)
  return new Page(shown, isWhole ? totalUpTo(shown.length) : { count: totalCap, capped: true }, null)
}
