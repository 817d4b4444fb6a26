import type { Sql } from '../../kit/server/database.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../../staff/contract.ts'
import { refuseUndo, type Undo } from '../../staff/server/staff.ts'
import { reachOf, undoChanges, type Changing, type CountSavers } from './changes.ts'
import { lockImports, requestWaitsMs, ScheduleImportBusy } from './import-schedule.ts'
import * as store from './store.ts'

/** The events go back, and then the stages and venues that the import made and nothing uses now. Throws `import_busy`. */
export const undoImport =
  (room: Changing & { countSavers: CountSavers }): Undo =>
  async (trx, entry, entryId) => {
    await waitForImports(trx)
    const { kept, later, unmade, undone } = await undoChanges(trx, room, entry.entry_id, entryId)
    const made = { stages: idsIn(entry.after?.['made_stages']), venues: idsIn(entry.after?.['made_venues']) }
    const unused = await store.lockUnusedStages(trx, made, { unmade, madeAt: entry.at })
    const edited = unused.filter(({ is_venue_edited }) => is_venue_edited)
    const free = unused.filter(({ is_venue_edited }) => !is_venue_edited)
    if (undone.length + free.length === 0) return refuseUndo(entry, later, room.zone)
    return {
      kept: [...kept, ...edited.map(({ venue_name }) => venue_name)],
      reach: await reachOf(trx, undone, room.countSavers),
      ...(entryId !== null && {
        noted: { removed_places: await store.deleteStages(trx, free, { unmade, venues: made.venues }) },
      }),
    }
  }

/** The stages and venues that the undo removed come back, and then the events on them. Throws `import_busy`. */
export const redoImport =
  (room: Changing & { countSavers: CountSavers }): Undo =>
  async (trx, entry, entryId) => {
    await waitForImports(trx)
    const noted = entry.after?.['noted'] as { removed_places?: store.RemovedPlaces } | undefined
    if (noted?.removed_places) await store.restoreStages(trx, noted.removed_places)
    const { kept, later, undone } = await undoChanges(trx, room, entry.entry_id, entryId)
    if (undone.length === 0) return refuseUndo(entry, later, room.zone)
    return { kept, reach: await reachOf(trx, undone, room.countSavers) }
  }

/** One at work counts on the stages that it has found. */
async function waitForImports(trx: Sql): Promise<void> {
  await lockImports(trx, requestWaitsMs).catch((error: unknown) => {
    throw error instanceof ScheduleImportBusy ? new Refusal(importBusy, { retryAfterS: 60 }) : error
  })
}

/** Entries from before an import noted what it made have none. */
const idsIn = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((id): id is string => typeof id === 'string' && isUuid(id)) : []
