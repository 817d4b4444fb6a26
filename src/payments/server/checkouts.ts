import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { priceRappen, promotionRappen, type Plan } from '../policy.ts'
import { applyEvents, applyFetchedFacts } from './events.ts'
import { ProviderFailed, type Order, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import { runningOf, soldBy } from './standing.ts'
import * as store from './store.ts'
import { askingAtTies } from './snapshots.ts'
import { inTransaction } from './test-provider.ts'
import { PurchaseUnderWay } from './turns.ts'

export type Purchase = ({ what: 'subscription' } & Plan) | { what: 'promotion' }

export interface Payer {
  businessId: string
  name: string
  email: string | null
  origin: string
  locale: string
}

/** Until the provider says how long its page is open. */
const openingHours = 24

/**
 * Pays at once where that goes, else answers the page on which it is paid. Called in the business's turn (`inTurn`). One purchase
 * is under way per business: who asks for the same again gets the same page, and what was asked for before something else is
 * closed first. What is asked of the provider carries the id of the purchase, so asking again after a crash charges nothing twice.
 * @returns the page; null: paid, or there is a subscription already
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
      // paid meanwhile: its event says so in a moment, and here it makes room
      await store.endCheckout(db, checkout.checkout_id, closed ? 'expired' : 'complete')
      continue
    }
    if (checkout.url) return checkout.url
    return open(room, db, provider, { ...orderOf(checkout, payer, customerId) })
  }
}

/**
 * What was paid for a plan without its event having come yet: on a page, or by an order whose answer was lost. Nothing else is opened
 * before that is known. Called in the business's turn. Throws `PurchaseUnderWay` while an order may still be on its way.
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
  // younger, it is asked for again with its key, so that nothing is charged twice
  const isSettled = +now - +checkout.created_at > settledAfterMs
  if (isSettled) await store.endCheckout(room.db, checkout.checkout_id, 'expired')
  else if (!isFor(checkout, purchase))
    throw new PurchaseUnderWay('An order whose answer was lost may still be charged.')
}

/** Longer than a provider works at an order. */
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
    // nothing was charged, and nobody has seen its page
    await store.endCheckout(db, order.checkoutId, 'expired')
    throw error
  })
  if (await store.openCheckout(db, order.checkoutId, opened)) return opened.url
  // another purchase took its place while the provider was asked
  await provider.closeCheckout(opened.sessionId)
  throw new ProviderFailed('The checkout was closed while it was opened.')
}

/** The id at the provider; kept before anything can be paid with it, so an event of a stranger is known by it. */
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
 * Where the provider does not know the customer: the one of before whom it knows, or none, so that the next purchase makes one. True: so it was.
 * Called in the business's turn.
 */
export async function otherCustomer(room: PaymentRoom, provider: Provider, businessId: string): Promise<boolean> {
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

/** Keys are changed a few times at most. */
const formerTried = 3

/** The last of those of before whom the provider knows. */
async function firstKnown(provider: Provider, { former_ids }: store.Customer): Promise<string | null> {
  for (const id of former_ids.slice(-formerTried).toReversed()) if (await provider.knows(id)) return id
  return null
}

/** Where the business has no customer at the provider: the one of before whom it knows again, which is theirs from now on. In its turn. */
export async function formerCustomer(
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
    // its event may have come meanwhile
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
