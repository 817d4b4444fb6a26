import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../src/kit/server/database.ts'
import { newId } from '../src/kit/server/ids.ts'
import type { Fact, FactOf, ProviderEvent } from '../src/payments/server/facts.ts'

/**
 * Payment histories for tests and the lab, to be shuffled: with a deletion before the creation, an expiry after completion, overlapping
 * subscriptions, a refund, and disputes.
 */
export interface Customer {
  businessId: string
  /** Id of its checkout, and part of every id of its history. */
  id: string
}

const dayMs = 24 * 3_600_000

/** The facts of one business, in true order; all ids contain `id`. */
export function historyOf({ businessId, id }: Customer, begun: number): Fact[] {
  const inDays = (days: number) => new Date(begun + days * dayMs).toISOString()
  const owner = { customer: `tcus_${businessId}`, business_id: businessId, currency: 'chf' }
  const subscription = (name: string, days: number, more: Partial<FactOf<'subscription'>>): Fact => ({
    kind: 'subscription',
    subscription: `tsub_${name}_${id}`,
    ...owner,
    tier: 'PREMIUM',
    interval: 'month',
    amount_rappen: 4900,
    status: 'active',
    period_start: inDays(-5),
    period_end: inDays(25),
    cancel_at_period_end: false,
    pending: null,
    payment_method: null,
    ended_at: null,
    as_of: inDays(days),
    ...more,
  })
  const paid = (name: string, days: number, amount: number, of: FactOf<'payment'>['of']): Fact => ({
    kind: 'payment',
    payment: `tpay_${name}_${id}`,
    ...owner,
    amount_rappen: amount,
    paid_at: inDays(days),
    of,
  })
  const plan = (name: string, tier: 'PREMIUM' | 'ULTIMATE', prorated: boolean) =>
    ({
      what: 'subscription',
      subscription: `tsub_${name}_${id}`,
      tier,
      interval: 'month',
      period_start: inDays(-5),
      period_end: inDays(25),
      prorated,
    }) as const
  const reversal = (what: 'refund' | 'dispute', name: string, amount: number, status: string): Fact =>
    ({
      kind: what,
      [what]: `t${what}_${name}_${id}`,
      payment: `tpay_${name}_${id}`,
      amount_rappen: amount,
      currency: 'chf',
      status,
    }) as unknown as Fact
  const promotion = { what: 'promotion', checkout: null } as const
  return [
    subscription('a', -5, { status: 'incomplete' }),
    subscription('a', -4.9, {}),
    paid('a', -5, 4900, plan('a', 'PREMIUM', false)),
    subscription('a', -3, { tier: 'ULTIMATE', amount_rappen: 9900 }),
    paid('b', -3, 4500, plan('a', 'ULTIMATE', true)),
    subscription('a', -2, { tier: 'ULTIMATE', amount_rappen: 9900, pending: { tier: 'PREMIUM', interval: 'month' } }),
    subscription('a', -1, { tier: 'ULTIMATE', amount_rappen: 9900, cancel_at_period_end: true }),
    // a second subscription, which overlaps the first
    subscription('x', -4, {}),
    paid('x', -4, 4900, plan('x', 'PREMIUM', false)),
    subscription('x', -3.5, { status: 'canceled', ended_at: inDays(-3.5) }),
    reversal('refund', 'x', 4900, 'pending'),
    reversal('refund', 'x', 4900, 'done'),
    paid('p', -4, 20_000, promotion),
    paid('q', -3, 20_000, promotion),
    paid('r', -2, 20_000, promotion),
    reversal('dispute', 'q', 20_000, 'open'),
    reversal('dispute', 'q', 20_000, 'lost'),
    reversal('dispute', 'r', 20_000, 'open'),
    reversal('dispute', 'r', 20_000, 'won'),
    { kind: 'checkout', checkout: id, status: 'complete' },
    { kind: 'checkout', checkout: id, status: 'expired' },
  ]
}

/**
 * The facts in random order, a third of them twice, in events of one to three facts, some of which are repeated. Every order must give the
 * same result.
 */
export function shuffledEvents(facts: Fact[], id: string): ProviderEvent[] {
  const order = shuffled([...facts, ...facts.filter(() => randomInt(3) === 0)])
  const events: ProviderEvent[] = []
  while (order.length > 0) events.push(eventOf(order.splice(0, 1 + randomInt(3)), `${id}_${events.length}`))
  return shuffled([...events, ...events.filter(() => randomInt(3) === 0)])
}

export const eventOf = (facts: Fact[], name: string): ProviderEvent => ({
  id: `tevt_${name}`,
  type: 'history',
  created_at: new Date().toISOString(),
  facts,
})

function shuffled<T>(items: T[]): T[] {
  const all = [...items]
  for (let n = all.length - 1; n > 0; n--) {
    const other = randomInt(n + 1)
    const last = all[n]!
    all[n] = all[other]!
    all[other] = last
  }
  return all
}

/** All stored payment data of the business as JSON, without its own ids. */
export async function endState(db: Database, { businessId, id }: Customer): Promise<string> {
  const { rows } = await sql<{ state: unknown }>`
    select json_build_object(
      'standing', (select json_build_array(tier, featured_until, overdue_since, next_change_at) from payment_standings
        where business_id = ${businessId}),
      'business', (select json_build_array(subscription_tier, featured_until) from businesses
        where business_id = ${businessId}),
      'subscriptions', (select json_agg(json_build_array(provider_id, tier, status, period_end, cancel_at_period_end,
        pending_tier, ended_at, as_of) order by provider_id) from subscriptions where business_id = ${businessId}),
      'payments', (select json_agg(json_build_array(payment_id, what, amount_rappen, tier, paid_at) order by payment_id)
        from payments where business_id = ${businessId}),
      'ledger', (select json_agg(json_build_array(source, account, amount_rappen) order by source, account)
        from ledger_transactions join ledger_entries using (transaction_id) where business_id = ${businessId}),
      'checkout', (select status from checkouts where business_id = ${businessId})
    ) as state`.execute(db)
  return JSON.stringify(rows[0]!.state).replaceAll(id, '*').replaceAll(businessId, '*')
}

/** Creates a business with a checkout at the test provider. */
export async function aCustomer(db: Database, name: string): Promise<Customer> {
  const businessId = newId()
  const id = crypto.randomUUID()
  const now = new Date()
  await sql`
    with business as (
      insert into businesses (business_id, business_name, slug, created_at, updated_at)
      values (${businessId}, ${name}, ${`shuffle-${id}`}, ${now}, ${now})
    ), customer as (
      insert into payment_customers (business_id, provider, customer_id, created_at)
      values (${businessId}, 'test', ${`tcus_${businessId}`}, ${now})
    )
    insert into checkouts (checkout_id, business_id, provider, what, amount_rappen, status, created_at, expires_at)
    values (${id}, ${businessId}, 'test', 'promotion', 20000, 'open', ${now}, ${now})`.execute(db)
  return { businessId, id }
}
