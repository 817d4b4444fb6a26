import type { Keeper } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

export const keepsFavorites: Keeper = {
  everythingOf: async (db, { accountId }) => ({ favorites: await store.everythingOf(db, accountId) }),
  hasContent: async (db, { accountId }) => (await store.countSaved(db, accountId, null)) > 0,
  forget: (trx, { accountId }) => store.deleteAllOf(trx, accountId),
}
