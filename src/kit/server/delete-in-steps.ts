import { sql, type RawBuilder } from 'kysely'
import type { Sql } from './database.ts'

/** One step must end well within the time that a statement has, with all that goes along with its rows. */
const stepRows = 2000

/** Deletes the rows of a table, called `r` in the condition, for which it holds: however many there are, in small steps. */
export async function deleteInSteps(
  db: Sql,
  table: string,
  condition: RawBuilder<unknown>,
  most = stepRows,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select r.ctid from ${sql.table(table)} r where ${condition} limit ${most}))`.execute(db)
    if (!numAffectedRows) return
  }
}
