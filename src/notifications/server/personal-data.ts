import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

export const notificationPersonalData: PersonalData = {
  rowsForExport: (db, { accountId }) => store.rowsForExport(db, accountId),
  hasContent: async () => false,
  forget: (trx, { accountId }) => store.forgetAccount(trx, accountId),
}
