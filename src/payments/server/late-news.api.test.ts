import { expect, it } from 'vitest'
import { deliver, providerOf, upgrade, withPaymentRoom } from '../../../test/paying.ts'
import { aMerchant, goodPassword, post } from '../../../test/people.ts'
import { appForTest, type TestApp } from '../../../test/start-app.ts'
import { accounts } from '../../accounts/room.ts'
import { executeDeletions } from '../../accounts/server/accounts.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { newId } from '../../kit/server/ids.ts'
import { renewTestSubscriptions } from './background.ts'
import type { Fact } from './facts.ts'
import { findTestObject } from './store.ts'
import { newSubscription, storeSubscription, storeTestPayment } from './test-facts.ts'

const noon = '2026-06-20T12:00:00Z'

/** A PREMIUM that was paid on the provider's page, before any event about it has come. */
const paidOnThePage = (businessId: string, now: string) =>
  newSubscription(newId(), businessId, { tier: 'PREMIUM', interval: 'month' }, Temporal.Instant.from(now))
const told = (facts: Fact[]) => ({ id: `tevt_${newId()}`, type: 'test', created_at: noon, facts })
const subscriptionsOf = (app: TestApp, business: string) =>
  app.db.selectFrom('subscriptions').select('status').where('business_id', '=', business).execute()
const paymentsOf = (app: TestApp, business: string) =>
  app.db.selectFrom('payments').select('amount_rappen').where('business_id', '=', business).execute()

it('a subscription whose payment event has not come yet is neither ended nor paid again by another click', async () => {
  const app = await appForTest({ now: noon, env: { PAYMENTS: 'test' } })
  const provider = await providerOf(app, { now: () => Temporal.Instant.from(noon) })
  const { authToken, businessId } = await aMerchant(app, 'cafe@example.org')
  // The business has a customer at the provider.
  await post(app, '/api/payments/create-promo-session', undefined, { token: authToken })
  const { subscription, payment } = paidOnThePage(businessId, noon)
  await storeSubscription(app.db, subscription)
  await deliver(app, provider, told([subscription]))
  // The provider does not know the payment yet.
  expect(await upgrade(app, authToken, 'PREMIUM')).toMatchObject({ status: 503, body: { code: 'upgrade_failed' } })
  await storeTestPayment(app.db, payment)
  // The provider knows the payment, but its event has not come.
  expect(await upgrade(app, authToken, 'PREMIUM')).toMatchObject({
    status: 200,
    body: { business: { subscription_tier: 'PREMIUM' } },
  })
  await deliver(app, provider, told([payment]))
  expect(await subscriptionsOf(app, businessId)).toEqual([{ status: 'active' }])
  expect(await paymentsOf(app, businessId)).toEqual([{ amount_rappen: 4900 }])
})

it('nobody is charged for a deleted account: neither on an open checkout, nor for a subscription whose event comes late', async () => {
  let house!: House
  const neighbour: Room<object> = { name: 'neighbour', looksInto: [], open: (given) => ((house = given), {}) }
  const watched = withPaymentRoom()
  const app = await appForTest({ now: noon, env: { PAYMENTS: 'test' }, rooms: [...watched.rooms, neighbour] })
  const { authToken, businessId } = await aMerchant(app, 'cafe@example.org')
  const { body } = await post(app, '/api/payments/create-promo-session', undefined, { token: authToken })
  expect((await post(app, '/api/me', { password: goodPassword }, { method: 'DELETE', token: authToken })).status).toBe(
    202,
  )
  const gone = '2026-07-06T12:00:00Z'
  app.setNow(gone)
  await executeDeletions(house.of(accounts))
  await app.runJobs()
  const checkout = new URL(body.sessionUrl as string).pathname.split('/').at(-1)!
  expect(await findTestObject(app.db, `tses_${checkout}`, 'checkout')).toMatchObject({ state: { status: 'expired' } })

  const { subscription, payment } = paidOnThePage(businessId, gone)
  await storeSubscription(app.db, subscription)
  await storeTestPayment(app.db, payment)
  const provider = await providerOf(app, { now: () => Temporal.Instant.from(gone) })
  for (const fact of [subscription, payment]) await deliver(app, provider, told([fact]))
  await app.runJobs()
  expect(await subscriptionsOf(app, businessId)).toEqual([{ status: 'canceled' }])
  app.setNow('2026-08-06T12:00:01Z')
  await renewTestSubscriptions(watched.room())
  expect(await paymentsOf(app, businessId)).toHaveLength(1)
})
