import type { Transaction } from 'kysely'
import { expect, vi } from 'vitest'
import type { DB } from '../src/database-types.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { sql } from './databases.ts'
import type { TestApp } from './start-app.ts'

/**
 * A transaction beside the app's, which has four connections to write with: all of them may wait for this one, and its
 * statements may take longer than theirs.
 */
export async function besideTheApp(app: TestApp, work: (trx: Transaction<DB>) => Promise<void>): Promise<void> {
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  try {
    await db.transaction().execute(work)
  } finally {
    await db.destroy()
  }
}

/** Until so many statements of an app's database wait for a lock. */
export async function waitingForLocks(app: TestApp, count: number): Promise<void> {
  const waiting = `select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await sql(app.databaseUrl, waiting)).rows).toEqual([{ waiting: count }]), 90_000)
}
