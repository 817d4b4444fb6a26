import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** What the room keeps of visitors (their codes) and of merchants (redemptions and devices, which go with their business). */
export const keepsRedemptions: PersonalData = {
  everythingOf: async (db, { accountId, businessId }) => ({
    claims: await store.claimsOf(db, accountId),
    redemptions: businessId ? await store.redemptionsOf(db, businessId) : [],
    tills: businessId ? await store.tillsOf(db, businessId) : [],
  }),
  hasContent: async (db, { accountId }) => (await store.claimsOf(db, accountId)).length > 0,
  forget: (trx, { accountId }) => store.forgetClaimsOf(trx, accountId),
}
