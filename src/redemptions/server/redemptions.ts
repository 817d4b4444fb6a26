import type { Deal } from '../../deals/contract.ts'
import { lockDeal, countRedemption } from '../../deals/server/deals.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import { defaultPageSize, isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen, rappenFromChf } from '../../kit/shared/money.ts'
import { invalidInput, Refusal, type RefusalKind } from '../../kit/shared/refusal.ts'
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
  undoMinutes,
  undoTooLate,
  type CheckedCode,
  type Redemption,
} from '../contract.ts'
import { itemsLeft, tellIfFreed } from './claims.ts'
import { isCodeOf, readCode, writeTicket, type GivenCode, type ReadCode } from './reading.ts'
import type { RedemptionRoom } from './room.ts'
import * as store from './store.ts'
import { unusedClaimDays } from '../limits.ts'
import type { Till } from './tills.ts'

/** The room's only server door. */
export { claimDeal, listClaims, returnClaim, tellFreed } from './claims.ts'
export { keepsRedemptions } from './keeping.ts'
export { redemptionLimits, type RedemptionRoom } from './room.ts'
export { addDevice, listDevices, removeDevice, tillOfBusiness, tillOfToken, unlockTill } from './tills.ts'

export interface Redeeming extends GivenCode {
  amount_chf: number
  scanned_at?: string | undefined
  clock_offset_ms?: number | undefined
  idempotency_key?: string | undefined
}

/** What a code stands for, and whether it can be redeemed now. Throws as `redeemCode`. */
export async function checkCode(room: RedemptionRoom, till: Till, given: GivenCode): Promise<CheckedCode> {
  const now = room.clock.now()
  const read = await readCode(room, till, given, now)
  const claim = await store.findClaim(room.db, read.claimId, asDate(now))
  if (!claim) throw new Refusal(codeUnknown)
  refuseUnlessGood(room, claim, read.readAt)
  return {
    deal_id: claim.deal_id,
    deal_name: claim.deal_name,
    price: claim.price,
    discount: claim.discount,
    price_chf: claim.price_rappen === null ? null : chfFromRappen(claim.price_rappen),
    ticket: writeTicket(room, till, read),
  }
}

/**
 * Redeems a code, once, however many tills try. A scan that a till has kept without network is checked for the instant at
 * which it was made; when it cannot count, it stays in the merchant's list as a conflict.
 * Throws `code_unknown`, `already_used`, `expired`, `too_early`, `wrong_business`, `limit_reached`, `device_unknown`,
 * `too_many_wrong_codes`, `too_many_requests`, `idempotency_key_used`.
 */
export async function redeemCode(room: RedemptionRoom, till: Till, given: Redeeming): Promise<Redemption> {
  const now = room.clock.now()
  const before = await sentBefore(room, till, given, now)
  if (before) return before
  const at = given.scanned_at === undefined ? now : scannedAt(given.scanned_at, given.clock_offset_ms ?? 0, now)
  let read: ReadCode | null = null
  try {
    // removed since the scan, or never registered
    if (given.scanned_at !== undefined && till.tillId === null) throw new Refusal(deviceUnknown)
    if (at.until(now).total('hours') > offlineHours) throw new Refusal(codeExpired)
    read = await readCode(room, till, given, at, given.scanned_at !== undefined)
    const redemptionId = await redeemClaim(room, till, given, read, now)
    if (redemptionId) return await answerOf(room, till, redemptionId)
    return (await sentBefore(room, till, given, now))!
  } catch (error) {
    if (given.scanned_at !== undefined && error instanceof Refusal && isConflict(error.kind))
      await keepConflict(room, till, given, { reason: error.kind.code, at, read, now })
    throw error
  }
}

/** The instant of a kept scan by the clock of the server. Throws `invalid_input`. */
function scannedAt(scanned: string, offsetMs: number, now: Temporal.Instant): Temporal.Instant {
  const ms = Date.parse(scanned) + offsetMs
  // as far ahead as an answer may take to arrive
  if (!(ms >= 0 && ms <= now.epochMilliseconds + aheadMs))
    throw new Refusal(invalidInput, { fields: { scanned_at: { key: 'no_past_time' } } })
  return Temporal.Instant.fromEpochMilliseconds(Math.min(ms, now.epochMilliseconds))
}
const aheadMs = 30_000

/** The deal is locked first and the claim then, as everywhere. Null where it was sent before. */
async function redeemClaim(
  room: RedemptionRoom,
  till: Till,
  given: Redeeming,
  { claimId, dealId, readAt }: ReadCode,
  now: Temporal.Instant,
): Promise<string | null> {
  return room.db.transaction().execute(async (trx) => {
    const { deal, redeemed } = await lockDeal(trx, dealId, asDate(now))
    const claim = await store.lockClaim(trx, claimId, asDate(now))
    if (!claim) throw new Refusal(codeUnknown)
    // sent twice at once: the other one has it
    if (given.idempotency_key && (await store.findSentAs(trx, till.businessId, given.idempotency_key))) return null
    refuseUnlessGood(room, claim, readAt)
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
    // sent for a code of another deal at the same moment, whose lock this one does not wait for
    if (!isNew) return null
    await store.setRedeemed(trx, claim.claim_id, asDate(readAt))
    await countRedemption(trx, claim.deal_id, 1)
    const amountRappen = rappenFromChf(given.amount_chf)
    await room.count(trx, { what: 'redeemed', dealId: claim.deal_id, at: asDate(readAt), by: 1, amountRappen })
    await tellRooms(room, trx, claim, 'deal-redeemed')
    return redemption_id
  })
}

/**
 * What a code held while it was open may be somebody else's by now, or its visitor's own under another code: that one lapses where
 * both would be more than one visitor may have. Throws `limit_reached`.
 */
async function takeAnotherItem(
  trx: Sql,
  claim: store.ClaimRow,
  locked: { deal: Deal; redeemed: number },
  now: Date,
): Promise<void> {
  const { deal } = locked
  const own = claim.account_id && (await store.countOwn(trx, deal.deal_id, claim.account_id, now))
  if (own && own.had >= deal.per_user_limit) throw new Refusal(limitReached)
  if (own && own.held && own.had + 1 >= deal.per_user_limit) await store.setReturned(trx, own.held, now)
  const left = await itemsLeft(trx, locked, now)
  if (left <= 0) throw new Refusal(limitReached)
  if (left === 1) await store.noteFull(trx, deal.deal_id, newId())
}

/** Throws why the claim could not be redeemed at the instant. */
function refuseUnlessGood(room: RedemptionRoom, claim: store.ClaimRow, at: Temporal.Instant): void {
  const today = room.clock.now().toZonedDateTimeISO(room.zone).toPlainDate()
  // with the weekday where it is of another day
  const told = (instant: string) => {
    const wall = Temporal.Instant.from(instant).toZonedDateTimeISO(room.zone)
    const time = wall.toPlainTime().toString({ smallestUnit: 'minute' })
    return { values: { time, day: wall.toPlainDate().equals(today) ? 'none' : `d${wall.dayOfWeek}` } }
  }
  if (claim.redeemed_at !== null) throw new Refusal(alreadyUsed, told(claim.redeemed_at))
  // a code that a till had read before it was given back counts: its item may have been handed out for it
  const isOver = (end: string | null) => end !== null && Temporal.Instant.compare(end, at) <= 0
  if (isOver(claim.returned_at) || isOver(claim.expires_at)) throw new Refusal(codeExpired)
  if (Temporal.Instant.compare(claim.usable_from, at) > 0) throw new Refusal(codeTooEarly, told(claim.usable_from))
}

const isConflict = ({ code }: RefusalKind) => (conflictReasons as readonly string[]).includes(code)

/** Never a silent loss: what a till has kept stands in the list, with why it could not count. */
async function keepConflict(
  room: RedemptionRoom,
  till: Till,
  given: Redeeming,
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

const rowOf = (till: Till, given: Redeeming, now: Temporal.Instant) => ({
  business_id: till.businessId,
  till_id: till.tillId,
  amount_rappen: rappenFromChf(given.amount_chf),
  recorded_at: asDate(now),
  sent_as: given.idempotency_key ?? null,
})

/** What the same redemption got when it was sent before. Throws as it did then, and `idempotency_key_used` for another one. */
async function sentBefore(
  room: RedemptionRoom,
  till: Till,
  given: Redeeming,
  now: Temporal.Instant,
): Promise<Redemption | null> {
  const key = given.idempotency_key
  const row = key === undefined ? undefined : await store.findSentAs(room.db, till.businessId, key)
  if (!row) return null
  const claim = row.claim_id === null ? undefined : await store.findClaim(room.db, row.claim_id, asDate(now))
  const isSame =
    row.amount_rappen === rappenFromChf(given.amount_chf) &&
    // of a conflict whose code nobody could read, the amount is all that is known
    (!claim || isCodeOf(room, given, claim, Temporal.Instant.from(row.redeemed_at)))
  if (!isSame) throw new Refusal(keyUsed)
  if (row.state === 'conflict') throw new Refusal({ code: row.reason!, status: 409 }, { values: { time: 'none' } })
  return redemptionAnswer(row)
}

/**
 * Takes a redemption back: the code is good again, the item is there again, the amount is no sale. Undone twice it is as
 * undone once. Throws `redemption_not_found`, `undo_too_late`.
 */
export async function undoRedemption(room: RedemptionRoom, till: Till, redemptionId: string): Promise<Redemption> {
  const now = room.clock.now()
  const row = isUuid(redemptionId) ? await store.findRedemption(room.db, till.businessId, redemptionId) : undefined
  const isSeen = row && row.state !== 'conflict' && (!till.redeemOnly || row.till_id === till.tillId)
  if (!isSeen) throw new Refusal(redemptionNotFound)
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
    const happened = { what: 'redeemed', dealId: row.deal_id, at: new Date(row.redeemed_at) } as const
    await room.count(trx, { ...happened, by: -1, amountRappen: row.amount_rappen })
    // not while the code that is good again holds it
    await tellIfFreed(room, trx, row.deal_id, asDate(now))
  }
  if (claim) await tellRooms(room, trx, claim, 'redemption-undone')
}

/** Rooms above hear of it, e.g. for a badge or for trust. */
async function tellRooms(room: RedemptionRoom, trx: Sql, claim: store.ClaimRow, fact: string): Promise<void> {
  const { account_id, deal_id } = claim
  if (account_id !== null) await room.publishFact(trx, fact, { account_id, deal_id })
}

/** Of a business, newest first, conflicts among them. */
export async function listRedemptions(
  room: RedemptionRoom,
  businessId: string,
  query: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined },
): Promise<Page<Redemption>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const rows = await store.listRedemptions(room.db, businessId, {
    after: after && { value: after[0], id: after[1] },
    offset: query.offset ?? 0,
    limit: limit + 1,
  })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const total = rows[0]?.total ?? 0
  return new Page(
    items.map(redemptionAnswer),
    totalUpTo(total),
    rows.length > limit && last ? writeCursor([last.recorded_at, last.redemption_id]) : null,
  )
}

async function answerOf(room: RedemptionRoom, till: Till, redemptionId: string): Promise<Redemption> {
  return redemptionAnswer((await store.findRedemption(room.db, till.businessId, redemptionId))!)
}

const undoUntil = (row: store.RedemptionRow) => Temporal.Instant.from(row.recorded_at).add({ minutes: undoMinutes })

function redemptionAnswer(row: store.RedemptionRow): Redemption {
  return {
    redemption_id: row.redemption_id,
    deal_id: row.deal_id,
    deal_name: row.deal_name,
    state: row.state,
    reason: row.reason,
    amount_chf: chfFromRappen(row.amount_rappen),
    redeemed_at: row.redeemed_at,
    recorded_at: row.recorded_at,
    undo_until: row.state === 'redeemed' ? undoUntil(row).toString() : null,
    device_name: row.device_name,
  }
}

/** Frees the places of codes that nobody can send any more, and deletes claims that were never redeemed. */
export async function forgetClaims(db: Sql, now: Date): Promise<void> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await store.freeSlots(db, before(offlineHours + 1))
  await store.forgetUnused(db, before(unusedClaimDays * 24))
}

/** Whether a visitor has redeemed the deal, or any, and not undone it. */
export const { hasRedeemed, hasRedeemedAny } = store

/** "Sales in CHF", without what was undone. */
export async function salesOf(db: Sql, businessId: string): Promise<number> {
  return chfFromRappen(await store.salesOf(db, businessId))
}

/** How many codes visitors have fetched of each deal; deals without any are left out. */
export async function claimsOf(db: Sql, dealIds: string[]): Promise<Map<string, number>> {
  const rows = await store.countClaimsOf(db, dealIds)
  return new Map(rows.map(({ deal_id, claims }) => [deal_id, claims]))
}
