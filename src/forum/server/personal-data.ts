import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** A deleted account's posts stay, by "deleted user". */
export const forumPersonalData: PersonalData = {
  exportOf: (db, { accountId }) => store.exportOf(db, accountId),
  hasContent: (db, { accountId }) => store.hasPosts(db, accountId),
  forget: (trx, { accountId }) => store.anonymise(trx, accountId),
}
