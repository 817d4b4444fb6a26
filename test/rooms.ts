import { join } from 'node:path'
import { accountMailJob } from '../src/accounts/server/accounts.ts'
import { keepsBusinesses } from '../src/businesses/server/keeping.ts'
import { keepsDeals } from '../src/deals/server/keeping.ts'
import { createFileStore } from '../src/kit/server/uploads.ts'
import { startJobs, type Jobs } from '../src/kit/server/jobs.ts'
import { openKeyring, type Keyring } from '../src/kit/server/keyring.ts'
import type { TestApp } from './start-app.ts'

/** The keys of a running app, as a command beside it opens them. */
export async function keyringFor(app: TestApp): Promise<{ keyring: Keyring }> {
  return { keyring: await openKeyring(app.db, { secretKey: null, dataDir: app.dataDir, embedded: false }) }
}

const known = new WeakMap<TestApp, Promise<Jobs>>()

/** The queue of a running app, to be filled from outside; its own workers do the work. */
export function jobsFor(app: TestApp): Promise<Jobs> {
  let jobs = known.get(app)
  if (!jobs) {
    jobs = startJobs(app.db, {}, { zone: 'Europe/Zurich', log: () => {}, queues: [accountMailJob] })
    known.set(app, jobs)
    const { close } = app
    app.close = async () => {
      await (await jobs!).stop()
      await close()
    }
  }
  return jobs
}

/** What the nightly jobs of accounts work on, at a moment of one's choice. */
export function keepersOf(app: TestApp, now: string) {
  const files = createFileStore({ folder: join(app.dataDir, 'uploads'), s3: null })
  return {
    db: app.db,
    clock: { now: () => Temporal.Instant.from(now) },
    log: { note() {} },
    keepers: [keepsDeals, keepsBusinesses(files)],
  }
}
