import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** A page of the sitemap, and when it last changed. */
export interface PageEntry {
  id: string
  updated_at: string
}

/** At most `limit` businesses, the newest first. */
export async function listBusinessPages(db: Sql, limit: number): Promise<PageEntry[]> {
  const { rows } = await sql<PageEntry>`
    select business_id as id, updated_at from businesses
    where suspended_at is null and leaving_since is null order by business_id desc limit ${limit}`.execute(db)
  return rows
}
