import type { Keeper } from '../../accounts/server/accounts.ts'
import { maxRemovals } from '../../kit/shared/seconds-ago.ts'
import { withdrawMerchant, type FavoriteRoom } from './favorites.ts'
import * as store from './store.ts'

/** What somebody saved, and removed not long ago. Of a business that goes nobody has news any more, which would lead nowhere and name it. */
export const keepsFavorites = (room: Pick<FavoriteRoom, 'notifications'>): Keeper => ({
  everythingOf: async (db, { accountId }) => ({
    favorites: await store.everythingOf(db, accountId),
    favorite_removals: await store.listRemovals(db, accountId, maxRemovals),
  }),
  hasContent: async (db, { accountId }) => (await store.countSaved(db, accountId, null)) > 0,
  async forget(trx, { accountId, businessId }) {
    await store.deleteAllOf(trx, accountId)
    if (businessId) await withdrawMerchant(room, trx, businessId)
  },
})
