import { accountMailJob } from '../src/accounts/server/accounts.ts'
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
