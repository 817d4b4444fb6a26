import { expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn } from './app-on.ts'
import { startOwnPostgres, waitForCommits } from './postgres-pair.ts'

// whole servers that start, stop and are waited for
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

it('a start whose commits wait for a standby says so, and goes on when they are through', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  await waitForCommits(postgres, 'nobody')
  const log: string[] = []
  const starting = startAppOn(postgres.url, { log })
  await vi.waitFor(
    () => expect(log.join('')).toContain('the start waits for the database: a commit waits for a standby'),
    { timeout: 90_000 },
  )
  await waitForCommits(postgres, null)
  await (await starting).close()
})

it('a start is not ended by time limits that the role or the database has', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  await postgres.sql("alter role rheinklang set statement_timeout = '2ms'")
  await postgres.sql("alter role rheinklang set idle_session_timeout = '100ms'")
  const app = await startAppOn(postgres.url)
  await app.close()
})
