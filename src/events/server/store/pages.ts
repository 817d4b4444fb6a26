import type { Sql } from '../../../kit/server/database.ts'

/** Events from this id on, in the order of their ids. */
export async function listEventPages(
  db: Sql,
  from: string,
  limit: number,
): Promise<{ id: string; updated_at: Date }[]> {
  return db
    .selectFrom('events')
    .select(['event_id as id', 'updated_at'])
    .where('state', '<>', 'draft')
    .where('event_id', '>=', from)
    .orderBy('event_id')
    .limit(limit)
    .execute()
}

/** The id `steps` events after `from`; null where they end before. */
export async function stepToEvent(db: Sql, from: string, steps: number): Promise<string | null> {
  const row = await db
    .selectFrom('events')
    .select('event_id')
    .where('state', '<>', 'draft')
    .where('event_id', '>=', from)
    .orderBy('event_id')
    .offset(steps)
    .limit(1)
    .executeTakeFirst()
  return row?.event_id ?? null
}
