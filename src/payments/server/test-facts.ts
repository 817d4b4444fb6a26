import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { testCardLabel } from '../limits.ts'
import { priceRappen, promotionRappen, type Interval, type Plan } from '../policy.ts'
import type { FactOf } from './facts.ts'
import * as store from './store.ts'

/** Facts of the test provider, in the same form as Stripe's, and how it stores them. */
type Subscription = FactOf<'subscription'>

/** A subscription as the test provider stores it. */
export interface SubscriptionSide {
  fact: Subscription
  /** Failed payments of this period. */
  failures: number
}

/** A failed payment is retried after three and six days; after seven the subscription ends. */
export const retryDays = [3, 6, 7]

export const customerOf = (businessId: string) => `tcus_${businessId}`
export const ownerOf = (businessId: string) => ({
  customer: customerOf(businessId),
  business_id: businessId,
  currency: 'chf',
})
export const isoOf = (at: Temporal.Instant) => at.toString({ smallestUnit: 'millisecond' })

export function endOfPeriod(start: Temporal.Instant, interval: Interval): Temporal.Instant {
  const length = interval === 'year' ? { years: 1 } : { months: 1 }
  return start.toZonedDateTimeISO('UTC').add(length).toInstant()
}

/** Gives a snapshot a later time than the one before, even within the same millisecond. */
export function withLaterTime(after: Subscription, before: Subscription, now: Temporal.Instant): Subscription {
  const asOf = Math.max(now.epochMilliseconds, Date.parse(before.as_of) + 1)
  return { ...after, as_of: new Date(asOf).toISOString() }
}

export function changedSubscription(before: Subscription, plan: Plan, now: Temporal.Instant): Subscription {
  const fact = { ...before, ...plan, amount_rappen: priceRappen(plan), pending: null, cancel_at_period_end: false }
  if (plan.interval === before.interval) return fact
  return { ...fact, period_start: isoOf(now), period_end: isoOf(endOfPeriod(now, plan.interval)) }
}

export const periodOf = ({ period_start, period_end }: Subscription) => ({
  from: Date.parse(period_start),
  until: Date.parse(period_end),
})

/** A new subscription and its first payment. */
export function newSubscription(
  key: string,
  businessId: string,
  { tier, interval }: Plan,
  at: Temporal.Instant,
): { subscription: Subscription; payment: FactOf<'payment'> } {
  // Callers pass a purchase, which has one more key.
  const plan = { tier, interval }
  const subscriptionId = `tsub_${key}`
  const period = { period_start: isoOf(at), period_end: isoOf(endOfPeriod(at, plan.interval)) }
  return {
    subscription: {
      kind: 'subscription',
      subscription: subscriptionId,
      ...ownerOf(businessId),
      ...plan,
      amount_rappen: priceRappen(plan),
      status: 'active',
      ...period,
      cancel_at_period_end: false,
      pending: null,
      payment_method: testCardLabel,
      ended_at: null,
      as_of: isoOf(at),
    },
    payment: {
      kind: 'payment',
      payment: `tpay_${key}`,
      ...ownerOf(businessId),
      amount_rappen: priceRappen(plan),
      paid_at: isoOf(at),
      of: { what: 'subscription', subscription: subscriptionId, ...plan, ...period, prorated: false },
    },
  }
}

/** The payment for the current period of a subscription. */
export function renewalOf(renewed: Subscription, at: Temporal.Instant): FactOf<'payment'> {
  const { subscription, business_id, tier, interval, period_start, period_end } = renewed
  return {
    kind: 'payment',
    payment: `tpay_${subscription.slice(5)}_${period_start}`,
    ...ownerOf(business_id),
    amount_rappen: priceRappen(renewed),
    paid_at: isoOf(at),
    of: { what: 'subscription', subscription, tier, interval, period_start, period_end, prorated: false },
  }
}

export function storeSubscription(trx: Sql, subscription: Subscription): Promise<void> {
  const side = { fact: subscription, failures: 0 }
  const { subscription: object_id, business_id } = subscription
  return store.insertTestObject(trx, { object_id, kind: 'subscription', business_id, state: side, due_at: dueOf(side) })
}

export function storeTestPayment(trx: Sql, payment: FactOf<'payment'>): Promise<void> {
  const { payment: object_id, business_id } = payment
  return store.insertTestObject(trx, { object_id, kind: 'payment', business_id, state: payment, due_at: null })
}

export function nextPeriod(before: Subscription): Subscription {
  const plan: Plan = before.pending ?? before
  const start = Temporal.Instant.from(before.period_end)
  return {
    ...before,
    tier: plan.tier,
    interval: plan.interval,
    amount_rappen: priceRappen(plan),
    pending: null,
    period_start: isoOf(start),
    period_end: isoOf(endOfPeriod(start, plan.interval)),
  }
}

export const endedSubscription = (before: Subscription, at: Temporal.Instant): Subscription => ({
  ...before,
  status: 'canceled',
  pending: null,
  ended_at: isoOf(at),
})

/** When the subscription renews, retries or ends; null: it has ended. */
export function dueOf({ fact: of, failures }: SubscriptionSide): Date | null {
  if (of.status === 'canceled') return null
  const from = Temporal.Instant.from(of.status === 'past_due' ? of.period_start : of.period_end)
  return asDate(of.status === 'past_due' ? from.add({ hours: 24 * retryDays[failures]! }) : from)
}

/** The payment for a promotion. */
export const promotionPayment = (checkoutId: string, businessId: string, now: Temporal.Instant): FactOf<'payment'> => ({
  kind: 'payment',
  payment: `tpay_${checkoutId}`,
  ...ownerOf(businessId),
  amount_rappen: promotionRappen,
  paid_at: isoOf(now),
  of: { what: 'promotion', checkout: checkoutId },
})
