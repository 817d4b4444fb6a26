import type { Interval, PaidTier, Plan } from '../policy.ts'
import type { Fact, FactOf, ProviderEvent } from './facts.ts'
import type { SubscriptionState } from './standing.ts'

/** A purchase at the provider. `key`: `subscribeAtOnce` with the same key gives the same answer and charges once. */
export interface Order {
  key: string
  checkoutId: string
  businessId: string
  customerId: string
  purchase: { what: 'subscription'; tier: PaidTier; interval: Interval } | { what: 'promotion' }
  /** Origin of the site that the browser returns to. */
  origin: string
  locale: string
}

/**
 * A payment provider. Its results come back as events with checked signatures, or as fetched facts; nothing else changes a tier.
 * Every method throws `ProviderFailed`; those that charge a card at once also `CardDeclined`.
 */
export interface Provider {
  readonly name: 'stripe' | 'test'
  /** Creates a customer. @returns its id */
  customerFor(business: { businessId: string; name: string; email: string | null }): Promise<string>
  /** False: the keys belong to another account or mode, or the customer was deleted. */
  knows(customerId: string): Promise<boolean>
  /** Charges the payment method on file; null: there is none, or it needs its owner, so the order needs a checkout. */
  subscribeAtOnce(order: Order): Promise<ProviderEvent[] | null>
  openCheckout(order: Order): Promise<{ sessionId: string; url: string; expiresAt: Date }>
  /** Ends a checkout. @returns false: it was paid before */
  closeCheckout(sessionId: string): Promise<boolean>
  /** Changes now, paid pro rata. */
  change(subscription: SubscriptionState, plan: Plan, key: string): Promise<ProviderEvent[]>
  /** Changes at the end of the paid period; null takes a planned change back. */
  changeLater(subscription: SubscriptionState, plan: Plan | null, key: string): Promise<ProviderEvent[]>
  cancelLater(subscription: SubscriptionState, cancel: boolean, key: string): Promise<ProviderEvent[]>
  /** Ends at once, without a refund. */
  end(subscription: SubscriptionState | { provider_id: string }): Promise<ProviderEvent[]>
  /** Current state; null: it is no plan of ours. */
  findSubscription(providerId: string): Promise<FactOf<'subscription'> | null>
  /** Address of the page on which the payment method is changed. */
  openPortal(at: { businessId: string; customerId: string; origin: string; locale: string }): Promise<string>
  /** @param now arrival, ms. @throws `EventForged` */
  readEvent(bytes: Uint8Array, signature: string, now: number): Promise<ProviderEvent>
  /** All facts about a customer; `plans`: at least those about subscriptions, which is faster. */
  fetchFacts(customer: { businessId: string; customerId: string }, only?: 'plans'): Promise<Fact[]>
}

/** The provider failed or did not answer in time. */
export class ProviderFailed extends Error {}
/** The provider does not know the object, or not even the customer. */
export class NothingThere extends ProviderFailed {}
export class CardDeclined extends Error {}
/** Not signed with one of our secrets, or too old. */
export class EventForged extends Error {}
