import type { Sql } from '../../../kit/server/database.ts'

/** At most `limit` published events, the newest first. */
export async function listEventPages(db: Sql, limit: number): Promise<{ id: string; updated_at: Date }[]> {
  return db
    .selectFrom('events')
    .select(['event_id as id', 'updated_at'])
    .where('state', '<>', 'draft')
    .orderBy('event_id', 'desc')
    .limit(limit)
    .execute()
}
