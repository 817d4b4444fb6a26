import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** A deleted account's posts stay, by "deleted user". */
export const forumPersonalData: PersonalData = {
  everythingOf: (db, { accountId }) => store.everythingOf(db, accountId),
  hasContent: (db, { accountId }) => store.hasPosts(db, accountId),
  forget: (trx, { accountId }) => store.anonymise(trx, accountId),
}
