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
import { resolveFilter } from './search-filter.ts'

type MapRow = store.MapRow | DealPin | Cluster

/** Deals near a place, as a map draws them. */
export async function mapDeals(
  room: DealRoom,
  query: CheckedInput<typeof mapDealsEndpoint>['query'],
): Promise<Page<MapRow>> {
  const filter = {
    ...(await resolveFilter(room, query, query.openNow, query.sponsored)),
    withScheduled: query.sort === 'soonest',
  }
  return cachedMap(room.db, filter, areaOf(query, { centre: room.centre, radiusKm: radiusKm.default }), query.compact)
}

/** `guessed`: the deals only nearly have the words. */
type MapFilter = store.DealFilter & { guessed: boolean }

interface MapQuery {
  /** ms since 1970 */
  now: number
  filter: Omit<MapFilter, 'moment'>
  area: store.Area
  compact: boolean
}

/** Cached for a second: maps are the most costly answers, and many people ask for the same view, such as the first one. */
function cachedMap(db: Database, { moment, ...others }: MapFilter, area: store.Area, compact: boolean) {
  let maps = mapCaches.get(db)
  if (!maps) {
    const ask = (key: string) => {
      const query = JSON.parse(key) as MapQuery
      const now = new Date(query.now)
      const moment = { now, asOf: now, tonight: now }
      return searchForMap(db, { ...query.filter, moment }, query.area, query.compact)
    }
    mapCaches.set(db, (maps = cachedAnswers(ask, { name: 'maps of one view', ttlMs: 1000, most: 50 })))
  }
  // rounded to the second, so that requests within it share one answer
  const now = Math.floor(moment.now.getTime() / 1000) * 1000
  return maps(JSON.stringify({ now, filter: others, area, compact } satisfies MapQuery))
}
const mapCaches = new WeakMap<Database, (key: string) => Promise<Page<MapRow>>>()

/** Up to 2,000 deals with the specified fields; beyond that premium deals (at most 500) and clusters of the rest. */
async function searchForMap(
  db: Database,
  filter: MapFilter,
  area: store.Area,
  compact: boolean,
): Promise<Page<MapRow>> {
  const most = { most: mapLimit, mostPremium: premiumOnMap }
  const rows = await store.dealsOnMap(db, filter, area, { compact, cell: cellDegrees(area), ...most })
  const shown = rows.map((row): MapRow => {
    if (row.deals !== null)
      return { cluster: row.deals, latitude: row.latitude, longitude: row.longitude, premium: row.premium }
    const { deals: _, premium: __, ...single } = row
    return single
  })
  const isWhole = rows.every(({ deals }) => deals === null)
  return new Page(shown, isWhole ? totalUpTo(shown.length) : { count: totalCap, capped: true }, null, {
    guessed: filter.guessed,
  })
}
