import { join } from 'node:path'
import { mailJob } from '../src/mail/server/mail.ts'
import { businessPersonalData } from '../src/businesses/server/personal-data.ts'
import { contactPersonalData } from '../src/contact/server/personal-data.ts'
import { dealPersonalData } from '../src/deals/server/personal-data.ts'
import { paymentPersonalData } from '../src/payments/server/personal-data.ts'
import { newsletterPersonalData } from '../src/newsletter/server/personal-data.ts'
import { createIdLog } from '../src/kit/server/id-log.ts'
import { createFileStore } from '../src/kit/server/uploads.ts'
import { startJobs, type Jobs } from '../src/kit/server/jobs.ts'
import { openKeyring, type Keyring } from '../src/kit/server/keyring.ts'
import type { TestApp } from './start-app.ts'

/** Opens the keyring of a running app, like a command. */
export async function keyringFor(app: TestApp): Promise<{ keyring: Keyring }> {
  const place = { secretKey: null, oldSecretKey: null, dataDir: app.dataDir, embedded: false }
  return { keyring: await openKeyring(app.db, place, async () => {}) }
}

/** Enqueues jobs of a running app, like a command; the app's workers run them. */
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

/** The services of the nightly jobs of accounts, with the time `now`. */
export function nightlyServices(app: TestApp, now: string) {
  const files = createFileStore({ folder: join(app.dataDir, 'uploads'), s3: null })
  return {
    db: app.db,
    clock: { now: () => Temporal.Instant.from(now) },
    log: { note() {} },
    complain() {},
    deletions: createIdLog({ file: join(app.dataDir, 'deletions.log'), s3: null, prefix: '' }),
    personalData: [
      dealPersonalData({ publishFact: async () => {} }),
      businessPersonalData(files),
      contactPersonalData,
      newsletterPersonalData,
      paymentPersonalData({ jobs: noJobs }),
    ],
  }
}
