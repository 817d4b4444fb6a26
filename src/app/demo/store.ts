import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'

/** Lets one start at a time fill the demo. The lock ends with the transaction. */
export async function lockDemo(trx: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('fill demo data'))`.execute(trx)
}

/** Names of rooms whose part of the demo is filled. */
export async function filledRooms(trx: Sql): Promise<string[]> {
  const { rows } = await sql<{ room: string }>`select room from demo_parts`.execute(trx)
  return rows.map(({ room }) => room)
}

/** Whether there are merchants. Before the demo was filled they are real ones. */
export async function hasBusinesses(trx: Sql): Promise<boolean> {
  const { rows } = await sql`select 1 from businesses limit 1`.execute(trx)
  return rows.length > 0
}

export async function noteFilled(trx: Sql, room: string, at: Date): Promise<void> {
  await sql`insert into demo_parts (room, filled_at) values (${room}, ${at})`.execute(trx)
}

/** `undoPart` undoes what is written after this, and nothing before it. */
export async function beginPart(trx: Sql): Promise<void> {
  await sql`savepoint demo_part`.execute(trx)
}

export async function undoPart(trx: Sql): Promise<void> {
  await sql`rollback to savepoint demo_part`.execute(trx)
}
