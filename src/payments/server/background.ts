import { asDate } from '../../kit/server/clock.ts'
import { applyEvents, applyFetchedFacts } from './events.ts'
import { restoreFormerCustomer, replaceUnknownCustomer } from './checkouts.ts'
import { NothingThere, ProviderFailed, type Provider } from './provider.ts'
import { isTest, type PaymentRoom } from './room.ts'
import { isSoldBy } from './standing.ts'
import * as store from './store.ts'
import { inTurn } from './turns.ts'

/** Renews, changes and ends due subscriptions at the test provider. Run every minute; Stripe does this itself. */
export async function renewTestSubscriptions(room: PaymentRoom): Promise<void> {
  const provider = room.provider(room.db)
  if (!isTest(provider)) return
  for (;;) {
    let renewed = 0
    for (const subscription of await provider.due(100))
      renewed += (await applyEvents(room, room.db, await provider.renew(subscription))).length
    // Nothing renewed: the rest is locked by another instance, or nothing is due.
    if (renewed === 0) return
  }
}

/** Ends a subscription that was refunded or whose account is deleted. Safe to repeat. */
export async function endSubscription(room: PaymentRoom, providerId: string): Promise<void> {
  const provider = room.provider(room.db)
  if (!provider || !isSoldBy(provider.name, providerId)) return
  await applyEvents(room, room.db, await provider.end({ provider_id: providerId }))
}

const customersAtOnce = 100

/** Result of a comparison with the provider. */
export interface Reconciliation {
  /** Number of businesses with a customer at the provider. */
  compared: number
  /** A line for each event that was missed and has now been applied. */
  repaired: string[]
  /** A line for each difference that the operator must look at: wrong data at the provider, or a payment that it does not know. */
  left: string[]
}

/**
 * Reports a business that could not be compared, so that the comparison goes on with the next. If the provider does not know the
 * customer, as after a change of its keys, another customer takes its place and this is reported only once.
 */
async function reportUncompared(
  room: PaymentRoom,
  provider: Provider,
  found: Reconciliation,
  business: string,
  error: unknown,
): Promise<null> {
  if (!(error instanceof ProviderFailed)) throw error
  room.complain('A business could not be compared with the payment provider.', { business, reason: error.message })
  found.left.push(`${business}: not compared, ${error.message}`)
  if (error instanceof NothingThere) await tryReplaceCustomer(room, provider, business)
  return null
}

/** False also when the business is locked or the provider does not answer: the next night tries again. */
const tryReplaceCustomer = (room: PaymentRoom, provider: Provider, business: string): Promise<boolean> =>
  inTurn(room, business, () => replaceUnknownCustomer(room, provider, business)).catch((error: unknown) => {
    if (error instanceof ProviderFailed) return false
    throw error
  })

/** The business's customer of former keys, which may be in use again; null: it has none. */
async function findFormerCustomer(
  room: PaymentRoom,
  provider: Provider,
  found: Reconciliation,
  business: string,
): Promise<string | null> {
  try {
    return await inTurn(room, business, () => restoreFormerCustomer(room, provider, business))
  } catch (error) {
    return reportUncompared(room, provider, found, business, error)
  }
}

/**
 * Compares all facts at the provider with ours, applies missed ones, and reports each difference to the operator. Run nightly, and
 * by `npm run payments:check`.
 */
export async function reconcile(room: PaymentRoom): Promise<Reconciliation> {
  const found: Reconciliation = { compared: 0, repaired: [], left: [] }
  const provider = room.provider(room.db)
  if (!provider) return found
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const customers = await store.customersAfter(room.db, provider.name, after, customersAtOnce)
    for (const { business_id: business, customer_id } of customers) {
      const customerId = customer_id ?? (await findFormerCustomer(room, provider, found, business))
      if (customerId === null) continue
      // Read before the provider is asked: a payment that comes in between must not look unknown to the provider.
      const stored = await store.paymentsAt(room.db, provider.name, business)
      const facts = await provider
        .fetchFacts({ businessId: business, customerId })
        .catch((error: unknown) => reportUncompared(room, provider, found, business, error))
      if (!facts) continue
      const { news, wrong } = await applyFetchedFacts(room, room.db, facts)
      for (const what of news) {
        room.complain('A payment event was missed and has been made up for.', { business, what })
        found.repaired.push(`${business}: ${what}`)
      }
      for (const { what, reason } of wrong) {
        room.complain('The payment provider knows something that is wrong.', { business, what, reason })
        found.left.push(`${business}: ${what}, ${reason}`)
      }
      const known = new Set(facts.flatMap((each) => (each.kind === 'payment' ? [each.payment] : [])))
      for (const { payment_id } of stored) {
        if (known.has(payment_id)) continue
        room.complain('The payment provider does not know a payment that is kept here.', {
          business,
          what: `payment ${payment_id}`,
        })
        found.left.push(`${business}: payment ${payment_id}, unknown to the provider`)
      }
      found.compared++
    }
    if (customers.length < customersAtOnce) return found
    after = customers.at(-1)!.business_id
  }
}

/** Retention: idempotency keys two days (Stripe: one), events as long as Stripe can send them again, checkouts three months. */
export async function deleteOldRecords({ db, clock }: PaymentRoom): Promise<void> {
  const ago = (days: number) => asDate(clock.now().subtract({ hours: 24 * days }))
  await store.deleteOld(db, { requests: ago(2), events: ago(400), checkouts: ago(90) })
}
