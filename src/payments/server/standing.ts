import type { Tier } from '../../businesses/contract.ts'
import { overdueEnd, promotionDays, rankOf, type Interval, type PaidTier, type Plan } from '../policy.ts'

const dayMs = 24 * 60 * 60_000

/** The newest snapshot of a subscription. */
export interface SubscriptionState extends Plan {
  subscription_id: string
  provider_id: string
  status: 'incomplete' | 'active' | 'past_due' | 'canceled'
  period_start: Date
  period_end: Date
  /** Price per interval. */
  amount_rappen: number
  cancel_at_period_end: boolean
  pending_tier: PaidTier | null
  pending_interval: Interval | null
  payment_method: string | null
  ended_at: Date | null
  as_of: Date
  /** Belongs to a customer that the provider no longer knows: what was paid counts, but it does not renew. */
  is_former: boolean
}

export interface PaymentState {
  payment_id: string
  what: 'subscription' | 'promotion'
  subscription_provider_id: string | null
  tier: PaidTier | null
  period_end: Date
  paid_at: Date
  payment_method: string | null
  /** Refunded in full, or disputed and not won. */
  reversed: boolean
  /** Null: not reversed, or not known when. */
  reversed_at: Date | null
}

export interface Standing {
  tier: Tier
  /** End of the last promotion, past or future; null: there was none. */
  featuredUntil: Date | null
  /** Since when the plan is not paid for. */
  overdueSince: Date | null
  /** Next time that the tier changes without a new fact. */
  nextChangeAt: Date | null
}

/**
 * What a business has, worked out from all its facts; their order does not matter. A paid tier lasts until the end of the paid
 * period. If the subscription goes on, it lasts seven more days, in which the next payment may come.
 */
export function standingOf(subscriptions: SubscriptionState[], payments: PaymentState[], now: Date): Standing {
  const spans = paidSpans(subscriptions, payments).filter(({ until }) => until > now)
  const running = subscriptions.filter(({ status, is_former }) => status === 'past_due' && !is_former)
  return {
    tier: spans.reduce<Tier>((best, { tier }) => (rankOf(tier) > rankOf(best) ? tier : best), 'FREE'),
    featuredUntil: promotionsOf(payments).at(-1)?.until ?? null,
    overdueSince: earliest(running.map(({ period_start }) => period_start)),
    nextChangeAt: earliest(spans.map(({ until }) => until)),
  }
}

interface Span {
  tier: PaidTier
  until: Date
}

/** The tiers that were paid for. A payment comes with Stripe's `invoice.paid`; no other event gives a tier. */
function paidSpans(subscriptions: SubscriptionState[], payments: PaymentState[]): Span[] {
  const paid = payments.filter(({ what, reversed }) => what === 'subscription' && !reversed)
  return [...Map.groupBy(paid, ({ subscription_provider_id }) => subscription_provider_id)].flatMap(([of, its]) => {
    const snapshot = subscriptions.find(({ provider_id }) => provider_id === of)
    const last = Math.max(...its.map(({ period_end }) => +period_end))
    return its.flatMap(({ tier, period_end }): Span[] => {
      const ended = snapshot?.status === 'canceled' ? snapshot.ended_at! : null
      const span = { tier: tier!, until: ended && ended < period_end ? ended : period_end }
      const goesOn = snapshot && runs(snapshot) && !snapshot.cancel_at_period_end
      if (!goesOn || +period_end < last) return [span]
      const lower = rankOf(snapshot.tier) < rankOf(tier!) ? snapshot.tier : tier!
      return [span, { tier: lower, until: overdueEnd(period_end) }]
    })
  })
}

/**
 * Paid promotions in order: each begins when it was paid, or when the one before ends. A refunded one ends at its refund, so the
 * next one loses no day.
 */
export function promotionsOf(
  payments: (Pick<PaymentState, 'payment_id' | 'what' | 'paid_at' | 'reversed'> & { reversed_at?: Date | null })[],
): { of: string; from: Date; until: Date; paid_at: Date }[] {
  const bought = payments
    .filter(({ what }) => what === 'promotion')
    .toSorted((a, b) => +a.paid_at - +b.paid_at || (a.payment_id < b.payment_id ? -1 : 1))
  const placed: { of: string; from: Date; until: Date; paid_at: Date }[] = []
  let free = 0
  for (const { payment_id: of, paid_at, reversed, reversed_at } of bought) {
    const from = Math.max(+paid_at, free)
    const until = from + promotionDays * dayMs
    if (!reversed) placed.push({ of, from: new Date(from), until: new Date(until), paid_at })
    free = reversed ? Math.max(free, Math.min(until, Number(reversed_at ?? 0))) : until
  }
  return placed
}

/** Subscriptions of this provider. One of an earlier provider cannot be changed or ended here; it runs out. */
export function soldBy(provider: 'stripe' | 'test' | null, subscriptions: SubscriptionState[]): SubscriptionState[] {
  return subscriptions.filter(({ provider_id, is_former }) => isSoldBy(provider, provider_id) && !is_former)
}

export const isSoldBy = (provider: 'stripe' | 'test' | null, providerId: string): boolean =>
  (provider === 'test') === providerId.startsWith('tsub_')

/** Whether the subscription renews by itself. */
export const runs = ({ status, is_former }: Pick<SubscriptionState, 'status' | 'is_former'>): boolean =>
  (status === 'active' || status === 'past_due') && !is_former

/** The running subscription with the highest tier, then the latest end; null: none runs. */
export function runningOf(subscriptions: SubscriptionState[]): SubscriptionState | null {
  const [first] = subscriptions
    .filter(runs)
    .toSorted(
      (a, b) =>
        rankOf(b.tier) - rankOf(a.tier) || +b.period_end - +a.period_end || (a.provider_id < b.provider_id ? -1 : 1),
    )
  return first ?? null
}

/** @param payments newest first */
export const lastPaymentOf = (subscription: SubscriptionState, payments: PaymentState[]): PaymentState | undefined =>
  payments.find(({ subscription_provider_id }) => subscription_provider_id === subscription.provider_id)

/** Whether a payment that was not reversed covers `now`. */
export const paysFor = ({ provider_id }: SubscriptionState, payments: PaymentState[], now: Date): boolean =>
  payments.some(
    ({ subscription_provider_id, reversed, period_end }) =>
      subscription_provider_id === provider_id && !reversed && period_end > now,
  )

function earliest(dates: Date[]): Date | null {
  return dates.length > 0 ? new Date(Math.min(...dates.map(Number))) : null
}
