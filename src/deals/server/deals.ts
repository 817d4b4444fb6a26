import { businessExists, openingAnswer } from '../../businesses/server/businesses.ts'
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, unknownCursor, writeCursor } from '../../kit/server/cursor.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { areaOf } from '../../kit/server/nearby.ts'
import { TimedCache } from '../../kit/server/timed-cache.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Who } from '../../kit/server/serve-endpoint.ts'
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
import { matchOf, termsOf, type Terms } from './highlight.ts'
import { rankReason } from './rank-reason.ts'
import { sponsoredPlaces, sponsoredTurn } from './sponsored-places.ts'
import * as store from './store.ts'
import { wantedBy } from './wanted.ts'

export interface DealRoom {
  db: Database
  clock: Clock
  /** Where a search looks when nothing else is said. */
  centre: Position
  /** Zone of the festival's clocks, e.g. Europe/Zurich. */
  zone: string
  views: ViewCounter
}

/** Saved, claimed or redeemed, at an instant; `by` -1: taken back what happened then. */
export interface DealHappening {
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
 * Deals near a place. The first page begins with at most three paid places; then come located deals in the order asked
 * for, then deals without a location. Pages end at 1,000 results: who gets that far should narrow the search.
 */
export async function searchDeals(room: DealRoom, query: SearchQuery): Promise<Page<FoundDeal>> {
  const area = areaOf(query, { centre: room.centre, radiusKm: radiusKm.default })
  const cursor = query.after === undefined ? null : readSearchCursor(room, query.after)
  const wanted = {
    ...(await wantedBy(room, query, query.openNow, query.sponsored, cursor?.asOf)),
    withScheduled: query.sort === 'soonest',
  }
  const limit = query.limit ?? wholeCircleLimit
  const offset = cursor?.offset ?? query.offset ?? 0

  // who pages on keeps the paid places of the first page, even when their turn has passed meanwhile
  const past = cursor && offset >= cursor.sponsoredIds.length ? cursor.sponsoredIds : []
  const paid = cursor
    ? past.length < cursor.sponsoredIds.length
      ? { ids: cursor.sponsoredIds }
      : null
    : query.hide_sponsored
      ? null
      : { turn: sponsoredTurn(room.clock.now()) }
  const rows = await store.searchDeals(room.db, wanted, area, {
    sort: query.sort ?? 'best',
    offset: offset - past.length,
    limit: limit + 1,
    paid,
    excludedIds: past,
    cap: searchTotalCap + 1,
  })
  const more = rows.length > limit
  // the paid ones are among what the search finds
  const count =
    rows[0]?.total ??
    (rows.length > 0 || offset === 0
      ? offset + rows.length
      : await store.countFound(room.db, wanted, area, searchTotalCap + 1))
  const sponsoredIds =
    cursor?.sponsoredIds ?? rows[0]?.all_paid ?? rows.filter((row) => row.sponsored).map((row) => row.deal.deal_id)
  const nextOffset = offset + limit
  const terms = wanted.words === null ? null : termsOf(wanted.words)
  return new Page<FoundDeal>(
    rows.slice(0, limit).map((row) => foundAnswer(row, query.sort ?? 'best', terms)),
    totalUpTo(count, searchTotalCap),
    more && nextOffset <= totalCap
      ? writeCursor([nextOffset, sponsoredIds.join(' '), wanted.moment.asOf.toISOString()])
      : null,
    { guessed: wanted.guessed },
  )
}

/** Who pages on keeps the order of the first page for so long. */
const orderKeptMs = 2 * 3_600_000

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
  const isFresh = age >= 0 && age < orderKeptMs
  return { offset, sponsoredIds, asOf: isFresh ? Temporal.Instant.from(asOf) : undefined }
}

/** All live deals in one order, by keyset. */
export async function listDeals(room: DealRoom, query: ListQuery): Promise<Page<ListedDeal>> {
  const sort = query.sort ?? 'new'
  if (sort === 'best') return listBest(room, query)
  const limit = query.limit ?? defaultPageSize
  const cursor = cursorOf(query.after, [sort === 'rating' ? 'number' : 'instant', 'id'])
  const wanted = await wantedBy(room, query, query.openNow, false)
  const terms = wanted.words === null ? null : termsOf(wanted.words)
  const total = totalOf(room.db, wanted, sort)
  const offset = query.offset ?? 0
  const rows = await store.listDeals(room.db, wanted, {
    sort,
    after: cursor && { value: cursor[0], id: cursor[1] },
    offset,
    limit: limit + 1,
    cap: total.cap,
  })
  const isWhole = !cursor && (rows.length > 0 || offset === 0)
  const count =
    total.known(rows[0]?.total, offset + rows.length) ??
    (isWhole ? offset + rows.length : await store.countDeals(room.db, wanted, sort, totalCap + 1))
  const items = rows.slice(0, limit).map((row) => row.deal)
  const last = items.at(-1)
  const sortValue = last && { new: last.created_at, ending_soon: last.over_at ?? '', rating: last.rating_bayes }[sort]
  return new Page(
    items.map((deal) => Object.assign(dealAnswer(deal), { match: terms && matchOf(deal, terms) })),
    totalUpTo(count),
    rows.length > limit && last ? writeCursor([sortValue!, last.deal_id]) : null,
    { guessed: wanted.guessed },
  )
}

/** All live deals in the order of `best`, as seen from the festival's centre; no paid places. */
async function listBest(room: DealRoom, query: ListQuery): Promise<Page<ListedDeal>> {
  const limit = query.limit ?? defaultPageSize
  const cursor = query.after === undefined ? null : readSearchCursor(room, query.after)
  const offset = cursor?.offset ?? query.offset ?? 0
  const wanted = await wantedBy(room, query, query.openNow, false, cursor?.asOf)
  const terms = wanted.words === null ? null : termsOf(wanted.words)
  const everywhere: store.Area = { centre: room.centre, radiusKm: aroundTheWorldKm, bbox: null }
  const total = totalOf(room.db, wanted, 'new')
  const [rows, counted] = await Promise.all([
    store.searchDeals(room.db, wanted, everywhere, {
      sort: 'best',
      offset,
      limit: limit + 1,
      paid: null,
      excludedIds: [],
      cap: null,
    }),
    total.cap === 0 ? 0 : store.countDeals(room.db, wanted, 'new', total.cap),
  ])
  const count = total.known(counted, rows.length > 0 ? offset + rows.length : 0) ?? counted
  return new Page(
    rows.slice(0, limit).map(({ deal }) => Object.assign(dealAnswer(deal), { match: terms && matchOf(deal, terms) })),
    totalUpTo(count),
    rows.length > limit && offset + limit <= totalCap
      ? writeCursor([offset + limit, '', wanted.moment.asOf.toISOString()])
      : null,
    { guessed: wanted.guessed },
  )
}
const aroundTheWorldKm = 20_040

/**
 * Counting a list costs more than a page of it. A page that is not full tells the total itself; else what was counted holds for a
 * second more.
 */
function totalOf(db: Database, { moment: _, ...others }: store.Wanted, sort: store.ListSort) {
  let totals = totalsOf.get(db)
  if (!totals) totalsOf.set(db, (totals = new TimedCache<number>({ name: 'totals', ttlMs: 1000, most: 1000 })))
  const key = JSON.stringify([others, sort])
  const lately = totals.get(key)
  return {
    cap: lately === undefined ? totalCap + 1 : 0,
    /** What the total is, by what the statement says of it, `seen` at least; nothing where the page was not full. */
    known(counted: number | null | undefined, seen: number) {
      if (lately !== undefined && counted === 0) return Math.max(lately, seen)
      if (counted) totals.set(key, counted)
      return counted
    },
  }
}
const totalsOf = new WeakMap<Database, TimedCache<number>>()

/** As everybody sees it: drafts and archived deals are unknown. Throws `deal_not_found`. */
export async function findDeal({ db, clock }: DealRoom, dealId: string): Promise<Deal> {
  const row = isUuid(dealId) ? await store.findDeal(db, dealId, asDate(clock.now())) : undefined
  if (!row || row.status === 'draft' || row.status === 'archived') throw new Refusal(dealNotFound)
  return dealAnswer(row)
}

/** For the rooms above: those that everybody may see, also over. At most a few hundred at once. */
export async function dealsByIds({ db, clock }: DealRoom, dealIds: readonly string[]): Promise<Deal[]> {
  const ids = dealIds.filter(isUuid)
  if (ids.length === 0) return []
  const rows = await store.findDeals(db, ids, asDate(clock.now()))
  return rows.filter(({ status }) => status !== 'draft' && status !== 'archived').map(dealAnswer)
}

/** Throws `business_not_found`. */
export async function listDealsOfBusiness({ db, clock }: DealRoom, businessId: string): Promise<Deal[]> {
  if (!isUuid(businessId)) throw new Refusal(dealsOfUnknownBusiness)
  const rows = await store.listDealsOfBusiness(db, businessId, asDate(clock.now()), mostListed)
  if (rows.length === 0 && !(await businessExists(db, businessId))) throw new Refusal(dealsOfUnknownBusiness)
  return rows.map(dealAnswer)
}

/** A merchant's own look at a deal does not count. Throws `deal_not_found`. */
export async function viewDeal(
  room: DealRoom,
  dealId: string,
  visitor: { address: string; userAgent: string },
  who: Who | null,
): Promise<null> {
  const owner = await room.views.ownerOf('deal', dealId, async () => (await findDeal(room, dealId)).business_id)
  if (who?.businessId === owner) return null
  await room.views.take({ kind: 'deal', subjectId: dealId, visitor })
  return null
}

/**
 * The deal, locked until the transaction ends, so that what is claimed and redeemed of it happens one after the other.
 * `redeemed`: how many of it have been. Throws `deal_not_found`.
 */
export async function lockDeal(trx: Sql, dealId: string, now: Date): Promise<{ deal: Deal; redeemed: number }> {
  const row = isUuid(dealId) ? await store.lockDealToRedeem(trx, dealId, now) : undefined
  if (!row) throw new Refusal(dealNotFound)
  return { deal: dealAnswer(row), redeemed: row.redeemed_count }
}

/** One more redemption of a deal, or one taken back; the deal is sold out by itself. In the transaction of `lockDeal`. */
export const { countRedemption } = store

/** More or fewer stars and ratings of a deal, in the transaction of `lockDeal`; how many it has; and how deals are called. */
export const { countRating, ratingCountOf, dealNames, hiddenDealsOf } = store

/** How many items a deal has and how many are redeemed, without a lock; and those of many deals. */
export const { itemsOf, itemsOfDeals } = store

/** For figures: the deals of a merchant, and whose deals some are. */
export const { dealsForFigures, merchantsOfDeals } = store

/** For staff: deals whatever their state, to be hidden and brought back. */
export const { dealsForStaff } = store

/** For the sitemap, which lists live deals. */
export const { listDealPages } = store

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
 * When a deal can be used, now or next; null for what nobody knows and for what is over. Where the hours of its merchant are unknown,
 * its own days and hours say when it cannot be used, and never that it can.
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
