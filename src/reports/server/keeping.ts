import type { Keeper } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** What somebody reported, and what was decided about their own business; how often a thing was reported stays. */
export const keepsReports: Keeper = {
  everythingOf: async (db, { accountId, businessId }) => ({
    reports: await store.reportsBy(db, accountId),
    report_cases: businessId ? await store.decisionsOn(db, businessId) : [],
  }),
  hasContent: async () => false,
  forget: (trx, { accountId }) => store.deleteReportsBy(trx, accountId),
}
