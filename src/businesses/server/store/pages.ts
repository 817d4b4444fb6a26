import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** A page of the site and when it last changed. */
export interface Listed {
  id: string
  updated_at: string
}

/** At most `limit` businesses, the newest first. */
export async function listBusinessPages(db: Sql, limit: number): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select business_id as id, updated_at from businesses
    where suspended_at is null and leaving_since is null order by business_id desc limit ${limit}`.execute(db)
  return rows
}
