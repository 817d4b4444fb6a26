import { asDate } from '../../kit/server/clock.ts'
import { inTransaction, type Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { priceRappen, promotionRappen, type Plan } from '../policy.ts'
import { applyEvents, applyFetchedFacts } from './events.ts'
import { ProviderFailed, type Order, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import { runningOf, soldBy } from './standing.ts'
import * as store from './store.ts'
import { askingAtTies } from './snapshots.ts'
import { PurchaseUnderWay } from './turns.ts'

export type Purchase = ({ what: 'subscription' } & Plan) | { what: 'promotion' }

export interface Payer {
  businessId: string
  name: string
  email: string | null
  origin: string
  locale: string
}

/** Lifetime of a checkout until the provider has said how long its page is open. */
const openingHours = 24

/**
 * Charges the card on file, or opens a page on which the purchase is paid. Must run under the business's lock (`inTurn`). A business
 * has one open checkout: the same purchase again gets the same page, another purchase closes it first. Requests to the provider
 * carry the checkout's id, so that a retry after a crash does not charge twice.
 * @returns address of the page; null: paid, or there is a subscription already
 */
export async function payFor(
  room: PaymentRoom,
  db: Sql,
  provider: Provider,
  payer: Payer,
  purchase: Purchase,
): Promise<string | null> {
  const customerId = await customerOf(room, db, provider, payer)
  for (;;) {
    const checkout = await claimCheckout(room, db, payer.businessId, purchase)
    if (checkout === 'subscribed') return null
    if (!isFor(checkout, purchase)) {
      const closed = checkout.session_id === null || (await provider.closeCheckout(checkout.session_id))
      // Not closed means paid: its event comes in a moment. Ending it here makes room for the new checkout.
      await store.endCheckout(db, checkout.checkout_id, closed ? 'expired' : 'complete')
      continue
    }
    if (checkout.url) return checkout.url
    return open(room, db, provider, { ...orderOf(checkout, payer, customerId) })
  }
}

/**
 * Finds out about an earlier purchase of a plan whose event has not come yet (paid on a page, or by an order whose answer was lost),
 * so that no second plan is bought. Must run under the business's lock. @throws `PurchaseUnderWay` while that order may still be
 * charged
 */
export async function settleEarlierPurchase(
  room: PaymentRoom,
  provider: Provider,
  businessId: string,
  purchase: Purchase,
): Promise<void> {
  const customerId = (await store.findCustomer(room.db, businessId))?.customer_id
  if (!customerId) return
  const now = asDate(room.clock.now())
  const checkout = await store.checkoutUnderWay(room.db, businessId)
  const isOurs = checkout?.provider === provider.name && checkout.what === 'subscription'
  if (isOurs && checkout.url && checkout.expires_at > now && isFor(checkout, purchase)) return
  if (isOurs && checkout.session_id) await provider.closeCheckout(checkout.session_id)
  await applyFetchedFacts(room, room.db, await provider.fetchFacts({ businessId, customerId }, 'plans'))
  if (!isOurs || checkout.session_id) return
  const isPaid = runningOf(soldBy(provider.name, await store.subscriptionsOf(room.db, businessId))) !== null
  if (isPaid) return void (await store.endCheckout(room.db, checkout.checkout_id, 'complete'))
  // A younger order may still be charged. The same purchase is retried with its key, which charges once.
  const isSettled = +now - +checkout.created_at > settledAfterMs
  if (isSettled) await store.endCheckout(room.db, checkout.checkout_id, 'expired')
  else if (!isFor(checkout, purchase))
    throw new PurchaseUnderWay('An order whose answer was lost may still be charged.')
}

/** Longer than any provider takes for an order. */
const settledAfterMs = 2 * 60_000

async function open(room: PaymentRoom, db: Sql, provider: Provider, order: Order): Promise<string | null> {
  const paid = await provider.subscribeAtOnce(order)
  if (paid) {
    await askingAtTies(room, db, async (trx, asked) => {
      await applyEvents(room, trx, paid, asked)
      await store.endCheckout(trx, order.checkoutId, 'complete')
    })
    return null
  }
  const opened = await provider.openCheckout(order).catch(async (error: unknown) => {
    // Nothing was charged, and nobody has seen the page.
    await store.endCheckout(db, order.checkoutId, 'expired')
    throw error
  })
  if (await store.openCheckout(db, order.checkoutId, opened)) return opened.url
  // Another purchase took its place while the provider was asked.
  await provider.closeCheckout(opened.sessionId)
  throw new ProviderFailed('The checkout was closed while it was opened.')
}

/** The business's customer id at the provider. Stored before anything is paid with it: events of unknown customers are refused. */
export async function customerOf(
  { clock }: PaymentRoom,
  db: Sql,
  provider: Provider,
  { businessId, name, email }: Pick<Payer, 'businessId' | 'name' | 'email'>,
): Promise<string> {
  await store.ensureCustomer(db, { businessId, provider: provider.name, now: asDate(clock.now()) })
  const known = await store.findCustomer(db, businessId)
  if (known?.customer_id) return known.customer_id
  return store.setCustomerId(db, businessId, await provider.customerFor({ businessId, name, email }))
}

/**
 * If the provider no longer knows the customer, a former one that it knows takes its place, or none: the next purchase then creates
 * one. Must run under the business's lock. @returns true: the customer was replaced
 */
export async function replaceUnknownCustomer(
  room: PaymentRoom,
  provider: Provider,
  businessId: string,
): Promise<boolean> {
  const known = await store.findCustomer(room.db, businessId)
  if (!known?.customer_id || (await provider.knows(known.customer_id))) return false
  const to = await firstKnown(provider, known)
  const change = { from: known.customer_id, to, now: asDate(room.clock.now()) }
  await inTransaction(room.db, async (trx) => {
    await store.lockCustomer(trx, businessId)
    await store.changeCustomer(trx, businessId, change)
  })
  room.complain('The payment provider does not know a customer any more, and another one takes the place.', {
    business: businessId,
    what: `customer ${known.customer_id}`,
  })
  return true
}

/** Each change of the provider's keys leaves one former customer; keys change rarely. */
const formerTried = 3

/** The newest former customer that the provider knows. */
async function firstKnown(provider: Provider, { former_ids }: store.Customer): Promise<string | null> {
  for (const id of former_ids.slice(-formerTried).toReversed()) if (await provider.knows(id)) return id
  return null
}

/** Gives a business without a customer a former one that the provider knows again. Must run under the business's lock. */
export async function restoreFormerCustomer(
  room: PaymentRoom,
  provider: Provider,
  businessId: string,
): Promise<string | null> {
  const known = await store.findCustomer(room.db, businessId)
  if (!known || known.customer_id !== null) return known?.customer_id ?? null
  const to = await firstKnown(provider, known)
  if (to === null) return null
  await store.bringBackCustomer(room.db, businessId, to)
  return to
}

function claimCheckout(
  { clock, settings }: PaymentRoom,
  db: Sql,
  businessId: string,
  purchase: Purchase,
): Promise<'subscribed' | store.Checkout> {
  const now = clock.now()
  return inTransaction(db, async (trx) => {
    await store.lockCustomer(trx, businessId)
    // The event of an earlier payment may have come in the meantime.
    const sold = soldBy(settings.provider, await store.subscriptionsOf(trx, businessId))
    if (purchase.what === 'subscription' && runningOf(sold)) return 'subscribed'
    const underWay = await store.checkoutUnderWay(trx, businessId)
    const isGood = underWay && underWay.provider === settings.provider && underWay.expires_at > asDate(now)
    if (isGood) return underWay
    if (underWay) await store.endCheckout(trx, underWay.checkout_id, 'expired')
    const checkout = {
      checkout_id: newId(),
      business_id: businessId,
      provider: settings.provider!,
      what: purchase.what,
      tier: purchase.what === 'subscription' ? purchase.tier : null,
      interval: purchase.what === 'subscription' ? purchase.interval : null,
      amount_rappen: purchase.what === 'subscription' ? priceRappen(purchase) : promotionRappen,
      created_at: asDate(now),
      expires_at: asDate(now.add({ hours: openingHours })),
    }
    await store.insertCheckout(trx, checkout)
    return { ...checkout, status: 'opening', session_id: null, url: null }
  })
}

function isFor(checkout: store.Checkout, purchase: Purchase): boolean {
  if (checkout.what !== purchase.what) return false
  return purchase.what === 'promotion' || (checkout.tier === purchase.tier && checkout.interval === purchase.interval)
}

const orderOf = (checkout: store.Checkout, { businessId, origin, locale }: Payer, customerId: string): Order => ({
  key: checkout.checkout_id,
  checkoutId: checkout.checkout_id,
  businessId,
  customerId,
  purchase:
    checkout.what === 'subscription'
      ? { what: 'subscription', tier: checkout.tier!, interval: checkout.interval! }
      : { what: 'promotion' },
  origin,
  locale,
})
