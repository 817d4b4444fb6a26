import type { Keeper } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** What somebody reported; how often a thing was reported stays. */
export const keepsReports: Keeper = {
  everythingOf: async (db, { accountId }) => ({ reports: await store.reportsBy(db, accountId) }),
  hasContent: async () => false,
  forget: (trx, { accountId }) => store.deleteReportsBy(trx, accountId),
}
