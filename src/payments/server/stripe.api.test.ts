import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledgerOf, sendEvent, upgrade, withPaymentRoom } from '../../../test/paying.ts'
import { aMerchant, get, goodPassword, logIn, post } from '../../../test/people.ts'
import { StripePeer } from '../../../test/peers/stripe.ts'
import { aModerator, suspendConfirmed } from '../../../test/staff.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { endSubscription, reconcile } from './background.ts'
import type { PaymentRoom } from './room.ts'
import { endExpiredTiers } from './apply-standing.ts'

let app: TestApp
let room: () => PaymentRoom
let peer: StripePeer
let env: Record<string, string>
/** Output of the first run of `npm run stripe:setup`. */
let setUp: Awaited<ReturnType<typeof command>>
const secretKey = 'sk_test_peer012345'

beforeAll(async () => {
  peer = await new StripePeer().start()
  env = {
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: `whsec_old0123456,${peer.secret}`,
    STRIPE_API_BASE: peer.url,
  }
  setUp = await command('stripe-setup.ts')
  const watched = withPaymentRoom()
  room = watched.room
  app = await startTestApp({
    rooms: watched.rooms,
    env,
  })
})
afterAll(async () => {
  await app.close()
  await peer.stop()
})
beforeEach(() => {
  peer.trouble = 'none'
  peer.cardWorks = true
  peer.elsewhere = null
  peer.ofOtherKeys.clear()
})
afterEach(async () => expect((await ledgerOf(app)).sum, 'the ledger sums to zero').toBe(0))

/** Runs a command of package.json in its own process. @returns exit code and lines of output */
async function command(script: string, more: Record<string, string> = {}) {
  const own = { ...process.env, ...env, ...more }
  return promisify(execFile)(process.execPath, [`src/app/${script}`], { env: own }).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n') }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      lines: `${error.stdout}${error.stderr}`.trimEnd().split('\n'),
    }),
  )
}

type Merchant = Awaited<ReturnType<typeof aMerchant>>
let merchants = 0
/** Sets the clocks of the app and of the peer, and logs the merchant in again. */
async function now(merchant?: Merchant) {
  app.setNow(new Date(peer.now * 1000).toISOString())
  await endExpiredTiers(room())
  if (merchant) Object.assign(merchant, await logIn(app, '/api/business/login', merchant.email))
}
async function cafe() {
  await now()
  return aMerchant(app, `cafe${merchants++}@example.org`)
}
const mine = async ({ authToken }: Merchant) => (await get(app, '/api/payments/my-subscription', authToken)).body
const send = ({ authToken }: Merchant, path: string, body?: unknown) =>
  post(app, `/api/payments/${path}`, body, { token: authToken })
async function told(merchant: Merchant) {
  await now(merchant)
  for (const status of await peer.deliver(app)) expect(status).toBe(200)
}
async function premium() {
  const owner = await cafe()
  const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
  peer.pay(body.sessionUrl)
  await told(owner)
  expect((await mine(owner)).subscription_tier).toBe('PREMIUM')
  return owner
}

describe('npm run stripe:setup', () => {
  it('makes the five prices once, and says so', async () => {
    const keys = ['premium_month', 'premium_year', 'ultimate_month', 'ultimate_year', 'promotion']
    const prices = peer.list('price').toReversed()
    expect(prices.map(({ lookup_key }) => lookup_key)).toEqual(keys.map((key) => `rheinklang_${key}`))
    expect(prices.map(({ unit_amount }) => unit_amount)).toEqual([4900, 49_000, 9900, 99_000, 20_000])
    expect(setUp).toEqual({ code: 0, lines: prices.map(({ id, lookup_key }) => `${lookup_key}: ${id}, made`) })
    expect(await command('stripe-setup.ts')).toEqual({
      code: 0,
      lines: prices.map(({ id, lookup_key }) => `${lookup_key}: ${id}, as it should be`),
    })
    expect(peer.list('price')).toHaveLength(5)
  })
})

describe('with Stripe', () => {
  it('a tier starts with the payment on the hosted page, also when its events come twice and in the wrong order', async () => {
    const owner = await cafe()
    const { status, body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(status).toBe(200)
    expect(body.business.subscription_tier).toBe('FREE')
    expect(new URL(body.sessionUrl).origin).toBe(peer.url)
    expect((await upgrade(app, owner.authToken, 'PREMIUM')).body.sessionUrl).toBe(body.sessionUrl)
    peer.pay(body.sessionUrl)
    expect((await mine(owner)).subscription_tier).toBe('FREE')
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'active', amount_chf: 49 })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 1, provider: 4900 })
  })

  it('a higher tier is paid at once and pro rata, a lower one starts at the end of the paid period', async () => {
    const owner = await premium()
    const ultimate = await upgrade(app, owner.authToken, 'ULTIMATE')
    expect(ultimate.body.business.subscription_tier).toBe('ULTIMATE')
    await told(owner)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(2)
    const { body: invoices } = await get(app, '/api/payments/invoices', owner.authToken)
    expect(invoices.map(({ deducted }: { deducted: boolean }) => deducted)).toEqual([true, false])
    const lower = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(lower.body.pending_change).toMatchObject({ tier: 'PREMIUM', interval: 'month' })
    await told(owner)
    peer.renew((await mine(owner)).provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', pending_change: null })
  })

  it('a declined upgrade keeps the planned change', async () => {
    const owner = await premium()
    expect((await send(owner, 'switch', { interval: 'year' })).status).toBe(200)
    await told(owner)
    const planned = { tier: 'PREMIUM', interval: 'month' }
    expect((await send(owner, 'switch', { interval: 'month' })).body.pending_change).toMatchObject(planned)
    await told(owner)
    peer.cardWorks = false
    expect((await upgrade(app, owner.authToken, 'ULTIMATE')).status).toBe(409)
    peer.cardWorks = true
    await told(owner)
    expect((await mine(owner)).pending_change).toMatchObject(planned)
    peer.renew((await mine(owner)).provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ interval: 'month', subscription_tier: 'PREMIUM', pending_change: null })
  })

  it('a declined or failed change can be retried at once', async () => {
    const owner = await premium()
    peer.cardWorks = false
    expect((await upgrade(app, owner.authToken, 'ULTIMATE')).status).toBe(409)
    peer.cardWorks = true
    expect((await upgrade(app, owner.authToken, 'ULTIMATE')).body.business.subscription_tier).toBe('ULTIMATE')
    for (const [path, wanted] of [
      ['cancel', { cancel_at_period_end: true }],
      ['resume', { cancel_at_period_end: false }],
    ] as const) {
      peer.trouble = 'fails'
      expect((await send(owner, path)).status).toBe(503)
      peer.trouble = 'none'
      expect((await send(owner, path)).body).toMatchObject(wanted)
    }
    await told(owner)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(2)
  })

  it('nobody pays for a second plan while the confirmation of the first is late', async () => {
    const owner = await cafe()
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
    peer.pay(body.sessionUrl)
    const other = await upgrade(app, owner.authToken, 'ULTIMATE')
    expect(other.body.sessionUrl).toBeUndefined()
    expect(other.body.business.subscription_tier).toBe('ULTIMATE')
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'ULTIMATE', status: 'active' })
    const { customer } = peer.get((await mine(owner)).provider_id)
    expect(peer.list('sub').filter((each) => each['customer'] === customer)).toHaveLength(1)
  })

  it('a plan that was charged at once, but whose answer was lost, is not charged again', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    const customer = peer.get(String(peer.get(provider_id)['customer']))
    await room().provider(app.db)!.end({ provider_id })
    await told(owner)
    customer['invoice_settings'] = { default_payment_method: 'pm_1' }
    const count = () => peer.list('sub').filter((each) => each['customer'] === customer.id).length
    peer.lostAnswers.add('POST /v1/subscriptions')
    expect((await upgrade(app, owner.authToken, 'PREMIUM')).status).toBe(503)
    peer.lostAnswers.clear()
    expect(count()).toBe(2)
    const again = await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'year' })
    expect(again.body.business.subscription_tier).toBe('PREMIUM')
    expect(again.body.sessionUrl).toBeUndefined()
    expect(count()).toBe(2)
    await told(owner)
    expect((await mine(owner)).interval).toBe('year')
  })

  it('a checkout page that could not be opened opens at the next attempt, also in another language', async () => {
    const owner = await premium()
    peer.trouble = 'fails'
    expect((await send(owner, 'create-promo-session')).status).toBe(503)
    peer.trouble = 'none'
    const { body } = await post(app, '/api/payments/create-promo-session', undefined, {
      token: owner.authToken,
      headers: { 'accept-language': 'fr' },
    })
    expect(body.sessionUrl).toContain(peer.url)
  })

  it('a plan can switch to a year, be cancelled, resumed and cancelled again; when it ends the business is FREE', async () => {
    const owner = await premium()
    expect((await send(owner, 'switch', { interval: 'year' })).body).toMatchObject({
      interval: 'year',
      amount_chf: 490,
    })
    expect((await send(owner, 'cancel')).body.cancel_at_period_end).toBe(true)
    expect((await send(owner, 'resume')).body.cancel_at_period_end).toBe(false)
    expect((await send(owner, 'cancel')).body.cancel_at_period_end).toBe(true)
    await told(owner)
    const { provider_id } = await mine(owner)
    peer.renew(provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'FREE', provider_id: null })
    await endSubscription(room(), provider_id)
  })

  it('the plan of an account that waits to be deleted is cancelled and its checkout closed; a kept account gets it back with the planned change', async () => {
    const owner = await premium()
    await upgrade(app, owner.authToken, 'ULTIMATE')
    const planned = (await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'month' })).body.pending_change
    const { body: promotion } = await send(owner, 'create-promo-session')
    const asked = { method: 'DELETE', token: owner.authToken }
    expect((await post(app, '/api/me', { password: goodPassword }, asked)).status).toBe(202)
    await app.runJobs()
    await told(owner)
    expect(await mine(owner)).toMatchObject({ cancel_at_period_end: true, pending_change: null })
    const { provider_id } = await mine(owner)
    expect(peer.get(provider_id)).toMatchObject({ cancel_at_period_end: true, schedule: null })
    expect(() => peer.pay(promotion.sessionUrl)).toThrow('This page has expired.')
    expect((await send(owner, 'create-promo-session')).body.code).toBe('business_leaving')

    expect((await post(app, '/api/me/keep', undefined, { token: owner.authToken })).status).toBe(200)
    await app.runJobs()
    await told(owner)
    expect(await mine(owner)).toMatchObject({ cancel_at_period_end: false, pending_change: planned })
    peer.renew(provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', amount_chf: 49 })
  })

  it('events and clicks within one second leave a plan as Stripe has it, in whatever order they come', async () => {
    const owner = await premium()
    const { provider_id, status } = await mine(owner)
    expect(status).toBe('active')
    // Both events came twice, the older one last, with the same second.
    const { rows } = await sql<{ types: number }>`
      select count(distinct type)::int as types from payment_events
      where type like 'customer.subscription.%' group by created_at order by created_at desc limit 1`.execute(app.db)
    expect(rows).toEqual([{ types: 2 }])

    expect((await send(owner, 'cancel')).body.cancel_at_period_end).toBe(true)
    expect((await send(owner, 'resume')).body.cancel_at_period_end).toBe(false)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ provider_id, status: 'active', cancel_at_period_end: false })
  })

  it('an event within the same second as another one waits while Stripe cannot be asked', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    const event = {
      id: `evt_tie_${provider_id}`,
      object: 'event',
      type: 'customer.subscription.created',
      created: peer.now,
      data: { object: { ...peer.get(provider_id), status: 'incomplete' } },
      api_version: Stripe.API_VERSION,
    }
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: peer.secret, timestamp: peer.now })
    peer.trouble = 'fails'
    expect((await sendEvent(app, payload, signature)).status).toBe(503)
    peer.trouble = 'none'
    const asked = peer.asked.length
    expect((await sendEvent(app, payload, signature)).status).toBe(200)
    expect(peer.asked.slice(asked)).toEqual([`GET /v1/subscriptions/${provider_id}`])
    expect(await mine(owner)).toMatchObject({ status: 'active' })
  })

  it('a renewal that cannot be charged keeps the tier for seven days', async () => {
    const owner = await premium()
    peer.cardWorks = false
    peer.renew((await mine(owner)).provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'past_due' })
    peer.now += 7 * 86_400
    await now(owner)
    expect((await mine(owner)).subscription_tier).toBe('FREE')
    const { status, body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect([status, body.code]).toEqual([409, 'payment_overdue'])
    // A later attempt may still charge it.
    expect(peer.retry((await mine(owner)).provider_id)).toBe(false)
    expect((await send(owner, 'cancel')).body).toMatchObject({ subscription_tier: 'FREE', provider_id: null })
  })

  it('a plan bought at an earlier price keeps price and tier', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    const item = (peer.get(provider_id)['items'] as { data: { price: object }[] }).data[0]!
    const former = { ...item.price, id: 'price_former', lookup_key: null, unit_amount: 3900 }
    peer.objects.set(former.id, former)
    item.price = former
    peer.renew(provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'active', amount_chf: 39 })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ provider: 4900 + 3900 })
    peer.now += 8 * 86_400
    await now(owner)
    expect((await mine(owner)).subscription_tier).toBe('PREMIUM')
    const { body: invoices } = await get(app, '/api/payments/invoices', owner.authToken)
    expect(invoices.map(({ deducted }: { deducted: boolean }) => deducted)).toEqual([false, false])
  })

  it('an event of an older API version of Stripe is applied', async () => {
    const owner = await cafe()
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
    peer.pay(body.sessionUrl)
    peer.tellsOldForm = true
    await told(owner)
    peer.tellsOldForm = false
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'active' })
  })

  it('a customer that Stripe does not know does not stop the comparison of others', async () => {
    const [gone, other] = [await premium(), await premium()]
    const customerOf = async (owner: Merchant) => String(peer.get((await mine(owner)).provider_id)['customer'])
    const unknown = await customerOf(gone)
    peer.ofOtherKeys.add(unknown)
    const { repaired, left } = await reconcile(room())
    expect(left.filter((line) => line.startsWith(gone.businessId))).toEqual([expect.stringContaining('not compared')])
    expect([...repaired, ...left].filter((line) => line.startsWith(other.businessId))).toEqual([])
  })

  it('a customer of other keys is reported once, keeps its paid tier, and is compared again with the earlier keys', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    const customer = String(peer.get(provider_id)['customer'])
    const ofOwner = ({ repaired, left }: Awaited<ReturnType<typeof reconcile>>) =>
      [...repaired, ...left].filter((line) => line.startsWith(owner.businessId))
    peer.ofOtherKeys.add(customer)
    expect(ofOwner(await reconcile(room()))).toEqual([expect.stringContaining('not compared')])
    expect(ofOwner(await reconcile(room()))).toEqual([])
    expect((await mine(owner)).subscription_tier).toBe('PREMIUM')
    peer.ofOtherKeys.delete(customer)
    peer.renew(provider_id)
    expect(ofOwner(await reconcile(room())).join()).toMatch(/: subscription sub_.*: payment pi_/)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', provider_id })
  })

  it('a business gets a new customer under other keys, so that it can pay, and its old one again with the earlier keys', async () => {
    const [owner, promoted] = [await premium(), await cafe()]
    const page = (await send(promoted, 'create-promo-session')).body.sessionUrl
    const { provider_id } = await mine(owner)
    const before = [...peer.list('cus'), ...peer.list('sub'), ...peer.list('cs'), ...peer.list('in')].map(
      ({ id }) => id,
    )
    for (const id of before) peer.ofOtherKeys.add(id)
    // The paid tier counts, but nothing of it renews under the new keys.
    const { status, body } = await upgrade(app, owner.authToken, 'ULTIMATE')
    expect([status, body.business.subscription_tier]).toEqual([200, 'PREMIUM'])
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', provider_id: null })
    peer.pay(body.sessionUrl)
    await told(owner)
    const now = await mine(owner)
    expect(now).toMatchObject({ subscription_tier: 'ULTIMATE', status: 'active' })
    expect(now.provider_id).not.toBe(provider_id)
    const left = (await reconcile(room())).left
    expect(left.filter((line) => line.startsWith(owner.businessId))).toEqual([])
    // A checkout of the earlier keys is closed.
    expect((await upgrade(app, promoted.authToken, 'PREMIUM')).body.sessionUrl).not.toBe(page)

    const news = [...peer.list('cus'), ...peer.list('sub'), ...peer.list('cs'), ...peer.list('in')].map(({ id }) => id)
    peer.ofOtherKeys.clear()
    for (const id of news) if (!before.includes(id)) peer.ofOtherKeys.add(id)
    peer.renew(provider_id)
    await told(owner)
    expect((await send(owner, 'cancel')).body).toMatchObject({ provider_id, cancel_at_period_end: true })
    expect((await send(owner, 'portal-session')).status).toBe(200)
  })

  it('other sales, refunds and disputes of the Stripe account are ignored, in any currency', async () => {
    peer.sellOther('chf')
    peer.sellOther('eur')
    await now()
    for (const status of await peer.deliver(app)) expect(status).toBe(200)
    const refused = await app.db
      .selectFrom('payment_events')
      .select('reason')
      .where('outcome', '=', 'refused')
      .execute()
    expect(refused).toEqual([])
  })

  it('a plan shows the payment method of its newest payment', async () => {
    const owner = await premium()
    expect((await mine(owner)).payment_method).toBe('Visa 4242')
    peer.renew((await mine(owner)).provider_id)
    Object.assign(peer.list('ch')[0]!, {
      payment_method_details: { type: 'card', card: { brand: 'amex', last4: '0005' } },
    })
    await told(owner)
    expect((await mine(owner)).payment_method).toBe('American Express 0005')
  })

  it('a prevented dispute takes nothing away, unless it was prevented by a refund', async () => {
    const owner = await cafe()
    const { body } = await send(owner, 'create-promo-session')
    peer.pay(body.sessionUrl)
    await told(owner)
    const [intent] = peer.list('pi')
    peer.dispute(intent!.id, 'prevented')
    await told(owner)
    expect((await mine(owner)).featured_until).not.toBeNull()
    peer.dispute(intent!.id, 'prevented', [-20_000])
    await told(owner)
    expect((await mine(owner)).featured_until).toBeNull()
  })

  it('a refunded promotion takes no day of the next one', async () => {
    const owner = await cafe()
    for (let n = 0; n < 2; n++) {
      peer.pay((await send(owner, 'create-promo-session')).body.sessionUrl)
      await told(owner)
    }
    const [, first] = peer.list('pi')
    peer.now += 20 * 86_400
    await now(owner)
    peer.refund(first!.id)
    await told(owner)
    const left = Date.parse((await mine(owner)).featured_until) / 1000 - peer.now
    expect(Math.round(left / 86_400)).toBe(30)
  })

  it('an overdue plan that is cancelled ends at once and is not charged again', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    peer.cardWorks = false
    peer.renew(provider_id)
    await told(owner)
    expect((await send(owner, 'cancel')).body).toMatchObject({ subscription_tier: 'FREE', provider_id: null })
    peer.cardWorks = true
    expect(peer.retry(provider_id)).toBe(false)
    await told(owner)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
  })

  it('a refund of an upgrade leaves the plan that was paid before', async () => {
    const owner = await premium()
    const { provider_id } = await mine(owner)
    await upgrade(app, owner.authToken, 'ULTIMATE')
    await told(owner)
    const difference = peer.list('pi')[0]!
    peer.refund(difference.id)
    await told(owner)
    await app.runJobs()
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'active', provider_id })
  })

  it('a promotion is paid once, and a refund or a lost dispute ends it', async () => {
    const owner = await cafe()
    for (const way of ['refund', 'dispute'] as const) {
      const { body } = await send(owner, 'create-promo-session')
      peer.pay(body.sessionUrl)
      await told(owner)
      expect((await mine(owner)).featured_until).not.toBeNull()
      const [intent] = peer.list('pi')
      if (way === 'refund') peer.refund(intent!.id)
      else peer.dispute(intent!.id, 'needs_response')
      await told(owner)
      expect((await mine(owner)).featured_until).toBeNull()
    }
  })

  it('the open checkout of a promotion closes when staff suspend the business; one of a plan stays open', async () => {
    const staff = await aModerator(app)
    const suspended = await cafe()
    const { body } = await send(suspended, 'create-promo-session')
    const other = await cafe()
    const plan = (await upgrade(app, other.authToken, 'PREMIUM')).body.sessionUrl
    for (const { businessId: business_id } of [suspended, other])
      expect((await suspendConfirmed(app, staff, { business_id, reason: 'Wrong prices.' })).status).toBe(200)
    await app.runJobs()
    expect(() => peer.pay(body.sessionUrl)).toThrow('expired')
    // A plan goes on during a suspension, and can start in one.
    peer.pay(plan)
    await told(other)
    expect((await mine(other)).tier).toBe('PREMIUM')
    expect((await mine(suspended)).featured_until).toBeNull()
  })

  it('missed events are applied by the comparison, and each is reported', async () => {
    const owner = await cafe()
    const { body } = await upgrade(app, owner.authToken, 'ULTIMATE')
    peer.pay(body.sessionUrl)
    peer.loseEvents()
    const { repaired, left } = await reconcile(room())
    const what = repaired.map((line) => line.replace(`${owner.businessId}: `, ''))
    expect(what).toEqual([
      expect.stringMatching(/^subscription sub_/),
      expect.stringMatching(/^payment pi_/),
      expect.stringMatching(/^checkout /),
    ])
    expect(left).toEqual([])
    expect((await mine(owner)).subscription_tier).toBe('ULTIMATE')
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
    // The same snapshot as in the last event is no difference.
    expect(await reconcile(room())).toMatchObject({ repaired: [], left: [] })
  })

  it('wrong or missing data at the provider is reported and changes nothing', async () => {
    const owner = await cafe()
    const { body } = await send(owner, 'create-promo-session')
    peer.pay(body.sessionUrl)
    peer.loseEvents()
    const [session] = peer.list('cs')
    session!['amount_total'] = 100
    const [intent] = peer.list('pi')
    const wrong = await reconcile(room())
    expect(wrong).toMatchObject({ left: [`${owner.businessId}: payment ${intent!.id}, amount`] })
    expect((await mine(owner)).featured_until).toBeNull()
    session!['amount_total'] = 20_000
    expect((await reconcile(room())).repaired).toContain(`${owner.businessId}: payment ${intent!.id}`)
    peer.objects.delete(session!.id)
    const unknown = await reconcile(room())
    expect(unknown.left).toEqual([`${owner.businessId}: payment ${intent!.id}, unknown to the provider`])
    expect((await mine(owner)).featured_until).not.toBeNull()
    peer.objects.set(session!.id, session!)
  })

  it('a browser is sent only to pages of Stripe, whatever an answer says', async () => {
    for (const page of ['javascript:alert(1)', 'http://checkout.stripe.com/x', 'https://stripe.com.example/x', 'x']) {
      const owner = await cafe()
      peer.elsewhere = page
      const { status, body } = await upgrade(app, owner.authToken, 'PREMIUM')
      expect([status, body.error, body.sessionUrl], page).toEqual([503, 'Upgrade failed. Try again.', undefined])
    }
    peer.elsewhere = 'https://checkout.stripe.com/c/pay/cs_1#fid'
    expect((await send(await cafe(), 'create-promo-session')).body.sessionUrl).toBe(peer.elsewhere)
  })

  it(
    'one that fails or hangs gives the specified text, and nothing is charged twice afterwards',
    { timeout: 150_000 },
    async () => {
      const owner = await cafe()
      peer.trouble = 'fails'
      const failed = await upgrade(app, owner.authToken, 'PREMIUM')
      expect([failed.status, failed.body.error]).toEqual([503, 'Upgrade failed. Try again.'])
      const promotion = await send(owner, 'create-promo-session')
      expect([promotion.status, promotion.body.error]).toEqual([503, 'Promotion failed. Try again.'])
      peer.trouble = 'hangs'
      expect((await upgrade(app, owner.authToken, 'PREMIUM')).body.error).toBe('Upgrade failed. Try again.')
      peer.trouble = 'none'
      const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
      peer.pay(body.sessionUrl)
      await told(owner)
      expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
      expect(
        peer
          .list('cus')
          .filter((each) => (each['metadata'] as { business_id: string }).business_id === owner.businessId),
      ).toHaveLength(1)
    },
  )

  it('an event without a signature of Stripe is refused', async () => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', created: peer.now, data: { object: {} } })
    const sign = (secret: string, timestamp: number, body = payload) =>
      Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
    await now()
    const seconds = Math.floor(room().clock.now().epochMilliseconds / 1000)
    expect((await sendEvent(app, payload, sign(peer.secret, seconds))).status).toBe(200)
    expect((await sendEvent(app, payload, sign('whsec_old0123456', seconds - 299))).status).toBe(200)
    const forged = [
      [payload, sign('whsec_other', seconds)],
      [payload, sign(peer.secret, seconds - 301)],
      [payload, sign(peer.secret, seconds + 400)],
      [`${payload} `, sign(peer.secret, seconds)],
      [`\uFEFF${payload}`, sign(peer.secret, seconds)],
    ] as const
    for (const [body, signature] of forged) expect((await sendEvent(app, body, signature)).status).toBe(400)
  })

  it('an event whose details cannot be fetched is answered with 503, so that Stripe sends it again', async () => {
    await now()
    const timestamp = Math.floor(room().clock.now().epochMilliseconds / 1000)
    const invoice = { id: 'evt_away', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_away' } } }
    const payload = JSON.stringify({ ...invoice, created: peer.now })
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: peer.secret, timestamp })
    peer.trouble = 'fails'
    const away = await sendEvent(app, payload, signature)
    expect([away.status, away.body.code]).toEqual([503, 'unavailable'])
    peer.trouble = 'none'
  })

  it('an event is accepted compressed, or with a second signature beside the valid one', async () => {
    await now()
    const timestamp = Math.floor(room().clock.now().epochMilliseconds / 1000)
    const payload = JSON.stringify({ id: 'evt_2', object: 'event', type: 'x', created: peer.now, data: { object: {} } })
    const good = Stripe.webhooks.generateTestHeaderString({ payload, secret: peer.secret, timestamp })
    const packed = { 'content-encoding': 'gzip' }
    expect((await sendEvent(app, gzipSync(payload), good, packed)).status).toBe(200)
    expect((await sendEvent(app, gzipSync(payload), good)).status).toBe(400)
    expect((await sendEvent(app, gzipSync(`${payload} `), good, packed)).status).toBe(400)
    const another = `v1=${randomBytes(32).toString('hex')}`
    expect((await sendEvent(app, payload, good.replace(',', `,${another},`))).status).toBe(200)
    expect((await sendEvent(app, payload, `t=${timestamp},${another}`)).status).toBe(400)
    const long = JSON.stringify({ pad: 'x'.repeat(2 * 1024 * 1024) })
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: long, secret: peer.secret, timestamp })
    expect((await sendEvent(app, long, signature)).status).toBe(413)
  })
})

describe('npm run payments:check', () => {
  const check = () => command('payments-check.ts', { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir })

  it('applies missed events and prints what the operator must look at, a line each; then nothing differs', async () => {
    await now()
    await reconcile(room())
    const bar = await cafe()
    const promotion = await send(bar, 'create-promo-session')
    peer.pay(promotion.body.sessionUrl)
    await told(bar)
    const [session] = peer.list('cs')
    peer.objects.delete(session!.id)
    const owner = await cafe()
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'year' })
    peer.pay(body.sessionUrl)
    peer.loseEvents()
    const [intent] = peer.list('pi')
    const first = await check()
    expect(first.lines).toHaveLength(5)
    expect(first.lines).toEqual(
      expect.arrayContaining([
        `A payment event was missed and has been made up for. business: ${owner.businessId} what: payment ${intent!.id}`,
        `The payment provider does not know a payment that is kept here. business: ${bar.businessId} what: payment ${String(session!['payment_intent'])}`,
        expect.stringMatching(/^\d+ compared, 4 differences, 3 made up for, 1 left\.$/),
      ]),
    )
    expect(first.code).toBe(3)
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 1, provider: 49_000 })
    peer.objects.set(session!.id, session!)
    expect(await check()).toEqual({ code: 0, lines: [expect.stringContaining(' 0 differences, ')] })
  })
})
