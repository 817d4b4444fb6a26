import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aCustomer,
  endState,
  eventOf,
  historyOf,
  shuffledEvents,
  type Customer,
} from '../../../test/payment-histories.ts'
import { ledgerOf, providerOf, sendEvent, upgrade } from '../../../test/paying.ts'
import { aMerchant, get, post } from '../../../test/people.ts'
import { anotherInstance, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { systemClock } from '../../kit/server/clock.ts'
import type { ProviderEvent } from './facts.ts'
import type { TestProvider } from './test-provider.ts'

/** `payments` in `lab/` runs 1,000. */
const shuffles = 50
const begun = Date.now()

const log: string[] = []
let app: TestApp
let provider: TestProvider
beforeAll(async () => {
  app = await startTestApp({ now: null, env: { PAYMENTS: 'test', LOG_LEVEL: 'warn' }, log })
  provider = await providerOf(app, systemClock)
})
afterAll(async () => {
  expect((await ledgerOf(app)).sum).toBe(0)
  await app.close()
})

async function tell(instances: { url: string }[], events: ProviderEvent[]) {
  for (const event of events) {
    const { payload, signature } = await provider.sign(event)
    const send = async () => (await sendEvent(instances[randomInt(instances.length)]!, payload, signature)).status
    let status = await send()
    // A provider sends an event again that a busy server did not take.
    while (status === 503) status = await send()
    expect(status).toBe(200)
  }
}

describe('the order of events', () => {
  it(
    `changes nothing: ${shuffles} shuffles with repeats over two instances end alike`,
    { timeout: 300_000 },
    async () => {
      const instances = [app, await anotherInstance(app, { PAYMENTS: 'test' })]
      const inOrder = await aCustomer(app.db, 'In order')
      const facts = historyOf(inOrder, begun)
      await tell(
        instances,
        facts.map((fact, n) => eventOf([fact], `${inOrder.id}_${n}`)),
      )
      const expected = await endState(app.db, inOrder)
      expect(expected).toContain('"ULTIMATE"')
      expect(JSON.parse(expected)).toMatchObject({ checkout: 'complete' })
      let next = 0
      const worker = async () => {
        while (next < shuffles) {
          const customer: Customer = await aCustomer(app.db, `Shuffle ${next++}`)
          const events = shuffledEvents(historyOf(customer, begun), customer.id)
          await tell(instances, events)
          expect(await endState(app.db, customer), JSON.stringify(events)).toBe(expected)
        }
      }
      await Promise.all([worker(), worker(), worker(), worker()])
    },
  )
})

describe('many clicks at the same moment', () => {
  const clicks = 50
  /** Under a crowd the database may be busy for some; none of them is charged. */
  const goodOf = (answers: Awaited<ReturnType<typeof post>>[]) => {
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    return good.map(({ body }) => body)
  }
  const openOf = async ({ businessId }: { businessId: string }) =>
    (
      await sql`select 1 from checkouts where business_id = ${businessId} and status in ('opening', 'open')`.execute(
        app.db,
      )
    ).rows.length

  it('upgrade a business once', async () => {
    const owner = await aMerchant(app, 'clicks@example.org')
    const answers = Array.from({ length: clicks }, () => upgrade(app, owner.authToken, 'PREMIUM'))
    for (const body of goodOf(await Promise.all(answers))) expect(body.business.subscription_tier).toBe('PREMIUM')
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
    expect(log.filter((line) => line.includes('tier_changed') && line.includes(owner.businessId))).toHaveLength(1)
  })

  it('for different plans end in one subscription, and each change is priced from the plan at that moment', async () => {
    const instances = [app, await anotherInstance(app, { PAYMENTS: 'test' })]
    const plans = [
      ['PREMIUM', 'month'],
      ['ULTIMATE', 'month'],
      ['PREMIUM', 'year'],
      ['ULTIMATE', 'year'],
    ] as const
    for (let round = 0; round < 3; round++) {
      const owner = await aMerchant(app, `plans${round}@example.org`)
      const answers = plans.map(([tier, interval], n) =>
        upgrade(instances[n % 2]!, owner.authToken, tier, { interval }),
      )
      goodOf(await Promise.all(answers))
      const { rows } = await sql`select 1 from subscriptions where business_id = ${owner.businessId}`.execute(app.db)
      expect(rows).toHaveLength(1)
    }
    for (let round = 0; round < 3; round++) {
      const owner = await aMerchant(app, `switch${round}@example.org`)
      await upgrade(app, owner.authToken, 'PREMIUM')
      const yearly = { token: owner.authToken }
      const both = await Promise.all([
        post(instances[round % 2]!, '/api/payments/switch', { interval: 'year' }, yearly),
        upgrade(instances[1 - (round % 2)]!, owner.authToken, 'ULTIMATE'),
      ])
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      const plan = (await get(app, '/api/payments/my-subscription', owner.authToken)).body
      expect(plan).toMatchObject({ tier: 'ULTIMATE', interval: 'year', pending_change: null })
      // In either order the price of a year of ULTIMATE, apart from seconds of the month that have passed.
      const { provider: paid } = (await ledgerOf(app, owner.businessId)) as { provider?: number }
      expect(paid! / 100).toBeCloseTo(990, 0)
    }
  })

  it('open one checkout page, also over two instances', async () => {
    const hosted = { PAYMENTS: 'test', TEST_PAYMENTS: 'checkout' }
    const instances = [await anotherInstance(app, hosted), await anotherInstance(app, hosted)]
    for (const what of ['upgrade', 'promotion']) {
      const owner = await aMerchant(app, `${what}@example.org`)
      const token = owner.authToken
      const click = (at: { url: string }) =>
        what === 'upgrade'
          ? upgrade(at, token, 'PREMIUM')
          : post(at, '/api/payments/create-promo-session', undefined, { token })
      const answers = await Promise.all(Array.from({ length: clicks }, (_, n) => click(instances[n % 2]!)))
      // Each instance gives its own origin.
      const pages = new Set(goodOf(answers).map(({ sessionUrl }) => new URL(sessionUrl).pathname))
      expect(pages.size, what).toBe(1)
      expect(await openOf(owner), what).toBe(1)
      const { rows } = await sql`select 1 from checkouts where business_id = ${owner.businessId}`.execute(app.db)
      expect(rows, what).toHaveLength(1)
      expect((await ledgerOf(app, owner.businessId)).transactions, what).toBe(0)
    }
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
