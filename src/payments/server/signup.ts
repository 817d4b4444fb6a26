import type { Sql } from '../../kit/server/database.ts'
import { customerOf } from './checkouts.ts'
import { applyEvents } from './events.ts'
import { isTest, type PaymentRoom } from './room.ts'

/**
 * Buys the PREMIUM that was chosen at signup. Only the test provider has a card on file for everybody and charges it at once; else
 * the dashboard offers the purchase.
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
