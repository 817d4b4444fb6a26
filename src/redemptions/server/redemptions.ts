import { lockDeal, countRedemption } from '../../deals/server/deals.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { pageByTime, type Page, type PageQuery } from '../../kit/server/page.ts'
import { nightEndsMinute } from '../../kit/shared/calendar.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen, rappenFromChf } from '../../kit/shared/money.ts'
import { invalidInput, Refusal, type RefusalKind } from '../../kit/shared/refusal.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import {
  alreadyUsed,
  codeExpired,
  codeTooEarly,
  codeUnknown,
  conflictReasons,
  deviceUnknown,
  keyUsed,
  limitReached,
  offlineHours,
  redemptionNotFound,
  undoTooLate,
  type CheckedCode,
  type redeemedTonight as redeemedTonightEndpoint,
  type Redemption,
} from '../contract.ts'
import { itemsLeft, publishIfFreed } from './claims.ts'
import { isCodeOf, readCode, writeTicket, type GivenCode, type ReadCode } from './reading.ts'
import type { RedemptionRoom } from './room.ts'
import * as store from './store.ts'
import { undoMinutes, unusedClaimDays } from '../limits.ts'
import { hasReachedLimit, mayRedeemLater, mayUndo, undoUntil, type Till } from '../policy.ts'
import type { StatsTonight } from '../../businesses/contract.ts'
import { dealFacts, type Deal } from '../../deals/contract.ts'

/** The room's only server door. */
export { claimDeal, listClaims, returnClaim, publishFreedDeals } from './claims.ts'
export { redemptionPersonalData } from './personal-data.ts'
export { redemptionLimits, type RedemptionRoom } from './room.ts'
export { addDevice, listDevices, removeDevice, tillOfLogin, tillOfToken, unlockTill } from './tills.ts'

export interface RedeemInput extends GivenCode {
  amount_chf: number
  scanned_at?: string | undefined
  clock_offset_ms?: number | undefined
  idempotency_key?: string | undefined
}

/** The deal of a code that can be redeemed now. @throws as `redeemCode` */
export async function checkCode(room: RedemptionRoom, till: Till, given: GivenCode): Promise<CheckedCode> {
  const now = room.clock.now()
  const read = await readCode(room, till, given, now)
  const claim = await store.findClaim(room.db, read.claimId, asDate(now))
  if (!claim) throw new Refusal(codeUnknown)
  refuseUnlessRedeemable(room, claim, read.readAt)
  return {
    ...pickedOf(claim, ['deal_id', 'deal_name', 'price', 'discount']),
    price_chf: claim.price_rappen === null ? null : chfFromRappen(claim.price_rappen),
    ticket: writeTicket(room, till, read),
  }
}

/**
 * Redeems a code, once, however many tills try. An offline scan is checked for the instant at which it was made; if it cannot
 * count, it is stored as a conflict in the merchant's list.
 * @throws `code_unknown`, `already_used`, `expired`, `too_early`, `wrong_business`, `limit_reached`, `device_unknown`,
 * `too_many_wrong_codes`, `too_many_requests`, `idempotency_key_used`
 */
export async function redeemCode(room: RedemptionRoom, till: Till, given: RedeemInput): Promise<Redemption> {
  const now = room.clock.now()
  const before = await findEarlierAnswer(room, till, given, now)
  if (before) return before
  const at = given.scanned_at === undefined ? now : scannedAt(given.scanned_at, given.clock_offset_ms ?? 0, now)
  let read: ReadCode | null = null
  try {
    // the device was removed since the scan, or never registered
    if (given.scanned_at !== undefined && !mayRedeemLater(till)) throw new Refusal(deviceUnknown)
    if (at.until(now).total('hours') > offlineHours) throw new Refusal(codeExpired)
    read = await readCode(room, till, given, at, given.scanned_at !== undefined)
    const redemptionId = await redeemClaim(room, till, given, read, now)
    if (redemptionId) return await answerOf(room, till, redemptionId)
    return (await findEarlierAnswer(room, till, given, now))!
  } catch (error) {
    if (given.scanned_at !== undefined && error instanceof Refusal && isConflict(error.kind))
      await saveConflict(room, till, given, { reason: error.kind.code, at, read, now })
    throw error
  }
}

/** The instant of an offline scan by the server's clock. @throws `invalid_input` */
function scannedAt(scanned: string, offsetMs: number, now: Temporal.Instant): Temporal.Instant {
  const ms = Date.parse(scanned) + offsetMs
  // the measured offset is off by up to the time that an answer takes
  if (!(ms >= 0 && ms <= now.epochMilliseconds + aheadMs))
    throw new Refusal(invalidInput, { fields: { scanned_at: { key: 'no_past_time' } } })
  return Temporal.Instant.fromEpochMilliseconds(Math.min(ms, now.epochMilliseconds))
}
const aheadMs = 30_000

/** Lock order, as everywhere: the deal, then the claim. Null: the key was used before. */
async function redeemClaim(
  room: RedemptionRoom,
  till: Till,
  given: RedeemInput,
  { claimId, dealId, readAt }: ReadCode,
  now: Temporal.Instant,
): Promise<string | null> {
  return room.db.transaction().execute(async (trx) => {
    const { deal, redeemed } = await lockDeal(trx, dealId, asDate(now))
    const claim = await store.lockClaim(trx, claimId, asDate(now))
    if (!claim) throw new Refusal(codeUnknown)
    // the same request was sent twice at once, and the other one was first
    if (given.idempotency_key && (await store.findSentAs(trx, till.businessId, given.idempotency_key))) return null
    refuseUnlessRedeemable(room, claim, readAt)
    if (deal.ends_at !== null && Temporal.Instant.compare(deal.ends_at, readAt) <= 0) throw new Refusal(codeExpired)
    if (claim.state !== 'open') await takeAnotherItem(trx, claim, { deal, redeemed }, asDate(now))
    const redemption_id = newId()
    const isNew = await store.insertRedemption(trx, {
      ...rowOf(till, given, now),
      redemption_id,
      deal_id: claim.deal_id,
      claim_id: claim.claim_id,
      deal_name: claim.deal_name,
      state: 'redeemed',
      reason: null,
      redeemed_at: asDate(readAt),
    })
    // the same key came at the same moment for another deal, which has a lock of its own
    if (!isNew) return null
    await store.setRedeemed(trx, claim.claim_id, asDate(readAt))
    await countRedemption(trx, claim.deal_id, 1)
    const amountRappen = rappenFromChf(given.amount_chf)
    await room.countDealActivity(trx, {
      what: 'redeemed',
      dealId: claim.deal_id,
      at: asDate(readAt),
      by: 1,
      amountRappen,
    })
    await publishRedemptionFact(room, trx, claim, dealFacts.redeemed)
    return redemption_id
  })
}

/**
 * Takes an item for a claim that was given back or has expired after a till read its code. If its visitor holds another code and may
 * not redeem both, the other code lapses. @throws `limit_reached`
 */
async function takeAnotherItem(
  trx: Sql,
  claim: store.ClaimRow,
  locked: { deal: Deal; redeemed: number },
  now: Date,
): Promise<void> {
  const { deal } = locked
  const own = claim.account_id && (await store.countOwn(trx, deal.deal_id, claim.account_id, now))
  if (own && hasReachedLimit(own.redeemed, deal)) throw new Refusal(limitReached)
  if (own && own.held && hasReachedLimit(own.redeemed + 1, deal)) await store.setReturned(trx, own.held, now)
  const left = await itemsLeft(trx, locked, now)
  if (left <= 0) throw new Refusal(limitReached)
  if (left === 1) await store.noteFull(trx, deal.deal_id, newId())
}

/** @throws `already_used`, `expired`, `too_early` as of the instant */
function refuseUnlessRedeemable(room: RedemptionRoom, claim: store.ClaimRow, at: Temporal.Instant): void {
  const today = room.clock.now().toZonedDateTimeISO(room.zone).toPlainDate()
  // with the weekday if it was another day
  const timeOf = (instant: string) => {
    const wall = Temporal.Instant.from(instant).toZonedDateTimeISO(room.zone)
    const time = wall.toPlainTime().toString({ smallestUnit: 'minute' })
    return { values: { time, day: wall.toPlainDate().equals(today) ? 'none' : `d${wall.dayOfWeek}` } }
  }
  if (claim.redeemed_at !== null) throw new Refusal(alreadyUsed, timeOf(claim.redeemed_at))
  // a code that a till read before it was given back counts: the item may have been handed out
  const isOver = (end: string | null) => end !== null && Temporal.Instant.compare(end, at) <= 0
  if (isOver(claim.returned_at) || isOver(claim.expires_at)) throw new Refusal(codeExpired)
  if (Temporal.Instant.compare(claim.usable_from, at) > 0) throw new Refusal(codeTooEarly, timeOf(claim.usable_from))
}

const isConflict = ({ code }: RefusalKind) => (conflictReasons as readonly string[]).includes(code)

/** Stores an offline scan that cannot count, with the reason, so that the merchant sees it. */
async function saveConflict(
  room: RedemptionRoom,
  till: Till,
  given: RedeemInput,
  { reason, at, read, now }: { reason: string; at: Temporal.Instant; read: ReadCode | null; now: Temporal.Instant },
): Promise<void> {
  const claim = read && (await store.findClaim(room.db, read.claimId, asDate(now)))
  await store.insertRedemption(room.db, {
    ...rowOf(till, given, now),
    redemption_id: newId(),
    deal_id: claim?.deal_id ?? null,
    claim_id: claim?.claim_id ?? null,
    deal_name: claim?.deal_name ?? null,
    state: 'conflict',
    reason,
    redeemed_at: asDate(at),
  })
}

const rowOf = (till: Till, given: RedeemInput, now: Temporal.Instant) => ({
  business_id: till.businessId,
  till_id: till.tillId,
  amount_rappen: rappenFromChf(given.amount_chf),
  recorded_at: asDate(now),
  sent_as: given.idempotency_key ?? null,
})

/** The answer to an earlier request with the same key. @throws as that one did; `idempotency_key_used` for another code or amount */
async function findEarlierAnswer(
  room: RedemptionRoom,
  till: Till,
  given: RedeemInput,
  now: Temporal.Instant,
): Promise<Redemption | null> {
  const key = given.idempotency_key
  const row = key === undefined ? undefined : await store.findSentAs(room.db, till.businessId, key)
  if (!row) return null
  const claim = row.claim_id === null ? undefined : await store.findClaim(room.db, row.claim_id, asDate(now))
  const isSame =
    row.amount_rappen === rappenFromChf(given.amount_chf) &&
    // a conflict with an unknown code has nothing but the amount to compare
    (!claim || isCodeOf(room, given, claim, Temporal.Instant.from(row.redeemed_at)))
  if (!isSame) throw new Refusal(keyUsed)
  if (row.state === 'conflict') throw new Refusal({ code: row.reason!, status: 409 }, { values: { time: 'none' } })
  return redemptionAnswer(row)
}

/**
 * Undoes a redemption: the code is valid again, the item is available again, the amount is no sale. Safe to repeat.
 * @throws `redemption_not_found`, `undo_too_late`
 */
export async function undoRedemption(room: RedemptionRoom, till: Till, redemptionId: string): Promise<Redemption> {
  const now = room.clock.now()
  const row = isUuid(redemptionId) ? await store.findRedemption(room.db, till.businessId, redemptionId) : undefined
  if (!row || !mayUndo(till, row)) throw new Refusal(redemptionNotFound)
  if (row.state === 'redeemed') {
    if (Temporal.Instant.compare(undoUntil(row), now) < 0)
      throw new Refusal(undoTooLate, { values: { n: undoMinutes } })
    await room.db.transaction().execute((trx) => undo(room, trx, row, now))
  }
  return answerOf(room, till, redemptionId)
}

async function undo(room: RedemptionRoom, trx: Sql, row: store.RedemptionRow, now: Temporal.Instant): Promise<void> {
  if (row.deal_id) await lockDeal(trx, row.deal_id, asDate(now))
  const claim = row.claim_id ? await store.lockClaim(trx, row.claim_id, asDate(now)) : undefined
  const isUndone = await store.setUndone(trx, row.redemption_id, asDate(now))
  if (!isUndone) return
  if (row.claim_id) await store.setRedeemed(trx, row.claim_id, null)
  if (row.deal_id) {
    await countRedemption(trx, row.deal_id, -1)
    const activity = { what: 'redeemed', dealId: row.deal_id, at: new Date(row.redeemed_at) } as const
    await room.countDealActivity(trx, { ...activity, by: -1, amountRappen: row.amount_rappen })
    // frees nothing while the code is open again and holds the item
    await publishIfFreed(room, trx, row.deal_id, asDate(now))
  }
  if (claim) await publishRedemptionFact(room, trx, claim, dealFacts.redemptionUndone)
}

/** For example for the badge of a rating, and for trust in the forum. */
async function publishRedemptionFact(
  room: RedemptionRoom,
  trx: Sql,
  claim: store.ClaimRow,
  fact: (typeof dealFacts)['redeemed' | 'redemptionUndone'],
): Promise<void> {
  const { account_id, deal_id } = claim
  if (account_id !== null) await room.publishFact(trx, fact, { account_id, deal_id })
}

/** Redemptions and conflicts of a business, newest first. */
export const listRedemptions = (
  { db }: RedemptionRoom,
  businessId: string,
  query: PageQuery,
): Promise<Page<Redemption>> =>
  pageByTime(
    query,
    {
      list: (stretch) => store.listRedemptions(db, businessId, stretch),
      count: (cap) => store.countRedemptions(db, businessId, cap),
      placeOf: ({ recorded_at, redemption_id }) => [recorded_at, redemption_id],
    },
    (rows) => rows.map(redemptionAnswer),
  )

/** Number and sum of the redemptions since 06:00, without undone ones. */
export async function redeemedTonight(
  { db, clock, zone }: RedemptionRoom,
  businessId: string,
): Promise<AnswerBody<typeof redeemedTonightEndpoint>> {
  const { redeemed, rappen } = await store.redeemedBetween(db, businessId, beginOfNight(clock.now(), zone), clock.now())
  return { redeemed, amount_chf: chfFromRappen(rappen) }
}

/** The same by hour, beside the figures of a week ago until the same time of day. */
export async function statsOfTonight(
  { db, clock, zone }: Pick<RedemptionRoom, 'db' | 'clock' | 'zone'>,
  businessId: string,
): Promise<StatsTonight> {
  const now = clock.now()
  const since = beginOfNight(now, zone)
  const aWeekBefore = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).subtract({ weeks: 1 }).toInstant()
  const [hours, before] = await Promise.all([
    store.redeemedByHour(db, businessId, since),
    store.redeemedBetween(db, businessId, aWeekBefore(since), aWeekBefore(now)),
  ])
  const byHour = Array.from({ length: Math.floor(now.since(since).total('hours')) + 1 }, () => 0)
  for (const { hour, redeemed } of hours) byHour[Math.min(hour, byHour.length - 1)]! += redeemed
  return {
    redeemed: hours.reduce((sum, { redeemed }) => sum + redeemed, 0),
    amount_chf: chfFromRappen(hours.reduce((sum, { rappen }) => sum + rappen, 0)),
    by_hour: byHour,
    before: { redeemed: before.redeemed, amount_chf: chfFromRappen(before.rappen) },
  }
}

/** 06:00 today, in the small hours of the day before. */
function beginOfNight(now: Temporal.Instant, zone: string): Temporal.Instant {
  const here = now.toZonedDateTimeISO(zone)
  const hour = nightEndsMinute / 60
  const day = here.hour < hour ? here.toPlainDate().subtract({ days: 1 }) : here.toPlainDate()
  return day.toZonedDateTime({ timeZone: zone, plainTime: { hour } }).toInstant()
}

async function answerOf(room: RedemptionRoom, till: Till, redemptionId: string): Promise<Redemption> {
  return redemptionAnswer((await store.findRedemption(room.db, till.businessId, redemptionId))!)
}

function redemptionAnswer(row: store.RedemptionRow): Redemption {
  const { claim_id: _, till_id: __, amount_rappen, ...shown } = row
  return {
    ...shown,
    amount_chf: chfFromRappen(amount_rappen),
    undo_until: row.state === 'redeemed' ? undoUntil(row).toString() : null,
  }
}

/** Frees the slots of codes that can no longer be sent, and deletes old claims that were never redeemed. Run daily. */
export async function forgetClaims(db: Sql, now: Date): Promise<void> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await store.freeSlots(db, before(offlineHours + 1))
  await store.forgetUnused(db, before(unusedClaimDays * 24))
}

export const { countClaimsOf, hasRedeemed, salesOf } = store
