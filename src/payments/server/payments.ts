import { businessToBill } from '../../businesses/server/businesses.ts'
import { findMerchant } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal, unavailable } from '../../kit/shared/refusal.ts'
import { knownCaller, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import * as contract from '../contract.ts'
import { whyNotBuy, type Interval } from '../policy.ts'
import { customerOf, payFor, type Payer } from './checkouts.ts'
import { applyEvents } from './events.ts'
import type { ProviderEvent } from './facts.ts'
import { EventForged, ProviderFailed, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import { paysFor, runningOf, soldBy, type SubscriptionState } from './standing.ts'
import * as store from './store.ts'
import { changePlan } from './upgrade.ts'
import { inTurnWith, refuseToSell } from './at-provider.ts'
import { mySubscription, plannedFor } from './my-subscription.ts'

/** The room's only server door. */
export { findInvoice, listInvoices } from './invoices.ts'
export { answeredOnce } from './answered-once.ts'
export { mySubscription } from './my-subscription.ts'
export { upgrade } from './upgrade.ts'

export async function payerOf(room: PaymentRoom, asking: RequestContext): Promise<Payer> {
  const businessId = knownCaller(asking).businessId
  const business = businessId ? await businessToBill(room.db, businessId) : undefined
  if (!businessId || !business) throw new Refusal(businessNotFound)
  const { origin, locale } = asking
  return { businessId, name: business.business_name, email: business.email, origin, locale }
}

/**
 * Address of a page on which 30 days of featured placement are paid.
 * @throws `business_suspended`, `business_leaving`, `promotion_failed`, `payments_off`
 */
export async function createPromoSession(room: PaymentRoom, payer: Payer): Promise<{ sessionUrl: string }> {
  await refuseToSell(room, payer.businessId, 'promotion')
  const sessionUrl = await inTurnWith(room, payer.businessId, contract.promotionFailed, (provider) =>
    payFor(room, room.db, provider, payer, { what: 'promotion' }),
  )
  // It was paid on the page at this moment: the next click opens a new page.
  if (sessionUrl === null) throw new Refusal(contract.promotionFailed)
  return { sessionUrl }
}

/**
 * Closes the open checkout of a business that may no longer buy: a promotion of a suspended business, anything of one that waits to
 * be deleted. A job, so it may run twice.
 */
export async function closeCheckoutOfBarred(room: PaymentRoom, businessId: string): Promise<void> {
  const pageToClose = async () => {
    const checkout = await store.checkoutUnderWay(room.db, businessId)
    const merchant = await findMerchant(room.db, businessId)
    return checkout && whyNotBuy(checkout.what, merchant) ? checkout : undefined
  }
  if (room.settings.provider === null || !(await pageToClose())) return
  await inTurnWith(room, businessId, contract.promotionFailed, async (provider) => {
    const checkout = await pageToClose()
    // In the meantime the business was restored, or opened another checkout.
    if (!checkout) return
    const isClosed = checkout.session_id === null || (await provider.closeCheckout(checkout.session_id))
    await store.endCheckout(room.db, checkout.checkout_id, isClosed ? 'expired' : 'complete')
  })
}

/** Closes the checkout of a deleted account. If it was paid before, its event ends the subscription (`applyStanding`). */
export async function closeCheckoutOfDeleted(
  room: PaymentRoom,
  { businessId, sessionId, providerName }: { businessId: string; sessionId: string; providerName: string },
): Promise<void> {
  const provider = room.provider(room.db)
  // A checkout of another provider than the current one cannot be closed.
  if (provider?.name !== providerName || (await provider.closeCheckout(sessionId))) return
  room.complain('Something was paid for an account that is gone.', { business: businessId, what: `page ${sessionId}` })
}

/** @throws `no_subscription`, `provider_failed`, `payments_off` */
export function cancel(room: PaymentRoom, { businessId }: Pick<Payer, 'businessId'>) {
  return changeRunning(room, businessId, async (provider, running) => {
    // If the account's deletion had cancelled the plan, keeping the account must not bring it back now.
    await store.clearPlanBeforeLeaving(room.db, running.subscription_id)
    return cancelRunning(room, provider, businessId, running)
  })
}

/** Cancels at the end of the paid period. An overdue plan has none: it ends now, so that no later attempt charges it. */
async function cancelRunning(room: PaymentRoom, provider: Provider, businessId: string, running: SubscriptionState) {
  if (running.status === 'past_due') {
    const payments = await store.paymentsOf(room.db, businessId)
    if (!paysFor(running, payments, asDate(room.clock.now()))) return provider.end(running)
  }
  return running.cancel_at_period_end ? [] : provider.cancelLater(running, true, keyOf('cancel', running))
}

/**
 * Cancels the plan of an account that waits to be deleted, so that it is not charged again; resumes it, with its planned change, if
 * the account stays and the paid period is not over. One job for both directions, under the business's lock: it goes by the
 * account's current state, which may have changed again before the job runs.
 */
export async function settleLeaving(room: PaymentRoom, businessId: string): Promise<void> {
  try {
    await changeRunning(room, businessId, async (provider, running) => {
      const before = await store.planBeforeLeaving(room.db, running.subscription_id)
      if (!(await findMerchant(room.db, businessId))?.is_leaving) {
        if (before) await changePlan(room, provider, running, before.pending ?? running)
        return store.clearPlanBeforeLeaving(room.db, running.subscription_id)
      }
      if (running.cancel_at_period_end) return
      // Store it first: after a crash the plan can still be restored.
      if (!before) await store.storePlanBeforeLeaving(room.db, running)
      return cancelRunning(room, provider, businessId, running)
    })
  } catch (error) {
    // The plan has ended in the meantime.
    if (!(error instanceof Refusal && error.kind === contract.noSubscription)) throw error
  }
}

/** Takes back a cancellation or a planned change. @throws `business_leaving`, `nothing_to_keep`, and those of `cancel` */
export async function resume(room: PaymentRoom, payer: Payer) {
  await refuseToSell(room, payer.businessId, 'subscription')
  return changeRunning(room, payer.businessId, async (provider, running) => {
    if (running.cancel_at_period_end) return provider.cancelLater(running, false, keyOf('resume', running))
    if (running.pending_tier) return provider.changeLater(running, null, keyOf('keep', running))
    throw new Refusal(contract.notCancelled)
  })
}

/** Choosing the current interval takes back a planned switch. @throws `business_leaving`, `payment_declined`, and those of `cancel` */
export async function switchInterval(room: PaymentRoom, payer: Payer, interval: Interval) {
  await refuseToSell(room, payer.businessId, 'subscription')
  return changeRunning(room, payer.businessId, async (provider, running) => {
    await changePlan(room, provider, running, { tier: (plannedFor(running) ?? running).tier, interval })
  })
}

const keyOf = (what: string, { subscription_id, as_of }: SubscriptionState) => `${what}_${subscription_id}_${+as_of}`

async function changeRunning(
  room: PaymentRoom,
  businessId: string,
  work: (provider: Provider, running: SubscriptionState) => Promise<ProviderEvent[] | void>,
): Promise<contract.MySubscription> {
  const findRunning = async () =>
    runningOf(soldBy(room.settings.provider, await store.subscriptionsOf(room.db, businessId)))
  if (!(await findRunning())) throw new Refusal(contract.noSubscription)
  await inTurnWith(room, businessId, contract.providerFailed, async (provider) => {
    const running = await findRunning()
    if (!running) throw new Refusal(contract.noSubscription)
    await applyEvents(room, room.db, (await work(provider, running)) ?? [])
  })
  return mySubscription(room, businessId)
}

/** @throws `no_subscription`, `provider_failed`, `payments_off` */
export async function openPortal(room: PaymentRoom, payer: Payer): Promise<{ sessionUrl: string }> {
  const known = await store.findCustomer(room.db, payer.businessId)
  if (!known?.customer_id) throw new Refusal(contract.noSubscription)
  const { businessId, origin, locale } = payer
  const sessionUrl = await inTurnWith(room, businessId, contract.providerFailed, async (provider) => {
    const customerId = await customerOf(room, room.db, provider, payer)
    return provider.openPortal({ businessId, customerId, origin, locale })
  })
  return { sessionUrl }
}

/** Takes a webhook event (facts.ts says which one sets the tier). @throws `event_forged` without a valid signature, `unavailable` if the provider must be asked and fails */
export async function receiveEvent(
  room: PaymentRoom,
  { bytes, signature }: { bytes: Uint8Array; signature: string },
  requestId: string,
): Promise<{ received: true }> {
  const provider = room.provider(room.db)
  if (!provider) throw new Refusal(contract.paymentsOff)
  try {
    const event = await provider.readEvent(bytes, signature, room.clock.now().epochMilliseconds)
    await applyEvents(room, room.db, [event])
    return { received: true }
  } catch (error) {
    if (error instanceof ProviderFailed) {
      // The event is genuine, but details could not be fetched. A 503 makes the provider send it again.
      room.complain('The payment provider failed.', { reason: error.message })
      throw new Refusal(unavailable, { retryAfterS: 5 })
    }
    if (!(error instanceof EventForged)) throw error
    room.log.note({ event: 'webhook_rejected', actor: null, requestId, details: { bytes: bytes.length } })
    throw new Refusal(contract.eventForged)
  }
}
