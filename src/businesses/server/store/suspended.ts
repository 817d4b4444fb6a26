import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'

/** Everybody may see the business `b`. The partial indexes know the first condition; few businesses are leaving. */
export const isShown = 'b.suspended_at is null and b.leaving_since is null'

export interface Suspension {
  business_id: string
  business_name: string
  /** Both null: it is not suspended. */
  suspended_at: string | null
  suspended_reason: string | null
  suspension_told: boolean
  /** Its account waits to be deleted. */
  is_leaving: boolean
}

const columns =
  'business_id, business_name, suspended_at, suspended_reason, suspension_told, leaving_since is not null as is_leaving'

/** Nobody else suspends it or lifts it until the end of the transaction. */
export async function lockSuspension(trx: Sql, businessId: string): Promise<Suspension | undefined> {
  const rows = await query<Suspension>(
    trx,
    `select ${columns} from businesses where business_id = $businessId::uuid for no key update`,
    { businessId },
  )
  return rows[0]
}

export async function findSuspension(db: Sql, businessId: string): Promise<Suspension | undefined> {
  const rows = await query<Suspension>(db, `select ${columns} from businesses where business_id = $businessId::uuid`, {
    businessId,
  })
  return rows[0]
}

/** `null` lifts it. */
export async function setSuspension(
  trx: Sql,
  businessId: string,
  suspension: { at: Date; reason: string } | null,
): Promise<void> {
  await sql`
    update businesses set suspended_at = ${suspension?.at ?? null}, suspended_reason = ${suspension?.reason ?? null}
    where business_id = ${businessId}`.execute(trx)
}

/** Since when its account waits to be deleted; `null`: it stays. */
export async function setLeaving(trx: Sql, businessId: string, since: Date | null): Promise<void> {
  await sql`update businesses set leaving_since = ${since} where business_id = ${businessId}`.execute(trx)
}

export async function setSuspensionNoticed(trx: Sql, businessId: string, told: boolean): Promise<void> {
  await sql`update businesses set suspension_told = ${told} where business_id = ${businessId}`.execute(trx)
}

/** The last suspended first. */
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
