import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledgerOf, upgrade, withPaymentRoom } from '../../../test/paying.ts'
import { aMerchant, aVisitor, get, goodPassword, logIn, mailTo, mailsTo, post } from '../../../test/people.ts'
import { appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { reconcile, renewTestSubscriptions } from './background.ts'
import { settleLeaving } from './payments.ts'
import type { PaymentRoom } from './room.ts'
import { endExpiredTiers } from './apply-standing.ts'

const noon = '2026-06-20T12:00:00Z'
let app: TestApp
let room: () => PaymentRoom

beforeAll(async () => {
  const watched = withPaymentRoom()
  room = watched.room
  app = await startTestApp({ now: noon, rooms: watched.rooms, env: { PAYMENTS: 'test' } })
})
afterAll(() => app.close())
beforeEach(() => app.setNow(noon))
afterEach(async () => expect((await ledgerOf(app)).sum, 'the ledger sums to zero').toBe(0))

type Merchant = Awaited<ReturnType<typeof aMerchant>>
let merchants = 0
const cafe = (more: Record<string, string> = {}) =>
  aMerchant(app, `cafe${merchants++}@example.org`, { address: 'Rheingasse 1, 4058 Basel', ...more })
const mine = async (token: string) => (await get(app, '/api/payments/my-subscription', token)).body
const tierOf = async (of: { businessId: string; authToken: string }) =>
  (await get(app, `/api/business/${of.businessId}/subscription`, of.authToken)).body.subscription_tier
const send = (token: string, path: string, body?: unknown) => post(app, `/api/payments/${path}`, body, { token })

/** Moves the clock, runs the jobs of every minute, and logs the merchant in again. */
async function at(instant: string, merchant: Merchant) {
  app.setNow(instant)
  await renewTestSubscriptions(room())
  await endExpiredTiers(room())
  await app.runJobs()
  Object.assign(merchant, await logIn(app, '/api/business/login', merchant.email))
}

describe('a FREE business', () => {
  it('has no subscription, and reads so', async () => {
    const owner = await cafe()
    expect(await mine(owner.authToken)).toEqual({
      subscription_tier: 'FREE',
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
      overdue_until: null,
      featured_until: null,
      last_promotion: null,
      promotion_paid_at: null,
      live_deals: 0,
      vat_rate: null,
      has_invoices: false,
      has_portal: false,
    })
  })

  it.each(['127.0.0.1', 'localhost'])(
    'that signs up and upgrades at %s gets invoices that lead there, as its other mails do',
    async (host) => {
      const here = { ...app, url: app.url.replace('127.0.0.1', host) }
      const email = `host-${host}@example.org`
      const owner = await aMerchant(here, email, { subscription_tier: 'PREMIUM' })
      expect((await upgrade(here, owner.authToken, 'ULTIMATE')).status).toBe(200)
      await mailTo(app, email, /invoice RK-/i, 2)
      const invoices = (await mailsTo(app, email)).filter(({ subject }) => /invoice RK-/i.test(subject))
      for (const { text } of invoices) expect(text).toContain(`${here.url}/invoice/`)
    },
  )

  it('that signs up with PREMIUM is asked to confirm its address before it gets its invoice', async () => {
    const owner = await cafe({ subscription_tier: 'PREMIUM' })
    await mailTo(app, owner.email, /invoice RK-/i)
    const [first] = await mailsTo(app, owner.email)
    expect(first!.subject).toBe('Please confirm your email address')
  })

  it('reads before it signs up whether PREMIUM starts at once and without a charge', async () => {
    expect((await get(app, '/api/auth/options')).body.demo_payments).toBe(true)
    const hosted = await appForTest({ env: { PAYMENTS: 'test', TEST_PAYMENTS: 'checkout' } })
    expect((await get(hosted, '/api/auth/options')).body.demo_payments).toBe(false)
  })

  it('becomes PREMIUM by its test card on file, with one payment in the ledger and a mailed invoice', async () => {
    const owner = await cafe()
    const { status, body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(status).toBe(200)
    expect(body).toEqual({
      business: { business_id: owner.businessId, business_name: 'Café Rhein', subscription_tier: 'PREMIUM' },
      pending_change: null,
    })
    expect(await tierOf(owner)).toBe('PREMIUM')
    expect(await mine(owner.authToken)).toMatchObject({
      subscription_tier: 'PREMIUM',
      tier: 'PREMIUM',
      interval: 'month',
      status: 'active',
      current_period_end: '2026-07-20T12:00:00.000Z',
      amount_chf: 49,
      payment_method: 'Test card 4242',
    })
    expect(await ledgerOf(app, owner.businessId)).toEqual({
      sum: 0,
      transactions: 1,
      provider: 4900,
      revenue_subscription: -4900,
    })
    const mail = await mailTo(app, owner.email, /invoice RK-/i)
    expect(mail.text).toContain('49.00')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('Period of service: 20 June 2026 to 20 July 2026.')
    // The operator has set no VAT rate.
    expect(mail.text).not.toContain('VAT')
    expect((await mine(owner.authToken)).vat_rate).toBeNull()
  })

  it('without a subscription cannot cancel, resume, switch or open a portal', async () => {
    const owner = await cafe()
    for (const [path, body] of [['cancel'], ['resume'], ['switch', { interval: 'year' }], ['portal-session']] as const)
      expect((await send(owner.authToken, path, body)).body).toMatchObject({ code: 'no_subscription' })
  })

  it('is refused an unknown tier', async () => {
    const owner = await cafe()
    for (const tier of ['FREE', '', null, ['PREMIUM'], 'premium', 1e9, undefined, 'GOLD', { tier: 'PREMIUM' }]) {
      const { status, body } = await upgrade(app, owner.authToken, tier)
      expect([status, body.code], JSON.stringify(tier)).toEqual([400, 'invalid_input'])
    }
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(0)
  })
})

describe('PREMIUM chosen at signup', () => {
  it('is bought at once with the test provider', async () => {
    const owner = await cafe({ subscription_tier: 'PREMIUM' })
    expect(await tierOf(owner)).toBe('PREMIUM')
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 1, provider: 4900 })
    await mailTo(app, owner.email, /invoice RK-/i)
  })

  it('with a taken address charges nobody', async () => {
    const owner = await cafe()
    const before = await ledgerOf(app)
    await aMerchant(app, owner.email, { subscription_tier: 'PREMIUM' })
    expect(await ledgerOf(app)).toEqual(before)
  })

  it('starts only after its checkout page is paid, where no card is on file; the price includes VAT', async () => {
    const vat = { VAT_ID: 'CHE-123.456.789 MWST', VAT_RATE: '8.1', INVOICE_ISSUER: 'Verein Rheinklang | Rheingasse 1' }
    const hosted = await appForTest({ now: noon, env: { PAYMENTS: 'test', TEST_PAYMENTS: 'checkout', ...vat } })
    const owner = await aMerchant(hosted, 'nord@example.org', { subscription_tier: 'PREMIUM' })
    const subscription = async () =>
      (await get(hosted, `/api/business/${owner.businessId}/subscription`, owner.authToken)).body
    expect(await subscription()).toMatchObject({ subscription_tier: 'FREE', requested_tier: 'PREMIUM' })
    const { body } = await upgrade(hosted, owner.authToken, 'PREMIUM', { interval: 'year' })
    expect(body.business.subscription_tier).toBe('FREE')
    const { pathname } = new URL(body.sessionUrl)
    const page = pathname.replace('/test-checkout/', '/api/payments/test-checkouts/')
    expect((await get(hosted, page, owner.authToken)).body).toMatchObject({ amount_chf: 490, interval: 'year' })
    await post(hosted, page, { choice: 'pay' }, { token: owner.authToken })
    expect(await subscription()).toMatchObject({ subscription_tier: 'PREMIUM' })
    // The price includes VAT: 490 × 8.1 / 108.1.
    expect((await get(hosted, '/api/payments/invoices', owner.authToken)).body).toMatchObject([
      { amount_chf: 490, vat_rate: 8.1, vat_chf: 36.72, vat_id: vat.VAT_ID, issuer: 'Verein Rheinklang\nRheingasse 1' },
    ])
    expect(await ledgerOf(hosted)).toEqual({
      sum: 0,
      transactions: 1,
      provider: 49_000,
      revenue_subscription: -45_328,
      vat: -3672,
    })
    const mail = await mailTo(hosted, owner.email, /invoice RK-/i)
    expect(mail.text).toContain('VAT included: 8.1%, CHF 36.72 (CHE-123.456.789 MWST)')
    expect((await get(hosted, '/api/payments/my-subscription', owner.authToken)).body.vat_rate).toBe(8.1)
  })
})

describe('a PREMIUM business', () => {
  const premium = async () => {
    const owner = await cafe()
    await upgrade(app, owner.authToken, 'PREMIUM')
    return owner
  }

  it('that asks for its own tier again does not pay again', async () => {
    const owner = await premium()
    const { status, body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect([status, body.business.subscription_tier]).toEqual([200, 'PREMIUM'])
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(1)
  })

  it('becomes ULTIMATE at once and pays for the days that are left', async () => {
    const owner = await premium()
    await at('2026-07-05T12:00:00Z', owner)
    const { body } = await upgrade(app, owner.authToken, 'ULTIMATE')
    expect(body.business.subscription_tier).toBe('ULTIMATE')
    // half of 30 days: 4950 - 2450
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 2, provider: 4900 + 2500 })
    expect((await get(app, '/api/payments/invoices', owner.authToken)).body).toMatchObject([
      { tier: 'ULTIMATE', amount_chf: 25, deducted: true },
      { tier: 'PREMIUM', amount_chf: 49, deducted: false },
    ])
    await mailTo(app, owner.email, /invoice RK-/i, 2)
    const texts = (await mailsTo(app, owner.email))
      .filter(({ subject }) => /invoice RK-/i.test(subject))
      .map(({ text }) => text)
    const sentence = 'What you had already paid for the rest of your earlier subscription has been deducted.'
    const paid = (amount: string) => texts.find((text) => text.includes(`CHF ${amount}`))
    expect([paid('25.00')?.includes(sentence), paid('49.00')?.includes(sentence)]).toEqual([true, false])
    expect((await mine(owner.authToken)).current_period_end).toBe('2026-07-20T12:00:00.000Z')
  })

  it('switches to a year at once and back to months at the end of the year', async () => {
    const owner = await premium()
    const yearly = await send(owner.authToken, 'switch', { interval: 'year' })
    expect(yearly.body).toMatchObject({
      interval: 'year',
      amount_chf: 490,
      current_period_end: '2027-06-20T12:00:00.000Z',
    })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ provider: 49_000 })
    const monthly = await send(owner.authToken, 'switch', { interval: 'month' })
    expect(monthly.body).toMatchObject({
      interval: 'year',
      pending_change: { tier: 'PREMIUM', interval: 'month', at: '2027-06-20T12:00:00.000Z' },
    })
    await at('2027-06-20T12:00:30Z', owner)
    expect(await mine(owner.authToken)).toMatchObject({
      interval: 'month',
      pending_change: null,
      subscription_tier: 'PREMIUM',
    })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ provider: 53_900 })
  })

  it('that asks for a lower tier gets it at the end of the paid period, unless it takes that back', async () => {
    const owner = await cafe()
    await upgrade(app, owner.authToken, 'ULTIMATE')
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(body).toMatchObject({
      business: { subscription_tier: 'ULTIMATE' },
      pending_change: { tier: 'PREMIUM', interval: 'month', at: '2026-07-20T12:00:00.000Z' },
    })
    expect((await send(owner.authToken, 'resume')).body.pending_change).toBeNull()
    await upgrade(app, owner.authToken, 'PREMIUM')
    await at('2026-07-20T12:00:30Z', owner)
    expect(await tierOf(owner)).toBe('PREMIUM')
  })

  it('that cancels can resume its plan, or is FREE from the end of the paid period on and gets a mail', async () => {
    const owner = await premium()
    expect((await send(owner.authToken, 'cancel')).body).toMatchObject({ cancel_at_period_end: true, status: 'active' })
    expect((await send(owner.authToken, 'resume')).body).toMatchObject({ cancel_at_period_end: false })
    expect((await send(owner.authToken, 'resume')).body.code).toBe('nothing_to_keep')
    await send(owner.authToken, 'cancel')
    await at('2026-07-20T11:59:00Z', owner)
    expect(await tierOf(owner)).toBe('PREMIUM')
    await at('2026-07-20T12:00:00Z', owner)
    expect(await tierOf(owner)).toBe('FREE')
    expect(await mine(owner.authToken)).toMatchObject({ subscription_tier: 'FREE', provider_id: null })
    await mailTo(app, owner.email, /subscription has ended/i)
  })

  it('that cancels loses its planned change, so a resumed plan goes on unchanged', async () => {
    const owner = await cafe()
    const endOfYear = '2027-06-20T12:00:00.000Z'
    await upgrade(app, owner.authToken, 'ULTIMATE', { interval: 'year' })
    await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'month' })
    await send(owner.authToken, 'cancel')
    expect((await send(owner.authToken, 'resume')).body).toMatchObject({
      cancel_at_period_end: false,
      pending_change: null,
    })
    await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'month' })
    await send(owner.authToken, 'cancel')
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
    expect(body.pending_change).toEqual({ tier: 'PREMIUM', interval: 'year', at: endOfYear })
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: false, interval: 'year' })
  })

  it('renews by itself every month', async () => {
    const owner = await premium()
    await at('2026-08-25T12:00:00Z', owner)
    expect(await mine(owner.authToken)).toMatchObject({
      status: 'active',
      current_period_end: '2026-09-20T12:00:00.000Z',
    })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 3, provider: 3 * 4900 })
  })

  it('that cannot be charged keeps its tier for seven days, gets a mail, and pays as soon as its card works', async () => {
    const owner = await premium()
    const portal = await send(owner.authToken, 'portal-session')
    const card = new URL(portal.body.sessionUrl).pathname.split('/').at(-1)!
    await send(owner.authToken, `test-checkouts/${card}`, { choice: 'decline' })
    await at('2026-07-20T12:00:30Z', owner)
    expect(await mine(owner.authToken)).toMatchObject({
      status: 'past_due',
      subscription_tier: 'PREMIUM',
      overdue_until: '2026-07-27T12:00:00.000Z',
    })
    await mailTo(app, owner.email, /payment is overdue/i)
    await at('2026-07-27T11:59:00Z', owner)
    expect(await tierOf(owner)).toBe('PREMIUM')
    await send(owner.authToken, `test-checkouts/${card}`, { choice: 'pay' }).then(({ status }) =>
      expect(status).toBe(409),
    )
    const again = new URL((await send(owner.authToken, 'portal-session')).body.sessionUrl).pathname.split('/').at(-1)!
    expect((await send(owner.authToken, `test-checkouts/${again}`, { choice: 'pay' })).body.card_works).toBe(true)
    await at('2026-07-27T11:59:30Z', owner)
    expect(await mine(owner.authToken)).toMatchObject({
      status: 'active',
      subscription_tier: 'PREMIUM',
      overdue_until: null,
    })
  })

  it('can change its plan only after the overdue payment', async () => {
    const owner = await premium()
    const card = async () =>
      new URL((await send(owner.authToken, 'portal-session')).body.sessionUrl).pathname.split('/').at(-1)!
    await send(owner.authToken, `test-checkouts/${await card()}`, { choice: 'decline' })
    await at('2026-07-20T12:00:30Z', owner)
    const overdue = await upgrade(app, owner.authToken, 'ULTIMATE', { interval: 'year' })
    expect([overdue.status, overdue.body.code]).toEqual([409, 'payment_overdue'])
    expect((await send(owner.authToken, 'switch', { interval: 'year' })).body.code).toBe('payment_overdue')
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ provider: 4900 })
    // Two tabs at once; then the higher tier in both.
    const tabs = [await card(), await card()]
    const paid = await Promise.all(tabs.map((id) => send(owner.authToken, `test-checkouts/${id}`, { choice: 'pay' })))
    expect(paid.map(({ status }) => status)).toEqual([200, 200])
    await at('2026-07-20T12:01:00Z', owner)
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(2)
    const both = await Promise.all(tabs.map(() => upgrade(app, owner.authToken, 'ULTIMATE')))
    expect(both.map(({ body }) => body.business.subscription_tier)).toEqual(['ULTIMATE', 'ULTIMATE'])
    expect((await ledgerOf(app, owner.businessId)).transactions).toBe(3)
  })

  it('that goes down to PREMIUM never pays for a year of ULTIMATE', async () => {
    const owner = await cafe()
    await upgrade(app, owner.authToken, 'ULTIMATE')
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'year' })
    expect(body.pending_change).toMatchObject({ tier: 'PREMIUM', interval: 'year' })
    await upgrade(app, owner.authToken, 'PREMIUM', { interval: 'month' })
    const switched = await send(owner.authToken, 'switch', { interval: 'year' })
    expect(switched.body.pending_change).toMatchObject({ tier: 'PREMIUM', interval: 'year' })
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 1, provider: 9900 })
    await at('2026-07-20T12:00:30Z', owner)
    expect(await mine(owner.authToken)).toMatchObject({
      subscription_tier: 'PREMIUM',
      interval: 'year',
      amount_chf: 490,
    })
  })

  const askForDeletion = async (owner: Merchant) => {
    const { status } = await post(
      app,
      '/api/me',
      { password: goodPassword },
      { method: 'DELETE', token: owner.authToken },
    )
    expect(status).toBe(202)
  }
  /** Logs in again and keeps the account. */
  const keepAccount = async (owner: Merchant) => {
    Object.assign(owner, await logIn(app, '/api/business/login', owner.email))
    expect((await post(app, '/api/me/keep', undefined, { token: owner.authToken })).status).toBe(200)
  }

  it('is not charged after it asked for the deletion of its account, and gets its plan back if it stays', async () => {
    const owner = await premium()
    await askForDeletion(owner)
    await app.runJobs()
    Object.assign(owner, await logIn(app, '/api/business/login', owner.email))
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: true, subscription_tier: 'PREMIUM' })
    for (const [path, body] of [['resume'], ['switch', { interval: 'year' }]] as const)
      expect((await send(owner.authToken, path, body)).body.code).toBe('business_leaving')
    await keepAccount(owner)
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: false, pending_change: null })
    await at('2026-07-20T12:00:30Z', owner)
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({ transactions: 2 })
  })

  it('that keeps its account gets its planned change back, also the second time', async () => {
    const owner = await premium()
    await upgrade(app, owner.authToken, 'ULTIMATE')
    const planned = (await upgrade(app, owner.authToken, 'PREMIUM')).body.pending_change
    expect(planned).toMatchObject({ tier: 'PREMIUM' })
    await askForDeletion(owner)
    await app.runJobs()
    await keepAccount(owner)
    await askForDeletion(owner)
    await keepAccount(owner)
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: false, pending_change: planned })
  })

  it('that cancelled its plan itself does not get it back with its account', async () => {
    const owner = await premium()
    await send(owner.authToken, 'cancel')
    await askForDeletion(owner)
    await app.runJobs()
    await keepAccount(owner)
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: true })

    await send(owner.authToken, 'resume')
    await askForDeletion(owner)
    await app.runJobs()
    Object.assign(owner, await logIn(app, '/api/business/login', owner.email))
    await send(owner.authToken, 'cancel')
    await keepAccount(owner)
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: true })
  })

  it('whose paid period ends before it keeps its account is FREE', async () => {
    const owner = await premium()
    await at('2026-07-19T12:00:00Z', owner)
    await askForDeletion(owner)
    await app.runJobs()
    await at('2026-07-21T12:00:30Z', owner)
    await keepAccount(owner)
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ subscription_tier: 'FREE', tier: null })
  })

  it('keeps its plan if the account was kept before the job ran that cancels the plan', async () => {
    const owner = await premium()
    await askForDeletion(owner)
    await keepAccount(owner)
    // The job may have run already, and runs once more.
    await app.runJobs()
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: false })
    await settleLeaving(room(), owner.businessId)
    expect(await mine(owner.authToken)).toMatchObject({ cancel_at_period_end: false, subscription_tier: 'PREMIUM' })
  })

  it('that never pays is FREE after seven days, and can buy again on a page that takes another card', async () => {
    const owner = await premium()
    const portal = await send(owner.authToken, 'portal-session')
    const card = new URL(portal.body.sessionUrl).pathname.split('/').at(-1)!
    await send(owner.authToken, `test-checkouts/${card}`, { choice: 'decline' })
    await at('2026-07-20T12:00:30Z', owner)
    await at('2026-07-27T12:00:30Z', owner)
    expect(await tierOf(owner)).toBe('FREE')
    expect(await mine(owner.authToken)).toMatchObject({ has_portal: false, overdue_until: null })
    const { body } = await upgrade(app, owner.authToken, 'PREMIUM')
    const page = new URL(body.sessionUrl).pathname.split('/').at(-1)!
    expect((await send(owner.authToken, `test-checkouts/${page}`, { choice: 'pay' })).body).toMatchObject({
      status: 'complete',
      card_works: true,
    })
    expect(await tierOf(owner)).toBe('PREMIUM')
  })
})

describe('an invoice', () => {
  const change = (owner: Merchant, body: object) =>
    post(app, '/api/payments/billing-address', body, { method: 'PUT', token: owner.authToken })
  const newest = async (owner: Merchant) => (await get(app, '/api/payments/invoices', owner.authToken)).body[0]

  it('is addressed to the business, or to the legal name, address and UID that it enters; issued invoices do not change', async () => {
    const owner = await cafe()
    const none = { legal_name: null, address: null, uid: null }
    expect((await get(app, '/api/payments/billing-address', owner.authToken)).body).toEqual(none)
    await upgrade(app, owner.authToken, 'PREMIUM')
    const first = await newest(owner)
    expect(first.billed_to).toBe('Café Rhein\nRheingasse 1, 4058 Basel')

    const entered = { legal_name: ' Rhein Gastro GmbH ', address: 'Postfach 12\n4002 Basel', uid: 'che123456788 mwst' }
    expect((await change(owner, entered)).body).toEqual({
      legal_name: 'Rhein Gastro GmbH',
      address: 'Postfach 12\n4002 Basel',
      uid: 'CHE-123.456.788 MWST',
    })
    await upgrade(app, owner.authToken, 'ULTIMATE')
    const second = await newest(owner)
    expect(second.billed_to).toBe('Rhein Gastro GmbH\nPostfach 12\n4002 Basel\nCHE-123.456.788 MWST')
    const mail = await mailTo(app, owner.email, second.number)
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      'billed to Rhein Gastro GmbH, Postfach 12, 4002 Basel, CHE-123.456.788 MWST',
    )

    // Fields that are left out stay.
    expect((await change(owner, { legal_name: '' })).body).toMatchObject({
      legal_name: null,
      uid: 'CHE-123.456.788 MWST',
    })
    expect((await change(owner, { address: null, uid: '' })).body).toEqual(none)
    expect((await get(app, `/api/payments/invoices/${first.invoice_id}`, owner.authToken)).body).toEqual(first)
    expect((await get(app, `/api/payments/invoices/${second.invoice_id}`, owner.authToken)).body).toEqual(second)
  })

  it('takes no UID whose check digit is wrong', async () => {
    const owner = await cafe()
    const { status, body } = await change(owner, { legal_name: 'Rhein GmbH', uid: 'CHE-123.456.789' })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['uid']])
    expect((await get(app, '/api/payments/billing-address', owner.authToken)).body.legal_name).toBeNull()
  })
})

describe('the comparison with the provider', () => {
  const numbersOf = async ({ authToken }: Merchant): Promise<number[]> =>
    (await get(app, '/api/payments/invoices', authToken)).body.map(({ number }: { number: string }) =>
      Number(number.slice('RK-'.length)),
    )

  it('uses up no invoice numbers', async () => {
    const [first, second] = [await cafe(), await cafe()]
    await upgrade(app, first.authToken, 'PREMIUM')
    await reconcile(room())
    await upgrade(app, second.authToken, 'PREMIUM')
    const [before] = await numbersOf(first)
    expect(await numbersOf(second)).toEqual([before! + 1])
  })

  it('finds nothing after a plan was bought, changed, cancelled and kept', async () => {
    const owner = await cafe()
    await upgrade(app, owner.authToken, 'PREMIUM')
    await upgrade(app, owner.authToken, 'ULTIMATE')
    expect(await reconcile(room())).toMatchObject({ repaired: [], left: [] })
    await send(owner.authToken, 'cancel')
    expect(await reconcile(room())).toMatchObject({ repaired: [], left: [] })
    await send(owner.authToken, 'resume')
    expect(await reconcile(room())).toMatchObject({ repaired: [], left: [] })
  })
})

describe('a promotion', () => {
  async function promote(token: string) {
    const { status, body } = await post(app, '/api/payments/create-promo-session', undefined, { token })
    expect(status).toBe(200)
    expect(new URL(body.sessionUrl).origin).toBe(app.url)
    const id = new URL(body.sessionUrl).pathname.split('/').at(-1)!
    return { id, url: body.sessionUrl as string }
  }
  const pay = (token: string, id: string) => send(token, `test-checkouts/${id}`, { choice: 'pay' })

  it('lasts 30 days from its payment on, and with a second one 60', async () => {
    const owner = await cafe()
    const first = await promote(owner.authToken)
    expect((await get(app, `/api/payments/test-checkouts/${first.id}`, owner.authToken)).body).toMatchObject({
      what: 'promotion',
      amount_chf: 200,
      status: 'open',
    })
    expect((await mine(owner.authToken)).featured_until).toBeNull()
    expect((await pay(owner.authToken, first.id)).body.status).toBe('complete')
    expect((await mine(owner.authToken)).featured_until).toBe('2026-07-20T12:00:00.000Z')
    await at('2026-06-25T12:00:00Z', owner)
    const second = await promote(owner.authToken)
    expect(second.id).not.toBe(first.id)
    await pay(owner.authToken, second.id)
    const { featured_until, last_promotion, promotion_paid_at } = await mine(owner.authToken)
    expect(featured_until).toBe('2026-08-19T12:00:00.000Z')
    // The running promotion is shown; the second one has no views yet.
    expect(last_promotion).toMatchObject({ starts_at: '2026-06-20T12:00:00.000Z', ends_at: '2026-07-20T12:00:00.000Z' })
    expect(promotion_paid_at).toBe('2026-06-25T12:00:00.000Z')
    // The invoice's period is that of the promotion.
    const invoices = (await get(app, '/api/payments/invoices', owner.authToken)).body
    expect(invoices).toMatchObject([
      { period_start: '2026-07-20T12:00:00.000Z', period_end: '2026-08-19T12:00:00.000Z' },
      { period_start: '2026-06-20T12:00:00.000Z', period_end: '2026-07-20T12:00:00.000Z' },
    ])
    const mail = await mailTo(app, owner.email, invoices[0].number)
    expect(mail.text.replace(/\s+/g, ' ')).toContain('Period of service: 20 July 2026 to 19 August 2026.')
    const business = await app.db
      .selectFrom('businesses')
      .select('featured_until')
      .where('business_id', '=', owner.businessId)
      .executeTakeFirstOrThrow()
    expect(business.featured_until?.toISOString()).toBe('2026-08-19T12:00:00.000Z')
  })

  it('has one checkout page, however often it is asked for, until it is paid', async () => {
    const owner = await cafe()
    const [a, b] = [await promote(owner.authToken), await promote(owner.authToken)]
    expect(a.url).toBe(b.url)
  })

  it('is paid once, even if the page is sent twice', async () => {
    const owner = await cafe()
    const { id } = await promote(owner.authToken)
    const both = await Promise.all([pay(owner.authToken, id), pay(owner.authToken, id)])
    expect(both.map(({ body }) => body.status)).toEqual(['complete', 'complete'])
    expect(await ledgerOf(app, owner.businessId)).toMatchObject({
      transactions: 1,
      provider: 20_000,
      revenue_promotion: -20_000,
    })
  })

  it('whose payment is declined costs nothing and can be paid later', async () => {
    const owner = await cafe()
    const { id } = await promote(owner.authToken)
    expect((await send(owner.authToken, `test-checkouts/${id}`, { choice: 'decline' })).body.code).toBe(
      'payment_declined',
    )
    expect((await pay(owner.authToken, id)).status).toBe(200)
  })

  it('has a checkout page that nobody else can open and that expires after a day', async () => {
    const owner = await cafe()
    const { id } = await promote(owner.authToken)
    const other = await cafe()
    expect((await get(app, `/api/payments/test-checkouts/${id}`, other.authToken)).status).toBe(404)
    expect((await pay(other.authToken, id)).status).toBe(404)
    expect((await pay(other.authToken, 'nonsense')).status).toBe(404)
    await at('2026-06-21T12:00:01Z', owner)
    expect((await pay(owner.authToken, id)).body.code).toBe('checkout_over')
    expect((await promote(owner.authToken)).id).not.toBe(id)
  })

  it('can be bought only by businesses', async () => {
    const { authToken } = await aVisitor(app)
    expect((await post(app, '/api/payments/create-promo-session', undefined, { token: authToken })).status).toBe(403)
    expect((await post(app, '/api/payments/create-promo-session')).status).toBe(401)
  })
})
