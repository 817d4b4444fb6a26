import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Reach } from '../contract.ts'
import { entriesSince, refuseUndo, type Undo } from './staff.ts'
import * as store from './store.ts'

export type { RowChange, StoredRow } from './store.ts'

const stepSize = 500

/** Retention of what imports changed, and how long they can be undone. */
export const importUndoDays = 30

/** Deletes what earlier imports changed. Run daily. */
export async function forgetImportChanges({ db, clock }: { db: Sql; clock: Clock }): Promise<void> {
  await store.deleteImportChanges(db, asDate(clock.now().subtract({ hours: 24 * importUndoDays })))
}

/** Stores what an entry of the log changed, row by row, for its undo. Call it in the transaction of the change. */
export async function keepChanges(trx: Sql, entryId: string, changes: readonly store.RowChange[]): Promise<void> {
  await inSteps(changes, (step) => store.insertImportChanges(trx, entryId, step))
}

/** A row as it is now. */
export interface PresentRow {
  object_id: string
  /** The columns that imports write. */
  row: store.StoredRow
  /** True: it belongs to somebody, and staff's undo leaves it as it is. */
  isOwned: boolean
}

/** A table that imports fill, for `undoRows`. */
export interface ImportedTable {
  kind: Reach['kind']
  nameOf(row: store.StoredRow): string
  /** Waits for a running import, which relies on the rows that it found. @throws `import_busy` */
  wait(trx: Sql): Promise<void>
  /** Locks rows until the end of the transaction; ids that are gone are left out. */
  lock(trx: Sql, ids: string[]): Promise<PresentRow[]>
  /** Of rows to bring back, those that a later import made anew: id → id of the row that is there now. */
  taken(trx: Sql, rows: store.StoredRow[]): Promise<Map<string, string>>
  /** Of these rows, those that something refers to, so that they must not be removed. */
  inUse(trx: Sql, ids: string[]): Promise<string[]>
  /** How many people saved any of these rows. */
  countSavers(trx: Sql, ids: string[]): Promise<number>
  insert(trx: Sql, rows: store.StoredRow[], now: Date): Promise<void>
  update(trx: Sql, rows: store.StoredRow[], now: Date): Promise<void>
  remove(trx: Sql, ids: string[]): Promise<void>
  /** Called after rows were inserted or changed. */
  written?(trx: Sql): Promise<void>
}

/**
 * Undoes an import, or an undo of it: each row that is still as the entry left it gets its version from before. Rows that were
 * changed, claimed or used since stay and are named. Done again, rows have their ids and addresses of before.
 */
export const undoRows =
  (room: { clock: Clock; zone: string }, table: ImportedTable): Undo =>
  async (trx, entry, entryId) => {
    await table.wait(trx)
    const changes = await store.importChangesOf(trx, entry.entry_id)
    const ids = changes.map(({ object_id }) => object_id)
    const present = new Map((await table.lock(trx, ids)).map((each) => [each.object_id, each]))
    const isMade = ({ before, object_id }: store.RowChange) => before === null && present.has(object_id)
    const used = new Set(
      await table.inUse(
        trx,
        changes.filter(isMade).map(({ object_id }) => object_id),
      ),
    )
    const toBring = changes.filter(({ after }) => after === null)
    const taken = await table.taken(
      trx,
      toBring.map(({ before }) => before!),
    )
    const kept: store.RowChange[] = []
    const plan = { insert: [] as store.RowChange[], update: [] as store.RowChange[], remove: [] as store.RowChange[] }
    for (const change of changes) {
      const now = present.get(change.object_id)
      if (change.after === null) (now || taken.has(change.object_id) ? kept : plan.insert).push(change)
      else if (!now) continue
      else if (now.isOwned || !isAs(now.row, change.after)) kept.push(change)
      else if (change.before !== null) plan.update.push(change)
      else (used.has(change.object_id) ? kept : plan.remove).push(change)
    }
    const undone = [...plan.insert, ...plan.update, ...plan.remove]
    if (undone.length === 0) return refuseUndo(entry, await laterEntry(trx, entry.entry_id, kept, taken), room.zone)
    const changedIds = plan.update.map(({ object_id }) => object_id)
    const reach: Reach = {
      kind: table.kind,
      hidden: plan.remove.length,
      shown: plan.insert.length,
      changed: plan.update.length,
      people: await table.countSavers(trx, changedIds),
    }
    if (entryId !== null) {
      const now = asDate(room.clock.now())
      await inSteps(plan.remove, (step) =>
        table.remove(
          trx,
          step.map(({ object_id }) => object_id),
        ),
      )
      await inSteps(plan.insert, (step) =>
        table.insert(
          trx,
          step.map(({ before }) => before!),
          now,
        ),
      )
      await inSteps(plan.update, (step) =>
        table.update(
          trx,
          step.map(({ before }) => before!),
          now,
        ),
      )
      await keepChanges(
        trx,
        entryId,
        undone.map(({ object_id, before, after }) => ({ object_id, before: after, after: before })),
      )
      if (plan.insert.length + plan.update.length > 0) await table.written?.(trx)
    }
    return { kept: kept.map(({ before, after }) => table.nameOf((after ?? before)!)), reach }
  }

/** True: nobody changed the row since it was written so. */
const isAs = (row: store.StoredRow, written: store.StoredRow) =>
  Object.keys(row).every((column) => row[column] === written[column])

/** The newest later import of rows that stay, to be named in the refusal. */
async function laterEntry(
  trx: Sql,
  entryId: string,
  kept: readonly store.RowChange[],
  taken: ReadonlyMap<string, string>,
) {
  const ids = kept.map(({ object_id }) => taken.get(object_id) ?? object_id)
  const later = await entriesSince(trx, entryId, await store.importEntriesOf(trx, ids))
  return later.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1) ?? null
}

async function inSteps<Item>(items: readonly Item[], work: (step: Item[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += stepSize) await work(items.slice(start, start + stepSize))
}
