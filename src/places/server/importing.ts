import type { Complain } from '../../kit/server/complaints.ts'
import type { RequestContext, Texts } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, CheckedInput, ReceivedFile } from '../../kit/shared/endpoint.ts'
import { importUndoDays, undoRows, type ImportedTable } from '../../staff/server/import-changes.ts'
import { importList } from '../../staff/server/import-list.ts'
import { lockImports, refuseBusy, requestWaitsMs } from '../../staff/server/import-lock.ts'
import type { Undos } from '../../staff/server/staff.ts'
import type { importPlaces as importEndpoint } from '../contract.ts'
import { importWithin } from './import-places.ts'
import type { PlaceRoom } from './places.ts'
import type { PlaceFile } from './read-places.ts'
import * as store from './store.ts'

export interface PlaceImports extends PlaceRoom {
  zone: string
  texts: Texts
  complain: Complain
}

/** The module whose `read` reads a file of places, for `readInThread`. */
export const placeReader = new URL('./read-places.ts', import.meta.url)

/** Nobody can save a place. */
const nobody = () => Promise.resolve(0)

/** @throws `list_unreadable`, `too_far_away`, `unconfirmed`, `import_busy`, `key_used` */
export function importPlaces(
  room: PlaceImports,
  asking: RequestContext,
  body: CheckedInput<typeof importEndpoint>['body'],
  file: ReceivedFile | undefined,
): Promise<AnswerBody<typeof importEndpoint>> {
  return importList<PlaceFile>(room, asking, body, file, {
    operation: 'import-places',
    command: 'places',
    kind: 'place',
    reader: placeReader,
    countSavers: nobody,
    importWithin: (trx, read, options) => importWithin(trx, room, read, options),
  })
}

/** The undo of an import of places, which also redoes it. */
export function placeUndos(room: PlaceImports): Undos {
  const undo = undoRows(room, importedPlaces)
  return { 'import-places': { undo, redo: undo, days: importUndoDays } }
}

const importedPlaces: ImportedTable = {
  kind: 'place',
  nameOf: (row) => String(row['place_name']),
  wait: (trx) => lockImports(trx, store.tryImportLock, requestWaitsMs).catch(refuseBusy),
  lock: async (trx, ids) =>
    (await store.lockPlaces(trx, ids)).map((row) => ({ object_id: row.place_id, row: { ...row }, isOwned: false })),
  async taken(trx, rows) {
    const sources = new Map(rows.map((row) => [String(row['source_id']), String(row['place_id'])]))
    const found = rows.length === 0 ? [] : await store.placesOfSources(trx, [...sources.keys()])
    return new Map(found.map(({ source_id, place_id }) => [sources.get(source_id)!, place_id]))
  },
  inUse: () => Promise.resolve([]),
  countSavers: nobody,
  insert: (trx, rows, now) => store.writePlaces(trx, rows as unknown as store.StoredPlace[], now),
  update: (trx, rows, now) => store.writePlaces(trx, rows as unknown as store.StoredPlace[], now),
  remove: store.deletePlaces,
}
