import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { areaOf, cellDegrees } from '../../kit/server/nearby.ts'
import { emptyPage, Page, totalUpTo } from '../../kit/server/page.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { totalViews, type ViewCounter } from '../../views/server/views.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import {
  businessMapLimit,
  businessNotFound,
  type OpeningWeek,
  type BusinessByName,
  type BusinessCluster,
  type BusinessForOwner,
  type BusinessOnMap,
  type NearbyBusiness,
  type StatsTonight,
  type mapBusinesses as mapBusinessesEndpoint,
  type searchBusinesses as searchBusinessesEndpoint,
} from '../contract.ts'
import { isOwnBusiness, maySeePage } from '../policy.ts'
import { categoryNamed } from '../category-words.ts'
import { hoursReader } from './hours-reader.ts'
import * as store from './store.ts'

export interface BusinessRoom {
  db: Database
  clock: Clock
  /** Where a search looks that names no place. */
  centre: Position
  views: ViewCounter
}

/**
 * A business; its owner also gets the owner's fields, and finds it while it is not public.
 * @throws `business_not_found`
 */
export async function findBusiness(
  { db, clock }: BusinessRoom,
  businessId: string,
  who: Caller | null,
): Promise<BusinessForOwner> {
  const row = isUuid(businessId) ? await store.findBusiness(db, businessId, asDate(clock.now())) : undefined
  if (!row || !maySeePage(row, who)) throw new Refusal(businessNotFound)
  const { is_shown: _, ...shown } = row
  const own = isOwnBusiness(who, businessId) ? await store.findOwnBusiness(db, businessId) : undefined
  return {
    ...shown,
    ...openingAnswer(row),
    ...(own ? { email: own.email, requested_tier: own.requested_tier } : {}),
  }
}

/**
 * The tier that holds now; for the owner also the one requested at signup, and what the dashboard shows.
 * @throws `business_not_found`
 */
export async function findSubscription({ db }: BusinessRoom, businessId: string, who: Caller) {
  const found = isUuid(businessId) ? await store.findOwnBusiness(db, businessId) : undefined
  if (!found) throw new Refusal(businessNotFound)
  const { email: _, ...own } = found
  if (!isOwnBusiness(who, businessId)) return { subscription_tier: own.subscription_tier }
  return { ...own, email_verified: who.verified, must_verify: who.mustVerify }
}

/** Figures of a business that rooms above count. */
export interface BusinessFigures {
  /** How often its deals were opened. */
  dealClicks: (db: Sql, businessId: string) => Promise<number>
  /** Sales in CHF. */
  sales: (db: Sql, businessId: string) => Promise<number>
  /** Null: no room above counts redemptions. */
  tonight: (db: Sql, businessId: string) => Promise<StatsTonight | null>
}

/** The figures of the dashboard. @throws `business_not_found` unless it is the caller's business */
export async function findStats(
  { db, dealClicks, sales, tonight, views }: BusinessRoom & BusinessFigures,
  businessId: string,
  who: Caller,
) {
  if (!isOwnBusiness(who, businessId)) throw new Refusal(businessNotFound)
  await views.written()
  const [profileViews, clicks, sold, since, ofTonight] = await Promise.all([
    totalViews(db, 'business', [businessId]),
    dealClicks(db, businessId),
    sales(db, businessId),
    store.findSignupTime(db, businessId),
    tonight(db, businessId),
  ])
  return { profileViews, dealClicks: clicks, sales: sold, since, tonight: ofTonight }
}

/** The name of a business; '' if it does not exist. */
export async function findBusinessName(db: Sql, businessId: string): Promise<string> {
  return (await store.findOwnBusiness(db, businessId))?.business_name ?? ''
}

/** For the rooms above: merchants by id, with their number of live deals. Ask for a few hundred at most. */
export async function businessesByIds(
  { db, clock }: Pick<BusinessRoom, 'db' | 'clock'>,
  businessIds: readonly string[],
) {
  const ids = businessIds.filter(isUuid)
  return ids.length === 0 ? [] : store.findBusinesses(db, ids, asDate(clock.now()))
}

/** Merchants A–Z; `q` searches names, tolerant of spelling and word order. */
export async function listBusinesses(
  { db, clock }: BusinessRoom,
  query: {
    q?: string | undefined
    limit?: number | undefined
    offset?: number | undefined
    after?: string | undefined
    before?: string | undefined
    from?: string | undefined
  },
): Promise<Page<BusinessByName>> {
  const limit = query.limit ?? defaultPageSize
  const placeOf = (cursor: readonly [string, string] | null) => cursor && { name: cursor[0], id: cursor[1] }
  const after = placeOf(cursorOf(query.after, ['text', 'id']))
  const before = placeOf(cursorOf(query.before, ['text', 'id'], 'before'))
  const named = query.q ? await store.namedBusinesses(db, query.q) : null
  const list = { named, now: asDate(clock.now()) }
  const { from, offset } = query
  const [rows, count] = await Promise.all([
    store.listBusinesses(db, { ...list, ...(before ? { before } : { after, from, offset }), limit: limit + 1 }),
    named ? (named.ids?.length ?? totalCap + 1) : store.countBusinesses(db, totalCap + 1),
  ])
  const items = before ? rows.slice(-limit) : rows.slice(0, limit)
  const first = items[0]
  const last = items.at(-1)
  const hasMore = rows.length > limit
  const isBefore = async ({ name_sorted: name, business_id: id }: store.ListedRow) =>
    (await store.listBusinesses(db, { ...list, before: { name, id }, limit: 1 })).length > 0
  const begins = !after && from === undefined && !offset
  const hasPrevious = first && (before ? hasMore : !begins && (await isBefore(first)))
  return new Page(
    items.map(({ name_sorted: _, ...row }) => ({ ...row, ...openingAnswer(row) })),
    totalUpTo(count),
    // a page read backwards always has a next page
    (before || hasMore) && last ? writeCursor([last.name_sorted, last.business_id]) : null,
    { prev: hasPrevious ? writeCursor([first.name_sorted, first.business_id]) : null },
  )
}

/** The letters with which names begin, without accents. */
export async function listLetters({ db }: Pick<BusinessRoom, 'db'>): Promise<{ letters: string[]; before_a: boolean }> {
  const letters = await store.firstLetters(db)
  return { letters: letters.filter((letter) => letter !== ''), before_a: letters.includes('') }
}

/** Merchants with a location, nearest first. An unknown category word finds nobody. */
export async function searchBusinesses(
  room: BusinessRoom,
  query: CheckedInput<typeof searchBusinessesEndpoint>['query'],
): Promise<Page<NearbyBusiness>> {
  const { db } = room
  const wanted = await searchedBy(room, query)
  if (!wanted) return emptyPage
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['number', 'id'])
  const [rows, count] = await Promise.all([
    store.searchBusinesses(db, wanted, {
      after: after && { plane: after[0], id: after[1] },
      offset: query.offset ?? 0,
      limit: limit + 1,
    }),
    store.countNearby(db, wanted, totalCap + 1),
  ])
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return new Page(
    items.map(({ name_sorted: _, plane: __, ...row }) => ({
      ...row,
      ...openingAnswer(row),
      distance_km: Math.round(row.distance_km * 1000) / 1000,
    })),
    totalUpTo(count),
    rows.length > limit && last ? writeCursor([last.plane, last.business_id]) : null,
  )
}

/** The same merchants for a map: up to 2,000 single ones, beyond that clusters. */
export async function mapBusinesses(
  room: BusinessRoom,
  query: MapQuery,
): Promise<Page<BusinessOnMap | BusinessCluster>> {
  const wanted = await searchedBy(room, query)
  return wanted ? onMap(room.db, wanted) : emptyPage
}
type MapQuery = CheckedInput<typeof mapBusinessesEndpoint>['query']

/** The search as the store takes it; null: finds nobody, because the category word is unknown. */
async function searchedBy(
  { db, clock, centre }: BusinessRoom,
  query: MapQuery,
): Promise<store.SearchedBusinesses | null> {
  const typed = query.category?.trim()
  const category = typed ? categoryNamed(typed) : undefined
  if (category === null) return null
  return {
    named: query.q ? await store.namedBusinesses(db, query.q) : null,
    category,
    openNow: query.openNow,
    now: asDate(clock.now()),
    area: areaOf(query, { centre, radiusKm: 5 }),
  }
}

async function onMap(db: Database, wanted: store.SearchedBusinesses): Promise<Page<BusinessOnMap | BusinessCluster>> {
  const rows = await store.businessesForMap(db, wanted, businessMapLimit + 1)
  if (rows.length <= businessMapLimit) return new Page(rows, totalUpTo(rows.length), null)
  const squares = await store.clusterBusinesses(db, wanted, cellDegrees(wanted.area))
  // a business alone in its square is answered as itself
  const isAlone = ({ count }: { count: number }) => count === 1
  const alone = await store.businessesOnMap(
    db,
    squares.filter(isAlone).map(({ first }) => first),
  )
  const gathered = squares
    .filter((square) => !isAlone(square))
    .map(({ count, latitude, longitude }) => ({ cluster: count, latitude, longitude }))
  return new Page([...alone, ...gathered], { count: totalCap, capped: true }, null)
}

/** Counts a view of the page, unless the owner looks at it. @throws `business_not_found` */
export async function viewBusiness(
  room: BusinessRoom,
  businessId: string,
  visitor: { address: string; userAgent: string },
  who: Caller | null,
): Promise<null> {
  if (isOwnBusiness(who, businessId)) return null
  await room.views.ownerOf('business', businessId, async () => {
    if (!isUuid(businessId) || !(await store.businessExists(room.db, businessId))) throw new Refusal(businessNotFound)
    return businessId
  })
  await room.views.count({ kind: 'business', subjectId: businessId, visitor })
  return null
}

export const businessExists = store.businessExists
/** For the room payments. */
export const { businessToBill, setPaidStanding, countLiveDeals } = store
/** For the room cases, in the transaction of staff's action. */
export const {
  countSuspended,
  findSuspension,
  listSuspended,
  lockSuspension,
  setSuspension,
  setSuspensionNoticed,
  businessNames,
  suspendedOf,
} = store
/** For the sitemap. */
export const { listBusinessPages } = store
export const { isOpenNow, openingColumns } = store

export type { OpeningRow, Suspension } from './store.ts'

export const isOpen = ({ changes_past }: store.OpeningRow) => changes_past % 2 === 1

/** The three opening fields of an answer. */
export function openingAnswer(row: store.OpeningRow) {
  if (!row.hours_known_now) return { open_now: null, open_until: null, opens_at: null }
  const open = isOpen(row)
  return { open_now: open, open_until: open ? row.next_change : null, opens_at: open ? null : row.next_change }
}

/** Openings are stored this many days ahead: enough to find the next one after a week of holidays. */
export const openingsDaysAhead = 10
/** Clocks of instances may differ by this much. */
const clocksDifferMinutes = 60

/**
 * Fills the stored openings of businesses, at start and nightly: those that end within a week, and those that end too late, which
 * a clock that ran ahead has filled. Works in small steps, so it may be interrupted; one instance at a time. Hours that cannot be
 * read any more become unknown. Hours that a merchant saves in the meantime keep their own openings.
 * @returns how many businesses were filled
 */
export async function fillOpenings({ db, clock }: Pick<BusinessRoom, 'db' | 'clock'>, stepSize = 500): Promise<number> {
  const now = clock.now()
  const from = now.subtract({ hours: 48 })
  const until = now.add({ hours: openingsDaysAhead * 24 })
  const reader = hoursReader()
  let filled = 0
  try {
    for (;;) {
      const step = await db.transaction().execute(async (trx) => {
        if (!(await store.tryFillLock(trx))) return 0
        const right = {
          from: asDate(now.add({ hours: 7 * 24 })),
          to: asDate(until.add({ minutes: clocksDifferMinutes })),
        }
        const rows = await store.businessesToFill(trx, right, stepSize)
        if (rows.length === 0) return 0
        const texts = rows.map((row) => ({ text: row.open_hours, place: placeOf(row) }))
        const read = await reader.read(texts, from, openingsDaysAhead + 2)
        return store.fillOpenings(
          trx,
          rows.map((of, n) => {
            const { known, openings, week } = read[n]!
            return { of, known, until: asDate(until), changes: changesOf(openings), week }
          }),
        )
      })
      if (step === 0) return filled
      filled += step
    }
  } finally {
    await reader.close()
  }
}

/** The instants at which places with these opening_hours texts open and close, from 48 hours ago on; null: the text cannot be read. */
export async function openingsOfTexts(
  { clock }: Pick<BusinessRoom, 'clock'>,
  texts: readonly string[],
  place: Position & { canton: string },
): Promise<(Date[] | null)[]> {
  const reader = hoursReader()
  try {
    const rows = texts.map((text) => ({ text, place }))
    const read = await reader.read(rows, clock.now().subtract({ hours: 48 }), openingsDaysAhead + 2)
    return read.map(({ known, openings }) => (known ? changesOf(openings) : null))
  } finally {
    await reader.close()
  }
}

/** Openings and week of an opening_hours text, as `fillOpenings` stores them; null: the text cannot be read. */
export async function readHours(
  { clock }: Pick<BusinessRoom, 'clock'>,
  text: string,
  place: Omit<store.HoursRow, 'business_id' | 'open_hours'>,
): Promise<{ changes: Date[]; until: Date; week: OpeningWeek | null } | null> {
  const now = clock.now()
  const reader = hoursReader()
  try {
    const texts = [{ text, place: placeOf(place) }]
    const [read] = await reader.read(texts, now.subtract({ hours: 48 }), openingsDaysAhead + 2)
    if (!read?.known) return null
    const until = asDate(now.add({ hours: openingsDaysAhead * 24 }))
    return { changes: changesOf(read.openings), until, week: read.week }
  } finally {
    await reader.close()
  }
}

const placeOf = ({ latitude, longitude, canton }: Omit<store.HoursRow, 'business_id' | 'open_hours'>) => ({
  latitude: latitude ?? 47.5596,
  longitude: longitude ?? 7.5886,
  canton,
})

/** Instants at which a place opens, closes, opens …; openings that touch or overlap are merged. */
function changesOf(openings: readonly { opens_at: Date; closes_at: Date }[]): Date[] {
  const changes: Date[] = []
  for (const { opens_at, closes_at } of openings.toSorted((a, b) => +a.opens_at - +b.opens_at)) {
    const end = changes.at(-1)
    if (!end || opens_at > end) changes.push(opens_at, closes_at)
    else if (closes_at > end) changes[changes.length - 1] = closes_at
  }
  return changes
}
