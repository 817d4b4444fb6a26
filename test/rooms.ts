import { join } from 'node:path'
import { mailJob } from '../src/mail/server/mail.ts'
import { keepsBusinesses } from '../src/businesses/server/keeping.ts'
import { keepsMessages } from '../src/contact/server/keeping.ts'
import { dealPersonalData } from '../src/deals/server/personal-data.ts'
import { keepsPayments } from '../src/payments/server/keeping.ts'
import { keepsSubscriptions } from '../src/newsletter/server/keeping.ts'
import { createIdLog } from '../src/kit/server/id-log.ts'
import { createFileStore } from '../src/kit/server/uploads.ts'
import { startJobs, type Jobs } from '../src/kit/server/jobs.ts'
import { openKeyring, type Keyring } from '../src/kit/server/keyring.ts'
import type { TestApp } from './start-app.ts'

/** The keys of a running app, as a command beside it opens them. */
export async function keyringFor(app: TestApp): Promise<{ keyring: Keyring }> {
  const place = { secretKey: null, oldSecretKey: null, dataDir: app.dataDir, embedded: false }
  return { keyring: await openKeyring(app.db, place, async () => {}) }
}

/** Fills the queue of a running app from outside, as a command does; the app's own workers do the work. */
export async function withJobs<T>(app: TestApp, work: (jobs: Jobs) => Promise<T>): Promise<T> {
  const jobs = await startJobs(app.db, () => ({}), { zone: 'Europe/Zurich', log: () => {}, queues: [mailJob] })
  try {
    return await work(jobs)
  } finally {
    await jobs.stop()
  }
}

const noJobs: Jobs = {
  async enqueue() {},
  async enqueueMissing() {},
  async hurry() {},
  async stop() {},
}

/** What the nightly jobs of accounts work on, at a moment of one's choice. */
export function keepersOf(app: TestApp, now: string) {
  const files = createFileStore({ folder: join(app.dataDir, 'uploads'), s3: null })
  return {
    db: app.db,
    clock: { now: () => Temporal.Instant.from(now) },
    log: { note() {} },
    complain() {},
    deletions: createIdLog({ file: join(app.dataDir, 'deletions.log'), s3: null, prefix: '' }),
    keepers: [
      dealPersonalData({ tell: async () => {} }),
      keepsBusinesses(files),
      keepsMessages,
      keepsSubscriptions,
      keepsPayments({ jobs: noJobs }),
    ],
  }
}
