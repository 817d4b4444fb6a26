import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'

/** One start at a time fills the demo; ends with the transaction. */
export async function lockDemo(trx: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('fill demo data'))`.execute(trx)
}

/** Rooms whose part of the demo is in this database. */
export async function filledRooms(trx: Sql): Promise<string[]> {
  const { rows } = await sql<{ room: string }>`select room from demo_parts`.execute(trx)
  return rows.map(({ room }) => room)
}

/** Whether merchants are there that the demo did not bring: then the database is somebody's own. */
export async function hasBusinesses(trx: Sql): Promise<boolean> {
  const { rows } = await sql`select 1 from businesses limit 1`.execute(trx)
  return rows.length > 0
}

export async function noteFilled(trx: Sql, room: string, at: Date): Promise<void> {
  await sql`insert into demo_parts (room, filled_at) values (${room}, ${at})`.execute(trx)
}

/** What is written from here on can be undone without what came before it. */
export async function beginPart(trx: Sql): Promise<void> {
  await sql`savepoint demo_part`.execute(trx)
}

export async function undoPart(trx: Sql): Promise<void> {
  await sql`rollback to savepoint demo_part`.execute(trx)
}
