import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** Ratings of visitors, and replies of merchants, which are deleted with their business. */
export const ratingPersonalData: PersonalData = {
  exportOf: async (db, { accountId, businessId }) => ({
    ratings: await store.ratingsOf(db, accountId),
    rating_reports: await store.reportsOf(db, accountId),
    rating_replies: businessId ? await store.repliesOf(db, businessId) : [],
  }),
  hasContent: async (db, { accountId }) => (await store.ratingsOf(db, accountId)).length > 0,
  forget: (trx, { accountId }) => store.makeAnonymous(trx, accountId),
}
