import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** What visitors have said of deals, and what merchants have replied, which goes with their business. */
export const keepsRatings: PersonalData = {
  everythingOf: async (db, { accountId, businessId }) => ({
    ratings: await store.ratingsOf(db, accountId),
    rating_reports: await store.reportsOf(db, accountId),
    rating_replies: businessId ? await store.repliesOf(db, businessId) : [],
  }),
  hasContent: async (db, { accountId }) => (await store.ratingsOf(db, accountId)).length > 0,
  forget: (trx, { accountId }) => store.makeAnonymous(trx, accountId),
}
