import type { Keeper } from '../../accounts/server/accounts.ts'
import { dealsForFigures } from '../../deals/server/deals.ts'
import { withdraw } from '../../notifications/server/notifications.ts'
import { newsOfDeal, newsOfMerchant, type FavoriteRoom } from './favorites.ts'
import * as store from './store.ts'

/** What somebody saved. Of a business that goes nobody has news any more, which would lead nowhere and name it. */
export const keepsFavorites = ({ notifications }: Pick<FavoriteRoom, 'notifications'>): Keeper => ({
  everythingOf: async (db, { accountId }) => ({ favorites: await store.everythingOf(db, accountId) }),
  hasContent: async (db, { accountId }) => (await store.countSaved(db, accountId, null)) > 0,
  async forget(trx, { accountId, businessId }) {
    await store.deleteAllOf(trx, accountId)
    if (!businessId) return
    await withdraw(notifications, trx, { group: newsOfMerchant(businessId) })
    for (const { deal_id } of await dealsForFigures(trx, businessId, 10_000))
      await withdraw(notifications, trx, { group: newsOfDeal(deal_id) })
  },
})
