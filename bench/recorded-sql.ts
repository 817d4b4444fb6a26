import { Kysely, PostgresDialect, type LogEvent } from 'kysely'
import pg from 'pg'
import type { DB } from '../src/database-types.ts'
import { columns } from '../src/deals/server/store/deal-rows.ts'
import type { Database } from '../src/kit/server/database.ts'
import { moment } from './asked.ts'

/** The statements that `work` sends to the database, in order; they run for real. */
export async function recordSql(
  url: string,
  work: (db: Database) => Promise<unknown>,
): Promise<{ sql: string; parameters: unknown[] }[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c TimeZone=UTC' })
  const recorded: { sql: string; parameters: unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: (event: LogEvent) => void recorded.push({ sql: event.query.sql, parameters: [...event.query.parameters] }),
  })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
  return recorded
}

/**
 * Ours name the deals they find and remember what these hold; a bare server asks for everything in one statement.
 * @param recorded of one shape, at `moment()`, with the statements that fetched deals among them
 */
export function withDeals(recorded: { sql: string; parameters: unknown[] }[]) {
  const { sql } = recorded[0]!
  return recorded
    .filter((each) => each.sql === sql)
    .map(({ parameters }) => {
      const now = parameters.indexOf(moment().now.toISOString()) + 1
      const whole = `select ${columns.replaceAll('$now', `$${now}`)} from deals d where d.deal_id = found.deal_id`
      return { sql: `select * from (${sql}) found cross join lateral (${whole}) d`, parameters }
    })
}
