import type { Sql } from '../../kit/server/database.ts'
import { customerOf } from './checkouts.ts'
import { applyEvents } from './events.ts'
import { isTest, type PaymentRoom } from './room.ts'

/**
 * PREMIUM chosen at signup is a purchase. The test provider has a card of everybody, so there it is paid at once, as part of the
 * signup; with Stripe, or where every payment takes the hosted page, the dashboard offers it.
 */
export async function settleSignupPlan(
  room: PaymentRoom,
  trx: Sql,
  business: { businessId: string; name: string; email: string | null; tier: 'FREE' | 'PREMIUM'; origin: string },
): Promise<void> {
  const provider = room.provider(trx)
  if (!isTest(provider) || business.tier === 'FREE') return
  const { businessId, origin } = business
  const customerId = await customerOf(room, trx, provider, business)
  const paid = await provider.subscribeAtOnce({
    key: businessId,
    checkoutId: businessId,
    businessId,
    customerId,
    purchase: { what: 'subscription', tier: business.tier, interval: 'month' },
    origin,
    locale: 'en',
  })
  await applyEvents({ ...room, origin }, trx, paid ?? [])
}
