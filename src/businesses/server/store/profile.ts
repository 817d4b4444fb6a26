import { sql, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import { businessFields, type BusinessFields } from '../../business.ts'
import type { OpeningWeek } from '../../contract.ts'
import { rowLock, type RowLock } from './suspended.ts'

export type BusinessesTable = Selectable<DB['businesses']>

/** The columns of a business that its merchant sets. */
export interface Profile extends WrittenRow<BusinessFields, BusinessesTable> {
  business_id: string
  logo_copy: string | null
  canton: string
  updated_at: string
}

export const profileColumns = columnsOf(businessFields, 'written')
/** Without the hours, which `writeHours` writes with their openings. */
const written = [...profileColumns.filter((column) => column !== 'open_hours'), 'logo_copy', 'updated_at']
const columns = ['business_id', 'canton', 'open_hours', ...written].join(', ')

export async function findProfile(db: Sql, businessId: string, lock: RowLock = ''): Promise<Profile | undefined> {
  const rows = await query<Profile>(db, `select ${columns} from businesses where business_id = $businessId ${lock}`, {
    businessId,
  })
  return rows[0]
}

/** Locks the profile until the end of the transaction. */
export const lockProfile = (trx: Sql, businessId: string) => findProfile(trx, businessId, rowLock)

/** Updates the whole profile except the hours. */
export async function writeProfile(trx: Sql, profile: Profile): Promise<void> {
  await query(
    trx,
    `update businesses b set (${written.join(', ')}) = (${written.map((column) => `p.${column}`).join(', ')})
    from jsonb_populate_record(null::businesses, $profile::jsonb) p where b.business_id = p.business_id`,
    { profile: JSON.stringify(profile) },
  )
}

export interface NewHours {
  open_hours: string | null
  known: boolean
  changes: Date[]
  until: Date | null
  week: OpeningWeek | null
}

export async function writeHours(trx: Sql, businessId: string, hours: NewHours): Promise<void> {
  await sql`
    update businesses set open_hours = ${hours.open_hours}, hours_known = ${hours.known},
      opening_changes = ${hours.changes}::timestamptz[], hours_filled_until = ${hours.until},
      opening_week = ${hours.week && JSON.stringify(hours.week)}::jsonb
    where business_id = ${businessId}`.execute(trx)
}

/** Sets the copy of a logo, unless the merchant has another logo by now. */
export async function setLogoCopy(db: Sql, businessId: string, logoUrl: string, path: string): Promise<void> {
  await sql`
    update businesses set logo_copy = ${path}
    where business_id = ${businessId} and logo_url = ${logoUrl}`.execute(db)
}

/** Logos on other hosts without a copy, of profiles changed since then. */
export async function logosToFetch(
  db: Sql,
  since: Date,
  limit: number,
): Promise<{ business_id: string; logo_url: string }[]> {
  const { rows } = await sql<{ business_id: string; logo_url: string }>`
    select business_id, logo_url from businesses
    where logo_copy is null and logo_url like 'http%' and claimed and updated_at > ${since}
    order by business_id limit ${limit}`.execute(db)
  return rows
}
