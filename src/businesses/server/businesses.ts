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
import type { Who } from '../../kit/server/serve-endpoint.ts'
import {
  businessMapLimit,
  businessNotFound,
  type OpeningWeek,
  type BusinessByName,
  type BusinessCluster,
  type BusinessForOwner,
  type BusinessOnMap,
  type NearbyBusiness,
  type mapBusinesses as mapBusinessesEndpoint,
  type searchBusinesses as searchBusinessesEndpoint,
} from '../contract.ts'
import { categoryNamed } from './category-words.ts'
import { hoursReader } from './hours-reader.ts'
import * as store from './store.ts'

export interface BusinessRoom {
  db: Database
  clock: Clock
  /** Where a search looks when nothing else is said. */
  centre: Position
  views: ViewCounter
}

/**
 * The public face of a business; its owner also sees what is nobody else's business, and one that is not public. Throws
 * `business_not_found`.
 */
export async function findBusiness(
  { db, clock }: BusinessRoom,
  businessId: string,
  who: Who | null,
): Promise<BusinessForOwner> {
  const row = isUuid(businessId) ? await store.findBusiness(db, businessId, asDate(clock.now())) : undefined
  if (!row || (!row.is_shown && !isOwner(who, businessId))) throw new Refusal(businessNotFound)
  const { is_shown: _, ...shown } = row
  const own = isOwner(who, businessId) ? await store.findOwnBusiness(db, businessId) : undefined
  return {
    ...shown,
    ...openingAnswer(row),
    ...(own ? { email: own.email, requested_tier: own.requested_tier } : {}),
  }
}

function isOwner(who: Who | null, businessId: string): boolean {
  return who?.businessId?.toLowerCase() === businessId.toLowerCase()
}

/** The tier that is true now. To the owner also the one wished for at signup, and what the dashboard says of the business. */
export async function findSubscription({ db }: BusinessRoom, businessId: string, who: Who) {
  const found = isUuid(businessId) ? await store.findOwnBusiness(db, businessId) : undefined
  if (!found) throw new Refusal(businessNotFound)
  const { email: _, ...own } = found
  if (!isOwner(who, businessId)) return { subscription_tier: own.subscription_tier }
  return { ...own, email_verified: who.verified, must_verify: who.mustVerify }
}

/** What the rooms above know of a business. */
export interface FiguresAsked {
  /** How often its deals were opened. */
  dealClicks: (db: Sql, businessId: string) => Promise<number>
  /** In CHF. */
  sales: (db: Sql, businessId: string) => Promise<number>
}

/** The three figures of the dashboard. */
export async function findStats(
  { db, dealClicks, sales, views }: BusinessRoom & FiguresAsked,
  businessId: string,
  who: Who,
) {
  if (!isOwner(who, businessId)) throw new Refusal(businessNotFound)
  await views.written()
  const [profileViews, clicks, sold] = await Promise.all([
    totalViews(db, 'business', [businessId]),
    dealClicks(db, businessId),
    sales(db, businessId),
  ])
  return { profileViews, dealClicks: clicks, sales: sold }
}

/** Its name; empty where it is gone. */
export async function findBusinessName(db: Sql, businessId: string): Promise<string> {
  return (await store.findOwnBusiness(db, businessId))?.business_name ?? ''
}

/** For the rooms above: merchants by id, with how many deals one can have now. At most a few hundred at once. */
export async function businessesByIds(
  { db, clock }: Pick<BusinessRoom, 'db' | 'clock'>,
  businessIds: readonly string[],
) {
  const ids = businessIds.filter(isUuid)
  return ids.length === 0 ? [] : store.findBusinesses(db, ids, asDate(clock.now()))
}

/** Merchants A–Z; `q` looks for names, forgiving spelling and the order of words. */
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
  const after = cursorOf(query.after, ['text', 'id'])
  const before = cursorOf(query.before, ['text', 'id'], 'before')
  const named = query.q ? await store.namedBusinesses(db, query.q) : null
  const list = { named, now: asDate(clock.now()) }
  const [rows, count] = await Promise.all([
    before
      ? store.listBusinessesBefore(db, { ...list, before: { name: before[0], id: before[1] }, limit: limit + 1 })
      : store.listBusinesses(db, {
          ...list,
          after: after && { name: after[0], id: after[1] },
          from: query.from,
          offset: query.offset ?? 0,
          limit: limit + 1,
        }),
    named ? (named.ids?.length ?? totalCap + 1) : store.countBusinesses(db, totalCap + 1),
  ])
  const items = before ? rows.slice(-limit) : rows.slice(0, limit)
  const first = items[0]
  const last = items.at(-1)
  const hasMore = rows.length > limit
  const begins = after === null && query.from === undefined && (query.offset ?? 0) === 0
  const hasPrevious =
    first !== undefined &&
    (before
      ? hasMore
      : !begins &&
        (
          await store.listBusinessesBefore(db, {
            ...list,
            before: { name: first.name_sorted, id: first.business_id },
            limit: 1,
          })
        ).length > 0)
  return new Page(
    items.map(({ name_sorted: _, ...row }) => ({ ...row, ...openingAnswer(row) })),
    totalUpTo(count),
    // what comes before a row is followed by that row
    (before || hasMore) && last ? writeCursor([last.name_sorted, last.business_id]) : null,
    { prev: hasPrevious ? writeCursor([first.name_sorted, first.business_id]) : null },
  )
}

/** What an A–Z can lead to: the letters with which names begin, accents aside. */
export async function listLetters({ db }: Pick<BusinessRoom, 'db'>): Promise<{ letters: string[]; before_a: boolean }> {
  const letters = await store.firstLetters(db)
  return { letters: letters.filter((letter) => letter !== ''), before_a: letters.includes('') }
}

/** Merchants with a location, nearest first. A category that no word names finds nobody. */
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

/** The same merchants as a map draws them: single ones up to 2,000, beyond that gathered in squares. */
export async function mapBusinesses(
  room: BusinessRoom,
  query: MapQuery,
): Promise<Page<BusinessOnMap | BusinessCluster>> {
  const wanted = await searchedBy(room, query)
  return wanted ? onMap(room.db, wanted) : emptyPage
}
type MapQuery = CheckedInput<typeof mapBusinessesEndpoint>['query']

/** null: nobody, as no word names the category. */
async function searchedBy(
  { db, clock, centre }: BusinessRoom,
  query: MapQuery,
): Promise<store.SearchedBusinesses | null> {
  const said = query.category?.trim()
  const category = said ? categoryNamed(said) : undefined
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
  // who is alone in a square is shown as what it is
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

/** A merchant's own look at the page does not count. Throws `business_not_found`. */
export async function viewBusiness(
  room: BusinessRoom,
  businessId: string,
  visitor: { address: string; userAgent: string },
  who: Who | null,
): Promise<null> {
  if (isOwner(who, businessId)) return null
  await room.views.ownerOf('business', businessId, async () => {
    if (!isUuid(businessId) || !(await store.businessExists(room.db, businessId))) throw new Refusal(businessNotFound)
    return businessId
  })
  await room.views.count({ kind: 'business', subjectId: businessId, visitor })
  return null
}

export const businessExists = store.businessExists
/** For payments: who is billed, what was paid for, and whether there is anything to promote. */
export const { businessToBill, setPaidStanding, countLiveDeals } = store
/** For staff: who is suspended, and why; in the transaction of the action. */
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
/** For the sitemap, which lists businesses. */
export const { listBusinessPages } = store
export const { isOpenNow, openingColumns } = store

export type { OpeningRow, Suspension } from './store.ts'

export const isOpen = ({ changes_past }: store.OpeningRow) => changes_past % 2 === 1

/** The three opening fields as they cross the wire. */
export function openingAnswer(row: store.OpeningRow) {
  if (!row.hours_known_now) return { open_now: null, open_until: null, opens_at: null }
  const open = isOpen(row)
  return { open_now: open, open_until: open ? row.next_change : null, opens_at: open ? null : row.next_change }
}

/** Openings are kept this many days ahead: enough to say when a place opens next after a week of holidays. */
export const openingsDaysAhead = 10
/** The clocks of several instances may differ by this much. */
const clocksDifferMinutes = 60

/**
 * Fills the openings of businesses whose table ends within a week, and of those whose table ends later than one filled
 * now would: a clock that was ahead made it, and it may not even have begun. Idempotent and in small steps, so that an interrupted
 * run does no harm; while one instance fills, the others leave it to it. Hours that can be read no more become unknown. Hours that
 * are saved meanwhile come with their openings; a step in which all were ends the run. Run at start and nightly.
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
        const asked = rows.map((row) => ({ text: row.open_hours, place: placeOf(row) }))
        const read = await reader.read(asked, from, openingsDaysAhead + 2)
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

/**
 * The openings and the week of a wording, as `fillOpenings` would fill them in; null when no rule can read it.
 */
export async function readHours(
  { clock }: Pick<BusinessRoom, 'clock'>,
  text: string,
  place: Omit<store.HoursRow, 'business_id' | 'open_hours'>,
): Promise<{ changes: Date[]; until: Date; week: OpeningWeek | null } | null> {
  const now = clock.now()
  const reader = hoursReader()
  try {
    const asked = [{ text, place: placeOf(place) }]
    const [read] = await reader.read(asked, now.subtract({ hours: 48 }), openingsDaysAhead + 2)
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

/** Opens, closes, opens …: one instant after the other, also where openings touch or overlap. */
function changesOf(openings: readonly { opens_at: Date; closes_at: Date }[]): Date[] {
  const changes: Date[] = []
  for (const { opens_at, closes_at } of openings.toSorted((a, b) => +a.opens_at - +b.opens_at)) {
    const end = changes.at(-1)
    if (!end || opens_at > end) changes.push(opens_at, closes_at)
    else if (closes_at > end) changes[changes.length - 1] = closes_at
  }
  return changes
}
