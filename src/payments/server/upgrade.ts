import { asDate } from '../../kit/server/clock.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import * as contract from '../contract.ts'
import { splitChange, rankOf, samePlan, type Interval, type PaidTier, type Plan } from '../policy.ts'
import { payFor, settleEarlierPurchase, type Payer } from './checkouts.ts'
import { applyEvents, applyFetchedFacts } from './events.ts'
import { inTurnWith, refuseToSell } from './at-provider.ts'
import { mySubscription, plannedFor } from './my-subscription.ts'
import type { Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import { lastPaymentOf, runningOf, soldBy, standingOf, type SubscriptionState } from './standing.ts'
import * as store from './store.ts'
import { PurchaseUnderWay } from './turns.ts'

/**
 * Changes to another tier. The answer holds the current tier: a higher one starts with a confirmed payment, a lower one at the end of
 * the paid period.
 * @throws `business_leaving`, `upgrade_failed`, `payment_declined`, `payment_overdue`, `payments_off`
 */
export async function upgrade(
  room: PaymentRoom,
  payer: Payer,
  wanted: { tier: PaidTier; interval: Interval | undefined },
) {
  await refuseToSell(room, payer.businessId, 'subscription')
  const sessionUrl = await inTurnWith(room, payer.businessId, contract.upgradeFailed, async (provider) => {
    const plan: Plan = { tier: wanted.tier, interval: wanted.interval ?? 'month' }
    const purchase = { what: 'subscription', ...plan } as const
    let running = await runningAndPaid(room, provider, payer.businessId)
    if (!running) {
      await settleEarlierPurchase(room, provider, payer.businessId, purchase)
      running = await runningAndPaid(room, provider, payer.businessId)
    }
    if (running?.status === 'past_due' && rankOf(await tierOf(room, payer.businessId)) < rankOf(wanted.tier))
      throw new Refusal(contract.paymentOverdue)
    if (running)
      return changePlan(room, provider, running, {
        tier: wanted.tier,
        interval: wanted.interval ?? (plannedFor(running) ?? running).interval,
      })
    return payFor(room, room.db, provider, payer, purchase)
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
 * The running subscription. A refunded one is ended, so that a new one can be bought.
 * @throws `PurchaseUnderWay` while its payment is not known
 */
async function runningAndPaid(
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
  if (hasLooked) throw new PurchaseUnderWay('A subscription runs whose payment the provider does not know yet.')
  // Events come in any order. Its payment may be known at the provider, and must not be made twice.
  const customerId = (await store.findCustomer(room.db, businessId))?.customer_id
  if (customerId) await applyFetchedFacts(room, room.db, await provider.fetchFacts({ businessId, customerId }, 'plans'))
  return runningAndPaid(room, provider, businessId, true)
}

/** Changes the plan, now or at the end of the paid period (`splitChange`), and replaces an earlier planned change. */
export async function changePlan(
  room: PaymentRoom,
  provider: Provider,
  running: SubscriptionState,
  wanted: Plan,
): Promise<null> {
  const { now, later } = splitChange(running, wanted)
  const key = (what: string, { subscription_id, as_of }: SubscriptionState) =>
    `${what}_${subscription_id}_${+as_of}_${wanted.tier}_${wanted.interval}`
  let current = running
  // The provider would treat the unpaid period as paid.
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
