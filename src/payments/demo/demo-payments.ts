import { businessRows } from '../../businesses/demo/demo-businesses.ts'
import { businessToBill } from '../../businesses/server/businesses.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { promotionDays, type Plan } from '../policy.ts'
import { addresseeOfInvoice } from '../server/billing.ts'
import { invoiceOf } from '../server/events.ts'
import type { FactOf } from '../server/facts.ts'
import { entriesOf } from '../server/ledger.ts'
import { putStanding } from '../server/apply-standing.ts'
import * as store from '../server/store.ts'
import {
  newSubscription,
  storeSubscription,
  storeTestPayment,
  nextPeriod,
  promotionPayment,
  renewalOf,
} from '../server/test-facts.ts'

/**
 * Payments of the demo's PREMIUM, ULTIMATE and featured merchants, as facts of the test provider, so that tiers and placements
 * follow from them as in real use. Merchants that are customers already are skipped.
 */
export async function fillDemoPayments(trx: Sql, setting: DemoSetting): Promise<void> {
  const { now, name } = setting
  const paid: FactOf<'payment'>[] = []
  for (const [index, merchant] of businessRows(setting).entries()) {
    const { business_id: businessId, subscription_tier: tier, featured_until: featuredUntil } = merchant
    if (tier === 'FREE' && !featuredUntil) continue
    const isThere = await businessToBill(trx, businessId)
    if (!isThere || (await store.findCustomer(trx, businessId))) continue
    const since = latest(Temporal.Instant.from(merchant.created_at).add({ hours: 24 * 5 }), now, 95 + 7 * index)
    const key = stableId(`plan of ${merchant.business_name}`)
    await store.ensureCustomer(trx, { businessId, provider: 'test', now: asDate(since) })
    if (tier !== 'FREE') {
      const plan: Plan = { tier, interval: index % 2 === 1 ? 'year' : 'month' }
      paid.push(...(await subscribed(trx, key, businessId, plan, since, now)))
    }
    if (featuredUntil) paid.push(placed(merchant.business_name, businessId, Temporal.Instant.from(featuredUntil)))
  }
  // In the order of payment, so that invoice numbers rise with it.
  for (const payment of paid.toSorted((a, b) => a.paid_at.localeCompare(b.paid_at)))
    await storeDemoPayment(trx, payment, name)
  for (const businessId of new Set(paid.map(({ business_id }) => business_id)))
    await putStanding(trx, businessId, asDate(now))
}

/** A promotion that ends at `until`. */
function placed(name: string, businessId: string, until: Temporal.Instant): FactOf<'payment'> {
  return promotionPayment(stableId(`promotion of ${name}`), businessId, until.subtract({ hours: 24 * promotionDays }))
}

/** `at`, but at most `days` ago. */
function latest(at: Temporal.Instant, now: Temporal.Instant, days: number): Temporal.Instant {
  const earliest = now.subtract({ hours: 24 * days })
  return Temporal.Instant.compare(at, earliest) > 0 ? at : earliest
}

/** Adds a subscription and all its renewals until now. @returns its payments */
async function subscribed(
  trx: Sql,
  key: string,
  businessId: string,
  plan: Plan,
  since: Temporal.Instant,
  now: Temporal.Instant,
): Promise<FactOf<'payment'>[]> {
  const first = newSubscription(key, businessId, plan, since)
  const payments = [first.payment]
  let { subscription } = first
  while (Date.parse(subscription.period_end) <= now.epochMilliseconds) {
    const renewed = nextPeriod(subscription)
    subscription = { ...renewed, as_of: renewed.period_start }
    payments.push(renewalOf(subscription, Temporal.Instant.from(renewed.period_start)))
  }
  await storeSubscription(trx, subscription)
  await store.insertSubscription(trx, stableId(`subscription ${key}`), subscription)
  return payments
}

async function storeDemoPayment(trx: Sql, payment: FactOf<'payment'>, issuer: string): Promise<void> {
  const businessId = payment.business_id
  await storeTestPayment(trx, payment)
  await store.setCustomerId(trx, businessId, payment.customer)
  const writer = { provider: 'test', vat: null, issuer }
  const to = { billed_to: await addresseeOfInvoice(trx, businessId) }
  const invoice = invoiceOf(payment, stableId(payment.payment), writer, to)
  await store.insertPayment(trx, invoice)
  const transaction = {
    transaction_id: stableId(`ledger ${payment.payment}`),
    source: `payment:${payment.payment}`,
    business_id: businessId,
    posted_at: new Date(payment.paid_at),
  }
  await store.postTransaction(trx, transaction, entriesOf(invoice, invoice.amount_rappen))
}
