import { businessToBill, setPaidStanding } from '../../businesses/server/businesses.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { queuePaymentMail } from './mails.ts'
import type { PaymentRoom } from './room.ts'
import { lastPaymentOf, paysFor, runningOf, runs, standingOf } from './standing.ts'
import * as store from './store.ts'
import { inTransaction } from './test-provider.ts'

/** The background work that ends subscriptions at the provider whose money went back, or whose account is gone. */
export const endRefundedJob = 'end-refunded-subscription'

/** The job that cancels the plan of a business whose account will be deleted, and brings it back where the account stays. */
export const settleLeavingJob = 'cancel-plan-of-leaving'

/** The job that closes the page on which a business that was suspended could still pay for a promotion, and a leaving one for anything. */
export const closePageJob = 'close-promotion-of-suspended'

/** The job that closes the page on which a business whose account is gone could still pay. */
export const closeForgottenJob = 'close-checkout-of-gone'

/** Computes what a business has by all that is known now, and lets it be so. */
export async function stand(room: PaymentRoom, trx: Sql, businessId: string): Promise<void> {
  await store.lockCustomer(trx, businessId)
  const before = await store.findStanding(trx, businessId)
  const { subscriptions, payments, tier, overdueSince } = await putStanding(trx, businessId, asDate(room.clock.now()))
  const tierBefore = before?.tier ?? 'FREE'
  if (tier !== tierBefore) {
    await room.publishFact(trx, 'tier-changed', { business_id: businessId, tier, before: tierBefore })
    const details = { business: businessId, tier, before: tierBefore }
    room.log.note({ event: 'tier_changed', actor: null, requestId: null, details })
    if (tier === 'FREE') await queuePaymentMail(room, trx, { what: 'ended', businessId })
  }
  if (overdueSince && !before?.overdue_since) await queuePaymentMail(room, trx, { what: 'overdue', businessId })
  const running = runningOf(subscriptions)
  // one that was paid for on an open page, or told of late, may be news of an account that is gone
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

/** What follows from the facts of a business, for tier and placement alone. */
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

/** Tiers whose paid time is over end. Run every minute. */
export async function endWhatEnded(room: PaymentRoom): Promise<void> {
  for (;;) {
    const due = await store.standingsDue(room.db, asDate(room.clock.now()), 200)
    for (const businessId of due) await inTransaction(room.db, (trx) => stand(room, trx, businessId))
    if (due.length < 200) return
  }
}
