import type { Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { RequestContext, Texts } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, CheckedInput, ReceivedFile } from '../../kit/shared/endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { importUndoDays, undoRows, type ImportedTable, type PresentRow } from '../../staff/server/import-changes.ts'
import { importList } from '../../staff/server/import-list.ts'
import { lockImports, refuseBusy, requestWaitsMs } from '../../staff/server/import-lock.ts'
import type { Undos } from '../../staff/server/staff.ts'
import type { importMerchants as importEndpoint } from '../contract/importing.ts'
import { importWithin } from './import-businesses.ts'
import type { MerchantFile } from './read-merchants.ts'
import * as store from './store.ts'

/** The job that fills the openings of imported merchants. */
export const fillImportedJob = 'fill-imported-openings'

export interface MerchantImports {
  db: Database
  clock: Clock
  centre: Position
  zone: string
  jobs: Pick<Jobs, 'enqueue'>
  texts: Texts
  complain: Complain
  /** Which of these businesses rooms above refer to. */
  businessesInUse: (trx: Sql, ids: string[]) => Promise<string[]>
  /** How many people saved any of these businesses. */
  countBusinessSavers: (trx: Sql, ids: string[]) => Promise<number>
}

/** The module whose `read` reads a file of merchants, for `readInThread`. */
export const merchantReader = new URL('./read-merchants.ts', import.meta.url)

/** @throws `list_unreadable`, `too_far_away`, `unconfirmed`, `import_busy`, `key_used` */
export function importMerchants(
  room: MerchantImports,
  asking: RequestContext,
  body: CheckedInput<typeof importEndpoint>['body'],
  file: ReceivedFile | undefined,
): Promise<AnswerBody<typeof importEndpoint>> {
  return importList<MerchantFile>(room, asking, body, file, {
    operation: 'import-businesses',
    command: 'businesses',
    kind: 'business',
    reader: merchantReader,
    countSavers: room.countBusinessSavers,
    async importWithin(trx, read, options) {
      const outcome = await importWithin(trx, room, read, options)
      if (outcome.entryId !== null) await room.jobs.enqueue(trx, fillImportedJob, {})
      return outcome
    },
  })
}

/** The undo of an import of merchants, which also redoes it. */
export function merchantUndos(room: MerchantImports): Undos {
  const undo = undoRows(room, importedMerchants(room))
  return { 'import-businesses': { undo, redo: undo, days: importUndoDays } }
}

const importedMerchants = ({ businessesInUse, countBusinessSavers, jobs }: MerchantImports): ImportedTable => ({
  kind: 'business',
  nameOf: (row) => String(row['business_name']),
  wait: (trx) => lockImports(trx, store.tryImportLock, requestWaitsMs).catch(refuseBusy),
  async lock(trx, ids) {
    return (await store.lockImported(trx, ids)).map(({ business_id, claimed, is_suspended, ...row }): PresentRow => ({
      object_id: business_id,
      row: { ...row },
      isOwned: claimed || is_suspended,
    }))
  },
  async taken(trx, rows) {
    const sources = new Map(rows.map((row) => [String(row['source_id']), String(row['business_id'])]))
    const found = rows.length === 0 ? [] : await store.findImported(trx, [...sources.keys()])
    return new Map(found.map(({ source_id, business_id }) => [sources.get(source_id)!, business_id]))
  },
  inUse: businessesInUse,
  countSavers: countBusinessSavers,
  insert: (trx, rows, now) => store.insertImported(trx, rows as unknown as store.NewImported[], now),
  update: (trx, rows, now) => store.updateImported(trx, rows as unknown as store.ImportedRow[], now),
  remove: store.deleteImported,
  written: (trx) => jobs.enqueue(trx, fillImportedJob, {}),
})
