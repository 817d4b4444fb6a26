import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/**
 * Messages to the organisers. Anybody may write under anybody's address, so an export holds only messages that were written
 * while the person was logged in. A deletion takes every message under the account's confirmed address, in any spelling.
 */
export const contactPersonalData: PersonalData = {
  exportOf: async (db, { accountId }) => ({ contact_messages: await store.messagesOf(db, accountId) }),
  hasContent: async () => false,
  async forget(trx, { accountId, verifiedEmail }) {
    await store.deleteMessagesOf(trx, accountId)
    if (verifiedEmail !== null) await store.deleteMessagesTo(trx, verifiedEmail)
  },
}
