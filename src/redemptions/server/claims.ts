import { randomInt } from 'node:crypto'
import { itemsOf, itemsOfDeals, lockDeal } from '../../deals/server/deals.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { Page, totalUpTo, type PageQuery } from '../../kit/server/page.ts'
import { defaultPageSize, isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen, rappenFromChf } from '../../kit/shared/money.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import { dealFacts, dealNotFound, type Deal } from '../../deals/contract.ts'
import {
  alreadyUsed,
  claimNotFound,
  dealNotRunning,
  limitReached,
  noCodeNeeded,
  soldOut,
  type Claim,
} from '../contract.ts'
import { hasReachedLimit, claimFault, returnFault } from '../policy.ts'
import { payloadOf } from '../limits.ts'
import { codeKeys, keyOfClaim, type RedemptionRoom } from './room.ts'
import { codesOf, endOfStep, stepAt } from './rotating-codes.ts'
import * as store from './store.ts'
import { usableTime, type UsableTime } from './usable-time.ts'

/**
 * Claims one item of the deal; a visitor who holds one gets that again. The lock on the deal gives its last item to one visitor only.
 * @throws `deal_not_found`, `deal_not_running`, `no_code_needed`, `sold_out`, `limit_reached`, `too_many_requests`
 */
export async function claimDeal(room: RedemptionRoom, dealId: string, accountId: string): Promise<Claim> {
  const waitS = await room.limits.claims.take(accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
  const now = room.clock.now()
  await refuseIfNoneIsLeft(room, dealId, accountId, asDate(now))
  const claimId = await room.db.transaction().execute(async (trx) => {
    const { deal, redeemed } = await lockDeal(trx, dealId, asDate(now))
    const own = await store.countOwn(trx, deal.deal_id, accountId, asDate(now))
    if (own.held) return own.held
    const usable = whenUsable(deal, now, room.zone)
    if (hasReachedLimit(own.redeemed, deal)) throw new Refusal(limitReached)
    const left = await itemsLeft(trx, { deal, redeemed }, asDate(now))
    if (left <= 0) throw new Refusal(soldOut)
    if (left === 1) await store.noteFull(trx, deal.deal_id, newId())
    return insertClaim(room, trx, deal, accountId, { now, ...usable })
  })
  return claimAnswer(room, (await store.findClaim(room.db, claimId, asDate(now)))!, now)
}

/** Items of a locked deal that are neither redeemed nor held. */
export async function itemsLeft(
  trx: Sql,
  { deal, redeemed }: { deal: Deal; redeemed: number },
  now: Date,
): Promise<number> {
  if (deal.total_limit === null) return Infinity
  return deal.total_limit - redeemed - (await store.countHeldOf(trx, deal.deal_id, now))
}

/**
 * Refuses a crowd that comes after the last item without taking the lock. Marks the deal as full here too: the merchant may have
 * lowered its limit. @throws `sold_out`
 */
async function refuseIfNoneIsLeft({ db }: RedemptionRoom, dealId: string, accountId: string, now: Date): Promise<void> {
  const items = isUuid(dealId) ? await itemsOf(db, dealId) : undefined
  if (!items || items.total_limit === null) return
  if (items.redeemed_count + (await store.countHeldOf(db, dealId, now)) < items.total_limit) return
  const own = await store.countOwn(db, dealId, accountId, now)
  if (own.held || own.redeemed > 0) return
  await store.noteFull(db, dealId, newId())
  throw new Refusal(soldOut)
}

/** @throws `deal_not_found`, `sold_out`, `deal_not_running`, `no_code_needed` */
function whenUsable(deal: Deal, now: Temporal.Instant, zone: string): UsableTime {
  const fault = claimFault(deal)
  if (fault) throw new Refusal(claimRefusals[fault])
  const usable = usableTime(deal, now, zone)
  if (!usable) throw new Refusal(dealNotRunning)
  return usable
}

const claimRefusals = {
  unknown: dealNotFound,
  sold_out: soldOut,
  not_running: dealNotRunning,
  no_code_needed: noCodeNeeded,
}

async function insertClaim(
  room: RedemptionRoom,
  trx: Sql,
  deal: Deal,
  accountId: string,
  at: UsableTime & { now: Temporal.Instant },
): Promise<string> {
  const claim_id = newId()
  for (let tries = 0; tries < slotTries; tries++) {
    const isIn = await store.insertClaim(trx, {
      ...pickedOf(deal, ['deal_id', 'business_id', 'deal_name', 'business_name', 'price', 'discount']),
      claim_id,
      account_id: accountId,
      slot: randomInt(1_000_000),
      key_print: codeKeys(room, deal.business_id)[0]!.print,
      price_rappen: deal.price_chf === null ? null : rappenFromChf(deal.price_chf),
      claimed_at: asDate(at.now),
      usable_from: asDate(at.from),
      expires_at: asDate(at.until),
    })
    if (!isIn) continue
    await room.countDealActivity(trx, { what: 'claimed', dealId: deal.deal_id, at: asDate(at.now), by: 1 })
    return claim_id
  }
  throw new Error('No free slot among the codes of the business')
}
/** With half of the million slots taken, all tries fail once in a million times. */
const slotTries = 20

/** Open claims first, then the others, newest first. */
export async function listClaims(
  room: RedemptionRoom,
  accountId: string,
  query: PageQuery & { brief: boolean },
): Promise<Page<Claim>> {
  const now = room.clock.now()
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['number', 'instant', 'id'])
  const rows = await store.listClaims(room.db, accountId, asDate(now), {
    after: after && { isOpen: after[0] ? 1 : 0, value: after[1], id: after[2] },
    offset: query.offset ?? 0,
    limit: limit + 1,
  })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const total = rows[0]?.total ?? 0
  return new Page(
    items.map((row) => claimAnswer(room, row, now, query.brief)),
    totalUpTo(total),
    rows.length > limit && last ? writeCursor([last.state === 'open' ? 1 : 0, last.claimed_at, last.claim_id]) : null,
  )
}

/** Gives a claim back. Safe to repeat. @throws `claim_not_found`, `already_used` */
export async function returnClaim(room: RedemptionRoom, claimId: string, accountId: string): Promise<null> {
  const now = asDate(room.clock.now())
  const claim = isUuid(claimId) ? await store.findClaim(room.db, claimId, now) : undefined
  if (!claim || returnFault(claim, accountId) === 'unknown') throw new Refusal(claimNotFound)
  return room.db.transaction().execute(async (trx) => {
    await lockDeal(trx, claim.deal_id, now)
    const row = await store.lockClaim(trx, claimId, now)
    const fault = row ? returnFault(row, accountId) : 'unknown'
    if (!row || fault === 'unknown') throw new Refusal(claimNotFound)
    if (fault) throw new Refusal(alreadyUsed, { values: { time: 'none' } })
    if (row.state === 'returned') return null
    await store.setReturned(trx, claimId, now)
    await publishIfFreed(room, trx, row.deal_id, now)
    return null
  })
}

/**
 * Publishes `deal-freed` when a full deal has an item again: once each time, and at most every half hour, however often somebody
 * claims and returns it. `publishFreedDeals` publishes later what is still true then.
 */
export async function publishIfFreed(room: RedemptionRoom, trx: Sql, dealId: string, now: Date): Promise<void> {
  const locked = await lockDeal(trx, dealId, now)
  // a paused deal is published when it runs again
  if (locked.deal.status !== 'active' || (await itemsLeft(trx, locked, now)) <= 0) return
  const once = await store.markFreed(trx, dealId, now)
  if (once) await room.publishFact(trx, dealFacts.freed, { deal_id: dealId, once })
}

const dealsAtOnce = 500

/** Publishes deals that no request has freed: a code expired, a limit was raised, a paused deal runs again. Run every minute. */
export async function publishFreedDeals(room: RedemptionRoom): Promise<void> {
  const now = asDate(room.clock.now())
  await inSteps(dealsAtOnce, async (step) => {
    const full = await store.listFull(room.db, now, step)
    const ids = full.map(({ deal_id }) => deal_id)
    const deals = new Map((await itemsOfDeals(room.db, ids, now)).map((deal) => [deal.deal_id, deal]))
    for (const { deal_id, held } of full) {
      const deal = deals.get(deal_id)
      if (!deal) continue
      const { status, total_limit, redeemed_count } = deal
      if (status === 'expired' || status === 'archived') await store.forgetFull(room.db, deal_id)
      else if (status === 'active' && redeemed_count + held < (total_limit ?? Infinity))
        await room.db.transaction().execute((trx) => publishIfFreed(room, trx, deal_id, now))
    }
    return ids
  })
}

/** A claim for its visitor; an open one has all codes until it expires, so that they show without a network. */
function claimAnswer(room: RedemptionRoom, row: store.ClaimRow, now: Temporal.Instant, brief = false): Claim {
  const { account_id: _, slot, key_print: __, returned_at: ___, price_rappen, ...shown } = row
  const key = keyOfClaim(room, row)
  const none = { code: null, qr_payload: null, step_expires_at: null, first_step: null, codes: null }
  const claim = {
    ...shown,
    price_chf: price_rappen === null ? null : chfFromRappen(price_rappen),
    server_now: now.toString({ fractionalSecondDigits: 3 }),
  }
  if (brief || row.state !== 'open' || slot === null || !key) return { ...claim, ...none }
  const first_step = stepAt(now)
  const last = stepAt(Temporal.Instant.from(row.expires_at))
  const codes = codesOf(key, slot, first_step, last - first_step + 1)
  const code = codes.slice(0, 6)
  return {
    ...claim,
    code,
    qr_payload: payloadOf(row.claim_id, code),
    step_expires_at: endOfStep(first_step).toString(),
    first_step,
    codes,
  }
}
