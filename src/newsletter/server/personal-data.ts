import type { PersonalData } from '../../accounts/server/accounts.ts'
import { deleteMailsTo } from '../../mail/server/mail.ts'
import * as store from './store.ts'

/** A subscription belongs to an email address: it is an account's once the account has confirmed that address. */
export const newsletterPersonalData: PersonalData = {
  exportOf: async (db, { verifiedEmail }) => ({
    newsletter_subscribers: verifiedEmail === null ? [] : await store.exportOf(db, verifiedEmail),
  }),
  hasContent: async () => false,
  async forget(trx, { givenEmail, verifiedEmail }) {
    // The request first: its job would create a new subscriber. Requests of the account itself end when it is gone.
    await deleteMailsTo(trx, givenEmail, ['newsletter_wish'])
    // An account that never confirmed the address may not end a subscription that its real owner has confirmed.
    await store.deleteSubscriberByEmail(trx, givenEmail, verifiedEmail === null ? 'unconfirmed' : undefined)
  },
}
