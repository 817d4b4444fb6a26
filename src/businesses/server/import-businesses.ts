import { setTimeout as sleep } from 'node:timers/promises'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { command, record, type NewAuditEntry } from '../../staff/server/staff.ts'
import type { BusinessRoom } from './businesses.ts'
import { pointKeys, type ImportFile } from './import-file.ts'
import { idKeys, slugOfImported } from './import-identity.ts'
import * as store from './store.ts'
import {
  categoryKeys,
  nameKeys,
  names,
  readRows,
  Remarks,
  printable,
  type ImportOptions,
  type Merchant,
  type ReadRow,
  type Remark,
} from './read-merchants.ts'

export type { ImportOptions } from './read-merchants.ts'

export interface ImportReport {
  /** Each row of the file is one of new, changed, same and refused. */
  counts: Record<'read' | 'new' | 'changed' | 'same' | 'refused', number>
  /** Of the rows that are not refused. */
  hours: Record<'understood' | 'unknown' | 'absent', number>
  /** In the order of the file; a row has at most one refusal and any number of notes. */
  remarks: Remark[]
  /** Columns that are not read: else opening hours under another name would be lost unnoticed. */
  notRead: string[]
}

/** Another import was still running after a minute of waiting. */
export class ImportBusy extends Error {}

const batchSize = 500

/**
 * Imports a file of merchants as unclaimed businesses, without login and deals. They are matched by `source_id`: only differences
 * are written, and a second run changes nothing. Claimed businesses are never changed; none are removed when a later file lacks
 * them. All or nothing, with one log entry, one import at a time. Call `fillOpenings` afterwards.
 * @throws `UnreadableFile`, `ImportBusy`
 */
export async function importBusinesses(
  { db, clock }: Pick<BusinessRoom, 'db' | 'clock'>,
  file: ImportFile,
  options: ImportOptions = {},
): Promise<ImportReport> {
  if (file.columns && ![...nameKeys, 'brand'].some((key) => file.columns!.includes(key)))
    throw new UnreadableFile(
      `The file has no column "name" or "betriebsname"; its first line says: ${printable(file.columns.join(', '), 200)}.`,
    )
  const remarks = new Remarks(file.rows)
  const rows = readRows(file.rows, options, remarks)
  const write = async (trx: Sql, dryRun: boolean) => {
    if (!dryRun) await lock(trx)
    const now = asDate(clock.now())
    const counts = { read: file.rows.length, new: 0, changed: 0, same: 0, refused: 0 }
    for (let start = 0; start < rows.length; start += batchSize) {
      const batch = rows.slice(start, start + batchSize)
      const found = await store.findImported(
        trx,
        batch.map(({ merchant }) => merchant.source_id),
      )
      const plan = compare(batch, found, remarks)
      counts.new += plan.new.length
      counts.changed += plan.changed.length
      counts.same += plan.same.length
      if (dryRun) continue
      if (plan.new.length > 0) await store.insertImported(trx, withIds(plan.new), now)
      if (plan.changed.length > 0) await store.updateImported(trx, plan.changed, now)
    }
    counts.refused = remarks.refused.size
    if (!dryRun && counts.new + counts.changed > 0)
      await record(trx, { clock }, command, newId(), entryOf(counts, options))
    return counts
  }
  const counts = options.dryRun ? await write(db, true) : await db.transaction().execute((trx) => write(trx, false))
  const taken = rows.filter(({ row }) => !remarks.refused.has(row))
  const seen = new Set<string>()
  return {
    counts,
    hours: {
      understood: taken.filter(({ merchant }) => merchant.hours_known).length,
      unknown: taken.filter(({ merchant }) => merchant.open_hours !== null && !merchant.hours_known).length,
      absent: taken.filter(({ merchant }) => merchant.open_hours === null).length,
    },
    remarks: remarks.inOrder(),
    notRead: (file.columns ?? [])
      .filter((name) => name !== '' && (!isRead(name) || seen.has(name) || !seen.add(name)))
      .map((name) => printable(name, 40)),
  }
}

const isRead = (column: string) =>
  [...Object.values(names), nameKeys, ['brand'], categoryKeys, idKeys, pointKeys].some((keys) => keys.includes(column))

/** Cannot be undone: merchants may have claimed the imported businesses, and visitors saved them. */
const entryOf = (counts: ImportReport['counts'], { source, fileName }: ImportOptions): NewAuditEntry => ({
  action: 'import-businesses',
  object: { kind: 'import', id: null, name: fileName ?? 'file' },
  after: { source: source ?? null, ...counts },
})

/** The report as lines of text; the last one is "N read, N new, N changed, N same, N refused". */
export function reportLines({ counts, hours, remarks }: ImportReport): string[] {
  const { read, changed, same, refused } = counts
  return [
    ...remarks.map(({ kind, place, name, text, more }) => {
      const others = more ? ` (and ${more} more ${more === 1 ? 'row' : 'rows'})` : ''
      return `${place} (${printable(name, 40) || 'no name'}): ${kind}: ${printable(text, 400)}${others}`
    }),
    `Opening hours: ${hours.understood} understood, ${hours.unknown} shown as unknown, ${hours.absent} not given.`,
    `${read} read, ${counts.new} new, ${changed} changed, ${same} same, ${refused} refused`,
  ]
}

/** One import at a time: two at once would both insert the same rows. @throws `ImportBusy` */
async function lock(trx: Sql) {
  // tries in steps, because statements are cancelled after three seconds
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(100)) {
    if (await store.tryImportLock(trx)) return
  }
  throw new ImportBusy('Another import is still running. Try again later.')
}

/** Merchants with new ids and slugs. */
const withIds = (merchants: Merchant[]) =>
  merchants.map((merchant) => ({ ...merchant, business_id: newId(), slug: slugOfImported(merchant) }))

function compare(batch: ReadRow[], found: Awaited<ReturnType<typeof store.findImported>>, remarks: Remarks) {
  const present = new Map(found.map((each) => [each.source_id, each]))
  const plan = { new: [] as Merchant[], changed: [] as Merchant[], same: [] as Merchant[] }
  for (const { row, name, merchant, sourceGuessed } of batch) {
    const before = present.get(merchant.source_id)
    if (!before) plan.new.push(merchant)
    else if (before.claimed) {
      plan.same.push(merchant)
      remarks.note(row, name, 'is claimed by its merchant, who keeps it up: left as it is')
    } else if (keysOf(merchant).every((key) => merchant[key] === before[key])) plan.same.push(merchant)
    else if (sourceGuessed && isSomebodyElse(merchant, before)) {
      const source = merchant.source_id.split(':')[0]!
      remarks.refuse(
        row,
        name,
        `${merchant.source_id} is already the id of “${printable(before.business_name, 40)}” elsewhere. For the same list say --source ${source}, for another one any other name`,
      )
    } else plan.changed.push(merchant)
  }
  return plan
}

const keysOf = (merchant: Merchant) => Object.keys(merchant) as (keyof Merchant)[]

/** Every list has ids such as 1, 2, 3: another name at another place is another merchant, not an update. */
function isSomebodyElse(merchant: Merchant, before: Merchant): boolean {
  if (merchant.business_name === before.business_name) return false
  const [here, there] = [positionOf(merchant), positionOf(before)]
  return here && there ? distanceKm(here, there) > 0.5 : merchant.address !== before.address
}

function positionOf({ latitude, longitude }: Pick<Merchant, 'latitude' | 'longitude'>): Position | null {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
