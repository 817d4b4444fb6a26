import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** Claims of visitors; redemptions and devices of merchants, which are deleted with their business. */
export const redemptionPersonalData: PersonalData = {
  exportOf: async (db, { accountId, businessId }) => ({
    claims: await store.claimsOf(db, accountId),
    redemptions: businessId ? await store.redemptionsOf(db, businessId) : [],
    tills: businessId ? await store.tillsOf(db, businessId) : [],
  }),
  hasContent: async (db, { accountId }) => (await store.claimsOf(db, accountId)).length > 0,
  forget: (trx, { accountId }) => store.forgetClaimsOf(trx, accountId),
}
