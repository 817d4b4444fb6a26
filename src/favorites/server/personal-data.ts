import type { PersonalData } from '../../accounts/server/accounts.ts'
import { maxRemovals } from '../../kit/shared/seconds-ago.ts'
import { withdrawMerchant, type FavoriteRoom } from './favorites.ts'
import * as store from './store.ts'

/**
 * Favourites and recent removals of an account. When a business is deleted, notifications of its deals are withdrawn: they name it
 * and link to nothing.
 */
export const favoritePersonalData = (room: Pick<FavoriteRoom, 'notifications'>): PersonalData => ({
  exportOf: async (db, { accountId }) => ({
    favorites: await store.exportOf(db, accountId),
    favorite_removals: await store.listRemovals(db, accountId, maxRemovals),
  }),
  hasContent: async (db, { accountId }) => (await store.countSaved(db, accountId, null)) > 0,
  async forget(trx, { accountId, businessId }) {
    await store.deleteAllOf(trx, accountId)
    if (businessId) await withdrawMerchant(room, trx, businessId)
  },
})
