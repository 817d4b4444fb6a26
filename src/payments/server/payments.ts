import { businessToBill, countLiveDeals } from '../../businesses/server/businesses.ts'
import { merchantOf } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal, unavailable, type RefusalKind } from '../../kit/shared/refusal.ts'
import { knownWho, type Asking } from '../../kit/server/serve-endpoint.ts'
import { viewsBetween } from '../../views/server/views.ts'
import { businessLeaving, businessNotFound, businessSuspended } from '../../businesses/contract.ts'
import * as contract from '../contract.ts'
import { overdueEnd, parted, rankOf, samePlan, type Interval, type PaidTier, type Plan } from '../policy.ts'
import { customerOf, otherCustomer, payFor, settleEarlier, type Payer } from './checkouts.ts'
import { applyEvents, applyLooked } from './events.ts'
import type { ProviderEvent } from './facts.ts'
import { CardDeclined, EventForged, NothingThere, ProviderFailed, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import {
  lastPaymentOf,
  paysFor,
  promotionsOf,
  runningOf,
  soldBy,
  standingOf,
  type PaymentState,
  type SubscriptionState,
} from './standing.ts'
import * as store from './store.ts'
import { inTurn, WishUnderWay } from './turns.ts'

/** The room's only server door, with its neighbours here. */
export { findInvoice, listInvoices } from './invoices.ts'
export { answeredOnce } from './answered-once.ts'

export async function payerOf(room: PaymentRoom, asking: Asking): Promise<Payer> {
  const businessId = knownWho(asking).businessId
  const business = businessId ? await businessToBill(room.db, businessId) : undefined
  if (!businessId || !business) throw new Refusal(businessNotFound)
  const { origin, locale } = asking
  return { businessId, name: business.business_name, email: business.email, origin, locale }
}

/** What a business pays for; all null for one that pays for nothing. */
export async function mySubscription(room: PaymentRoom, businessId: string): Promise<contract.MySubscription> {
  const { db, clock } = room
  const now = asDate(clock.now())
  const subscriptions = await store.subscriptionsOf(db, businessId)
  const current = soldBy(room.settings.provider, subscriptions)
  const payments = await store.paymentsOf(db, businessId)
  const { tier, featuredUntil, overdueSince } = standingOf(subscriptions, payments, now)
  const promotions = promotionsOf(payments)
  const running = runningOf(current) ?? current.find(({ status }) => status === 'incomplete') ?? null
  return {
    subscription_tier: tier,
    ...(running ? recordOf(running, payments) : nothing),
    overdue_until: overdueSince && tier !== 'FREE' ? overdueEnd(overdueSince).toISOString() : null,
    featured_until: featuredUntil && featuredUntil > now ? featuredUntil.toISOString() : null,
    // one that begins later has brought nothing yet
    last_promotion: await lastPromotion(
      room,
      businessId,
      promotions.findLast(({ from }) => from <= now),
    ),
    promotion_paid_at: promotions.at(-1)?.paid_at.toISOString() ?? null,
    live_deals: await countLiveDeals(db, businessId, now),
    vat_rate: room.settings.vat?.rate ?? null,
    has_invoices: payments.length > 0,
    has_portal: running !== null,
  }
}

const nothing = {
  subscription_id: null,
  provider_id: null,
  tier: null,
  interval: null,
  status: null,
  current_period_end: null,
  cancel_at_period_end: false,
  amount_chf: null,
  pending_change: null,
  payment_method: null,
} as const

function recordOf(running: SubscriptionState, payments: PaymentState[]) {
  // the newest says how, and one of nothing was paid by nothing
  const paid = payments.find(
    (each) => each.subscription_provider_id === running.provider_id && each.payment_method !== null,
  )
  return {
    subscription_id: running.subscription_id,
    provider_id: running.provider_id,
    tier: running.tier,
    interval: running.interval,
    status: running.status,
    current_period_end: running.period_end.toISOString(),
    cancel_at_period_end: running.cancel_at_period_end,
    amount_chf: chfFromRappen(running.amount_rappen),
    pending_change: pendingOf(running),
    payment_method: running.payment_method ?? paid?.payment_method ?? null,
  }
}

/** The plan that follows at the end of the paid period. A subscription that ends does not change any more. */
function plannedFor(running: SubscriptionState): Plan | null {
  const { pending_tier, pending_interval, cancel_at_period_end } = running
  return pending_tier && !cancel_at_period_end ? { tier: pending_tier, interval: pending_interval! } : null
}

function pendingOf(running: SubscriptionState) {
  const planned = plannedFor(running)
  return planned && { ...planned, at: running.period_end.toISOString() }
}

/** Views of the business's page since the placement began, and in as much time before it. */
async function lastPromotion(
  { db, clock }: PaymentRoom,
  businessId: string,
  last: { from: Date; until: Date } | undefined,
) {
  if (!last) return null
  const end = new Date(Math.min(+last.until, clock.now().epochMilliseconds))
  const before = new Date(2 * +last.from - +end)
  return {
    starts_at: last.from.toISOString(),
    ends_at: last.until.toISOString(),
    profile_views: await viewsBetween(db, 'business', businessId, { from: last.from, until: end }),
    profile_views_before: await viewsBetween(db, 'business', businessId, { from: before, until: last.from }),
  }
}

/**
 * Asks for a tier. The answer has the one that is true now: more comes with a confirmed payment, less when what was paid
 * for is used up.
 * @throws business_leaving, upgrade_failed, payment_declined, payments_off
 */
export async function upgrade(
  room: PaymentRoom,
  payer: Payer,
  wanted: { tier: PaidTier; interval: Interval | undefined },
) {
  await refuseLeaving(room, payer)
  const sessionUrl = await inTurnWith(room, payer.businessId, contract.upgradeFailed, async (provider) => {
    const plan: Plan = { tier: wanted.tier, interval: wanted.interval ?? 'month' }
    const wish = { what: 'subscription', ...plan } as const
    let running = await endedIfUnpaid(room, provider, payer.businessId)
    if (!running) {
      await settleEarlier(room, provider, payer.businessId, wish)
      running = await endedIfUnpaid(room, provider, payer.businessId)
    }
    if (running?.status === 'past_due' && rankOf(await tierOf(room, payer.businessId)) < rankOf(wanted.tier))
      throw new Refusal(contract.paymentOverdue)
    if (running)
      return change(room, provider, running, {
        tier: wanted.tier,
        interval: wanted.interval ?? (plannedFor(running) ?? running).interval,
      })
    return payFor(room, room.db, provider, payer, wish)
  })
  const { subscription_tier, pending_change } = await mySubscription(room, payer.businessId)
  const isThere = rankOf(subscription_tier) >= rankOf(wanted.tier)
  return {
    business: { business_id: payer.businessId, business_name: payer.name, subscription_tier },
    ...(sessionUrl && !isThere ? { sessionUrl } : {}),
    pending_change,
  }
}

async function tierOf({ db, clock }: PaymentRoom, businessId: string) {
  const subscriptions = await store.subscriptionsOf(db, businessId)
  return standingOf(subscriptions, await store.paymentsOf(db, businessId), asDate(clock.now())).tier
}

/**
 * The running subscription. One whose money went back gives nothing any more, so it makes room for a new one. Throws `WishUnderWay`
 * while its payment is not known.
 */
async function endedIfUnpaid(
  room: PaymentRoom,
  provider: Provider,
  businessId: string,
  hasLooked = false,
): Promise<SubscriptionState | null> {
  const subscriptions = await store.subscriptionsOf(room.db, businessId)
  const running = runningOf(soldBy(provider.name, subscriptions))
  if (!running) return null
  const payments = await store.paymentsOf(room.db, businessId)
  const { tier } = standingOf(subscriptions, payments, asDate(room.clock.now()))
  if (tier !== 'FREE' || running.status === 'past_due') return running
  if (lastPaymentOf(running, payments)?.reversed) {
    await applyEvents(room, room.db, await provider.end(running))
    return null
  }
  if (hasLooked) throw new WishUnderWay('A subscription runs whose payment the provider does not know yet.')
  // events come in any order: its payment may be there, and nobody pays twice
  const customerId = (await store.findCustomer(room.db, businessId))?.customer_id
  if (customerId) await applyLooked(room, room.db, await provider.look({ businessId, customerId }, 'plans'))
  return endedIfUnpaid(room, provider, businessId, true)
}

/** More now, less at the end of the paid period; what waited before makes room. */
async function change(room: PaymentRoom, provider: Provider, running: SubscriptionState, wanted: Plan): Promise<null> {
  const { now, later } = parted(running, wanted)
  const key = (what: string, { subscription_id, as_of }: SubscriptionState) =>
    `${what}_${subscription_id}_${+as_of}_${wanted.tier}_${wanted.interval}`
  let current = running
  // the provider would count a period as paid for that was not
  if (now && running.status === 'past_due') throw new Refusal(contract.paymentOverdue)
  if (now) {
    await applyEvents(room, room.db, await provider.change(running, now, key('change', running)))
    current = (await newestOf(room, running)) ?? running
  } else if (running.cancel_at_period_end) {
    await applyEvents(room, room.db, await provider.cancelLater(running, false, key('resume', running)))
    current = (await newestOf(room, running)) ?? running
  }
  const waits = current.pending_tier && { tier: current.pending_tier, interval: current.pending_interval! }
  if (later ? !waits || !samePlan(later, waits) : waits)
    await applyEvents(room, room.db, await provider.changeLater(current, later, key('later', current)))
  return null
}

async function newestOf(room: PaymentRoom, { provider_id }: SubscriptionState): Promise<SubscriptionState | undefined> {
  const businessId = await store.ownerOfSubscription(room.db, provider_id)
  const all = businessId ? await store.subscriptionsOf(room.db, businessId) : []
  return all.find((each) => each.provider_id === provider_id)
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

/** Throws `business_leaving`: nobody buys anything for an account that waits to be deleted. */
async function refuseLeaving(room: PaymentRoom, { businessId }: Pick<Payer, 'businessId'>): Promise<void> {
  if (await isLeaving(room, businessId)) throw new Refusal(businessLeaving)
}

/**
 * Of a suspended business the page that is open for a promotion takes nothing any more, of a leaving one any page. A job, so it
 * may come twice.
 */
export async function closePage(room: PaymentRoom, businessId: string): Promise<void> {
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
export async function closeForgotten(
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
  return changed(room, businessId, async (provider, running) => {
    // also of a plan that an account's deletion has cancelled: keeping the account does not bring it back
    await store.forgetBeforeLeaving(room.db, running.subscription_id)
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
    await changed(room, businessId, async (provider, running) => {
      const before = await store.planBeforeLeaving(room.db, running.subscription_id)
      if (!(await isLeaving(room, businessId))) {
        if (before) await change(room, provider, running, before.pending ?? running)
        return store.forgetBeforeLeaving(room.db, running.subscription_id)
      }
      if (running.cancel_at_period_end) return
      // first, so that no crash forgets it
      if (!before) await store.noteBeforeLeaving(room.db, running)
      return cancelRunning(room, provider, businessId, running)
    })
  } catch (error) {
    // it has ended meanwhile
    if (!(error instanceof Refusal && error.kind === contract.noSubscription)) throw error
  }
}

const isLeaving = async ({ db }: PaymentRoom, businessId: string) =>
  (await merchantOf(db, businessId))?.is_leaving === true

/** Takes back a cancellation and what waits for the end of the period. Throws `business_leaving`, `nothing_to_keep` and as `cancel`. */
export async function resume(room: PaymentRoom, payer: Payer) {
  await refuseLeaving(room, payer)
  return changed(room, payer.businessId, async (provider, running) => {
    if (running.cancel_at_period_end) return provider.cancelLater(running, false, keyOf('resume', running))
    if (running.pending_tier) return provider.changeLater(running, null, keyOf('keep', running))
    throw new Refusal(contract.notCancelled)
  })
}

/** The interval that runs already takes back a switch that waits. Throws `business_leaving`, `payment_declined` and as `cancel`. */
export async function switchInterval(room: PaymentRoom, payer: Payer, interval: Interval) {
  await refuseLeaving(room, payer)
  return changed(room, payer.businessId, async (provider, running) => {
    await change(room, provider, running, { tier: (plannedFor(running) ?? running).tier, interval })
  })
}

const keyOf = (what: string, { subscription_id, as_of }: SubscriptionState) => `${what}_${subscription_id}_${+as_of}`

async function changed(
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

/** As `withProvider`, and one wish of the business after the other. Where the provider does not know the customer any more it is another. */
function inTurnWith<T>(
  room: PaymentRoom,
  businessId: string,
  refusal: RefusalKind,
  work: (provider: Provider) => Promise<T>,
): Promise<T> {
  return withProvider(room, refusal, async (provider) => {
    await store.ensureCustomer(room.db, { businessId, provider: provider.name, now: asDate(room.clock.now()) })
    return inTurn(room, businessId, async () => {
      try {
        return await work(provider)
      } catch (error) {
        if (!(error instanceof NothingThere) || !(await otherCustomer(room, provider, businessId))) throw error
        return work(provider)
      }
    })
  })
}

/** A provider that hangs or fails becomes the refusal; what it charged nothing for twice may be asked for again. */
async function withProvider<T>(
  room: PaymentRoom,
  refusal: RefusalKind,
  work: (provider: Provider) => Promise<T>,
): Promise<T> {
  const provider = room.provider(room.db)
  if (!provider) throw new Refusal(contract.paymentsOff)
  try {
    return await work(provider)
  } catch (error) {
    if (error instanceof CardDeclined) throw new Refusal(contract.paymentDeclined)
    if (!(error instanceof ProviderFailed)) throw error
    if (!(error instanceof WishUnderWay)) room.complain('The payment provider failed.', { reason: error.message })
    throw new Refusal(refusal)
  }
}
