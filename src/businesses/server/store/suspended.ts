import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'

/** SQL condition: business `b` is public. Partial indexes cover the first half; few businesses are leaving. */
export const isShown = 'b.suspended_at is null and b.leaving_since is null'

/** Locks a business until the end of the transaction. Not `for update`, which would also block inserts of rows that refer to it. */
export const rowLock = 'for no key update'
export type RowLock = typeof rowLock | ''

export interface Suspension {
  business_id: string
  business_name: string
  /** Both null: not suspended. */
  suspended_at: string | null
  suspended_reason: string | null
  /** The merchant got a notification of the suspension. */
  suspension_told: boolean
  /** The account will be deleted. */
  is_leaving: boolean
}

const columns =
  'business_id, business_name, suspended_at, suspended_reason, suspension_told, leaving_since is not null as is_leaving'

export async function findSuspension(db: Sql, businessId: string, lock: RowLock = ''): Promise<Suspension | undefined> {
  const rows = await query<Suspension>(
    db,
    `select ${columns} from businesses where business_id = $businessId::uuid ${lock}`,
    { businessId },
  )
  return rows[0]
}

/** Locks the suspension until the end of the transaction. */
export const lockSuspension = (trx: Sql, businessId: string) => findSuspension(trx, businessId, rowLock)

/** Suspends a business; null lifts the suspension. */
export async function setSuspension(
  trx: Sql,
  businessId: string,
  suspension: { at: Date; reason: string } | null,
): Promise<void> {
  await sql`
    update businesses set suspended_at = ${suspension?.at ?? null}, suspended_reason = ${suspension?.reason ?? null}
    where business_id = ${businessId}`.execute(trx)
}

/** Sets since when the account waits for its deletion; null: the deletion is cancelled. */
export async function setLeaving(trx: Sql, businessId: string, since: Date | null): Promise<void> {
  await sql`update businesses set leaving_since = ${since} where business_id = ${businessId}`.execute(trx)
}

/** Stores whether the merchant was notified of the suspension. */
export async function setSuspensionNoticed(trx: Sql, businessId: string, isNoticed: boolean): Promise<void> {
  await sql`update businesses set suspension_told = ${isNoticed} where business_id = ${businessId}`.execute(trx)
}

/** Suspended businesses, the latest suspension first. */
export async function listSuspended(
  db: Sql,
  page: { after: { at: string; id: string } | null; offset: number; limit: number },
): Promise<Suspension[]> {
  return query<Suspension>(
    db,
    `select ${columns} from businesses
    where suspended_at is not null
      and ($at::timestamptz is null or (suspended_at, business_id) < ($at::timestamptz, $id::uuid))
    order by suspended_at desc, business_id desc offset $offset limit $limit`,
    { at: page.after?.at ?? null, id: page.after?.id ?? null, offset: page.offset, limit: page.limit },
  )
}

export async function countSuspended(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    'select count(*) from (select from businesses where suspended_at is not null limit $cap) counted',
    { cap },
  )
  return rows[0]!.count
}

/** Names of businesses, also of suspended ones. */
export async function businessNames(db: Sql, businessIds: string[]): Promise<Map<string, string>> {
  const rows = await query<{ business_id: string; business_name: string }>(
    db,
    'select business_id, business_name from businesses where business_id = any($businessIds::uuid[])',
    { businessIds },
  )
  return new Map(rows.map(({ business_id, business_name }) => [business_id, business_name]))
}

/** Which of the businesses are suspended. */
export async function suspendedOf(db: Sql, businessIds: string[]): Promise<Set<string>> {
  const rows = await query<{ business_id: string }>(
    db,
    'select business_id from businesses where business_id = any($businessIds::uuid[]) and suspended_at is not null',
    { businessIds },
  )
  return new Set(rows.map(({ business_id }) => business_id))
}
