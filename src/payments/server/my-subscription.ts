import { countLiveDeals } from '../../businesses/server/businesses.ts'
import { asDate } from '../../kit/server/clock.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { viewsIn } from '../../views/server/views.ts'
import type * as contract from '../contract.ts'
import { overdueEnd, type Plan } from '../policy.ts'
import type { PaymentRoom } from './room.ts'
import { promotionsOf, runningOf, soldBy, standingOf, type PaymentState, type SubscriptionState } from './standing.ts'
import * as store from './store.ts'

/** Plan and promotions of a business; fields of the plan are null without one. */
export async function mySubscription(room: PaymentRoom, businessId: string): Promise<contract.MySubscription> {
  const { db, clock } = room
  const now = asDate(clock.now())
  const subscriptions = await store.subscriptionsOf(db, businessId)
  const current = soldBy(room.settings.provider, subscriptions)
  const payments = await store.paymentsOf(db, businessId)
  const { tier, featuredUntil, overdueSince } = standingOf(subscriptions, payments, now)
  const promotions = promotionsOf(payments)
  const running = runningOf(current) ?? current.find(({ status }) => status === 'incomplete') ?? null
  return {
    subscription_tier: tier,
    ...(running ? recordOf(running, payments) : nothing),
    overdue_until: overdueSince && tier !== 'FREE' ? overdueEnd(overdueSince).toISOString() : null,
    featured_until: featuredUntil && featuredUntil > now ? featuredUntil.toISOString() : null,
    // A promotion that starts later has no views yet.
    last_promotion: await lastPromotion(
      room,
      businessId,
      promotions.findLast(({ from }) => from <= now),
    ),
    promotion_paid_at: promotions.at(-1)?.paid_at.toISOString() ?? null,
    live_deals: await countLiveDeals(db, businessId, now),
    vat_rate: room.settings.vat?.rate ?? null,
    has_invoices: payments.length > 0,
    has_portal: running !== null,
  }
}

const nothing = {
  subscription_id: null,
  provider_id: null,
  tier: null,
  interval: null,
  status: null,
  current_period_end: null,
  cancel_at_period_end: false,
  amount_chf: null,
  pending_change: null,
  payment_method: null,
} as const

function recordOf(running: SubscriptionState, payments: PaymentState[]) {
  // Payments are sorted newest first. A payment of 0 has no method.
  const paid = payments.find(
    (each) => each.subscription_provider_id === running.provider_id && each.payment_method !== null,
  )
  return {
    subscription_id: running.subscription_id,
    provider_id: running.provider_id,
    tier: running.tier,
    interval: running.interval,
    status: running.status,
    current_period_end: running.period_end.toISOString(),
    cancel_at_period_end: running.cancel_at_period_end,
    amount_chf: chfFromRappen(running.amount_rappen),
    pending_change: pendingOf(running),
    payment_method: running.payment_method ?? paid?.payment_method ?? null,
  }
}

/** The plan after the end of the paid period; null: no change, or the subscription ends. */
export function plannedFor(running: SubscriptionState): Plan | null {
  const { pending_tier, pending_interval, cancel_at_period_end } = running
  return pending_tier && !cancel_at_period_end ? { tier: pending_tier, interval: pending_interval! } : null
}

function pendingOf(running: SubscriptionState) {
  const planned = plannedFor(running)
  return planned && { ...planned, at: running.period_end.toISOString() }
}

/** A promotion with the views of the business's page since it began, and in a period of the same length before. */
async function lastPromotion(
  { db, clock }: PaymentRoom,
  businessId: string,
  last: { from: Date; until: Date } | undefined,
) {
  if (!last) return null
  const end = new Date(Math.min(+last.until, clock.now().epochMilliseconds))
  const before = new Date(2 * +last.from - +end)
  const viewsWithin = async (span: { from: Date; until: Date }) =>
    (await viewsIn(db, 'business', [businessId], span)).views
  return {
    starts_at: last.from.toISOString(),
    ends_at: last.until.toISOString(),
    profile_views: await viewsWithin({ from: last.from, until: end }),
    profile_views_before: await viewsWithin({ from: before, until: last.from }),
  }
}
