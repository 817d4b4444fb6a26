import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledgerOf, sendEvent, upgrade, withPaymentRoom } from '../../../test/paying.ts'
import { aMerchant, get, logIn, post } from '../../../test/people.ts'
import { StripePeer } from '../../../test/peers/stripe.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { endSubscription, reconcile } from './background.ts'
import type { PaymentRoom } from './room.ts'
import { endWhatEnded } from './stand.ts'
import { makePrices } from './stripe-prices.ts'
import { openStripe } from './stripe-provider.ts'

let app: TestApp
let room: () => PaymentRoom
let peer: StripePeer
const secretKey = 'sk_test_peer012345'

beforeAll(async () => {
  peer = await new StripePeer().start()
  await makePrices(await openStripe({ secretKey, apiBase: peer.url }))
  const watched = withPaymentRoom()
  room = watched.room
  app = await startTestApp({
    rooms: watched.rooms,
    env: {
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: `whsec_old0123456,${peer.secret}`,
      STRIPE_API_BASE: peer.url,
    },
  })
})
afterAll(async () => {
  await app.close()
  await peer.stop()
})
beforeEach(() => {
  peer.trouble = 'none'
  peer.cardWorks = true
})
afterEach(async () => expect((await ledgerOf(app)).sum, 'the ledger sums to zero').toBe(0))

type Merchant = Awaited<ReturnType<typeof aMerchant>>
let merchants = 0
/** Both clocks at the same moment; the merchant logs in again. */
async function now(merchant?: Merchant) {
  app.setNow(new Date(peer.now * 1000).toISOString())
  await endWhatEnded(room())
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

describe('with Stripe', () => {
  it('a tier comes with the payment on the hosted page, told twice and in the wrong order', async () => {
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

  it('more is paid at once and pro rata, less comes at the end of the paid time', async () => {
    const owner = await premium()
    const ultimate = await upgrade(app, owner.authToken, 'ULTIMATE')
    expect(ultimate.body.business.subscription_tier).toBe('ULTIMATE')
    await told(owner)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(2)
    const lower = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(lower.body.pending_change).toMatchObject({ tier: 'PREMIUM', interval: 'month' })
    await told(owner)
    peer.renew((await mine(owner)).provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', pending_change: null })
  })

  it('a plan switches to a year, is cancelled, kept, cancelled, and FREE when it has ended', async () => {
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

  it('a renewal that cannot be charged keeps the tier for seven days', async () => {
    const owner = await premium()
    peer.cardWorks = false
    peer.renew((await mine(owner)).provider_id)
    await told(owner)
    expect(await mine(owner)).toMatchObject({ subscription_tier: 'PREMIUM', status: 'past_due' })
    peer.now += 7 * 86_400
    await now(owner)
    expect((await mine(owner)).subscription_tier).toBe('FREE')
  })

  it('a promotion is paid once, and a refund or a lost dispute ends it', async () => {
    const owner = await cafe()
    for (const way of ['refund', 'dispute'] as const) {
      const { body } = await send(owner, 'create-promo-session')
      peer.pay(body.sessionUrl)
      await told(owner)
      expect((await mine(owner)).featured_until).not.toBeNull()
      const [intent] = peer.list('pi')
      if (way === 'refund') await room().provider(app.db)!.refund(intent!.id)
      else peer.dispute(intent!.id, 'needs_response')
      await told(owner)
      expect((await mine(owner)).featured_until).toBeNull()
    }
  })

  it('events that were missed are made up for, and each is told', async () => {
    const owner = await cafe()
    const { body } = await upgrade(app, owner.authToken, 'ULTIMATE')
    peer.pay(body.sessionUrl)
    peer.loseEvents()
    const differences = (await reconcile(room())).filter((line) => line.startsWith(owner.businessId))
    expect(differences.length).toBeGreaterThan(0)
    expect((await mine(owner)).subscription_tier).toBe('ULTIMATE')
    expect(
      (await reconcile(room())).filter((line) => line.includes('payment') && line.startsWith(owner.businessId)),
    ).toEqual([])
  })

  it(
    'one that fails or hangs gives the specified text, and nothing is charged twice afterwards',
    { timeout: 60_000 },
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

  it('an event that Stripe has not signed is refused', async () => {
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
})
