import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

export async function addPicture(db: Sql, name: string, made_at: Date): Promise<void> {
  await db.insertInto('event_pictures').values({ name, made_at }).execute()
}

/** Lets one upload at a time count the pictures, until the end of the transaction. */
export async function lockPictures(trx: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('event pictures'))`.execute(trx)
}

/** How many pictures were uploaded since then. */
export async function countPictures(db: Sql, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from event_pictures where made_at > ${since}`.execute(db)
  return rows[0]!.count
}

/** Marks the picture as used. False: it was not uploaded for an event. */
export async function claimPicture(trx: Sql, name: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('event_pictures')
    .set({ is_used: true })
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function unusedPictures(db: Sql, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('event_pictures')
    .select('name')
    .where('is_used', '=', false)
    .where('made_at', '<', before)
    .orderBy('made_at')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** False: an event uses the picture by now. */
export async function deleteUnusedPicture(db: Sql, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('event_pictures')
    .where('name', '=', name)
    .where('is_used', '=', false)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
