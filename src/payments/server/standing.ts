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
  /** What it costs per interval. */
  amount_rappen: number
  cancel_at_period_end: boolean
  pending_tier: PaidTier | null
  pending_interval: Interval | null
  payment_method: string | null
  ended_at: Date | null
  as_of: Date
  /** Of a customer whom the provider does not know any more: what was paid counts, and nothing follows. */
  is_former: boolean
}

/** A payment; `reversed`: given back in full, or disputed and not won. */
export interface PaymentState {
  payment_id: string
  what: 'subscription' | 'promotion'
  subscription_provider_id: string | null
  tier: PaidTier | null
  period_end: Date
  paid_at: Date
  payment_method: string | null
  reversed: boolean
  /** When; null where that is not known. */
  reversed_at: Date | null
}

export interface Standing {
  tier: Tier
  /** End of the paid promotions, past or to come; null: there was none. */
  featuredUntil: Date | null
  /** Since when the plan is not paid for. */
  overdueSince: Date | null
  /** When the tier changes by itself next. */
  nextChangeAt: Date | null
}

/**
 * What a business has, from all that was ever told of it; the same facts give the same answer in whatever order they
 * came. A tier is what was paid for, until the end of the paid period; a subscription that goes on keeps it for seven
 * days more, in which the next payment may come.
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
 * The paid placements in their order: each begins when it was paid, or when the one before ends. One whose money went back has run until
 * then, so that the next one loses no day to it.
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

/** What another provider has sold before this one was chosen runs out by itself: it can be neither changed nor ended here. */
export function soldBy(provider: 'stripe' | 'test' | null, subscriptions: SubscriptionState[]): SubscriptionState[] {
  return subscriptions.filter(({ provider_id, is_former }) => isSoldBy(provider, provider_id) && !is_former)
}

export const isSoldBy = (provider: 'stripe' | 'test' | null, providerId: string): boolean =>
  (provider === 'test') === providerId.startsWith('tsub_')

/** It goes on by itself, at a customer whom the provider knows. */
export const runs = ({ status, is_former }: Pick<SubscriptionState, 'status' | 'is_former'>): boolean =>
  (status === 'active' || status === 'past_due') && !is_former

/** The subscription that counts: one that runs, the highest and then the newest. */
export function runningOf(subscriptions: SubscriptionState[]): SubscriptionState | null {
  const [first] = subscriptions
    .filter(runs)
    .toSorted(
      (a, b) =>
        rankOf(b.tier) - rankOf(a.tier) || +b.period_end - +a.period_end || (a.provider_id < b.provider_id ? -1 : 1),
    )
  return first ?? null
}

/** `payments`: the newest first. */
export const lastPaymentOf = (subscription: SubscriptionState, payments: PaymentState[]): PaymentState | undefined =>
  payments.find(({ subscription_provider_id }) => subscription_provider_id === subscription.provider_id)

/** Whether a payment that was not given back covers the moment. */
export const paysFor = ({ provider_id }: SubscriptionState, payments: PaymentState[], now: Date): boolean =>
  payments.some(
    ({ subscription_provider_id, reversed, period_end }) =>
      subscription_provider_id === provider_id && !reversed && period_end > now,
  )

function earliest(dates: Date[]): Date | null {
  return dates.length > 0 ? new Date(Math.min(...dates.map(Number))) : null
}
