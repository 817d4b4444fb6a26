import { createHmac, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deliver, ledgerOf, providerOf, reversalOf, sendEvent, upgrade } from '../../../test/paying.ts'
import { aMerchant, get, post } from '../../../test/people.ts'
import { keyringFor } from '../../../test/rooms.ts'
import { anotherInstance, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Fact, FactOf, ProviderEvent } from './facts.ts'
import type { TestProvider } from './test-provider.ts'

const noon = '2026-06-20T12:00:00Z'
const at = Date.parse(noon)
const log: string[] = []
let app: TestApp
let provider: TestProvider
let secret: Buffer
let owner: Awaited<ReturnType<typeof aMerchant>>
let other: Awaited<ReturnType<typeof aMerchant>>

beforeAll(async () => {
  app = await startTestApp({ now: noon, env: { PAYMENTS: 'test' }, log })
  provider = await providerOf(app, { now: () => Temporal.Instant.from(noon) })
  secret = (await keyringFor(app)).keyring.keyFor('test-payments')
  owner = await aMerchant(app, 'cafe@example.org')
  other = await aMerchant(app, 'nord@example.org')
  // Both have a customer at the provider from here on.
  for (const { authToken } of [owner, other])
    await post(app, '/api/payments/create-promo-session', undefined, { token: authToken })
})
afterAll(() => app.close())
afterEach(async () => expect((await ledgerOf(app)).sum).toBe(0))

let made = 0
const event = (facts: Fact[], id = `tevt_${made++}`): ProviderEvent => ({ id, type: 'test', created_at: noon, facts })
const promotion = (more: Partial<FactOf<'payment'>> = {}): FactOf<'payment'> => ({
  kind: 'payment',
  payment: `tpay_${made++}`,
  customer: `tcus_${owner.businessId}`,
  business_id: owner.businessId,
  currency: 'chf',
  amount_rappen: 20_000,
  paid_at: '2026-06-20T12:00:00.000Z',
  of: { what: 'promotion', checkout: null },
  ...more,
})
const signed = (payload: string | Uint8Array, key = secret, seconds = at / 1000, prefix = '') =>
  `t=${seconds},${prefix}v1=${createHmac('sha256', key).update(`${seconds}.`).update(payload).digest('hex')}`

async function state() {
  const { rows } = await sql<object>`
    select (select count(*)::int from payment_events) as events, (select count(*)::int from payments) as payments,
      (select json_agg(s order by business_id) from payment_standings s) as standings`.execute(app.db)
  return { ...(rows[0] as { events: number }), ...(await ledgerOf(app)) }
}

describe('an event', () => {
  it('with a valid signature is applied once, however often it comes, also on two instances at once', async () => {
    const before = await ledgerOf(app)
    const second = await anotherInstance(app, { PAYMENTS: 'test' })
    // This app has the real clock, so it accepts only events signed now.
    const real = await providerOf(app, { now: () => Temporal.Now.instant() })
    const paid = event([promotion()])
    const { payload, signature } = await real.sign(paid)
    const answers = await Promise.all([
      deliver(app, provider, paid),
      deliver(app, provider, paid),
      sendEvent(second, payload, signature),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await deliver(app, provider, paid)).body).toEqual({ received: true })
    expect((await ledgerOf(app)).transactions).toBe(before.transactions + 1)
  })

  it('about a known payment uses up no invoice number, also when two come at once', async () => {
    const numberOf = async (payment: string) => {
      const of = app.db.selectFrom('payments').select('invoice_no').where('payment_id', '=', payment)
      return Number((await of.executeTakeFirstOrThrow()).invoice_no)
    }
    const [first, second] = [promotion(), promotion()]
    await Promise.all([1, 2, 3].map(() => deliver(app, provider, event([first]))))
    await deliver(app, provider, event([second]))
    expect(await numberOf(second.payment)).toBe((await numberOf(first.payment)) + 1)
  })

  it('with a wrong amount, currency or owner changes nothing and is reported to the operator in one line', async () => {
    const subscription: FactOf<'subscription'> = {
      kind: 'subscription',
      subscription: 'tsub_wrong',
      customer: `tcus_${owner.businessId}`,
      business_id: owner.businessId,
      currency: 'chf',
      tier: 'ULTIMATE',
      interval: 'month',
      amount_rappen: 9900,
      status: 'active',
      period_start: '2026-06-20T12:00:00.000Z',
      period_end: '2026-07-20T12:00:00.000Z',
      cancel_at_period_end: false,
      pending: null,
      payment_method: null,
      ended_at: null,
      as_of: '2026-06-20T12:00:00.000Z',
    }
    const of = { what: 'subscription', subscription: 'tsub_wrong', tier: 'ULTIMATE', interval: 'year' } as const
    const period = { period_start: subscription.period_start, period_end: subscription.period_end }
    const wrong: Fact[] = [
      promotion({ amount_rappen: 19_999 }),
      promotion({ amount_rappen: -20_000 }),
      promotion({ currency: 'eur' }),
      promotion({ business_id: other.businessId }),
      promotion({ customer: `tcus_${other.businessId}` }),
      promotion({ business_id: 'nobody' }),
      promotion({ business_id: '0190a000-0000-7000-8000-000000000000' }),
      { ...subscription, amount_rappen: 100 },
      { ...subscription, currency: 'usd' },
      { ...subscription, customer: 'tcus_nobody' },
      promotion({ amount_rappen: 9900, of: { ...of, ...period, prorated: false } }),
      promotion({ amount_rappen: 99_001, of: { ...of, ...period, prorated: true } }),
    ]
    for (const each of wrong) {
      const { events: _, ...before } = await state()
      log.length = 0
      const refused = event([each])
      expect((await deliver(app, provider, refused)).status).toBe(200)
      await deliver(app, provider, refused)
      const { events: __, ...after } = await state()
      expect(after, JSON.stringify(each)).toEqual(before)
      expect(log.filter((line) => line.includes('A payment event was not applied.'))).toHaveLength(1)
    }
  })

  it('that fails half way changes nothing, and is applied when it comes again', async () => {
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(
      app.db,
    )
    for (const table of ['payments', 'ledger_entries', 'payment_standings', 'outgoing_mails']) {
      const paid = event([promotion()])
      const before = await state()
      await sql`create trigger fail before insert on ${sql.table(table)} for each row execute function fail()`.execute(
        app.db,
      )
      try {
        expect((await deliver(app, provider, paid)).status, table).toBe(500)
        expect(await state(), table).toEqual(before)
      } finally {
        await sql`drop trigger fail on ${sql.table(table)}`.execute(app.db)
      }
      expect((await deliver(app, provider, paid)).status).toBe(200)
      expect((await ledgerOf(app)).transactions).toBe(before.transactions + 1)
    }
  })
})

describe('a forged event', () => {
  it('is refused with 400 and changes nothing, 200 times in all ways', async () => {
    const before = await state()
    const payload = JSON.stringify(event([promotion()]))
    const good = signed(payload)
    const forgeries: [body: string | Uint8Array, signature: string][] = []
    for (let n = 0; n < 20; n++) {
      const strange = randomBytes(32)
      forgeries.push(
        [payload, ''],
        [payload, signed(payload, strange)],
        [payload, `t=${at / 1000},v1=${randomBytes(32).toString('hex')}`],
        [payload, good.replace('v1=', 'v0=')],
        [payload, signed(payload, secret, at / 1000 - 301 - n)],
        [payload, signed(payload, secret, at / 1000 + 301 + n)],
        [payload.replace('20000', String(20_001 + n)), good],
        [JSON.stringify(JSON.parse(payload), null, n + 1), good],
        [payload.replace(/tevt_\d+/, `tevt_again_${n}`), good],
        [payload + ' '.repeat(n + 1), good],
      )
    }
    expect(forgeries).toHaveLength(200)
    for (const [body, signature] of forgeries) {
      const { status, body: answer } = await sendEvent(app, body, signature)
      expect([status, answer.code], signature).toEqual([400, 'event_forged'])
    }
    expect(await state()).toEqual(before)
  })

  it('is refused with a byte order mark, compressed wrongly, or with bytes that are no text', async () => {
    const payload = JSON.stringify(event([promotion()]))
    const good = signed(payload)
    for (const body of [Buffer.from(`\uFEFF${payload}`), gzipSync(payload), Buffer.from([0xff, 0xfe])])
      expect((await sendEvent(app, body, good)).status).toBe(400)
    expect((await sendEvent(app, Buffer.from(`\uFEFF${payload}`), signed(`\uFEFF${payload}`))).status).toBe(400)
    expect((await sendEvent(app, '', signed(''))).status).toBe(400)
  })

  it('is refused when it is signed but not of the known shape', async () => {
    for (const body of ['null', '[]', '{}', '"x"', '{"id":"a","type":"b","created_at":"yesterday","facts":[]}', '{'])
      expect((await sendEvent(app, body, signed(body))).status, body).toBe(400)
  })

  it('of 2 MB is refused for its size', async () => {
    const body = `{"pad":"${'x'.repeat(2 * 1024 * 1024)}"}`
    expect((await sendEvent(app, body, signed(body))).status).toBe(413)
  })
})

describe('a signature is valid', () => {
  it.each([
    ['299 s after it was made', -299, 200],
    ['300 s after', -300, 200],
    ['not 301 s after', -301, 400],
    ['from a clock that is 299 s ahead', 299, 200],
  ])('%s', async (_, seconds, status) => {
    const payload = JSON.stringify(event([]))
    expect((await sendEvent(app, payload, signed(payload, secret, at / 1000 + seconds))).status).toBe(status)
  })

  it('for a compressed body that unpacks to the signed bytes', async () => {
    const payload = JSON.stringify(event([]))
    const packed = { 'content-encoding': 'gzip' }
    expect((await sendEvent(app, gzipSync(payload), signed(payload), packed)).status).toBe(200)
    expect((await sendEvent(app, gzipSync(`${payload} `), signed(payload), packed)).status).toBe(400)
  })

  it('if one of several matches, as while a secret is changed', async () => {
    const payload = JSON.stringify(event([]))
    const bad = `v1=${randomBytes(32).toString('hex')},`
    expect((await sendEvent(app, payload, signed(payload, secret, at / 1000, bad))).status).toBe(200)
  })
})

describe('a refund or a dispute', () => {
  async function promoted() {
    const merchant = await aMerchant(app, `shop${made++}@example.org`)
    const { body } = await post(app, '/api/payments/create-promo-session', undefined, { token: merchant.authToken })
    const id = new URL(body.sessionUrl).pathname.split('/').at(-1)!
    await post(app, `/api/payments/test-checkouts/${id}`, { choice: 'pay' }, { token: merchant.authToken })
    const mine = async () => (await get(app, '/api/payments/my-subscription', merchant.authToken)).body
    expect((await mine()).featured_until).not.toBeNull()
    return { merchant, payment: `tpay_${id}`, mine }
  }
  const tell = async (payment: string, what: 'refund' | 'dispute', status: 'done' | 'open' | 'won') =>
    expect((await deliver(app, provider, await reversalOf(app, payment, what, status, noon))).status).toBe(200)

  it('of the promotion ends it', async () => {
    const { merchant, payment, mine } = await promoted()
    await tell(payment, 'refund', 'done')
    expect((await mine()).featured_until).toBeNull()
    expect(await ledgerOf(app, merchant.businessId)).toMatchObject({ transactions: 2, provider: 0 })
    const { body } = await get(app, '/api/payments/invoices', merchant.authToken)
    expect(body).toMatchObject([{ amount_chf: 200, refunded_chf: 200 }])
  })

  it('that is won restores the promotion', async () => {
    const { payment, mine } = await promoted()
    await tell(payment, 'dispute', 'open')
    expect((await mine()).featured_until).toBeNull()
    await tell(payment, 'dispute', 'won')
    expect((await mine()).featured_until).not.toBeNull()
  })

  it('for a plan ends the plan, also at the provider', async () => {
    const merchant = await aMerchant(app, `shop${made++}@example.org`)
    await upgrade(app, merchant.authToken, 'ULTIMATE')
    const { body } = await get(app, '/api/payments/invoices', merchant.authToken)
    expect(body).toHaveLength(1)
    const { payment_id } = await app.db
      .selectFrom('payments')
      .select('payment_id')
      .where('invoice_id', '=', body[0].invoice_id)
      .executeTakeFirstOrThrow()
    await tell(payment_id, 'refund', 'done')
    await app.runJobs()
    expect((await get(app, '/api/payments/my-subscription', merchant.authToken)).body).toMatchObject({
      subscription_tier: 'FREE',
      provider_id: null,
    })
    // The plan can be bought again.
    expect((await upgrade(app, merchant.authToken, 'PREMIUM')).body.business.subscription_tier).toBe('PREMIUM')
  })
})
