import { Kysely, PostgresDialect, type LogEvent } from 'kysely'
import pg from 'pg'
import type { DB } from '../src/database-types.ts'
import type { Database } from '../src/kit/server/database.ts'

export interface Statement {
  sql: string
  parameters: unknown[]
}

/** Runs `work` and returns the statements that it sends to the database, in order. */
export async function recordSql(url: string, work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c TimeZone=UTC' })
  const recorded: Statement[] = []
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
