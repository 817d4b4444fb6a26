import type { Transaction } from 'kysely'
import { expect, vi } from 'vitest'
import type { DB } from '../src/database-types.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { sql } from './databases.ts'
import type { TestApp } from './start-app.ts'

/**
 * Runs a transaction outside the app's pool: all four writing connections of the app may wait for it, and its statements have no time limit.
 */
export async function besideTheApp(app: TestApp, work: (trx: Transaction<DB>) => Promise<void>): Promise<void> {
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  try {
    await db.transaction().execute(work)
  } finally {
    await db.destroy()
  }
}

/** Waits until `count` statements of an app's database wait for a lock. */
export async function waitingForLocks(app: TestApp, count: number): Promise<void> {
  const waiting = `select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await sql(app.databaseUrl, waiting)).rows).toEqual([{ waiting: count }]), 90_000)
}
