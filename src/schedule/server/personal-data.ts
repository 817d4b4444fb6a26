import type { PersonalData } from '../../accounts/server/accounts.ts'
import { maxRemovals } from '../../kit/shared/seconds-ago.ts'
import { entriesMost, remindersMost } from '../contract.ts'
import * as store from './store.ts'

/** Links are exported without their tokens. */
export const schedulePersonalData: PersonalData = {
  exportOf: async (db, { accountId }) => ({
    schedule_entries: (await store.listEntries(db, accountId, entriesMost)).map((row) => ({ ...row })),
    schedule_reminders: await store.listReminders(db, accountId, entriesMost * remindersMost),
    schedule_removals: await store.listRemovals(db, accountId, maxRemovals),
    schedule_links: (await store.listLinks(db, accountId)).map(({ kind, created_at }) => ({ kind, created_at })),
  }),
  hasContent: async (db, { accountId }) => (await store.listEntries(db, accountId, 1)).length > 0,
  forget: (trx, { accountId }) => store.deleteEverything(trx, accountId),
}
