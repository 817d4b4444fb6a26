import { merchantOf } from '../../businesses/server/merchant.ts'
import type { Sql } from '../../kit/server/database.ts'
import { activeDealLimits } from '../policy.ts'
import * as store from './store.ts'

// What staff hide and bring back, in the transaction of it, in which the merchant is locked.

export const { hideDeal } = store

/** As it was before it was hidden; paused where its place is taken by now. That of a suspended merchant waits for the merchant. */
export async function showDeal(
  trx: Sql,
  { dealId, businessId, isMerchantShown }: { dealId: string; businessId: string; isMerchantShown: boolean },
  now: Date,
): Promise<void> {
  await store.showDeal(trx, dealId, isMerchantShown, now)
  const places = await placesOf(trx, businessId)
  if (places !== null) await store.pauseIfBeyond(trx, dealId, places, now)
}

/** All that visitors see of them goes. Answers the ids of those that were published. */
export const { hideDealsOf } = store

/** As they were before; what the tier has no room for by now is paused. Answers the ids of those that were published. */
export async function showDealsOf(trx: Sql, businessId: string, now: Date): Promise<string[]> {
  const dealIds = await store.showDealsOf(trx, businessId, now)
  const places = await placesOf(trx, businessId)
  if (places !== null) await store.pauseBeyond(trx, businessId, places, now)
  return dealIds
}

async function placesOf(trx: Sql, businessId: string): Promise<number | null> {
  const merchant = await merchantOf(trx, businessId)
  return merchant ? activeDealLimits[merchant.subscription_tier] : null
}
