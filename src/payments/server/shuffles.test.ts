import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness } from '../../../test/cast.ts'
import { ledgerOf, providerOf, sendEvent, upgrade } from '../../../test/paying.ts'
import { aMerchant, get, post } from '../../../test/people.ts'
import { anotherInstance, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { systemClock } from '../../kit/server/clock.ts'
import type { Fact, FactOf, ProviderEvent } from './facts.ts'
import type { TestProvider } from './test-provider.ts'

/** `SHUFFLES=1000` for the whole number. */
const shuffles = Number(process.env['SHUFFLES'] ?? 200)
const dayMs = 24 * 3_600_000
const begun = Date.now()
const inDays = (days: number) => new Date(begun + days * dayMs).toISOString()

let app: TestApp
let second: { url: string }
let provider: TestProvider
beforeAll(async () => {
  app = await startTestApp({ now: null, env: { PAYMENTS: 'test' } })
  provider = await providerOf(app, systemClock)
})
afterAll(async () => {
  expect((await ledgerOf(app)).sum).toBe(0)
  await app.close()
})

/** What happened to one business, in its true order; `id` makes everything of it its own. */
function historyOf(businessId: string, id: string): ProviderEvent[] {
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
  const facts: Fact[] = [
    subscription('a', -5, { status: 'incomplete' }),
    subscription('a', -4.9, {}),
    paid('a', -5, 4900, plan('a', 'PREMIUM', false)),
    subscription('a', -3, { tier: 'ULTIMATE', amount_rappen: 9900 }),
    paid('b', -3, 4500, plan('a', 'ULTIMATE', true)),
    subscription('a', -2, { tier: 'ULTIMATE', amount_rappen: 9900, pending: { tier: 'PREMIUM', interval: 'month' } }),
    subscription('a', -1, { tier: 'ULTIMATE', amount_rappen: 9900, cancel_at_period_end: true }),
    // a second subscription, opened beside the first and ended again
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
  return facts.map((fact, n) => ({ id: `tevt_${id}_${n}`, type: fact.kind, created_at: inDays(0), facts: [fact] }))
}

function shuffled<T>(items: T[]): T[] {
  const all = [...items]
  for (let n = all.length - 1; n > 0; n--) {
    const other = randomInt(n + 1)
    const kept = all[n]!
    all[n] = all[other]!
    all[other] = kept
  }
  return all
}

/** All that is kept of the business, without the ids that are its own. */
async function endState(businessId: string, id: string): Promise<string> {
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
    ) as state`.execute(app.db)
  return JSON.stringify(rows[0]!.state).replaceAll(id, '*').replaceAll(businessId, '*')
}

async function aCustomer(name: string): Promise<{ businessId: string; id: string }> {
  const businessId = await addBusiness(app.db, name)
  const now = new Date()
  await sql`insert into payment_customers (business_id, provider, customer_id, created_at)
    values (${businessId}, 'test', ${`tcus_${businessId}`}, ${now})`.execute(app.db)
  const id = crypto.randomUUID()
  await sql`insert into checkouts (checkout_id, business_id, provider, what, amount_rappen, status, created_at, expires_at)
    values (${id}, ${businessId}, 'test', 'promotion', 20000, 'open', ${now}, ${now})`.execute(app.db)
  return { businessId, id }
}

async function tell(events: ProviderEvent[]) {
  for (const event of events) {
    const { payload, signature } = await provider.sign(event)
    const { status } = await sendEvent(randomInt(2) ? app : second, payload, signature)
    expect(status).toBe(200)
  }
}

describe('the order of events', () => {
  it(
    `changes nothing: ${shuffles} shuffles with repeats over two instances end alike`,
    { timeout: 1_200_000 },
    async () => {
      second = await anotherInstance(app, { PAYMENTS: 'test' })
      const inOrder = await aCustomer('In order')
      await tell(historyOf(inOrder.businessId, inOrder.id))
      const expected = await endState(inOrder.businessId, inOrder.id)
      expect(expected).toContain('"ULTIMATE"')
      expect(JSON.parse(expected)).toMatchObject({ checkout: 'complete' })
      let next = 0
      const worker = async () => {
        while (next < shuffles) {
          const { businessId, id } = await aCustomer(`Shuffle ${next++}`)
          const events = historyOf(businessId, id)
          const repeats = events.filter(() => randomInt(3) === 0)
          const order = shuffled([...events, ...repeats])
          await tell(order)
          expect(await endState(businessId, id), order.map((event) => event.id.split('_').at(-1)).join(' ')).toBe(
            expected,
          )
        }
      }
      await Promise.all([worker(), worker(), worker()])
    },
  )
})

describe('many clicks at the same moment', () => {
  it('upgrade a business once', async () => {
    const owner = await aMerchant(app, 'clicks@example.org')
    const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(app, owner.authToken, 'PREMIUM')))
    const good = answers.filter(({ status }) => status === 200)
    // under a crowd the database may be busy for some; none of them is charged
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(good.length).toBeGreaterThan(0)
    for (const { body } of good) expect(body.business.subscription_tier).toBe('PREMIUM')
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
  })

  it('open one page for a promotion', async () => {
    const owner = await aMerchant(app, 'pages@example.org')
    const click = () => post(app, '/api/payments/create-promo-session', undefined, { token: owner.authToken })
    const answers = await Promise.all(Array.from({ length: 50 }, click))
    const urls = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.sessionUrl))
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(urls.size).toBe(1)
    const { rows } = await sql`select 1 from checkouts where business_id = ${owner.businessId}`.execute(app.db)
    expect(rows).toHaveLength(1)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(0)
  })

  it('with the same Idempotency-Key get the same answer, and another request with it is refused', async () => {
    const owner = await aMerchant(app, 'key@example.org')
    const headers = { 'idempotency-key': 'click-1' }
    const both = await Promise.all([1, 2].map(() => upgrade(app, owner.authToken, 'PREMIUM', {}, headers)))
    expect(both[0]!.body).toEqual(both[1]!.body)
    await upgrade(app, owner.authToken, 'ULTIMATE')
    expect((await upgrade(app, owner.authToken, 'PREMIUM', {}, headers)).body).toEqual(both[0]!.body)
    const other = await upgrade(app, owner.authToken, 'ULTIMATE', {}, headers)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_used'])
    expect((await get(app, '/api/payments/my-subscription', owner.authToken)).body.subscription_tier).toBe('ULTIMATE')
    const long = await upgrade(app, owner.authToken, 'PREMIUM', {}, { 'idempotency-key': 'x'.repeat(201) })
    expect(long.status).toBe(400)
  })
})
