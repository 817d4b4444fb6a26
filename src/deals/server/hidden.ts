import { findMerchant } from '../../businesses/server/merchant.ts'
import type { Sql } from '../../kit/server/database.ts'
import { activeDealLimits } from '../policy.ts'
import * as store from './store.ts'

// Hiding and showing deals, for staff. Call these in a transaction in which the merchant is locked.

export { hideDeal, hideDealsOf } from './store.ts'

/**
 * Shows a hidden deal as it was before; paused where all places are taken by now. A deal of a suspended merchant is shown when the
 * suspension ends.
 */
export async function showDeal(
  trx: Sql,
  { dealId, businessId, isMerchantShown }: { dealId: string; businessId: string; isMerchantShown: boolean },
  now: Date,
): Promise<void> {
  await store.showDeal(trx, dealId, isMerchantShown, now)
  const places = await placesOf(trx, businessId)
  if (places !== null) await store.pauseIfBeyond(trx, dealId, places, now)
}

/** Shows the deals that `hideDealsOf` hid as they were; those beyond the places of the tier are paused. @returns the ids of those that were published */
export async function showDealsOf(trx: Sql, businessId: string, now: Date): Promise<string[]> {
  const dealIds = await store.showDealsOf(trx, businessId, now)
  const places = await placesOf(trx, businessId)
  if (places !== null) await store.pauseBeyond(trx, businessId, places, now)
  return dealIds
}

async function placesOf(trx: Sql, businessId: string): Promise<number | null> {
  const merchant = await findMerchant(trx, businessId)
  return merchant ? activeDealLimits[merchant.subscription_tier] : null
}
