import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { columnsOf, type RowOf } from '../../../kit/shared/thing.ts'
import { publicFields } from '../../business.ts'
import type { BusinessesTable } from './profile.ts'

const { business_name, address, description, category, phone, website, open_hours, latitude, longitude } = publicFields
const fields = { business_name, address, description, category, phone, website, open_hours, latitude, longitude }
/** The columns that an import writes; it never changes the others. */
export interface ImportedRow extends RowOf<typeof fields, BusinessesTable> {
  source_id: string
  hours_known: boolean
  canton: string
}
const imported = [...columnsOf(fields), 'hours_known', 'canton']
const importedColumns = sql.raw(['source_id', ...imported].join(', '))

/** Locks imports until the end of the transaction. False: another import is running. */
export async function tryImportLock(trx: Sql): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import businesses')) as locked`.execute(trx)
  return rows[0]!.locked
}

/** An imported business in the database. */
export interface FoundImported extends ImportedRow {
  business_id: string
  claimed: boolean
  is_suspended: boolean
}
const foundColumns = sql`business_id, claimed, suspended_at is not null as is_suspended, ${importedColumns}`

/** Locks the businesses until the end of the transaction, so that nobody claims them in the meantime. */
export async function findImported(db: Sql, sourceIds: string[]): Promise<FoundImported[]> {
  const { rows } = await sql<FoundImported>`
    select ${foundColumns} from businesses
    where source_id = any(${sourceIds}::text[])
    order by business_id for update`.execute(db)
  return rows
}

/** As `findImported`, by their own ids. */
export async function lockImported(trx: Sql, businessIds: string[]): Promise<FoundImported[]> {
  const { rows } = await sql<FoundImported>`
    select ${foundColumns} from businesses
    where business_id = any(${businessIds}::uuid[])
    order by business_id for update`.execute(trx)
  return rows
}

export type NewImported = ImportedRow & { business_id: string; slug: string; created_at: string }

export async function insertImported(db: Sql, rows: NewImported[], now: Date): Promise<void> {
  await sql`
    insert into businesses (business_id, slug, claimed, created_at, updated_at, ${importedColumns})
    select business_id, slug, false, created_at, ${now}::timestamptz, ${importedColumns}
    from json_populate_recordset(null::businesses, ${JSON.stringify(rows)}::json)`.execute(db)
}

export async function deleteImported(trx: Sql, businessIds: string[]): Promise<void> {
  await sql`delete from businesses where business_id = any(${businessIds}::uuid[]) and not claimed`.execute(trx)
}

/** Updates unclaimed rows. Where hours, canton or position changed, the openings are emptied, to be filled again. */
export async function updateImported(db: Sql, rows: ImportedRow[], now: Date): Promise<void> {
  const sameHours = sql`(b.open_hours, b.hours_known, b.canton, b.latitude, b.longitude)
    is not distinct from (r.open_hours, r.hours_known, r.canton, r.latitude, r.longitude)`
  await sql`
    update businesses b set
      ${sql.raw(imported.map((column) => `${column} = r.${column}`).join(', '))}, updated_at = ${now}::timestamptz,
      opening_changes = case when ${sameHours} then b.opening_changes else '{}' end,
      hours_filled_until = case when ${sameHours} then b.hours_filled_until end
    from json_populate_recordset(null::businesses, ${JSON.stringify(rows)}::json) r
    where b.source_id = r.source_id and not b.claimed`.execute(db)
}
