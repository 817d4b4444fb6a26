import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../../staff/contract.ts'
import type { Undo } from '../../staff/server/staff.ts'
import { undoChanges, type Changing } from './changes.ts'
import { lockImports, requestWaitsMs, ScheduleImportBusy } from './import-schedule.ts'
import * as store from './store.ts'

/** The events go back, and then the stages and venues that the import made and nothing uses now. Throws `import_busy`. */
export const undoImport =
  (changing: Changing): Undo =>
  async (trx, entry, entryId) => {
    // one at work counts on the stages that it has found
    await lockImports(trx, requestWaitsMs).catch((error: unknown) => {
      throw error instanceof ScheduleImportBusy ? new Refusal(importBusy, { retryAfterS: 60 }) : error
    })
    const { kept, unmade, undone } = await undoChanges(trx, changing, entry.entry_id, entryId)
    const made = { stages: idsIn(entry.after?.['made_stages']), venues: idsIn(entry.after?.['made_venues']) }
    const unused = await store.lockUnusedStages(trx, made, { unmade, madeAt: entry.at })
    const edited = unused.filter(({ is_venue_edited }) => is_venue_edited)
    const free = unused.filter(({ is_venue_edited }) => !is_venue_edited)
    await store.deleteStages(trx, free, { unmade, venues: made.venues })
    if (undone + free.length === 0) return null
    return { kept: [...kept, ...edited.map(({ venue_name }) => venue_name)] }
  }

/** Entries from before an import noted what it made have none. */
const idsIn = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((id): id is string => typeof id === 'string' && isUuid(id)) : []
