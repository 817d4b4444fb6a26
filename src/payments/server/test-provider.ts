import { createHash } from 'node:crypto'
import { z } from 'zod'
import { asDate } from '../../kit/server/clock.ts'
import { inTransaction, type Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { House } from '../../kit/server/room.ts'
import { testCheckoutPage } from '../../site-map.ts'
import type { TestCheckout } from '../contract.ts'
import { leftOf, proratedRappen, type Plan } from '../policy.ts'
import { fact, type Fact, type FactOf, type ProviderEvent } from './facts.ts'
import { CardDeclined, EventForged, ProviderFailed, type Order, type Provider } from './provider.ts'
import { signatureOf, verified } from './signature.ts'
import * as store from './store.ts'
import {
  newSubscription,
  changedSubscription,
  customerOf,
  dueOf,
  endedSubscription,
  isoOf,
  storeSubscription,
  storeTestPayment,
  withLaterTime,
  nextPeriod,
  ownerOf,
  periodOf,
  promotionPayment,
  renewalOf,
  retryDays,
  type SubscriptionSide,
} from './test-facts.ts'

/**
 * The built-in test provider: the same states as Stripe, with a test card on file for every business. It has its own table and
 * reports to the site by signed events, as Stripe does.
 */
export interface TestProvider extends Provider {
  readonly name: 'test'
  findCheckout(checkoutId: string): Promise<TestPage | undefined>
  /** Pays a checkout. @returns null: it is already paid or expired. @throws `CardDeclined` */
  pay(checkoutId: string): Promise<ProviderEvent[] | null>
  cardWorks(businessId: string): Promise<boolean>
  /** Sets whether the card works. A card that works is charged for overdue plans at the next run. */
  setCard(businessId: string, works: boolean): Promise<void>
  /** Ids of subscriptions that are due to renew, retry or end. */
  due(limit: number): Promise<string[]>
  renew(subscriptionId: string): Promise<ProviderEvent[]>
  sign(event: ProviderEvent): Promise<{ payload: string; signature: string }>
}

/** A page of the provider: a checkout, or the card on file. */
export interface TestPage extends Pick<TestCheckout, 'what' | 'tier' | 'interval' | 'status'> {
  business_id: string
  expires_at: string
}

/** Lifetime of a checkout. */
const checkoutHours = 24

const eventShape = z.object({
  id: z.string().min(1).max(200),
  type: z.string().max(100),
  created_at: z.iso.datetime({ offset: true }),
  facts: z.array(fact).max(20),
})

/** @param alwaysCheckout never charges the card on file: each payment needs its page */
export function testProvider({
  db,
  clock,
  keyring,
  alwaysCheckout,
}: Pick<House, 'clock' | 'keyring'> & { db: Sql; alwaysCheckout: boolean }): TestProvider {
  const keys = () => keyring.keysFor('test-payments')
  const nowMs = () => clock.now().epochMilliseconds
  const within = <T>(work: (trx: Sql) => Promise<T>) => inTransaction(db, work)

  async function sign(event: ProviderEvent) {
    const payload = JSON.stringify(event)
    return { payload, signature: signatureOf(payload, keys()[0]!, nowMs()) }
  }

  async function readEvent(bytes: Uint8Array, signature: string, at: number): Promise<ProviderEvent> {
    const read = eventShape.safeParse(verified(bytes, signature, keys(), at))
    if (!read.success) throw new EventForged('It is no event of the test provider.')
    return read.data
  }

  /** One event for each fact, as a webhook sends them. */
  const eventsOf = (facts: Fact[]): ProviderEvent[] =>
    facts.map((each) => ({
      id: `tevt_${createHash('sha256').update(JSON.stringify(each)).digest('base64url').slice(0, 32)}`,
      type: each.kind,
      created_at: isoOf(clock.now()),
      facts: [each],
    }))

  /** Changes a subscription under a lock; null leaves it as it is. */
  function changed(
    subscriptionId: string,
    change: (trx: Sql, side: SubscriptionSide) => Promise<{ side: SubscriptionSide; more?: Fact[] } | null>,
  ): Promise<ProviderEvent[]> {
    return within(async (trx) => {
      const found = await store.findTestObject<SubscriptionSide>(trx, subscriptionId, 'subscription', true)
      if (!found) throw new ProviderFailed(`There is no subscription ${subscriptionId}.`)
      const result = await change(trx, found.state)
      if (!result) return eventsOf([found.state.fact])
      const side = { ...result.side, fact: withLaterTime(result.side.fact, found.state.fact, clock.now()) }
      await store.putTestState(trx, subscriptionId, side, dueOf(side))
      return eventsOf([side.fact, ...(result.more ?? [])])
    })
  }

  async function cardWorks(businessId: string, trx: Sql = db): Promise<boolean> {
    const card = await store.findTestObject<{ works: boolean }>(trx, `tcard_${businessId}`, 'card')
    return card?.state.works ?? true
  }

  /** Creates a paid subscription. The same key gets the same subscription. */
  async function start(trx: Sql, key: string, businessId: string, plan: Plan): Promise<Fact[]> {
    const { subscription, payment } = newSubscription(key, businessId, plan, clock.now())
    await storeSubscription(trx, subscription)
    await storeTestPayment(trx, payment)
    const [first, paid] = await Promise.all([
      store.findTestObject<SubscriptionSide>(trx, subscription.subscription, 'subscription'),
      store.findTestObject<FactOf<'payment'>>(trx, payment.payment, 'payment'),
    ])
    return [first!.state.fact, paid!.state]
  }

  async function openPage(objectId: string, kind: 'checkout' | 'portal', page: TestPage): Promise<void> {
    const { business_id } = page
    await store.insertTestObject(db, { object_id: objectId, kind, business_id, state: page, due_at: null })
  }

  return {
    name: 'test',
    knows: async () => true,
    customerFor: async ({ businessId }) => customerOf(businessId),

    async subscribeAtOnce({ key, businessId, purchase }) {
      if (alwaysCheckout || purchase.what !== 'subscription') return null
      // As at Stripe: the checkout page takes another card.
      if (!(await cardWorks(businessId))) return null
      return within(async (trx) => eventsOf(await start(trx, key, businessId, purchase)))
    },

    async openCheckout({ checkoutId, businessId, purchase, origin }: Order) {
      const expiresAt = clock.now().add({ hours: checkoutHours })
      await openPage(`tses_${checkoutId}`, 'checkout', {
        business_id: businessId,
        what: purchase.what,
        tier: purchase.what === 'subscription' ? purchase.tier : null,
        interval: purchase.what === 'subscription' ? purchase.interval : null,
        status: 'open',
        expires_at: isoOf(expiresAt),
      })
      return {
        sessionId: `tses_${checkoutId}`,
        url: `${origin}${testCheckoutPage(checkoutId)}`,
        expiresAt: asDate(expiresAt),
      }
    },

    closeCheckout: (sessionId) =>
      within(async (trx) => {
        const found = await store.findTestObject<TestPage>(trx, sessionId, 'checkout', true)
        if (found?.state.status === 'complete') return false
        if (found) await store.putTestState(trx, sessionId, { ...found.state, status: 'expired' }, null)
        return true
      }),

    change: (subscription, plan, key) =>
      changed(subscription.provider_id, async (trx, side) => {
        // A retry with the same key.
        if (await store.findTestObject(trx, `tpay_${key}`, 'payment')) return null
        if (!(await cardWorks(side.fact.business_id, trx))) throw new CardDeclined()
        const now = clock.now()
        const changedFact = changedSubscription(side.fact, plan, now)
        const payment: FactOf<'payment'> = {
          kind: 'payment',
          payment: `tpay_${key}`,
          ...ownerOf(side.fact.business_id),
          amount_rappen: proratedRappen(side.fact, plan, leftOf(periodOf(side.fact), now.epochMilliseconds)),
          paid_at: isoOf(now),
          of: {
            what: 'subscription',
            subscription: side.fact.subscription,
            ...plan,
            period_start: isoOf(now),
            period_end: changedFact.period_end,
            prorated: true,
          },
        }
        await storeTestPayment(trx, payment)
        return { side: { ...side, fact: changedFact }, more: [payment] }
      }),

    changeLater: (subscription, plan) =>
      changed(subscription.provider_id, async (_trx, side) => ({
        side: { ...side, fact: { ...side.fact, pending: plan && { tier: plan.tier, interval: plan.interval } } },
      })),

    cancelLater: (subscription, cancel) =>
      changed(subscription.provider_id, async (_trx, side) =>
        side.fact.status === 'canceled'
          ? null
          : // as at Stripe: a cancellation removes a planned change
            { side: { ...side, fact: { ...side.fact, pending: null, cancel_at_period_end: cancel } } },
      ),

    end: (subscription) =>
      changed(subscription.provider_id, async (_trx, side) =>
        side.fact.status === 'canceled' ? null : { side: { ...side, fact: endedSubscription(side.fact, clock.now()) } },
      ),

    async openPortal({ businessId, origin }) {
      const id = newId()
      await openPage(`tpor_${id}`, 'portal', {
        business_id: businessId,
        what: 'card',
        tier: null,
        interval: null,
        status: 'open',
        expires_at: isoOf(clock.now().add({ hours: 1 })),
      })
      return `${origin}${testCheckoutPage(id)}`
    },

    readEvent,
    sign,

    async findSubscription(providerId) {
      return (await store.findTestObject<SubscriptionSide>(db, providerId, 'subscription'))?.state.fact ?? null
    },

    async fetchFacts({ businessId }) {
      const subscriptions = await store.testObjectsOf<SubscriptionSide>(db, businessId, 'subscription')
      const payments = await store.testObjectsOf<Fact>(db, businessId, 'payment')
      return [...subscriptions.map(({ state }) => state.fact), ...payments.map(({ state }) => state)]
    },

    async findCheckout(checkoutId) {
      const found =
        (await store.findTestObject<TestPage>(db, `tses_${checkoutId}`, 'checkout')) ??
        (await store.findTestObject<TestPage>(db, `tpor_${checkoutId}`, 'portal'))
      if (!found) return undefined
      const isOver = found.state.status === 'open' && Date.parse(found.state.expires_at) <= nowMs()
      return { ...found.state, status: isOver ? 'expired' : found.state.status }
    },

    pay: (checkoutId) =>
      within(async (trx) => {
        const found = await store.findTestObject<TestPage>(trx, `tses_${checkoutId}`, 'checkout', true)
        if (!found || found.state.status !== 'open' || Date.parse(found.state.expires_at) <= nowMs()) return null
        const { business_id, what, tier, interval } = found.state
        const facts: Fact[] =
          what === 'subscription'
            ? await start(trx, checkoutId, business_id, { tier: tier!, interval: interval! })
            : [promotionPayment(checkoutId, business_id, clock.now())]
        if (what === 'promotion') await storeTestPayment(trx, facts[0] as FactOf<'payment'>)
        // The card that paid for the plan is on file from now on.
        else await putCard(trx, business_id, true)
        await store.putTestState(trx, found.object_id, { ...found.state, status: 'complete' }, null)
        return eventsOf([...facts, { kind: 'checkout', checkout: checkoutId, status: 'complete' }])
      }),

    cardWorks: (businessId) => cardWorks(businessId),

    setCard: (businessId, works) =>
      within(async (trx) => {
        await putCard(trx, businessId, works)
        if (!works) return
        const subscriptions = await store.testObjectsOf<SubscriptionSide>(trx, businessId, 'subscription')
        for (const { object_id, state: side } of subscriptions)
          if (side.fact.status === 'past_due') await store.putTestState(trx, object_id, side, asDate(clock.now()))
      }),

    due: (limit) => store.testObjectsDue(db, asDate(clock.now()), limit),

    renew: (subscriptionId) =>
      changed(subscriptionId, async (trx, side) => {
        const now = clock.now()
        const { fact: before, failures } = side
        if (before.status === 'canceled') return null
        const periodEnd = Temporal.Instant.from(before.period_end)
        if (before.status === 'active' && Temporal.Instant.compare(periodEnd, now) > 0) return null
        if (before.cancel_at_period_end) return { side: { ...side, fact: endedSubscription(before, periodEnd) } }
        const renewed = before.status === 'past_due' ? before : nextPeriod(before)
        if (!(await cardWorks(before.business_id, trx))) {
          // Another instance has just tried.
          if (before.status === 'past_due' && dueOf(side)! > asDate(now)) return null
          if (failures + 1 >= retryDays.length) return { side: { ...side, fact: endedSubscription(before, now) } }
          const overdue = { ...renewed, status: 'past_due' as const }
          return { side: { fact: overdue, failures: before.status === 'past_due' ? failures + 1 : 0 } }
        }
        const payment = renewalOf(renewed, now)
        await storeTestPayment(trx, payment)
        return { side: { fact: { ...renewed, status: 'active' }, failures: 0 }, more: [payment] }
      }),
  }
}

/** Stores whether the card on file works. */
async function putCard(trx: Sql, businessId: string, works: boolean): Promise<void> {
  const card = `tcard_${businessId}`
  await store.insertTestObject(trx, {
    object_id: card,
    kind: 'card',
    business_id: businessId,
    state: { works },
    due_at: null,
  })
  await store.putTestState(trx, card, { works }, null)
}
