import { merchantOf } from '../../businesses/server/merchant.ts'
import type { Sql } from '../../kit/server/database.ts'
import { activeDealLimits } from '../policy.ts'
import * as store from './store.ts'

// The deals of a merchant whom staff suspend, in the transaction of it, in which the merchant is locked.

/** All that visitors see of them goes. */
export const { hideDealsOf } = store

/** As they were before; what the tier has no room for by now is paused. */
export async function showDealsOf(trx: Sql, businessId: string, now: Date): Promise<void> {
  await store.showDealsOf(trx, businessId, now)
  const merchant = await merchantOf(trx, businessId)
  const places = merchant && activeDealLimits[merchant.subscription_tier]
  if (places != null) await store.pauseBeyond(trx, businessId, places, now)
}
