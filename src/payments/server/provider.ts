import type { Interval, PaidTier, Plan } from '../policy.ts'
import type { Fact, FactOf, ProviderEvent } from './facts.ts'
import type { SubscriptionState } from './standing.ts'

/** One purchase to pay. `key`: asked again with it, `subscribeAtOnce` gives the same answer and charges nothing twice. */
export interface Order {
  key: string
  checkoutId: string
  businessId: string
  customerId: string
  purchase: { what: 'subscription'; tier: PaidTier; interval: Interval } | { what: 'promotion' }
  /** Origin of the site for the one who asks, to come back to. */
  origin: string
  locale: string
}

/**
 * Who takes the money. What it did comes back as events, whose signatures were checked, or as facts that it was asked for;
 * nothing else changes a tier. Every method throws `ProviderFailed`, and `CardDeclined` where a card is charged at once.
 */
export interface Provider {
  readonly name: 'stripe' | 'test'
  /** The id of a business there; made when first asked for. */
  customerFor(business: { businessId: string; name: string; email: string | null }): Promise<string>
  /** Whether it knows the customer: not where the keys are of another account or mode, or where somebody has deleted it. */
  knows(customerId: string): Promise<boolean>
  /** With a payment method on file; null: there is none, so the order needs a checkout. */
  subscribeAtOnce(order: Order): Promise<ProviderEvent[] | null>
  openCheckout(order: Order): Promise<{ sessionId: string; url: string; expiresAt: Date }>
  /** Nothing can be paid there any more. False: it was paid before. */
  closeCheckout(sessionId: string): Promise<boolean>
  /** Now and pro rata. */
  change(subscription: SubscriptionState, plan: Plan, key: string): Promise<ProviderEvent[]>
  /** At the end of the paid period; null takes that back. */
  changeLater(subscription: SubscriptionState, plan: Plan | null, key: string): Promise<ProviderEvent[]>
  cancelLater(subscription: SubscriptionState, cancel: boolean, key: string): Promise<ProviderEvent[]>
  /** At once, without money back. */
  end(subscription: SubscriptionState | { provider_id: string }): Promise<ProviderEvent[]>
  /** As it is now; null: it is none of ours. */
  findSubscription(providerId: string): Promise<FactOf<'subscription'> | null>
  /** The page on which the payment method is changed. */
  openPortal(at: { businessId: string; customerId: string; origin: string; locale: string }): Promise<string>
  /** Throws `EventForged`. `now`: when it came, ms. */
  readEvent(bytes: Uint8Array, signature: string, now: number): Promise<ProviderEvent>
  /** All that it knows of a customer, as facts; `plans`: of their subscriptions at least, sooner. */
  fetchFacts(customer: { businessId: string; customerId: string }, only?: 'plans'): Promise<Fact[]>
}

/** It did not answer in time, or not with what was asked for. */
export class ProviderFailed extends Error {}
/** It does not know what it was asked about; perhaps not even whose that is. */
export class NothingThere extends ProviderFailed {}
export class CardDeclined extends Error {}
/** No secret of ours has signed it, or it is too old. */
export class EventForged extends Error {}
