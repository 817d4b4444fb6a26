import { randomInt } from 'node:crypto'
import { itemsOf, itemsOfDeals, lockDeal } from '../../deals/server/deals.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import { defaultPageSize, isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen, rappenFromChf } from '../../kit/shared/money.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { dealNotFound, type Deal } from '../../deals/contract.ts'
import {
  alreadyUsed,
  claimNotFound,
  dealNotRunning,
  limitReached,
  noCodeNeeded,
  soldOut,
  type Claim,
} from '../contract.ts'
import { payloadOf } from './payload.ts'
import { codeKeys, type RedemptionRoom } from './room.ts'
import { codesOf, endOfStep, stepAt } from './rotating-codes.ts'
import * as store from './store.ts'
import { usableTime, type UsableTime } from './usable-time.ts'

/**
 * One item of the deal for this visitor; who holds one already gets that one. Claims of a deal come one after the other, so
 * the last item goes to exactly one.
 * Throws `deal_not_found`, `deal_not_running`, `no_code_needed`, `sold_out`, `limit_reached`, `too_many_requests`.
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
    if (own.had >= deal.per_user_limit) throw new Refusal(limitReached)
    const left = await itemsLeft(trx, { deal, redeemed }, asDate(now))
    if (left <= 0) throw new Refusal(soldOut)
    if (left === 1) await store.noteFull(trx, deal.deal_id, newId())
    return insertClaim(room, trx, deal, accountId, { now, ...usable })
  })
  return claimAnswer(room, (await store.findClaim(room.db, claimId, asDate(now)))!, now)
}

/** How many items of a locked deal nobody has redeemed or holds. */
export async function itemsLeft(
  trx: Sql,
  { deal, redeemed }: { deal: Deal; redeemed: number },
  now: Date,
): Promise<number> {
  if (deal.total_limit === null) return Infinity
  return deal.total_limit - redeemed - (await store.countHeldOf(trx, deal.deal_id, now))
}

/**
 * A crowd that comes too late for the last item is told so without waiting for each other at the lock. That none is left is
 * noted here too: it may be so without a claim, where the merchant has lowered the limit.
 */
async function refuseIfNoneIsLeft({ db }: RedemptionRoom, dealId: string, accountId: string, now: Date): Promise<void> {
  const items = isUuid(dealId) ? await itemsOf(db, dealId) : undefined
  if (!items || items.total_limit === null) return
  if (items.redeemed_count + (await store.countHeldOf(db, dealId, now)) < items.total_limit) return
  const own = await store.countOwn(db, dealId, accountId, now)
  if (own.held || own.had > 0) return
  await store.noteFull(db, dealId, newId())
  throw new Refusal(soldOut)
}

/** Throws why nobody can claim it now. */
function whenUsable(deal: Deal, now: Temporal.Instant, zone: string): UsableTime {
  if (deal.status === 'draft' || deal.status === 'archived') throw new Refusal(dealNotFound)
  if (deal.status === 'sold_out') throw new Refusal(soldOut)
  if (deal.status !== 'active') throw new Refusal(dealNotRunning)
  if (deal.redemption_mode !== 'code') throw new Refusal(noCodeNeeded)
  const usable = usableTime(deal, now, zone)
  if (!usable) throw new Refusal(dealNotRunning)
  return usable
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
      claim_id,
      deal_id: deal.deal_id,
      business_id: deal.business_id,
      account_id: accountId,
      slot: randomInt(1_000_000),
      key_print: codeKeys(room, deal.business_id)[0]!.print,
      deal_name: deal.deal_name,
      business_name: deal.business_name,
      price: deal.price,
      discount: deal.discount,
      price_rappen: deal.price_chf === null ? null : rappenFromChf(deal.price_chf),
      claimed_at: asDate(at.now),
      usable_from: asDate(at.from),
      expires_at: asDate(at.until),
    })
    if (!isIn) continue
    await room.count(trx, { what: 'claimed', dealId: deal.deal_id, at: asDate(at.now), by: 1 })
    return claim_id
  }
  throw new Error('No free slot among the codes of the business')
}
/** Even when half of a million slots are taken, all of these fail once in a million times. */
const slotTries = 20

/** What the account holds first, then what it had, newest first. */
export async function listClaims(
  room: RedemptionRoom,
  accountId: string,
  query: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; brief: boolean },
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

/** Returned twice it is as returned once. Throws `claim_not_found`, `already_used`. */
export async function returnClaim(room: RedemptionRoom, claimId: string, accountId: string): Promise<null> {
  const now = asDate(room.clock.now())
  const claim = isUuid(claimId) ? await store.findClaim(room.db, claimId, now) : undefined
  if (claim?.account_id !== accountId) throw new Refusal(claimNotFound)
  return room.db.transaction().execute(async (trx) => {
    await lockDeal(trx, claim.deal_id, now)
    const row = await store.lockClaim(trx, claimId, now)
    if (!row) throw new Refusal(claimNotFound)
    if (row.state === 'redeemed') throw new Refusal(alreadyUsed, { values: { time: 'none' } })
    if (row.state === 'returned') return null
    await store.setReturned(trx, claimId, now)
    await tellIfFreed(room, trx, row.deal_id, now)
    return null
  })
}

/**
 * Rooms above hear that of a deal of which nothing was left there is something again (`deal-freed`): once each time, and at
 * most once in half an hour, however often somebody takes it and gives it back. After that the job of each minute tells what is still true.
 */
export async function tellIfFreed(room: RedemptionRoom, trx: Sql, dealId: string, now: Date): Promise<void> {
  const locked = await lockDeal(trx, dealId, now)
  // of one that is paused it is told when it runs again
  if (locked.deal.status !== 'active' || (await itemsLeft(trx, locked, now)) <= 0) return
  const once = await store.toldOfFreed(trx, dealId, now)
  if (once) await room.publishFact(trx, 'deal-freed', { deal_id: dealId, once })
}

const dealsAtOnce = 500

/**
 * What no request tells: that a code has expired which nobody used, that a limit was raised, that a deal which was paused
 * runs again. Every minute; several instances may do it at once.
 */
export async function tellFreed(room: RedemptionRoom): Promise<void> {
  const now = asDate(room.clock.now())
  await inSteps(dealsAtOnce, async (step) => {
    const full = await store.listFull(room.db, now, step)
    const ids = full.map(({ deal_id }) => deal_id)
    const deals = new Map((await itemsOfDeals(room.db, ids, now)).map((deal) => [deal.deal_id, deal]))
    for (const { deal_id, held } of full) {
      const deal = deals.get(deal_id)
      if (!deal) continue
      const { status, total_limit, redeemed_count } = deal
      // nobody waits for it any more
      if (status === 'expired' || status === 'archived') await store.forgetFull(room.db, deal_id)
      else if (status === 'active' && redeemed_count + held < (total_limit ?? Infinity))
        await room.db.transaction().execute((trx) => tellIfFreed(room, trx, deal_id, now))
    }
    return ids
  })
}

/** A claim as its visitor sees it: open, it comes with every code that it will ever show. */
function claimAnswer(room: RedemptionRoom, row: store.ClaimRow, now: Temporal.Instant, brief = false): Claim {
  const { account_id: _, slot, key_print, returned_at: __, price_rappen, ...shown } = row
  const key = codeKeys(room, row.business_id).find(({ print }) => key_print?.equals(print))?.key
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
