import type { ReportReason } from '../../brand/report-reasons.ts'
import { findPerson, isOwnersVisitor } from '../../accounts/server/accounts.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import { businessExists } from '../../businesses/server/businesses.ts'
import { dealNotFound } from '../../deals/contract.ts'
import { countRating, dealNames, hiddenDealsOf, lockDeal, ratingCountOf } from '../../deals/server/deals.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { Page, totalUpTo, type PageQuery } from '../../kit/server/page.ts'
import type { House } from '../../kit/server/room.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
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

export interface RatingRoom extends Pick<House, 'db' | 'clock'> {
  limits: { ratings: Limiter; reports: Limiter }
  onReported: (trx: Sql, report: RatingReport) => Promise<void>
  onDeleted: (trx: Sql, ratingId: string) => Promise<void>
}

export interface RatingReport {
  ratingId: string
  businessId: string
  accountId: string
  why: ReportReason | null
  note: string | null
  at: Date
  /** When the rating was written or last changed. */
  writtenAt: Date
}

/** Ratings of a deal: the account's own first, then the newest. @throws `deal_not_found` */
export async function listRatings(
  { db }: RatingRoom,
  dealId: string,
  who: Caller | null,
  query: PageQuery,
): Promise<Page<Rating>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const count = isUuid(dealId) ? await ratingCountOf(db, dealId) : null
  if (count === null) throw new Refusal(dealNotFound)
  const accountId = who?.accountId ?? null
  const offset = query.offset ?? 0
  // the list begins with the own rating, so offsets of later pages include it
  const own = !after && accountId ? await findOwnRating(db, dealId, accountId) : undefined
  const shown = offset === 0 ? own : undefined
  const places = shown ? limit - 1 : limit
  // the deal stores how many ratings it has: at 0, skip the query
  const rows =
    count === 0
      ? []
      : await store.listRatings(db, dealId, {
          accountId,
          after: after && { at: after[0], id: after[1] },
          offset: own && offset > 0 ? offset - 1 : offset,
          limit: places + 1,
        })
  const others = rows.slice(0, places)
  const last = others.at(-1)
  return new Page(
    [...(shown ? [shown] : []), ...others].map((row) => ratingAnswer(row, who)),
    totalUpTo(count),
    rows.length > places ? writeCursor(last ? [last.updated_at, last.rating_id] : firstCursor) : null,
  )
}

/** The account's rating of the deal, unless it is withdrawn. */
async function findOwnRating(db: Sql, dealId: string, accountId: string): Promise<store.RatingRow | undefined> {
  const own = await store.findOwn(db, dealId, accountId)
  return own && !isWithdrawn(own) ? own : undefined
}

/** Cursor before all ratings of others, for the page after one that had room only for the own rating. */
const firstCursor = ['9999-12-31T00:00:00.000Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/**
 * Saves the visitor's one rating of a deal. Locks the deal, so that its mean and count stay right when several visitors rate at once.
 * @throws `deal_not_found`, `deal_not_rated`, `own_deal`, `too_many_requests`
 */
export async function rateDeal(
  room: RatingRoom,
  dealId: string,
  who: Caller,
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
    // a hidden rating is not counted
    if (before?.hidden_at) return
    await countRating(trx, dealId, { stars: stars - (before?.stars ?? 0), ratings: before ? 0 : 1 })
  })
  return ratingAnswer((await store.findOwn(db, dealId, who.accountId))!, who)
}

/** @throws `rating_not_found` */
export async function deleteRating({ db, clock, onDeleted }: RatingRoom, dealId: string, who: Caller): Promise<null> {
  if (!isUuid(dealId) || !(await findOwnRating(db, dealId, who.accountId))) throw new Refusal(ratingNotFound)
  return db.transaction().execute(async (trx) => {
    const now = asDate(clock.now())
    await lockDeal(trx, dealId, now)
    const own = await findOwnRating(trx, dealId, who.accountId)
    if (!own) throw new Refusal(ratingNotFound)
    if (!mayBeDeleted(own)) {
      await store.withdrawRating(trx, own.rating_id, now)
      return null
    }
    await store.deleteRating(trx, own.rating_id)
    await onDeleted(trx, own.rating_id)
    await countRating(trx, dealId, { stars: -own.stars, ratings: -1 })
    return null
  })
}

/** @throws `rating_not_found`, `not_your_rating` */
export async function replyToRating(
  { db, clock }: RatingRoom,
  ratingId: string,
  who: Caller,
  reply: string | undefined,
): Promise<Rating> {
  const row = await findRating(db, ratingId)
  if (!mayReply(who.businessId, row)) throw new Refusal(notYourRating)
  await store.setReply(db, ratingId, reply?.trim() ? reply : null, asDate(clock.now()))
  return ratingAnswer(await findRating(db, ratingId), who)
}

/** @throws `rating_not_found`, also if the rating is withdrawn */
async function findRating(db: Sql, ratingId: string): Promise<store.RatingRow> {
  const [row] = isUuid(ratingId) ? await store.ratingsByIds(db, [ratingId]) : []
  if (!row || isWithdrawn(row)) throw new Refusal(ratingNotFound)
  return row
}

/** @throws `rating_not_found`, `too_many_requests` */
export async function reportRating(
  { db, clock, limits, onReported }: RatingRoom,
  ratingId: string,
  who: Caller,
  { why, note }: { why?: ReportReason | undefined; note?: string | undefined },
): Promise<null> {
  const row = await findRating(db, ratingId)
  const waitS = await limits.reports.take(who.accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
  const at = asDate(clock.now())
  return db.transaction().execute(async (trx) => {
    await store.insertReport(trx, ratingId, who.accountId, at)
    const reason = { why: why ?? null, note: note?.trim() ? note : null }
    const rating = { ratingId, businessId: row.business_id, writtenAt: new Date(row.updated_at) }
    await onReported(trx, { ...rating, ...reason, accountId: who.accountId, at })
    return null
  })
}

/** Mean, spread and latest ratings of a business. Deals and ratings that staff have hidden do not count. @throws `business_not_found` */
export async function findBusinessRatings(
  { db }: RatingRoom,
  businessId: string,
  who: Caller | null,
): Promise<BusinessRatings> {
  if (!isUuid(businessId) || !(await businessExists(db, businessId))) throw new Refusal(businessNotFound)
  const hidden = await hiddenDealsOf(db, businessId)
  const spread = await store.starsOf(db, businessId, hidden)
  const latest = spread.length === 0 ? [] : await store.latestOf(db, businessId, hidden, latestRatings)
  const dealIds = latest.map(({ deal_id }) => deal_id)
  const names = await dealNames(db, dealIds)
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

/** Updates the badge "verified" after the visitor's redemption of the deal, or its undo. */
export async function updateVerified({ db }: RatingRoom, dealId: string, accountId: string): Promise<void> {
  await store.setVerified(db, dealId, accountId, await hasRedeemed(db, accountId, dealId))
}

/** Hides or shows a rating by decision of staff, and updates mean and count of its deal. */
export async function setRatingHidden(trx: Sql, ratingId: string, hidden: boolean, now: Date): Promise<void> {
  const [found] = await store.ratingsByIds(trx, [ratingId])
  if (!found) return
  await lockDeal(trx, found.deal_id, now)
  const [row] = await store.ratingsByIds(trx, [ratingId])
  if (!row || (row.hidden_at !== null) === hidden) return
  // the author withdrew the rating, so it is deleted instead of shown
  if (isWithdrawn(row)) return store.deleteRating(trx, ratingId)
  await store.setHidden(trx, ratingId, hidden ? now : null)
  const by = hidden ? -1 : 1
  await countRating(trx, row.deal_id, { stars: by * row.stars, ratings: by })
}

/** Read by the rooms analytics and cases. */
export const { ratingsByHour, ratingsByIds } = store

function ratingAnswer(
  { account_id, business_id: _, hidden_at: __, withdrawn_at: ___, ...row }: store.RatingRow,
  who: Caller | null,
): Rating {
  return { ...row, own: account_id !== null && account_id === who?.accountId }
}
