import type { PersonalData } from '../../accounts/server/accounts.ts'
import { deleteMailsTo } from '../../mail/server/mail.ts'
import * as store from './store.ts'

/** Subscriptions go by the email address: they are somebody's once the address is shown to be theirs. */
export const newsletterPersonalData: PersonalData = {
  everythingOf: async (db, { verifiedEmail }) => ({
    newsletter_subscribers: verifiedEmail === null ? [] : await store.everythingOf(db, verifiedEmail),
  }),
  hasContent: async () => false,
  async forget(trx, { givenEmail, verifiedEmail }) {
    // the wishes of the account itself look for it when their turn comes, and find none; first the wish, which makes the subscriber
    await deleteMailsTo(trx, givenEmail, ['newsletter_wish'])
    // the confirmed newsletter of an address that was never confirmed here may be somebody else's
    await store.deleteSubscriberByEmail(trx, givenEmail, verifiedEmail === null ? 'unconfirmed' : undefined)
  },
}
