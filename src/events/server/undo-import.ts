import type { Sql } from '../../kit/server/database.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../../staff/contract.ts'
import { refuseUndo, type Undo } from '../../staff/server/staff.ts'
import { reachOf, undoEdits, type EditServices, type CountSavers } from './edits.ts'
import { lockImports, requestWaitsMs, ScheduleImportBusy } from './import-schedule.ts'
import * as store from './store.ts'

/** Undoes the edits of an import, then removes the stages and venues that it made and nothing uses. @throws `import_busy` */
export const undoImport =
  (room: EditServices & { countSavers: CountSavers }): Undo =>
  async (trx, entry, entryId) => {
    await waitForImports(trx)
    const { kept, later, unmade, undone } = await undoEdits(trx, room, entry.entry_id, entryId)
    const made = { stages: idsIn(entry.after?.['made_stages']), venues: idsIn(entry.after?.['made_venues']) }
    const unused = await store.lockUnusedStages(trx, made, { unmade, madeAt: entry.at })
    const edited = unused.filter(({ is_venue_edited }) => is_venue_edited)
    const free = unused.filter(({ is_venue_edited }) => !is_venue_edited)
    if (undone.length + free.length === 0) return refuseUndo(entry, later, room.zone)
    // what the address gives next waits for a yes: it would be the same again
    if (entryId !== null) await store.forgetContent(trx, String(entry.after?.['source'] ?? ''))
    return {
      kept: [...kept, ...edited.map(({ venue_name }) => venue_name)],
      reach: await reachOf(trx, undone, room.countSavers),
      ...(entryId !== null && {
        noted: { removed_places: await store.deleteStages(trx, free, { unmade, venues: made.venues }) },
      }),
    }
  }

/** Restores the stages and venues that the undo removed, then the events on them. @throws `import_busy` */
export const redoImport =
  (room: EditServices & { countSavers: CountSavers }): Undo =>
  async (trx, entry, entryId) => {
    await waitForImports(trx)
    const noted = entry.after?.['noted'] as { removed_places?: store.RemovedPlaces } | undefined
    if (noted?.removed_places) await store.restoreStages(trx, noted.removed_places)
    const { kept, later, undone } = await undoEdits(trx, room, entry.entry_id, entryId)
    if (undone.length === 0) return refuseUndo(entry, later, room.zone)
    return { kept, reach: await reachOf(trx, undone, room.countSavers) }
  }

/** A running import relies on the stages that it found: an undo must not remove them. */
async function waitForImports(trx: Sql): Promise<void> {
  await lockImports(trx, requestWaitsMs).catch((error: unknown) => {
    throw error instanceof ScheduleImportBusy ? new Refusal(importBusy, { retryAfterS: 60 }) : error
  })
}

/** Entries older than this list have none. */
const idsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string' && isUuid(id)) : []
