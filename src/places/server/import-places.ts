import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { importText } from '../../kit/server/import-text.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { farAway, farNote, TooFarAway } from '../../staff/server/far-away.ts'
import { keepChanges } from '../../staff/server/import-changes.ts'
import type { ListOptions, ListOutcome } from '../../staff/server/import-list.ts'
import { lockImports } from '../../staff/server/import-lock.ts'
import { noteOf, type ImportRemark } from '../../staff/server/import-report.ts'
import { record } from '../../staff/server/staff.ts'
import type { PlaceFile } from './read-places.ts'
import * as store from './store.ts'

interface ImportRoom {
  clock: Clock
  /** Of the festival. */
  centre: Position
}

/** `importWithin` in a transaction of its own. @throws `ImportBusy`, `TooFarAway` */
export function importPlaces(
  { db, ...room }: ImportRoom & { db: Database },
  file: PlaceFile,
  options: ListOptions,
): Promise<ListOutcome> {
  return db.transaction().execute((trx) => importWithin(trx, room, file, options))
}

/**
 * Imports a list of useful places, all or nothing. Places are matched by their id in the list, so a second run changes nothing. Places
 * that the list no longer has stay and are reported.
 * @throws `ImportBusy`, `TooFarAway`
 */
export async function importWithin(
  trx: Sql,
  { clock, centre }: ImportRoom,
  { source, fileName, places, ...file }: PlaceFile,
  { dryRun, actor, far: isFarMeant, waitMs }: ListOptions,
): Promise<ListOutcome> {
  await lockImports(trx, store.tryImportLock, waitMs)
  const known = new Map((await store.findImported(trx, source)).map((place) => [place.source_id, place]))
  const fresh = places.filter(({ source_id }) => !known.has(source_id))
  const changed = places.flatMap((after) => {
    const before = known.get(after.source_id)
    return before && differences(before, after).length > 0 ? [{ before, after }] : []
  })
  const far = farAway(centre, places)
  const written = [...fresh, ...changed.map(({ after }) => after)]
  if (!dryRun && !isFarMeant && far && farAway(centre, written)) throw new TooFarAway(far)
  const outcome: ListOutcome = {
    counts: {
      read: file.read,
      new: fresh.length,
      changed: changed.length,
      same: places.length - written.length,
      refused: file.read - places.length,
    },
    remarks: [
      ...[...(far ? [farNote(far)] : []), ...file.notes].map((note) => noteOf(fileName, note)),
      ...file.remarks,
      ...changed.map(({ before, after }): ImportRemark => ({
        kind: 'changed',
        place: importText('atId', { id: after.source_id }),
        title: after.place_name,
        texts: differences(before, after).map((field) => importText('changedField', { field })),
      })),
      ...missing(places, [...known.values()]),
    ],
    far,
    entryId: null,
    changedIds: changed.map(({ before }) => before.place_id),
  }
  if (dryRun || written.length === 0) return outcome
  const entryId = newId()
  const made = fresh.map((place) => ({ ...place, place_id: newId() }))
  await store.writePlaces(
    trx,
    [...made, ...changed.map(({ before, after }) => ({ ...after, place_id: before.place_id }))],
    asDate(clock.now()),
  )
  await keepChanges(trx, entryId, [
    ...made.map((after) => ({ object_id: after.place_id, before: null, after: { ...after } })),
    ...changed.map(({ before, after }) => ({
      object_id: before.place_id,
      before: { ...before },
      after: { ...after, place_id: before.place_id },
    })),
  ])
  await record(trx, { clock }, actor, entryId, {
    action: 'import-places',
    object: { kind: 'import', id: null, name: fileName },
    after: { source, ...outcome.counts },
  })
  return { ...outcome, entryId }
}

const differences = (before: store.ImportedPlace, after: store.ImportedPlace) =>
  (Object.keys(after) as (keyof store.ImportedPlace)[]).filter((key) => before[key] !== after[key])

/** One remark for all places that the list no longer has. */
function missing(places: store.ImportedPlace[], known: store.ImportedPlace[]): ImportRemark[] {
  const present = new Set(places.map(({ source_id }) => source_id))
  const [first, ...others] = known.filter(({ source_id }) => !present.has(source_id))
  if (!first) return []
  const text = importText('missing')
  return [
    {
      kind: 'missing',
      place: importText('atId', { id: first.source_id }),
      title: first.place_name,
      texts: [others.length === 0 ? text : importText('andMoreRows', { text, n: others.length })],
    },
  ]
}
