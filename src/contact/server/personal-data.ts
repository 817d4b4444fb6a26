import type { PersonalData } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/**
 * Messages to the organisers. Anybody may write under anybody's address, so somebody is given only what was written while
 * they were logged in. With a verified address all goes that names it, in whatever spelling.
 */
export const contactPersonalData: PersonalData = {
  everythingOf: async (db, { accountId }) => ({ contact_messages: await store.messagesOf(db, accountId) }),
  hasContent: async () => false,
  async forget(trx, { accountId, verifiedEmail }) {
    await store.deleteMessagesOf(trx, accountId)
    if (verifiedEmail !== null) await store.deleteMessagesTo(trx, verifiedEmail)
  },
}
