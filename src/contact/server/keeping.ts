import type { Keeper } from '../../accounts/server/accounts.ts'
import * as store from './store.ts'

/** Messages to the organisers. They are written without an account, so only a verified address tells whose they are. */
export const keepsMessages: Keeper = {
  everythingOf: async (db, { verifiedEmail }) => ({
    contact_messages: verifiedEmail === null ? [] : await store.messagesOf(db, verifiedEmail),
  }),
  hasContent: async () => false,
  async forget(trx, { verifiedEmail }) {
    if (verifiedEmail !== null) await store.deleteMessagesOf(trx, verifiedEmail)
  },
}
