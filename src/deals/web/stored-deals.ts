import { ask, type Carrier } from '../../kit/browser/ask.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { listDeals, type ListedDeal } from '../contract.ts'
import { isStoredSort, searchStored } from '../stored-search.ts'
import { cardDeal, type CardDeal } from './card-deal.ts'
import { defaultRadius, isOn, type DealQuery } from './deal-query.ts'

const perRequest = 100
/** Deals that a phone stores, the best of them: about 150 kB per 100. */
const mostStored = 200

/** Deals that the phone has stored for lists without a network. Each request has an address of its own, for the cache of the worker. */
async function storedDeals(by: Carrier): Promise<{ deals: ListedDeal[]; asOf: string | null } | null> {
  const deals: ListedDeal[] = []
  let asOf: string | null = null
  for (let offset = 0; offset < mostStored; offset += perRequest) {
    const { answer } = await ask(by, listDeals, { query: { sort: 'best', limit: perRequest, offset } })
    if (!answer) return offset === 0 ? null : { deals, asOf }
    deals.push(...answer.body)
    if (offset === 0) asOf = answer.cachedAt ?? null
    if (answer.body.length < perRequest) break
  }
  return { deals, asOf }
}

/** Loads the deals that the worker stores. */
export const storeDeals = async (by: Carrier): Promise<void> => void (await storedDeals(by))

export interface StoredList {
  deals: CardDeal[]
  /** When the server sent them, ISO; null: not known. */
  asOf: string | null
}

/** The answer to a query from the stored deals, all of it; null: none are stored, or the phone does not know what the query needs. */
export async function listStored(
  by: Carrier,
  query: DealQuery,
  festival: Position & { zone: string },
  now: number,
): Promise<StoredList | null> {
  const { q, category, near, lat, lon, radius, max_price: price } = query
  const isNear = Boolean(near || (lat && lon) || radius)
  const sort = query.sort ?? 'best'
  if (!isStoredSort(sort as never)) return null
  const stored = await storedDeals(by)
  if (!stored) return null
  const place = lat && lon && !near ? { latitude: Number(lat), longitude: Number(lon) } : festival
  const found = searchStored(stored.deals, {
    q,
    category,
    openNow: isOn(query.openNow),
    maxPrice: price === undefined ? undefined : Number(price),
    sort: sort as Parameters<typeof searchStored>[1]['sort'],
    around: isNear ? { ...place, radiusKm: Number(radius ?? defaultRadius) } : null,
    centre: festival,
    zone: festival.zone,
    now,
  })
  return {
    deals: found.map(({ distance_km, ...deal }) =>
      cardDeal(isNear ? { ...deal, distance_km, rank_reason: 'near', sponsored: false } : deal),
    ),
    asOf: stored.asOf,
  }
}
