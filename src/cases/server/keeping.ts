import type { Keeper } from '../../accounts/server/accounts.ts'
import { forgetNameOf } from '../../staff/server/staff.ts'
import * as store from './store.ts'

/**
 * What somebody reported, and what was decided about their own business; how often a thing was reported stays. What staff decided stays
 * in their log, without the name of the business.
 */
export const keepsReports: Keeper = {
  everythingOf: async (db, { accountId, businessId }) => ({
    reports: await store.reportsBy(db, accountId),
    report_cases: businessId ? await store.decisionsOn(db, businessId) : [],
  }),
  hasContent: async () => false,
  async forget(trx, { accountId, businessId }) {
    await store.deleteReportsBy(trx, accountId)
    if (!businessId) return
    await forgetNameOf(trx, 'business', [businessId])
    for (const kind of ['deal', 'rating'] as const)
      await forgetNameOf(trx, kind, await store.caseIdsOf(trx, businessId, kind))
  },
}
