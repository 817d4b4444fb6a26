import { businessExists, openingAnswer } from '../../businesses/server/businesses.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import { cursorOf, unknownCursor, writeCursor } from '../../kit/server/cursor.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { areaOf } from '../../kit/server/nearby.ts'
import { TimedCache } from '../../kit/server/timed-cache.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { pickedOf, plainOf } from '../../kit/shared/thing.ts'
import type { ViewCounter } from '../../views/server/views.ts'
import {
  dealNotFound,
  dealsOfUnknownBusiness,
  radiusKm,
  searchTotalCap,
  wholeCircleLimit,
  type Deal,
  type FoundDeal,
  type ListedDeal,
  type listDeals as listDealsEndpoint,
  type searchDeals as searchDealsEndpoint,
} from '../contract.ts'
import { dealFields } from '../deal.ts'
import { mostListed } from '../limits.ts'
import { isPublic } from '../policy.ts'
import { matchOf, termsOf, type Terms } from './highlight.ts'
import { rankReason } from './rank-reason.ts'
import { sponsoredPlaces, sponsoredTurn } from './sponsored-places.ts'
import * as store from './store.ts'
import { resolveFilter } from './search-filter.ts'

export {
  countRating,
  countRedemption,
  dealNames,
  dealsForFigures,
  dealsForStaff,
  hiddenDealsOf,
  itemsOf,
  itemsOfDeals,
  businessesWithDeals,
  listDealPages,
  merchantsOfDeals,
  ratingCountOf,
} from './store.ts'

export interface DealRoom {
  db: Database
  clock: Clock
  /** Searches without a position look around it. */
  centre: Position
  /** Time zone of the festival, e.g. Europe/Zurich. */
  zone: string
  views: ViewCounter
}

/** A save, claim or redemption at an instant; `by` -1: one of then was undone. */
export interface DealActivity {
  what: 'saved' | 'claimed' | 'redeemed'
  dealId: string
  at: Date
  by: 1 | -1
  /** Of a redemption. */
  amountRappen?: number
}

type SearchQuery = CheckedInput<typeof searchDealsEndpoint>['query']
type ListQuery = CheckedInput<typeof listDealsEndpoint>['query']

/**
 * Deals near a place. The first page begins with at most three paid places; then come located deals in the order of `sort`,
 * then deals without a location. Pages end at 1,000 results.
 */
export async function searchDeals(room: DealRoom, query: SearchQuery): Promise<Page<FoundDeal>> {
  const area = areaOf(query, { centre: room.centre, radiusKm: radiusKm.default })
  const cursor = query.after === undefined ? null : readSearchCursor(room, query.after)
  const filter = {
    ...(await resolveFilter(room, query, query.openNow, query.sponsored, cursor?.asOf)),
    withScheduled: query.sort === 'soonest',
  }
  const limit = query.limit ?? wholeCircleLimit
  const offset = cursor?.offset ?? query.offset ?? 0

  // later pages keep the paid places of the first one, even after they have rotated
  const past = cursor && offset >= cursor.sponsoredIds.length ? cursor.sponsoredIds : []
  const paid = cursor
    ? past.length < cursor.sponsoredIds.length
      ? { ids: cursor.sponsoredIds }
      : null
    : query.hide_sponsored
      ? null
      : { turn: sponsoredTurn(room.clock.now()) }
  const rows = await store.searchDeals(room.db, filter, area, {
    sort: query.sort ?? 'best',
    offset: offset - past.length,
    limit: limit + 1,
    paid,
    excludedIds: past,
    cap: searchTotalCap + 1,
  })
  const more = rows.length > limit
  // paid deals are part of the count
  const count =
    rows[0]?.total ??
    (rows.length > 0 || offset === 0
      ? offset + rows.length
      : await store.countFound(room.db, filter, area, searchTotalCap + 1))
  const sponsoredIds =
    cursor?.sponsoredIds ?? rows[0]?.all_paid ?? rows.filter((row) => row.sponsored).map((row) => row.deal.deal_id)
  const nextOffset = offset + limit
  const terms = filter.words === null ? null : termsOf(filter.words)
  return new Page<FoundDeal>(
    rows.slice(0, limit).map((row) => foundAnswer(row, query.sort ?? 'best', terms)),
    totalUpTo(count, searchTotalCap),
    more && nextOffset <= totalCap
      ? writeCursor([nextOffset, sponsoredIds.join(' '), filter.moment.asOf.toISOString()])
      : null,
    { guessed: filter.guessed },
  )
}

/** Later pages keep the order of the first one for this time. */
const orderStableMs = 2 * 3_600_000

function readSearchCursor({ clock }: DealRoom, after: string) {
  const parts = cursorOf(after, ['number', 'text', 'instant'])
  const sponsoredIds = parts?.[1].split(' ').filter(Boolean) ?? []
  if (
    !parts ||
    !Number.isInteger(parts[0]) ||
    parts[0] < 0 ||
    parts[0] > totalCap ||
    sponsoredIds.length > sponsoredPlaces ||
    !sponsoredIds.every(isUuid)
  )
    throw unknownCursor()
  const [offset, , asOf] = parts
  const age = clock.now().epochMilliseconds - Date.parse(asOf)
  const isFresh = age >= 0 && age < orderStableMs
  return { offset, sponsoredIds, asOf: isFresh ? Temporal.Instant.from(asOf) : undefined }
}

/** All live deals, in pages by keyset. */
export async function listDeals(room: DealRoom, query: ListQuery): Promise<Page<ListedDeal>> {
  const sort = query.sort ?? 'new'
  if (sort === 'best') return listBest(room, query)
  const limit = query.limit ?? defaultPageSize
  const cursor = cursorOf(query.after, [sort === 'rating' || sort === 'price' ? 'number' : 'instant', 'id'])
  const filter = await resolveFilter(room, query, query.openNow, false)
  const terms = filter.words === null ? null : termsOf(filter.words)
  const total = totalOf(room.db, filter, sort)
  const offset = query.offset ?? 0
  const rows = await store.listDeals(room.db, filter, {
    sort,
    after: cursor && { value: cursor[0], id: cursor[1] },
    offset,
    limit: limit + 1,
    cap: total.cap,
  })
  const isWhole = !cursor && (rows.length > 0 || offset === 0)
  const count =
    total.known(rows[0]?.total, offset + rows.length) ??
    (isWhole ? offset + rows.length : await store.countDeals(room.db, filter, sort, totalCap + 1))
  const items = rows.slice(0, limit).map((row) => row.deal)
  const last = items.at(-1)
  const sortValue =
    last &&
    {
      new: last.created_at,
      ending_soon: last.over_at ?? '',
      rating: last.rating_bayes,
      price: last.price_rappen ?? store.rappenUnknown,
    }[sort]
  return new Page(
    items.map((deal) => Object.assign(dealAnswer(deal), { match: terms && matchOf(deal, terms) })),
    totalUpTo(count),
    rows.length > limit && last ? writeCursor([sortValue!, last.deal_id]) : null,
    { guessed: filter.guessed },
  )
}

/** All live deals in the order `best`, seen from the festival's centre; no paid places. */
async function listBest(room: DealRoom, query: ListQuery): Promise<Page<ListedDeal>> {
  const limit = query.limit ?? defaultPageSize
  const cursor = query.after === undefined ? null : readSearchCursor(room, query.after)
  const offset = cursor?.offset ?? query.offset ?? 0
  const filter = await resolveFilter(room, query, query.openNow, false, cursor?.asOf)
  const terms = filter.words === null ? null : termsOf(filter.words)
  const everywhere: store.Area = { centre: room.centre, radiusKm: aroundTheWorldKm, bbox: null }
  const total = totalOf(room.db, filter, 'new')
  const [rows, counted] = await Promise.all([
    store.searchDeals(room.db, filter, everywhere, {
      sort: 'best',
      offset,
      limit: limit + 1,
      paid: null,
      excludedIds: [],
      cap: null,
    }),
    total.cap === 0 ? 0 : store.countDeals(room.db, filter, 'new', total.cap),
  ])
  const count = total.known(counted, rows.length > 0 ? offset + rows.length : 0) ?? counted
  return new Page(
    rows.slice(0, limit).map(({ deal }) => Object.assign(dealAnswer(deal), { match: terms && matchOf(deal, terms) })),
    totalUpTo(count),
    rows.length > limit && offset + limit <= totalCap
      ? writeCursor([offset + limit, '', filter.moment.asOf.toISOString()])
      : null,
    { guessed: filter.guessed },
  )
}
const aroundTheWorldKm = 20_040

/** The total of a list, cached for a second: counting costs more than a page. A page that is not full needs no count. */
function totalOf(db: Database, { moment: _, ...others }: store.DealFilter, sort: store.ListSort) {
  let totals = totalsOf.get(db)
  if (!totals) totalsOf.set(db, (totals = new TimedCache<number>({ name: 'totals', ttlMs: 1000, most: 1000 })))
  const key = JSON.stringify([others, sort])
  const cached = totals.get(key)
  return {
    cap: cached === undefined ? totalCap + 1 : 0,
    /** The total by the count of the statement, at least `seen`; undefined or null: the page was not full. */
    known(counted: number | null | undefined, seen: number) {
      if (cached !== undefined && counted === 0) return Math.max(cached, seen)
      if (counted) totals.set(key, counted)
      return counted
    },
  }
}
const totalsOf = new WeakMap<Database, TimedCache<number>>()

/** A public deal. @throws `deal_not_found`, also for drafts and archived deals */
export async function findDeal({ db, clock }: DealRoom, dealId: string): Promise<Deal> {
  const row = isUuid(dealId) ? await store.findDeal(db, dealId, asDate(clock.now())) : undefined
  if (!row || !isPublic(row.status)) throw new Refusal(dealNotFound)
  return dealAnswer(row)
}

/** The public deals of these ids, expired ones included; for at most a few hundred. */
export async function dealsByIds({ db, clock }: DealRoom, dealIds: readonly string[]): Promise<Deal[]> {
  const ids = dealIds.filter(isUuid)
  if (ids.length === 0) return []
  const rows = await store.findDeals(db, ids, asDate(clock.now()))
  return rows.filter(({ status }) => isPublic(status)).map(dealAnswer)
}

/** The live deals of a business. @throws `business_not_found` */
export async function listDealsOfBusiness({ db, clock }: DealRoom, businessId: string): Promise<Deal[]> {
  if (!isUuid(businessId)) throw new Refusal(dealsOfUnknownBusiness)
  const rows = await store.listDealsOfBusiness(db, businessId, asDate(clock.now()), mostListed)
  if (rows.length === 0 && !(await businessExists(db, businessId))) throw new Refusal(dealsOfUnknownBusiness)
  return rows.map(dealAnswer)
}

/** Counts an opening of a deal, but not by its own merchant. @throws `deal_not_found` */
export async function viewDeal(
  room: DealRoom,
  dealId: string,
  visitor: { address: string; userAgent: string },
  who: Caller | null,
): Promise<null> {
  const owner = await room.views.ownerOf('deal', dealId, async () => (await findDeal(room, dealId)).business_id)
  if (who?.businessId === owner) return null
  await room.views.count({ kind: 'deal', subjectId: dealId, visitor })
  return null
}

/**
 * Locks the deal until the transaction ends, so that its claims and redemptions happen one after the other. `redeemed`: number of
 * redemptions. @throws `deal_not_found`
 */
export async function lockDeal(trx: Sql, dealId: string, now: Date): Promise<{ deal: Deal; redeemed: number }> {
  const row = isUuid(dealId) ? await store.lockDeal(trx, dealId, now) : undefined
  if (!row) throw new Refusal(dealNotFound)
  return { deal: dealAnswer(row), redeemed: row.redeemed_count }
}

function foundAnswer(row: store.FoundRow, sort: store.DealSort, terms: Terms | null): FoundDeal {
  const { deal } = row
  return Object.assign(dealAnswer(deal), {
    distance_km: row.distance_km === null ? null : Math.round(row.distance_km * 1000) / 1000,
    sponsored: row.sponsored,
    match: terms && matchOf(deal, terms),
    rank_reason: rankReason(row, sort),
  })
}

export function dealAnswer(row: store.DealRow): Deal {
  const { active_days, price_rappen, regular_price_rappen } = row
  return {
    ...pickedOf(row, plainFields),
    is_premium: row.is_premium,
    status: row.status,
    active_days: active_days === null ? null : [1, 2, 3, 4, 5, 6, 7].filter((day) => active_days & (1 << (day - 1))),
    start_time: row.start_time?.slice(0, 5) ?? null,
    end_time: row.end_time?.slice(0, 5) ?? null,
    price_chf: price_rappen === null ? null : chfFromRappen(price_rappen),
    regular_price_chf: regular_price_rappen === null ? null : chfFromRappen(regular_price_rappen),
    rating_mean: row.rating_count === 0 ? null : Math.round((row.rating_sum / row.rating_count) * 10) / 10,
    ...openingAnswer(row),
    ...usableAnswer(row),
    over_at: row.over_at,
    over_because: row.status !== 'expired' ? null : row.over_by_hours ? 'hours' : 'ended',
  }
}
const plainFields = plainOf(dealFields)

/**
 * When a deal can be used, now or next; null where that is unknown, and for deals that are over. Where the hours of its merchant are
 * unknown, its own days and hours can show that it cannot be used now, but never that it can.
 */
function usableAnswer(row: store.DealRow): Pick<Deal, 'usable_now' | 'usable_from' | 'usable_until'> {
  const { status, hours_known_now, usable_past, usable_next, usable_after, starts_at, ends_at } = row
  if (usable_past === null || (status !== 'active' && status !== 'scheduled'))
    return { usable_now: null, usable_from: null, usable_until: null }
  const isInTime = usable_past % 2 === 1
  const from = isInTime ? starts_at : usable_next
  const end = isInTime ? usable_next : usable_after
  if (!isInTime && (from === null || (ends_at !== null && from >= ends_at)))
    return { usable_now: false, usable_from: null, usable_until: null }
  const isNow = status === 'active' && isInTime
  return {
    usable_now: isNow && !hours_known_now ? null : isNow,
    usable_from: isNow ? null : from,
    usable_until: ends_at !== null && (end === null || end > ends_at) ? ends_at : end,
  }
}
