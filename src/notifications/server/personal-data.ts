import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

export const notificationPersonalData: PersonalData = {
  exportOf: (db, { accountId }) => store.exportOf(db, accountId),
  hasContent: async () => false,
  forget: (trx, { accountId }) => store.forgetAccount(trx, accountId),
}
