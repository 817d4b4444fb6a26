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

/** Locks the filling of openings until the end of the transaction. False: another transaction is filling. */
export async function tryFillLock(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('rheinklang fill openings')) as mine`.execute(db)
  return rows[0]!.mine
}

/** Businesses whose stored openings end before `from` or after `to`, the shortest first. */
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
  of: HoursRow
  /** False: the hours cannot be read. */
  known: boolean
  /** Instants at which it opens, closes, opens …, in order. */
  changes: Date[]
  week: OpeningWeek | null
  until: Date
}

/**
 * Writes openings and weeks of hours that did not change since they were read: newly saved hours came with their own openings.
 * @returns how many were written
 */
export async function fillOpenings(db: Sql, filled: FilledHours[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update businesses b
    set hours_filled_until = case when f.known then f.until end, hours_known = f.known,
      opening_changes = f.changes::timestamptz[], opening_week = f.week
    from unnest(${filled.map((each) => each.of.business_id)}::uuid[], ${filled.map((each) => each.known)}::boolean[],
      ${filled.map(({ changes }) => `{${changes.map((change) => change.toISOString()).join()}}`)}::text[],
      ${filled.map((each) => each.until)}::timestamptz[],
      ${filled.map((each) => each.week && JSON.stringify(each.week))}::jsonb[],
      ${filled.map((each) => each.of.open_hours)}::text[], ${filled.map((each) => each.of.canton)}::text[],
      ${filled.map((each) => each.of.latitude)}::float8[], ${filled.map((each) => each.of.longitude)}::float8[])
      f (business_id, known, changes, until, week, open_hours, canton, latitude, longitude)
    where b.business_id = f.business_id and (b.open_hours, b.canton, b.latitude, b.longitude)
      is not distinct from (f.open_hours, f.canton, f.latitude, f.longitude)`.execute(db)
  return Number(numAffectedRows)
}
