import { businessToBill } from '../../businesses/server/businesses.ts'
import { merchantOf } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal, unavailable } from '../../kit/shared/refusal.ts'
import { knownWho, type Asking } from '../../kit/server/serve-endpoint.ts'
import { businessNotFound, businessSuspended } from '../../businesses/contract.ts'
import * as contract from '../contract.ts'
import { type Interval } from '../policy.ts'
import { customerOf, payFor, type Payer } from './checkouts.ts'
import { applyEvents } from './events.ts'
import type { ProviderEvent } from './facts.ts'
import { EventForged, ProviderFailed, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import { paysFor, runningOf, soldBy, type SubscriptionState } from './standing.ts'
import * as store from './store.ts'
import { change } from './upgrade.ts'
import { inTurnWith, isLeaving, refuseLeaving } from './at-provider.ts'
import { mySubscription, plannedFor } from './my-subscription.ts'

/** The room's only server door, with its neighbours here. */
export { findInvoice, listInvoices } from './invoices.ts'
export { answeredOnce } from './answered-once.ts'
export { mySubscription } from './my-subscription.ts'
export { upgrade } from './upgrade.ts'

export async function payerOf(room: PaymentRoom, asking: Asking): Promise<Payer> {
  const businessId = knownWho(asking).businessId
  const business = businessId ? await businessToBill(room.db, businessId) : undefined
  if (!businessId || !business) throw new Refusal(businessNotFound)
  const { origin, locale } = asking
  return { businessId, name: business.business_name, email: business.email, origin, locale }
}

/**
 * A page on which 30 days of featured placement are paid for. Throws `business_suspended`, `business_leaving`,
 * `promotion_failed`, `payments_off`.
 */
export async function createPromoSession(room: PaymentRoom, payer: Payer): Promise<{ sessionUrl: string }> {
  // nobody would see it
  if ((await merchantOf(room.db, payer.businessId))?.is_suspended) throw new Refusal(businessSuspended)
  await refuseLeaving(room, payer)
  const sessionUrl = await inTurnWith(room, payer.businessId, contract.promotionFailed, (provider) =>
    payFor(room, room.db, provider, payer, { what: 'promotion' }),
  )
  // paid on the page while it was asked for: the next click opens a new one
  if (sessionUrl === null) throw new Refusal(contract.promotionFailed)
  return { sessionUrl }
}

/**
 * Of a suspended business the page that is open for a promotion takes nothing any more, of a leaving one any page. A job, so it
 * may come twice.
 */
export async function closeCheckoutOfBarred(room: PaymentRoom, businessId: string): Promise<void> {
  const pageToClose = async () => {
    const checkout = await store.checkoutUnderWay(room.db, businessId)
    const merchant = await merchantOf(room.db, businessId)
    const isOver = merchant?.is_leaving || (merchant?.is_suspended && checkout?.what === 'promotion')
    return isOver ? checkout : undefined
  }
  if (room.settings.provider === null || !(await pageToClose())) return
  await inTurnWith(room, businessId, contract.promotionFailed, async (provider) => {
    const checkout = await pageToClose()
    // shown again meanwhile, or asked for something else
    if (!checkout) return
    const isClosed = checkout.session_id === null || (await provider.closeCheckout(checkout.session_id))
    await store.endCheckout(room.db, checkout.checkout_id, isClosed ? 'expired' : 'complete')
  })
}

/** Of an account that is gone: nothing can be paid on its page any more. What was paid on it before ends with its event (`stand`). */
export async function closeCheckoutOfDeleted(
  room: PaymentRoom,
  { businessId, sessionId, providerName }: { businessId: string; sessionId: string; providerName: string },
): Promise<void> {
  const provider = room.provider(room.db)
  // of another provider than the one chosen now it can be neither found nor closed
  if (provider?.name !== providerName || (await provider.closeCheckout(sessionId))) return
  room.complain('Something was paid for an account that is gone.', { business: businessId, what: `page ${sessionId}` })
}

/** Throws `no_subscription`, `provider_failed`, `payments_off`. */
export function cancel(room: PaymentRoom, { businessId }: Pick<Payer, 'businessId'>) {
  return changeRunning(room, businessId, async (provider, running) => {
    // also of a plan that an account's deletion has cancelled: keeping the account does not bring it back
    await store.clearPlanBeforeLeaving(room.db, running.subscription_id)
    return cancelRunning(room, provider, businessId, running)
  })
}

/** At the end of the paid period. One that is overdue has none, and ends now, so that no later try charges it. */
async function cancelRunning(room: PaymentRoom, provider: Provider, businessId: string, running: SubscriptionState) {
  if (running.status === 'past_due') {
    const payments = await store.paymentsOf(room.db, businessId)
    if (!paysFor(running, payments, asDate(room.clock.now()))) return provider.end(running)
  }
  return running.cancel_at_period_end ? [] : provider.cancelLater(running, true, keyOf('cancel', running))
}

/**
 * Nobody who has asked for the deletion of their account is charged again meanwhile: the plan is cancelled. Once the account is
 * kept it goes on, with the change that was planned; one whose paid period is over by then has ended. A job for both, in the turn of
 * the business, that goes by how it is now: the account may have been kept, or be leaving again, before it runs.
 */
export async function settleLeaving(room: PaymentRoom, businessId: string): Promise<void> {
  try {
    await changeRunning(room, businessId, async (provider, running) => {
      const before = await store.planBeforeLeaving(room.db, running.subscription_id)
      if (!(await isLeaving(room, businessId))) {
        if (before) await change(room, provider, running, before.pending ?? running)
        return store.clearPlanBeforeLeaving(room.db, running.subscription_id)
      }
      if (running.cancel_at_period_end) return
      // first, so that no crash forgets it
      if (!before) await store.storePlanBeforeLeaving(room.db, running)
      return cancelRunning(room, provider, businessId, running)
    })
  } catch (error) {
    // it has ended meanwhile
    if (!(error instanceof Refusal && error.kind === contract.noSubscription)) throw error
  }
}

/** Takes back a cancellation and what waits for the end of the period. Throws `business_leaving`, `nothing_to_keep` and as `cancel`. */
export async function resume(room: PaymentRoom, payer: Payer) {
  await refuseLeaving(room, payer)
  return changeRunning(room, payer.businessId, async (provider, running) => {
    if (running.cancel_at_period_end) return provider.cancelLater(running, false, keyOf('resume', running))
    if (running.pending_tier) return provider.changeLater(running, null, keyOf('keep', running))
    throw new Refusal(contract.notCancelled)
  })
}

/** The interval that runs already takes back a switch that waits. Throws `business_leaving`, `payment_declined` and as `cancel`. */
export async function switchInterval(room: PaymentRoom, payer: Payer, interval: Interval) {
  await refuseLeaving(room, payer)
  return changeRunning(room, payer.businessId, async (provider, running) => {
    await change(room, provider, running, { tier: (plannedFor(running) ?? running).tier, interval })
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

/** Throws `no_subscription`, `provider_failed`, `payments_off`. */
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

/** What the provider tells. Whoever else writes here is refused: `event_forged`. Throws `unavailable` where it has to be asked and fails. */
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
      // it is signed, and what it leaves out could not be asked for: the provider sends it again
      room.complain('The payment provider failed.', { reason: error.message })
      throw new Refusal(unavailable, { retryAfterS: 5 })
    }
    if (!(error instanceof EventForged)) throw error
    room.log.note({ event: 'webhook_rejected', actor: null, requestId, details: { bytes: bytes.length } })
    throw new Refusal(contract.eventForged)
  }
}
