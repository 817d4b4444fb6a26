import { businessToBill, setPaidStanding } from '../../businesses/server/businesses.ts'
import { asDate } from '../../kit/server/clock.ts'
import { inTransaction, type Sql } from '../../kit/server/database.ts'
import { queuePaymentMail } from './mails.ts'
import type { PaymentRoom } from './room.ts'
import { lastPaymentOf, paysFor, runningOf, runs, standingOf } from './standing.ts'
import * as store from './store.ts'
import { businessFacts } from '../../businesses/contract.ts'

/** Ends a subscription at the provider that was refunded or whose account is deleted. */
export const endRefundedJob = 'end-refunded-subscription'

/** Cancels the plan of an account that waits to be deleted, and restores it if the account stays. */
export const settleLeavingJob = 'cancel-plan-of-leaving'

/** Closes the open checkout of a suspended business for a promotion, and of a leaving business for anything. */
export const closeCheckoutJob = 'close-promotion-of-suspended'

/** Closes the open checkout of a deleted account. */
export const closeDeletedJob = 'close-checkout-of-gone'

/** Works out tier and placement of a business from all facts, stores them, and sends mails about a change. */
export async function applyStanding(room: PaymentRoom, trx: Sql, businessId: string): Promise<void> {
  await store.lockCustomer(trx, businessId)
  const before = await store.findStanding(trx, businessId)
  const { subscriptions, payments, tier, overdueSince } = await putStanding(trx, businessId, asDate(room.clock.now()))
  const tierBefore = before?.tier ?? 'FREE'
  if (tier !== tierBefore) {
    await room.publishFact(trx, businessFacts.tierChanged, { business_id: businessId, tier, before: tierBefore })
    const details = { business: businessId, tier, before: tierBefore }
    room.log.note({ event: 'tier_changed', actor: null, requestId: null, details })
    if (tier === 'FREE') await queuePaymentMail(room, trx, { what: 'ended', businessId })
  }
  if (overdueSince && !before?.overdue_since) await queuePaymentMail(room, trx, { what: 'overdue', businessId })
  const running = runningOf(subscriptions)
  // The account may be deleted: its checkout was still open, or the event came late.
  const isReversed = running && lastPaymentOf(running, payments)?.reversed
  const isPaid = running && paysFor(running, payments, asDate(room.clock.now()))
  const gaveUp = running && ((isReversed && !isPaid) || !(await businessToBill(trx, businessId)))
  if (isReversed && isPaid && tier !== tierBefore)
    room.complain('A part of a plan was given back; the rest is paid and runs on at the higher price.', {
      business: businessId,
      what: `subscription ${running.provider_id}`,
    })
  if (gaveUp) await room.jobs.enqueue(trx, endRefundedJob, { subscription: running.provider_id })
  const count = subscriptions.filter(runs).length
  if (count > 1) room.complain('A business has two subscriptions that run.', { business: businessId, count })
}

/** Stores tier and placement of a business as they follow from its facts; sends no mails. */
export async function putStanding(trx: Sql, businessId: string, now: Date) {
  const subscriptions = await store.subscriptionsOf(trx, businessId)
  const payments = await store.paymentsOf(trx, businessId)
  const standing = standingOf(subscriptions, payments, now)
  const { tier, featuredUntil, overdueSince, nextChangeAt } = standing
  await store.putStanding(trx, businessId, {
    tier,
    featured_until: featuredUntil,
    overdue_since: overdueSince,
    next_change_at: nextChangeAt,
  })
  await setPaidStanding(trx, businessId, { tier, featuredUntil })
  return { subscriptions, payments, ...standing }
}

/** Ends tiers and placements whose paid time is over. Run every minute. */
export async function endExpiredTiers(room: PaymentRoom): Promise<void> {
  for (;;) {
    const due = await store.standingsDue(room.db, asDate(room.clock.now()), 200)
    for (const businessId of due) await inTransaction(room.db, (trx) => applyStanding(room, trx, businessId))
    if (due.length < 200) return
  }
}
