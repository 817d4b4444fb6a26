import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { DayOrder } from '../../limits.ts'

/** What staff chose for the files of a source. */
export interface SourceChoice {
  columns: Record<string, string>
  day_order: DayOrder | null
}

/** The choice for the earlier files of a source; none made: null. */
export async function findSourceChoice(db: Sql, source: string): Promise<SourceChoice | null> {
  const { rows } = await sql<SourceChoice>`
    select columns, day_order from programme_sources where source = ${source}`.execute(db)
  return rows[0] ?? null
}

export async function writeSourceChoice(trx: Sql, source: string, { columns, day_order }: SourceChoice): Promise<void> {
  await sql`
    insert into programme_sources (source, columns, day_order)
    values (${source}, ${JSON.stringify(columns)}::jsonb, ${day_order})
    on conflict (source) do update set columns = excluded.columns, day_order = excluded.day_order`.execute(trx)
}
