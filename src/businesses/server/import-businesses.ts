import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { importText, type ImportText } from '../../kit/server/import-text.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { farAway, farNote, TooFarAway } from '../../staff/server/far-away.ts'
import { keepChanges, type RowChange } from '../../staff/server/import-changes.ts'
import type { ListOptions, ListOutcome } from '../../staff/server/import-list.ts'
import { lockImports } from '../../staff/server/import-lock.ts'
import { noteOf, type ImportRemark } from '../../staff/server/import-report.ts'
import { record } from '../../staff/server/staff.ts'
import { slugOfImported } from './import-identity.ts'
import type { Merchant, MerchantFile, ReadRow } from './read-merchants.ts'
import * as store from './store.ts'

export interface ImportRoom {
  clock: Clock
  /** Of the festival. */
  centre: Position
}

const batchSize = 500

/** `importWithin` in a transaction of its own. @throws `ImportBusy`, `TooFarAway` */
export function importBusinesses(
  { db, ...room }: ImportRoom & { db: Database },
  file: MerchantFile,
  options: ListOptions,
): Promise<ListOutcome> {
  return db.transaction().execute((trx) => importWithin(trx, room, file, options))
}

/**
 * Imports the merchants of a file as unclaimed businesses, without login and deals. They are matched by `source_id`: only differences
 * are written, and a second run changes nothing. Claimed businesses are never changed; none are removed when a later file lacks
 * them. One log entry, one import at a time. Fill the openings afterwards.
 * @throws `ImportBusy`, `TooFarAway`
 */
export async function importWithin(
  trx: Sql,
  { clock, centre }: ImportRoom,
  file: MerchantFile,
  { dryRun, actor, far: isFarMeant, waitMs }: ListOptions,
): Promise<ListOutcome> {
  const { rows } = file
  await lockImports(trx, store.tryImportLock, waitMs)
  const plan: Plan = { new: [], changed: [], same: 0, remarks: [] }
  for (let start = 0; start < rows.length; start += batchSize)
    await compareBatch(trx, rows.slice(start, start + batchSize), plan)
  const taken = rows.length - plan.remarks.filter(({ kind }) => kind === 'refused').length
  const far = farAway(
    centre,
    rows.map(({ merchant }) => merchant),
  )
  const written = [...plan.new, ...plan.changed.map(({ after }) => after)]
  if (!dryRun && !isFarMeant && far && farAway(centre, written)) throw new TooFarAway(far)
  const report: ListOutcome = {
    counts: {
      read: file.read,
      new: plan.new.length,
      changed: plan.changed.length,
      same: plan.same,
      refused: file.read - taken,
    },
    remarks: [
      ...[...(far ? [farNote(far)] : []), ...file.notes].map((note) => noteOf(file.fileName, note)),
      ...file.remarks,
      ...plan.remarks,
    ],
    far,
    entryId: null,
    changedIds: plan.changed.map(({ before }) => before.business_id),
  }
  if (dryRun || written.length === 0) return report
  const entryId = newId()
  const now = asDate(clock.now())
  for (let start = 0; start < plan.new.length; start += batchSize) {
    const fresh = plan.new.slice(start, start + batchSize).map((merchant) => asNew(merchant, now))
    await store.insertImported(trx, fresh, now)
    await keepChanges(
      trx,
      entryId,
      fresh.map((after) => ({ object_id: after.business_id, before: null, after: { ...after } })),
    )
  }
  for (let start = 0; start < plan.changed.length; start += batchSize) {
    const batch = plan.changed.slice(start, start + batchSize)
    await store.updateImported(
      trx,
      batch.map(({ after }) => after),
      now,
    )
    await keepChanges(trx, entryId, batch.map(changeOf))
  }
  await record(trx, { clock }, actor, entryId, {
    action: 'import-businesses',
    object: { kind: 'import', id: null, name: file.fileName },
    after: { source: file.source, ...report.counts },
  })
  return { ...report, entryId }
}

interface Plan {
  new: Merchant[]
  changed: { before: store.FoundImported; after: Merchant }[]
  same: number
  remarks: ImportRemark[]
}

/** Merchants with new ids and slugs. */
const asNew = (merchant: Merchant, now: Date): store.NewImported => ({
  ...merchant,
  business_id: newId(),
  slug: slugOfImported(merchant),
  created_at: now.toISOString(),
})

const changeOf = ({ before, after }: Plan['changed'][number]): RowChange => {
  const { business_id, claimed: _, is_suspended: __, ...values } = before
  return { object_id: business_id, before: { ...values }, after: { ...after } }
}

async function compareBatch(trx: Sql, batch: ReadRow[], plan: Plan): Promise<void> {
  const ids = batch.flatMap(({ merchant, formerId }) => [merchant.source_id, ...(formerId ? [formerId] : [])])
  const present = new Map((await store.findImported(trx, ids)).map((each) => [each.source_id, each]))
  for (const { place, merchant: read, sourceGuessed, formerId } of batch) {
    const former = present.has(read.source_id) ? undefined : present.get(formerId ?? '')
    const merchant = former && !isSomebodyElse(read, former) ? { ...read, source_id: former.source_id } : read
    const before = present.get(merchant.source_id)
    const say = (kind: ImportRemark['kind'], ...texts: ImportText[]) =>
      plan.remarks.push({ kind, place, title: merchant.business_name, texts })
    if (!before) plan.new.push(merchant)
    else if (before.claimed) {
      plan.same++
      say('note', importText('claimed'))
    } else if (differences(merchant, before).length === 0) plan.same++
    else if (sourceGuessed && isSomebodyElse(merchant, before)) {
      const [source] = merchant.source_id.split(':')
      say('refused', importText('idOfAnother', { id: merchant.source_id, name: before.business_name, source: source! }))
    } else {
      plan.changed.push({ before, after: merchant })
      say('changed', ...differences(merchant, before).map((field) => importText('changedField', { field })))
    }
  }
}

const differences = (merchant: Merchant, before: Merchant) =>
  (Object.keys(merchant) as (keyof Merchant)[]).filter((key) => merchant[key] !== before[key])

/** Every list has ids such as 1, 2, 3: another name at another place is another merchant, not an update. */
function isSomebodyElse(merchant: Merchant, before: Merchant): boolean {
  if (merchant.business_name === before.business_name) return false
  const [here, there] = [positionOf(merchant), positionOf(before)]
  return here && there ? distanceKm(here, there) > 0.5 : merchant.address !== before.address
}

function positionOf({ latitude, longitude }: Pick<Merchant, 'latitude' | 'longitude'>): Position | null {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
