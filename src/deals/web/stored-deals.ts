import type { LoaderFunctionArgs } from 'react-router'
import { ask, pageContext, type Carrier } from '../../kit/browser/ask.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { loadNeed } from '../../places/web/load-need.ts'
import { listDeals, type ListedDeal } from '../contract.ts'
import { isStoredSort, searchStored } from '../stored-search.ts'
import { cardDeal, type CardDeal } from './card-deal.ts'
import { canonicalAddress, defaultRadius, isAroundPlace, isOn, queryIn, type DealQuery } from './deal-query.ts'
import type { DealList } from './load-deals.ts'
import { reachableFirst } from './reach.ts'

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
  const isNear = isAroundPlace(query)
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

/** The stored list for an address; null as `listStored`. `isOwnOrder`: in the order `best`, whatever the address says. */
export async function loadStoredList(
  { context, request }: LoaderFunctionArgs,
  { isOwnOrder = false },
): Promise<DealList | null> {
  const { festival } = context.get(pageContext)
  const query = queryIn(new URL(request.url).searchParams)
  if (isOwnOrder) delete query.sort
  const now = serverTime()
  const stored = await listStored(context, query, festival, now)
  if (!stored) return null
  const isNear = isAroundPlace(query)
  const need = await loadNeed(context, query.q)
  const isFromCentre = query.near === 'centre'
  const deals = isNear && !isFromCentre ? reachableFirst(stored.deals, now) : stored.deals
  return {
    deals: isFromCentre ? deals.map((deal) => ({ ...deal, isFromCentre })) : deals,
    total: deals.length,
    next: null,
    query,
    isNear,
    faults: {},
    perPage: deals.length,
    pageNumber: 1,
    isFirst: true,
    ...(need && { need }),
    km: 0,
    address: canonicalAddress(query, {}),
    staleSince: stored.asOf ?? new Date(now).toISOString(),
    isUnchanged: isOwnOrder,
  }
}
