import { sql, type RawBuilder } from 'kysely'
import type { Sql } from './database.ts'

/** Few enough to delete, with rows of other tables that cascade, within the time limit of a statement. */
const stepRows = 2000

/** Deletes all rows of a table that meet the condition, in small steps. The condition calls the table `r`. */
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
