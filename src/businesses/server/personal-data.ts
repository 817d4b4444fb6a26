import type { PersonalData } from '../../accounts/server/accounts.ts'
import type { FileStore } from '../../kit/server/uploads.ts'
import { everyHourOf, forgetSubjects, type CountedPages } from '../../views/server/views.ts'
import * as store from './store.ts'

export const countedBusinesses: CountedPages = { kind: 'business', existing: store.existingBusinesses }

/** The business of a merchant, its pictures and its views. While the account waits for its deletion the business is hidden. */
export function businessPersonalData(files: FileStore): PersonalData {
  return {
    exportOf: async (db, { businessId }) =>
      businessId
        ? { ...(await store.exportOf(db, businessId)), view_hours: await everyHourOf(db, 'business', [businessId]) }
        : {},
    hasContent: async () => false,
    async leave(trx, { businessId }, now) {
      if (businessId) await store.setLeaving(trx, businessId, now)
    },
    async stay(trx, { businessId }) {
      if (businessId) await store.setLeaving(trx, businessId, null)
    },
    async forget(trx, { businessId }) {
      if (!businessId) return
      const pictures = await store.picturesOf(trx, businessId)
      await store.deleteBusiness(trx, businessId)
      await forgetSubjects(trx, 'business', [businessId])
      for (const name of pictures) await files.delete(name)
    },
  }
}
