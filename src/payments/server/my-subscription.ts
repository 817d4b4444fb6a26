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
  const planned = running && plannedFor(running)
  // A promotion that starts later has no views yet.
  const newest = promotions.findLast(({ from }) => from <= now)
  return {
    subscription_tier: tier,
    subscription_id: running?.subscription_id ?? null,
    provider_id: running?.provider_id ?? null,
    tier: running?.tier ?? null,
    interval: running?.interval ?? null,
    status: running?.status ?? null,
    current_period_end: running?.period_end.toISOString() ?? null,
    cancel_at_period_end: running?.cancel_at_period_end ?? false,
    amount_chf: running && chfFromRappen(running.amount_rappen),
    pending_change: planned && { ...planned, at: running!.period_end.toISOString() },
    payment_method: running && methodOf(running, payments),
    overdue_until: overdueSince && tier !== 'FREE' ? overdueEnd(overdueSince).toISOString() : null,
    featured_until: featuredUntil && featuredUntil > now ? featuredUntil.toISOString() : null,
    last_promotion: newest ? await viewsOfPromotion(room, businessId, newest) : null,
    promotion_paid_at: promotions.at(-1)?.paid_at.toISOString() ?? null,
    live_deals: await countLiveDeals(db, businessId, now),
    vat_rate: room.settings.vat?.rate ?? null,
    has_invoices: payments.length > 0,
    has_portal: running !== null,
  }
}

function methodOf(running: SubscriptionState, payments: PaymentState[]): string | null {
  // Payments are sorted newest first. A payment of 0 has no method.
  const paid = payments.find(
    (each) => each.subscription_provider_id === running.provider_id && each.payment_method !== null,
  )
  return running.payment_method ?? paid?.payment_method ?? null
}

/** The plan after the end of the paid period; null: no change, or the subscription ends. */
export function plannedFor(running: SubscriptionState): Plan | null {
  const { pending_tier, pending_interval, cancel_at_period_end } = running
  return pending_tier && !cancel_at_period_end ? { tier: pending_tier, interval: pending_interval! } : null
}

/** A promotion with the views of the business's page since it began, and in a period of the same length before. */
async function viewsOfPromotion({ db, clock }: PaymentRoom, businessId: string, last: { from: Date; until: Date }) {
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
