import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestApp } from './start-app.ts'

/** Until so many statements of an app's database wait for a lock. */
export async function waitingForLocks(app: TestApp, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    expect(rows[0]!.waiting).toBe(count)
  }, 2500)
}
