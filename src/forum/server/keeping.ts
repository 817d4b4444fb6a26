import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** What the forum keeps of a person; what they wrote stays, by a deleted user. */
export const keepsPosts: PersonalData = {
  everythingOf: (db, { accountId }) => store.everythingOf(db, accountId),
  hasContent: (db, { accountId }) => store.hasPosts(db, accountId),
  forget: (trx, { accountId }) => store.anonymise(trx, accountId),
}
