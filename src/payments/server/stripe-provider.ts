import type { Stripe } from 'stripe'
import { eventToleranceS } from '../contract.ts'
import { page, paidPage, promotedPage } from '../../site-map.ts'
import type { Plan } from '../policy.ts'
import type { Fact, ProviderEvent } from './facts.ts'
import { CardDeclined, EventForged, NothingThere, ProviderFailed, type Order, type Provider } from './provider.ts'
import {
  factsOfDispute,
  factsOfEvent,
  factsOfRefund,
  factsOfSubscription,
  idOf,
  methodOf,
  methodOfPayment,
  paymentOf,
  pendingOf,
} from './stripe-facts.ts'
import { loadPrices, lookupKey, type Prices } from './stripe-prices.ts'

/** With one retry this stays below the 10 s in which a merchant gets an answer. */
const timeoutMs = 4_000
const retries = 1
/** Objects of one kind for one business; enough for 80 years of monthly invoices. */
const atMost = { limit: 1000 }

export interface StripeSettings {
  secretKey: string
  webhookSecrets: string[]
  apiBase: string | null
}

/** Loads Stripe's SDK late, as that takes half a second. @param apiBase null: Stripe itself */
export async function openStripe({
  secretKey,
  apiBase,
}: Pick<StripeSettings, 'secretKey' | 'apiBase'>): Promise<Stripe> {
  const { default: StripeSdk } = await import('stripe')
  const base = apiBase ? new URL(apiBase) : null
  return new StripeSdk(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: Number(base.port) || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  })
}

/** Stripe's Checkout, Billing and portal. Its prices must have been created by `npm run stripe:setup`. */
export function stripeProvider(settings: StripeSettings): Provider {
  let opened: Promise<Stripe> | undefined
  let known: Promise<Prices> | undefined
  const sdk = () => (opened ??= openStripe(settings))
  const prices = async () => {
    known ??= loadPrices(await sdk()).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  /** Turns Stripe's errors into `CardDeclined`, `NothingThere` and `ProviderFailed`. */
  async function asking<T>(work: (stripe: Stripe, ourPrices: Prices) => Promise<T>): Promise<T> {
    try {
      return await work(await sdk(), await prices())
    } catch (error) {
      if (error instanceof ProviderFailed) throw error
      const { type = '', message = '', code } = error as { type?: string; message?: string; code?: string }
      if (type === 'StripeCardError') throw new CardDeclined()
      // The keys belong to another account, or the object was deleted.
      if (code === 'resource_missing') throw new NothingThere(message.slice(0, 200))
      if (type.startsWith('Stripe')) throw new ProviderFailed(`${type}: ${message.slice(0, 200)}`)
      throw error
    }
  }

  /** An answer as an event, so that it is applied in the same way as a webhook. */
  async function eventsOf(
    stripe: Stripe,
    ourPrices: Prices,
    subscription: Stripe.Subscription,
  ): Promise<ProviderEvent[]> {
    const asOf = answeredAt(subscription)
    const facts: Fact[] = factsOfSubscription(subscription, ourPrices, asOf)
    const invoice = subscription.latest_invoice
    const id = typeof invoice === 'string' ? invoice : invoice?.id
    if (id) {
      const answer = await stripe.invoices.retrieve(id, { expand: ['payments'] })
      const paid = await paymentOf(answer, ourPrices, (payment) => methodOfPayment(stripe, payment))
      if (paid) facts.push(paid)
    }
    const { requestId = crypto.randomUUID() } = (subscription as Answered).lastResponse ?? {}
    const event = { id: `answer_${requestId}`, type: 'answer', created_at: asOf.toISOString(), facts }
    return [event]
  }

  /**
   * Changes a subscription. Stripe allows no other change while there is a schedule, so a planned change is removed first, and planned
   * again if the change fails. An ended subscription is not changed.
   */
  async function replanned(
    stripe: Stripe,
    ourPrices: Prices,
    id: string,
    work: (before: Stripe.Subscription) => Promise<Stripe.Subscription>,
  ): Promise<ProviderEvent[]> {
    const before = await stripe.subscriptions.retrieve(id)
    if (before.status === 'canceled') return eventsOf(stripe, ourPrices, before)
    let after: Stripe.Subscription
    try {
      await release(stripe, before)
      after = await work(before)
    } catch (error) {
      await planAgain(stripe, ourPrices, before).catch((again: unknown) => {
        const { message = '' } = again as { message?: string }
        throw new ProviderFailed(`What was planned for ${id} could not be planned again: ${message.slice(0, 200)}`)
      })
      throw error
    }
    return eventsOf(stripe, ourPrices, after)
  }

  /** Checks an address from Stripe's answer: browsers are sent only to Stripe. @throws `ProviderFailed` */
  function ownAddress(text: string | null): string {
    const url = URL.canParse(text ?? '') ? new URL(text!) : null
    const isStripe =
      url?.protocol === 'https:' && (url.hostname === 'stripe.com' || url.hostname.endsWith('.stripe.com'))
    const isPeer = settings.apiBase !== null && url?.origin === new URL(settings.apiBase).origin
    if (!isStripe && !isPeer) throw new ProviderFailed('The page to pay on is none of Stripe.')
    return text!
  }

  const comeBack = (origin: string, order: Order) => ({
    success_url: origin + (order.purchase.what === 'subscription' ? paidPage(order.purchase.tier) : promotedPage),
    cancel_url: origin + (order.purchase.what === 'subscription' ? page.upgrade : page.promote),
  })

  return {
    name: 'stripe',

    customerFor: ({ businessId, name, email }) =>
      asking(async (stripe) => {
        const customer = { name, ...(email ? { email } : {}), metadata: { business_id: businessId } }
        return (await stripe.customers.create(customer)).id
      }),

    async knows(customerId) {
      try {
        return await asking(async (stripe) => !(await stripe.customers.retrieve(customerId)).deleted)
      } catch (error) {
        if (error instanceof NothingThere) return false
        throw error
      }
    },

    async subscribeAtOnce({ key, businessId, customerId, purchase }) {
      if (purchase.what !== 'subscription') return null
      try {
        return await asking(async (stripe, ourPrices) => {
          const customer = await stripe.customers.retrieve(customerId)
          if (customer.deleted || !customer.invoice_settings.default_payment_method) return null
          const subscription = await stripe.subscriptions.create(
            {
              customer: customerId,
              items: [{ price: ourPrices.idOf(purchase) }],
              payment_behavior: 'error_if_incomplete',
              metadata: { business_id: businessId },
            },
            { idempotencyKey: `subscribe_${key}` },
          )
          return eventsOf(stripe, ourPrices, subscription)
        })
      } catch (error) {
        // The card may need its owner's confirmation, which the checkout page asks for.
        if (error instanceof CardDeclined) return null
        throw error
      }
    },

    openCheckout: (order) =>
      asking(async (stripe, ourPrices) => {
        const { purchase, businessId } = order
        const metadata = { business_id: businessId }
        // No idempotency key needed: nobody can pay on a page whose address got lost.
        const session = await stripe.checkout.sessions.create({
          customer: order.customerId,
          client_reference_id: order.checkoutId,
          metadata,
          locale: order.locale === 'de' || order.locale === 'fr' ? order.locale : 'en',
          ...comeBack(order.origin, order),
          ...(purchase.what === 'subscription'
            ? {
                mode: 'subscription',
                line_items: [{ price: ourPrices.idOf(purchase), quantity: 1 }],
                subscription_data: { metadata },
              }
            : {
                mode: 'payment',
                line_items: [{ price: ourPrices.promotion, quantity: 1 }],
                payment_intent_data: { metadata },
                // TWINT works only for single payments in francs.
                payment_method_types: ['card', 'twint'],
              }),
        })
        return { sessionId: session.id, url: ownAddress(session.url), expiresAt: new Date(session.expires_at * 1000) }
      }),

    closeCheckout: (sessionId) =>
      asking(async (stripe) => {
        const session = await stripe.checkout.sessions.retrieve(sessionId)
        if (session.status === 'open') await stripe.checkout.sessions.expire(sessionId)
        return session.status !== 'complete'
      }),

    // No idempotency keys: Stripe would repeat a failed first attempt for a day. Each change reads the subscription first and runs
    // under the business's lock, so a retry neither changes nor charges twice.
    change: ({ provider_id }, plan) =>
      asking((stripe, ourPrices) =>
        replanned(stripe, ourPrices, provider_id, async (before) => {
          const item = before.items.data[0]!
          const isThere = item.price.id === ourPrices.idOf(plan)
          return stripe.subscriptions.update(provider_id, {
            ...(isThere ? {} : { items: [{ id: item.id, price: ourPrices.idOf(plan) }] }),
            proration_behavior: 'always_invoice',
            payment_behavior: 'error_if_incomplete',
            cancel_at_period_end: false,
            metadata: { pending: '' },
          })
        }),
      ),

    changeLater: ({ provider_id }, plan) =>
      asking((stripe, ourPrices) =>
        replanned(stripe, ourPrices, provider_id, async (before) => {
          if (plan) await scheduleChange(stripe, ourPrices, before, plan)
          return stripe.subscriptions.update(provider_id, { metadata: { pending: plan ? lookupKey(plan) : '' } })
        }),
      ),

    cancelLater: ({ provider_id }, cancel) =>
      asking((stripe, ourPrices) =>
        replanned(stripe, ourPrices, provider_id, () =>
          stripe.subscriptions.update(provider_id, { cancel_at_period_end: cancel, metadata: { pending: '' } }),
        ),
      ),

    end: ({ provider_id }) =>
      asking(async (stripe, ourPrices) => {
        const before = await stripe.subscriptions.retrieve(provider_id)
        const ended = before.status === 'canceled' ? before : await stripe.subscriptions.cancel(provider_id)
        // Stripe could still collect an open invoice after the end.
        if (ended.latest_invoice) {
          const { id, status } = await stripe.invoices.retrieve(idOf(ended.latest_invoice))
          if (status === 'open') await stripe.invoices.voidInvoice(id!)
        }
        return eventsOf(stripe, ourPrices, ended)
      }),

    findSubscription: (providerId) =>
      asking(async (stripe, ourPrices) => {
        const found = await stripe.subscriptions.retrieve(providerId)
        const [fact] = factsOfSubscription(found, ourPrices, answeredAt(found))
        return fact ?? null
      }),

    openPortal: ({ customerId, origin, locale }) =>
      asking(async (stripe) => {
        const session = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: origin + page.dashboard,
          locale: locale === 'de' || locale === 'fr' ? locale : 'en',
        })
        return ownAddress(session.url)
      }),

    async readEvent(bytes, signature, now) {
      const event = await verified(await sdk(), bytes, signature, settings.webhookSecrets, now)
      const facts = await asking((stripe, ourPrices) => factsOfEvent(stripe, ourPrices, event))
      return { id: event.id, type: event.type, created_at: new Date(event.created * 1000).toISOString(), facts }
    },

    fetchFacts: ({ customerId }, only) =>
      asking(async (stripe, ourPrices) => {
        const all = { customer: customerId, limit: 100 }
        const subscriptions = await stripe.subscriptions.list({ ...all, status: 'all' })
        const asOf = answeredAt(subscriptions)
        const paid = await stripe.invoices
          .list({ ...all, status: 'paid', expand: ['data.payments'] })
          .autoPagingToArray(atMost)
        const newest = stripe.charges.list(all)
        const charges = only === 'plans' ? (await newest).data : await newest.autoPagingToArray(atMost)
        const methods = new Map(charges.map((each) => [idOf(each.payment_intent), methodOf(each)]))
        const facts: Fact[] = subscriptions.data.flatMap((each) => factsOfSubscription(each, ourPrices, asOf))
        for (const each of paid) {
          const fact = await paymentOf(each, ourPrices, (payment) => methods.get(payment) ?? null)
          if (fact) facts.push(fact)
        }
        if (only === 'plans') return facts
        const sessions = await stripe.checkout.sessions.list({ ...all, status: 'complete' }).autoPagingToArray(atMost)
        for (const each of sessions)
          facts.push(
            ...(await factsOfEvent(stripe, ourPrices, {
              type: 'checkout.session.completed',
              data: { object: each },
            } as Stripe.Event)),
          )
        for (const charge of charges) {
          const of = { charge: charge.id, limit: 100 }
          if (charge.amount_refunded > 0) facts.push(...(await stripe.refunds.list(of)).data.flatMap(factsOfRefund))
          if (charge.disputed) facts.push(...(await stripe.disputes.list(of)).data.flatMap(factsOfDispute))
        }
        return facts
      }),
  }
}

interface Answered {
  lastResponse?: { requestId?: string; headers?: Record<string, string> }
}

/** Time of an answer by Stripe's clock, in whole seconds like its events. */
function answeredAt(answer: object): Date {
  const date = Date.parse((answer as Answered).lastResponse?.headers?.['date'] ?? '')
  return new Date(Number.isNaN(date) ? Math.floor(Date.now() / 1000) * 1000 : date)
}

async function release(
  stripe: Stripe,
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
  options?: Stripe.RequestOptions,
): Promise<void> {
  if (schedule) await stripe.subscriptionSchedules.release(idOf(schedule), {}, options)
}

/** Short, because the merchant has already waited for the failed change. */
const again = { timeout: 2000, maxNetworkRetries: 0 }

/** Restores the planned change after a failed change, unless the change was made and only its answer got lost. */
async function planAgain(stripe: Stripe, ourPrices: Prices, before: Stripe.Subscription): Promise<void> {
  const now = await stripe.subscriptions.retrieve(before.id, {}, again)
  if (priceIdOf(now) !== priceIdOf(before) || now.cancel_at_period_end !== before.cancel_at_period_end) return
  const planned = pendingOf(before)
  if (now.schedule !== null && idOf(now.schedule) === idOf(before.schedule)) return
  await release(stripe, now, again)
  if (planned) await scheduleChange(stripe, ourPrices, before, planned, again)
  const pending = planned ? lookupKey(planned) : ''
  if ((now.metadata['pending'] ?? '') !== pending)
    await stripe.subscriptions.update(before.id, { metadata: { pending } }, again)
}

const priceIdOf = (of: Stripe.Subscription) => of.items.data[0]!.price.id

/** Schedules `plan` for the end of the paid period. */
async function scheduleChange(
  stripe: Stripe,
  ourPrices: Prices,
  before: Stripe.Subscription,
  plan: Plan,
  options?: Stripe.RequestOptions,
) {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: before.id }, options)
  const current = schedule.phases[0]!
  const price = idOf(current.items[0]!.price)
  // The plan was changed in the meantime: leave it.
  if (price !== priceIdOf(before)) return release(stripe, { schedule: schedule.id }, options)
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: 'release',
      phases: [
        { items: [{ price, quantity: 1 }], start_date: current.start_date, end_date: current.end_date },
        { items: [{ price: ourPrices.idOf(plan), quantity: 1 }], metadata: { pending: '' } },
      ],
    },
    options,
  )
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws `EventForged` */
async function verified(
  stripe: Stripe,
  bytes: Uint8Array,
  signature: string,
  secrets: string[],
  now: number,
): Promise<Stripe.Event> {
  let text: string
  try {
    // Keeps a byte order mark: without it the SDK would check other bytes than those that were signed.
    text = decoder.decode(bytes)
  } catch {
    throw new EventForged('The body is no UTF-8.')
  }
  if (Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) > now / 1000 + eventToleranceS)
    throw new EventForged('It was signed in the future.')
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(text, signature, secret, eventToleranceS, undefined, now)
    } catch {
      // Not signed with this secret; try the next.
    }
  }
  throw new EventForged('No secret of ours has signed it, or it is too old.')
}
