import type { Database } from '../../kit/server/database.ts'
import { areaOf, cellDegrees } from '../../kit/server/nearby.ts'
import { remembered } from '../../kit/server/remembered.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import { mostLookedAt, rounded, shareToLookAt } from '../../kit/server/share.ts'
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
    keptMaps.set(db, (maps = remembered(ask, { name: 'maps of one view', keptMs: 1000, most: 50 })))
  }
  // whoever asks within one second asks for the same moment
  const now = Math.floor(moment.now.getTime() / 1000) * 1000
  return maps(JSON.stringify({ now, wanted: others, area, compact } satisfies MapAsked))
}
const keptMaps = new WeakMap<Database, (asked: string) => Promise<Page<MapRow>>>()

/**
 * Up to 2,000 deals with the specified fields; beyond that premium deals (at most 500) and clusters of the rest. Where an
 * area has too many to count, they are estimated from a random sample.
 */
async function searchForMap(
  db: Database,
  wanted: store.Wanted,
  area: store.Area,
  compact: boolean,
): Promise<Page<MapRow>> {
  const find: (...asked: Parameters<typeof store.findPins>) => Promise<(store.PinRow | store.MapRow)[]> = compact
    ? store.findPins
    : store.findForMap
  const share = await shareToLookAt((each, cap) => store.countOnMap(db, wanted, area, each, cap))
  if (share === 1) {
    const rows = await find(db, wanted, area, { share, found: mapLimit + 1, limit: mapLimit + 1 })
    if (rows.length <= mapLimit) return new Page(rows, totalUpTo(rows.length), null)
  }
  const premium = { ...wanted, premiumOnly: true }
  const single = await find(db, premium, area, { share, found: 2 * mostLookedAt, limit: premiumOnMap })
  const shown = single.map((row) => row.deal_id)
  const squares = await store.clusterForMap(db, wanted, area, share, cellDegrees(area), shown)
  const clusters = squares.flatMap((square): (DealPin | Cluster)[] => {
    const { latitude, longitude } = square
    const count = square.count * share - square.single
    const premium = square.premium * share - square.single
    if (count === 0) return []
    // a pin needs no more of a deal that is alone in its square
    if (compact && count === 1 && share === 1)
      return [
        {
          deal_id: square.first,
          latitude,
          longitude,
          is_premium: premium > 0,
          category: square.category,
          time: square.time,
        },
      ]
    return [
      share === 1
        ? { cluster: count, latitude, longitude, premium }
        : { cluster: rounded(count), latitude, longitude, premium: rounded(premium) },
    ]
  })
  return new Page([...single, ...clusters], { count: totalCap, capped: true }, null)
}
