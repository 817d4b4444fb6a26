import type { Stripe } from 'stripe'
import type { Fact, FactOf } from './facts.ts'
import type { Plan } from '../policy.ts'
import { lookupKey, plans, type Prices } from './stripe-prices.ts'

/** Facts of a Stripe event; none if it does not concern this site. */
export async function factsOfEvent(stripe: Stripe, ourPrices: Prices, event: Stripe.Event): Promise<Fact[]> {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return factsOfSubscription(await inOurForm(stripe, event.data.object), ourPrices, new Date(event.created * 1000))
    case 'invoice.paid': {
      // The event does not name the payment.
      const invoice = await stripe.invoices.retrieve(event.data.object.id!, { expand: ['payments'] })
      const paid = await paymentOf(invoice, ourPrices, (payment) => methodOfPayment(stripe, payment))
      return paid ? [paid] : []
    }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return factsOfSession(stripe, event.data.object)
    case 'checkout.session.expired':
      return checkoutFact(event.data.object, 'expired')
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return factsOfRefund(event.data.object)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return factsOfDispute(event.data.object)
    default:
      return []
  }
}

export const idOf = (of: string | { id: string } | null | undefined): string =>
  typeof of === 'string' ? of : (of?.id ?? '')
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const statuses: Record<string, FactOf<'subscription'>['status']> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  incomplete: 'incomplete',
  paused: 'past_due',
}

/** Events have the webhook endpoint's API version; before 2025-03-31 items had no periods. Answers have the SDK's version. */
async function inOurForm(stripe: Stripe, of: Stripe.Subscription): Promise<Stripe.Subscription> {
  const item = of.items.data[0] as Partial<Stripe.SubscriptionItem> | undefined
  return item && item.current_period_start === undefined ? stripe.subscriptions.retrieve(of.id) : of
}

/** The planned change, from our note in the metadata, which counts only while a schedule exists. */
export const pendingOf = (of: Stripe.Subscription): Plan | null =>
  (of.schedule && plans.find((each) => lookupKey(each) === of.metadata['pending'])) || null

/** Empty for a subscription to anything else that the Stripe account sells. */
export function factsOfSubscription(of: Stripe.Subscription, ourPrices: Prices, asOf: Date): FactOf<'subscription'>[] {
  const item = of.items.data[0]
  const plan = item && ourPrices.planOf(item.price)
  if (!item || !plan) return []
  const status = statuses[of.status] ?? 'canceled'
  return [
    {
      kind: 'subscription',
      subscription: of.id,
      customer: idOf(of.customer),
      business_id: of.metadata['business_id'] ?? '',
      currency: of.currency,
      ...plan,
      amount_rappen: item.price.unit_amount ?? -1,
      status,
      period_start: iso(item.current_period_start),
      period_end: iso(item.current_period_end),
      cancel_at_period_end: of.cancel_at_period_end,
      pending: pendingOf(of),
      payment_method: null,
      ended_at: of.ended_at ? iso(of.ended_at) : null,
      as_of: asOf.toISOString(),
    },
  ]
}

const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  link: 'Link',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** "Visa 4242", "TWINT"; null: not known. */
export function methodOf({ payment_method_details: details }: Stripe.Charge): string | null {
  if (!details) return null
  const { type, card } = details
  if (type === 'twint') return 'TWINT'
  // "sepa_debit" as "Sepa debit"
  if (!card) return `${type.slice(0, 1).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`.slice(0, 100)
  return [brands[card.brand ?? ''], card.last4].filter(Boolean).join(' ') || null
}

/** Label of the payment method; null when it cannot be fetched: that must not fail the event. */
export async function methodOfPayment(stripe: Stripe, payment: string): Promise<string | null> {
  try {
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(payment, { expand: ['latest_charge'] }, once)
    return charge && typeof charge !== 'string' ? methodOf(charge) : null
  } catch {
    return null
  }
}
const once = { timeout: 2000, maxNetworkRetries: 0 }

/** Fact of a paid invoice; null: not paid, or not for one of our plans. */
export async function paymentOf(
  invoice: Stripe.Invoice,
  ourPrices: Prices,
  methodBy: (payment: string) => string | null | Promise<string | null>,
): Promise<FactOf<'payment'> | null> {
  const of = invoice.parent?.subscription_details
  if (invoice.status !== 'paid' || !of) return null
  const lines = invoice.lines.data.filter(({ amount }) => amount >= 0)
  const line = lines.toSorted((a, b) => a.period.end - b.period.end).at(-1)
  const details = line?.pricing?.price_details
  const price = details ? await ourPrices.priceOf(idOf(details.price), details.product) : null
  const plan = price && ourPrices.planOf(price)
  if (!line || !plan) return null
  const isProrated = invoice.lines.data.some((each) => each.parent?.subscription_item_details?.proration)
  const payment = invoice.payments?.data.map((each) => idOf(each.payment.payment_intent)).find(Boolean)
  return {
    kind: 'payment',
    // An invoice of 0 has no payment.
    payment: payment ?? invoice.id!,
    customer: idOf(invoice.customer),
    business_id: of.metadata?.['business_id'] ?? '',
    currency: invoice.currency,
    amount_rappen: invoice.amount_paid,
    paid_at: iso(invoice.status_transitions.paid_at ?? invoice.created),
    payment_method: payment ? await methodBy(payment) : null,
    of: {
      what: 'subscription',
      subscription: idOf(of.subscription),
      ...plan,
      period_start: iso(line.period.start),
      period_end: iso(line.period.end),
      prorated: isProrated,
      price_rappen: price.unit_amount ?? -1,
    },
  }
}

async function factsOfSession(stripe: Stripe, session: Stripe.Checkout.Session): Promise<Fact[]> {
  const checkout = checkoutFact(session, 'complete')
  if (session.mode !== 'payment') return checkout
  // TWINT may confirm after the browser has left the page. Other sales of the account name no business.
  if (session.payment_status !== 'paid' || !session.metadata?.['business_id']) return []
  // The charge has the time of payment, which may be long after the page was opened.
  const payment = await stripe.paymentIntents.retrieve(idOf(session.payment_intent), { expand: ['latest_charge'] })
  const charge = payment.latest_charge && typeof payment.latest_charge !== 'string' ? payment.latest_charge : null
  return [
    {
      kind: 'payment',
      payment: payment.id,
      customer: idOf(session.customer),
      business_id: session.metadata['business_id'],
      currency: session.currency ?? '',
      amount_rappen: session.amount_total ?? -1,
      paid_at: iso((charge ?? payment).created),
      payment_method: charge && methodOf(charge),
      of: { what: 'promotion', checkout: session.client_reference_id },
    },
    ...checkout,
  ]
}

function checkoutFact(session: Stripe.Checkout.Session, status: 'complete' | 'expired'): Fact[] {
  return session.client_reference_id ? [{ kind: 'checkout', checkout: session.client_reference_id, status }] : []
}

const refundStates: Record<string, FactOf<'refund'>['status']> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

/** This site sells in francs only, so other currencies belong to other sales of the account. */
const isOther = ({ currency }: { currency: string }) => currency !== 'chf'

export function factsOfRefund(of: Stripe.Refund): FactOf<'refund'>[] {
  const payment = idOf(of.payment_intent)
  if (!payment || isOther(of)) return []
  const { id: refund, amount: amount_rappen, currency } = of
  const status = refundStates[of.status ?? ''] ?? 'pending'
  return [{ kind: 'refund', refund, payment, amount_rappen, currency, status, at: iso(of.created) }]
}

const disputeStates: Record<string, FactOf<'dispute'>['status']> = { won: 'won', lost: 'lost' }

/** None for an inquiry (`warning_…`), which takes no money yet. */
export function factsOfDispute(of: Stripe.Dispute): FactOf<'dispute'>[] {
  const payment = idOf(of.payment_intent)
  if (!payment || isOther(of) || of.status.startsWith('warning_')) return []
  const status = of.status === 'prevented' ? preventedState(of) : (disputeStates[of.status] ?? 'open')
  const { id: dispute, amount: amount_rappen, currency } = of
  return [{ kind: 'dispute', dispute, payment, amount_rappen, currency, status, at: iso(of.created) }]
}

/** A prevented dispute was either blocked (won) or resolved by a refund (lost). */
function preventedState({ balance_transactions: moved }: Stripe.Dispute): 'won' | 'lost' {
  return moved.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'lost' : 'won'
}
