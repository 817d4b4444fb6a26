import type { PersonalData } from '../../accounts/server/accounts.ts'
import { lockMerchant } from '../../businesses/server/merchant.ts'
import type { House } from '../../kit/server/room.ts'
import { everyHourOf, forgetSubjects, type CountedPages } from '../../views/server/views.ts'
import { hideDealsOf, showDealsOf } from './hidden.ts'
import * as store from './store.ts'
import { businessFacts } from '../../businesses/contract.ts'

export const countedDeals: CountedPages = { kind: 'deal', existing: store.existingDeals }

/** The deals of a merchant. While the account is waiting for its deletion (`leave` to `stay` or `forget`) they are hidden. */
export const dealPersonalData = (room: Pick<House, 'publishFact'>): PersonalData => ({
  exportOf: async (db, { businessId }) => ({
    deals: businessId ? await store.everyDealOf(db, businessId) : [],
    view_hours_of_deals: businessId ? await everyHourOf(db, 'deal', await store.dealIdsOf(db, businessId, 10_000)) : [],
  }),
  hasContent: async (db, { businessId }) =>
    businessId !== null && (await store.dealIdsOf(db, businessId, 1)).length > 0,
  async leave(trx, { businessId }, now) {
    const merchant = businessId && (await lockMerchant(trx, businessId))
    if (!merchant || merchant.is_leaving) return
    await hideDealsOf(trx, businessId, now)
    await room.publishFact(trx, businessFacts.leaving, { business_id: businessId })
  },
  async stay(trx, { businessId }, now) {
    const merchant = businessId && (await lockMerchant(trx, businessId))
    if (merchant && !merchant.is_suspended) await showDealsOf(trx, businessId, now)
  },
  // deleting the business deletes its deals; their views are deleted here
  async forget(trx, { businessId }) {
    if (businessId) await forgetSubjects(trx, 'deal', await store.dealIdsOf(trx, businessId, 100_000))
  },
})
