import type { Keeper } from '../../accounts/server/accounts.ts'
import { forgetNameOf, nobody } from '../../staff/server/staff.ts'
import * as store from './store.ts'

/** What the forum keeps of a person; what they wrote stays, by a deleted user. */
export const keepsPosts: Keeper = {
  everythingOf: (db, { accountId }) => store.everythingOf(db, accountId),
  hasContent: (db, { accountId }) => store.hasPosts(db, accountId),
  async forget(trx, { accountId }) {
    const memberId = await store.memberIdOf(trx, accountId)
    if (memberId !== null) await forgetNameOf(trx, 'member', [memberId])
    await store.anonymise(trx, accountId, nobody)
  },
}
