import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { OpeningWeek } from '../../contract.ts'

export interface HoursRow {
  business_id: string
  open_hours: string
  canton: string
  latitude: number | null
  longitude: number | null
}

/** True for the one transaction that fills openings now; false while another does. Ends with the transaction. */
export async function tryFillLock(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('rheinklang fill openings')) as mine`.execute(db)
  return rows[0]!.mine
}

/** Businesses whose openings end outside of that time, the emptiest first. */
export async function businessesToFill(db: Sql, right: { from: Date; to: Date }, limit: number): Promise<HoursRow[]> {
  const { rows } = await sql<HoursRow>`
    select business_id, open_hours, canton, latitude, longitude from businesses
    where hours_known and (hours_filled_until is null or hours_filled_until < ${right.from}
      or hours_filled_until > ${right.to})
    order by hours_filled_until nulls first limit ${limit}`.execute(db)
  return rows
}

/** Openings of a business up to `until`, and its week. */
export interface FilledHours {
  businessId: string
  /** Opens, closes, opens …, in order. */
  changes: Date[]
  week: OpeningWeek | null
  until: Date
}

/** Replaces openings and week. */
export async function fillOpenings(db: Sql, filled: FilledHours[]): Promise<void> {
  await sql`
    update businesses b
    set hours_filled_until = f.until, opening_changes = f.changes::timestamptz[], opening_week = f.week
    from unnest(${filled.map((each) => each.businessId)}::uuid[],
      ${filled.map(({ changes }) => `{${changes.map((change) => change.toISOString()).join()}}`)}::text[],
      ${filled.map((each) => each.until)}::timestamptz[],
      ${filled.map((each) => each.week && JSON.stringify(each.week))}::jsonb[]) f (business_id, changes, until, week)
    where b.business_id = f.business_id`.execute(db)
}
