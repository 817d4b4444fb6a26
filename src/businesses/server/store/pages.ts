import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** A page of the site and when it last changed. */
export interface Listed {
  id: string
  updated_at: string
}

/** At most `limit` businesses from the id `from` on, in the order of their ids. */
export async function listBusinessPages(db: Sql, from: string, limit: number): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select business_id as id, updated_at from businesses
    where business_id >= ${from}::uuid and suspended_at is null and leaving_since is null order by business_id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The id `steps` businesses after `from` (itself 0, or the next one), in the order of ids; null beyond the last. */
export async function stepToBusiness(db: Sql, from: string, steps: number): Promise<string | null> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from businesses where business_id >= ${from}::uuid and suspended_at is null and leaving_since is null
    order by business_id offset ${steps} limit 1`.execute(db)
  return rows[0]?.business_id ?? null
}
