import type { ReportReason } from '../../brand/report-reasons.ts'
import { findPerson, isOwnersVisitor } from '../../accounts/server/accounts.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import { businessExists } from '../../businesses/server/businesses.ts'
import { dealNotFound } from '../../deals/contract.ts'
import { countRating, dealNames, hiddenDealsOf, lockDeal, ratingCountOf } from '../../deals/server/deals.ts'
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Who } from '../../kit/server/serve-endpoint.ts'
import { defaultPageSize, isUuid } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil, unauthenticated } from '../../kit/shared/refusal.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import { hasRedeemed } from '../../redemptions/server/redemptions.ts'
import {
  dealNotRated,
  latestRatings,
  notYourRating,
  ownDeal,
  ratingNotFound,
  type BusinessRatings,
  type Rating,
} from '../contract.ts'
import { canBeRated, isKnownToVisitors, isWithdrawn, mayBeDeleted, mayReply } from '../policy.ts'
import * as store from './store.ts'

export interface RatingRoom {
  db: Database
  clock: Clock
  limits: { ratings: Limiter; reports: Limiter }
  reported: (trx: Sql, reported: Reported) => Promise<void>
  deleted: (trx: Sql, ratingId: string) => Promise<void>
}

/** Somebody reported a rating. */
export interface Reported {
  ratingId: string
  businessId: string
  accountId: string
  why: ReportReason | null
  note: string | null
  at: Date
  /** When its author wrote it, or last changed it. */
  writtenAt: Date
}

/** The own rating first, then the newest. Throws `deal_not_found`. */
export async function listRatings(
  { db }: RatingRoom,
  dealId: string,
  who: Who | null,
  query: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined },
): Promise<Page<Rating>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const count = isUuid(dealId) ? await ratingCountOf(db, dealId) : null
  if (count === null) throw new Refusal(dealNotFound)
  const accountId = who?.accountId ?? null
  const offset = query.offset ?? 0
  // one's own comes first, so it is before all others of a later page too
  const own = !after && accountId ? await findGiven(db, dealId, accountId) : undefined
  const shown = offset === 0 ? own : undefined
  const room = shown ? limit - 1 : limit
  // counted with each rating, so nothing need be asked of a deal that has none
  const rows =
    count === 0
      ? []
      : await store.listRatings(db, dealId, {
          accountId,
          after: after && { value: after[0], id: after[1] },
          offset: own && offset > 0 ? offset - 1 : offset,
          limit: room + 1,
        })
  const others = rows.slice(0, room)
  const last = others.at(-1)
  return new Page(
    [...(shown ? [shown] : []), ...others].map((row) => ratingAnswer(row, who)),
    totalUpTo(count),
    rows.length > room ? writeCursor(last ? [last.updated_at, last.rating_id] : beforeAll) : null,
  )
}

/** The account's rating of the deal, unless it took it back. */
async function findGiven(db: Sql, dealId: string, accountId: string): Promise<store.RatingRow | undefined> {
  const own = await store.findOwn(db, dealId, accountId)
  return own && !isWithdrawn(own) ? own : undefined
}

/** Where a page holds one's own alone, the next one begins with the first of the others. */
const beforeAll = ['9999-12-31T00:00:00.000Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/**
 * A visitor's one rating of a deal. The deal is locked, so that its mean and count are those of its ratings, however many
 * rate at once. Throws `deal_not_found`, `deal_not_rated`, `own_deal`, `too_many_requests`.
 */
export async function rateDeal(
  room: RatingRoom,
  dealId: string,
  who: Who,
  { stars, comment }: { stars: number; comment?: string | undefined },
): Promise<Rating> {
  const { db, clock, limits } = room
  const waitS = await limits.ratings.take(who.accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
  const person = await findPerson(db, who.accountId)
  if (!person) throw new Refusal(unauthenticated)
  const now = asDate(clock.now())
  await db.transaction().execute(async (trx) => {
    const { deal } = await lockDeal(trx, dealId, now)
    if (!isKnownToVisitors(deal)) throw new Refusal(dealNotFound)
    if (await isOwnersVisitor(trx, who.accountId, deal.business_id)) throw new Refusal(ownDeal)
    const verified = await hasRedeemed(trx, who.accountId, dealId)
    if (!canBeRated(deal, verified)) throw new Refusal(dealNotRated)
    const before = await store.findOwn(trx, dealId, who.accountId)
    const of = { ...pickedOf(deal, ['deal_id', 'business_id']), rating_id: newId(), account_id: who.accountId }
    const content = { stars, comment: comment?.trim() ? comment : null, author_name: person.display_name, verified }
    await store.saveRating(trx, of, content, now)
    // a hidden one counts nowhere, whatever it says now
    if (before?.hidden_at) return
    await countRating(trx, dealId, { stars: stars - (before?.stars ?? 0), ratings: before ? 0 : 1 })
  })
  return ratingAnswer((await store.findOwn(db, dealId, who.accountId))!, who)
}

/** Throws `rating_not_found`. */
export async function deleteRating({ db, clock, deleted }: RatingRoom, dealId: string, who: Who): Promise<null> {
  if (!isUuid(dealId) || !(await findGiven(db, dealId, who.accountId))) throw new Refusal(ratingNotFound)
  return db.transaction().execute(async (trx) => {
    const now = asDate(clock.now())
    await lockDeal(trx, dealId, now)
    const own = await findGiven(trx, dealId, who.accountId)
    if (!own) throw new Refusal(ratingNotFound)
    if (!mayBeDeleted(own)) {
      await store.withdrawRating(trx, own.rating_id, now)
      return null
    }
    await store.deleteRating(trx, own.rating_id)
    await deleted(trx, own.rating_id)
    await countRating(trx, dealId, { stars: -own.stars, ratings: -1 })
    return null
  })
}

/** Throws `rating_not_found`, `not_your_rating`. */
export async function replyToRating(
  { db, clock }: RatingRoom,
  ratingId: string,
  who: Who,
  reply: string | undefined,
): Promise<Rating> {
  const row = isUuid(ratingId) ? await store.findRating(db, ratingId) : undefined
  if (!row || isWithdrawn(row)) throw new Refusal(ratingNotFound)
  if (!mayReply(who.businessId, row)) throw new Refusal(notYourRating)
  await store.setReply(db, ratingId, reply?.trim() ? reply : null, asDate(clock.now()))
  return ratingAnswer((await store.findRating(db, ratingId))!, who)
}

/** Throws `rating_not_found`, `too_many_requests`. */
export async function reportRating(
  { db, clock, limits, reported }: RatingRoom,
  ratingId: string,
  who: Who,
  { why, note }: { why?: ReportReason | undefined; note?: string | undefined },
): Promise<null> {
  const row = isUuid(ratingId) ? await store.findRating(db, ratingId) : undefined
  if (!row || isWithdrawn(row)) throw new Refusal(ratingNotFound)
  const waitS = await limits.reports.take(who.accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
  const at = asDate(clock.now())
  return db.transaction().execute(async (trx) => {
    await store.insertReport(trx, ratingId, who.accountId, at)
    const writtenAt = new Date(row.updated_at)
    await reported(trx, {
      ratingId,
      businessId: row.business_id,
      accountId: who.accountId,
      why: why ?? null,
      note: note?.trim() ? note : null,
      at,
      writtenAt,
    })
    return null
  })
}

/** What visitors think of all deals of a business, but for those that staff have hidden. Throws `business_not_found`. */
export async function findBusinessRatings(
  { db }: RatingRoom,
  businessId: string,
  who: Who | null,
): Promise<BusinessRatings> {
  if (!isUuid(businessId) || !(await businessExists(db, businessId))) throw new Refusal(businessNotFound)
  const hidden = await hiddenDealsOf(db, businessId)
  const spread = await store.starsOf(db, businessId, hidden)
  const latest = spread.length === 0 ? [] : await store.latestOf(db, businessId, hidden, latestRatings)
  const names = await dealNames(
    db,
    latest.map(({ deal_id }) => deal_id),
  )
  const stars = [1, 2, 3, 4, 5].map((each) => spread.find((row) => row.stars === each)?.count ?? 0)
  const count = stars.reduce((sum, each) => sum + each, 0)
  const sum = stars.reduce((all, each, index) => all + each * (index + 1), 0)
  return {
    rating_mean: count === 0 ? null : Math.round((sum / count) * 10) / 10,
    rating_count: count,
    stars,
    latest: latest.map((row) => ({ ...ratingAnswer(row, who), deal_name: names.get(row.deal_id) ?? '' })),
  }
}

/** The badge of who has redeemed the deal, or has undone it. */
export async function noteRedeemed({ db }: RatingRoom, dealId: string, accountId: string): Promise<void> {
  await store.setVerified(db, dealId, accountId, await hasRedeemed(db, accountId, dealId))
}

/** Staff hide it, or bring it back; the mean and count of its deal follow. */
export async function setRatingHidden(trx: Sql, ratingId: string, hidden: boolean, now: Date): Promise<void> {
  const [found] = await store.ratingsForStaff(trx, [ratingId])
  if (!found) return
  await lockDeal(trx, found.deal_id, now)
  const [row] = await store.ratingsForStaff(trx, [ratingId])
  if (!row || (row.hidden_at !== null) === hidden) return
  // its author took it back meanwhile, so there is nothing to bring back
  if (isWithdrawn(row)) return store.deleteRating(trx, ratingId)
  await store.setHidden(trx, ratingId, hidden ? now : null)
  const by = hidden ? -1 : 1
  await countRating(trx, row.deal_id, { stars: by * row.stars, ratings: by })
}

/** For figures, and for staff, who see hidden ones too. */
export const { ratingsByHour, ratingsForStaff } = store

function ratingAnswer(
  { account_id, business_id: _, hidden_at: __, withdrawn_at: ___, ...row }: store.RatingRow,
  who: Who | null,
): Rating {
  return { ...row, own: account_id !== null && account_id === who?.accountId }
}
