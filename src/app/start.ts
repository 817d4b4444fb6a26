import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  accountLimits,
  accountMailJob,
  deleteUnverified,
  executeDeletions,
  forgetExpired,
  sealSecretsAnew,
  sendQueuedMail,
  type AccountRoom,
} from '../accounts/server/accounts.ts'
import { fillOpenings } from '../businesses/server/businesses.ts'
import { forgetMessages, mailJob, mailMessage } from '../contact/server/contact.ts'
import { keepsBusinesses } from '../businesses/server/keeping.ts'
import { keepsMessages } from '../contact/server/keeping.ts'
import { keepsDeals } from '../deals/server/keeping.ts'
import { systemClock, type Clock } from '../kit/server/clock.ts'
import { prepareDataFolder } from '../kit/server/data-folder.ts'
import { isDatabaseUnavailable, openDatabase, type Database, type DatabaseAddress } from '../kit/server/database.ts'
import { startEmbeddedPostgres } from '../kit/server/embedded-postgres.ts'
import { startJobs } from '../kit/server/jobs.ts'
import { openKeyring } from '../kit/server/keyring.ts'
import { createMailer } from '../kit/server/mailer.ts'
import { migrate } from '../kit/server/migrate.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { createFileStore } from '../kit/server/uploads.ts'
import { openMapRoom } from '../map/server/map.ts'
import { forgetVisitors } from '../views/server/views.ts'
import { keepsFiles, secretPlaceOf, type Config } from './config.ts'
import { fillDemoLogins, type DemoLogin } from './demo/demo-logins.ts'
import { fillDemoData } from './demo/demo-data.ts'
import { demoMailboxOf } from './demo-mailbox.ts'
import { notes } from './logging.ts'
import type { Pages } from './pages.ts'
import { buildServer } from './server.ts'
import { cannotListen, reachDatabase } from './start-faults.ts'
import { texts } from './texts.ts'

export interface RunningApp {
  app: FastifyInstance
  db: Database
  /** Where it listens, e.g. http://127.0.0.1:3000 */
  address: string
  /** Empty where there is no demo. */
  demoLogins: DemoLogin[]
  /** Lets requests in flight finish, then closes everything in turn. Does nothing the second time. */
  stop(): Promise<void>
}

/** Map pack, database, migrations, demo data, jobs and HTTP server, in this order; what fails undoes what stood before it. */
export async function startApp(
  config: Config,
  parts: { pages: Pages | null; clock?: Clock; logTo?: { write(line: string): void } },
): Promise<RunningApp> {
  const clock = parts.clock ?? systemClock
  const note = notes(config, parts.logTo)
  const undo: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | null = null
  const stop = () => (stopping ??= undoAll(undo))
  try {
    const map = await openMapRoom({ ...config.map, centre: config.festival })
    const address = await databaseAddress(config, undo, note)
    const { db, pool } = openDatabase(address, {
      log: (error) => !stopping && note('a database connection broke', error),
    })
    undo.push(() => db.destroy())

    const mailer = createMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      folder: join(config.dataDir, 'mail'),
    })
    const log = createSecurityLog(
      config.logLevel === 'silent' && !parts.logTo ? null : (line) => (parts.logTo ?? process.stdout).write(line),
    )
    const files = createFileStore({ folder: join(config.dataDir, 'uploads'), s3: config.s3 })
    let demoLogins: DemoLogin[] = []
    const accountParts = await oneAtATime(config, address, async (patient) => {
      await migrate(patient)
      if (config.demoData)
        await fillDemoData({ db: patient, clock, zone: config.festival.zone, centre: config.festival })
      await fillOpenings({ db: patient, clock })
      const keyring = await openKeyring(patient, secretPlaceOf(config), (keys) => sealSecretsAnew(patient, keys))
      if (config.demoData) demoLogins = await fillDemoLogins({ db: patient, clock, keyring })
      const room = {
        db,
        clock,
        keyring,
        log,
        limits: accountLimits(pool),
        keepers: [keepsDeals, keepsBusinesses(files), keepsMessages],
      }
      const festivalName = config.festival.name
      const jobs = await startJobs(
        db,
        {
          [accountMailJob]: {
            lookEveryS: 0.5,
            run: (job, jobs) => sendQueuedMail({ ...room, jobs, mailer, texts, festivalName }, String(job['mailId'])),
          },
          'forget-expired': { cron: '15 4 * * *', run: () => forgetExpired(room) },
          'delete-accounts': {
            cron: '20 4 * * *',
            run: async () => {
              await executeDeletions(room)
              await deleteUnverified(room, config.requireVerifiedEmail)
            },
          },
          [mailJob]: {
            run: (job) => mailMessage({ db, clock, mailer, operator: config.mailFrom }, String(job['messageId'])),
          },
          'fill-openings': { cron: '30 4 * * *', run: async () => void (await fillOpenings({ db, clock })) },
          'forget-messages': { cron: '40 4 * * *', run: () => forgetMessages({ db, clock }) },
          'forget-visitors': { cron: '45 4 * * *', run: () => forgetVisitors({ db, clock }) },
        },
        { zone: config.festival.zone, log: (error) => note('a background job failed', error) },
      )
      return { ...room, jobs }
    })
    const { jobs } = accountParts
    undo.push(() => jobs.stop())

    const accounts: AccountRoom = { ...accountParts, settings: accountSettings(config) }
    const app = await buildServer({
      config,
      db,
      pool,
      clock,
      jobs,
      map,
      accounts,
      files,
      logTo: parts.logTo,
      pages: parts.pages,
    })
    undo.push(() => app.close())
    const listening = await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw cannotListen(config, error as Error)
    })
    return { app, db, address: listening, demoLogins, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function accountSettings(config: Config): AccountRoom['settings'] {
  return {
    requireVerifiedEmail: config.requireVerifiedEmail,
    signupChallenge: config.signupChallenge,
    passwordBlocklist: config.passwordBlocklist,
    google: config.google,
    demoMail: demoMailboxOf(config),
    festivalName: config.festival.name,
  }
}

/**
 * What an instance does to the database at its start, one instance after the other: a lock on a connection of its own,
 * which ends with it. Nothing in here has a time limit.
 */
async function oneAtATime<T>(
  config: Config,
  address: DatabaseAddress,
  work: (patient: Database) => Promise<T>,
): Promise<T> {
  const { db, pool } = openDatabase(address, { maxConnections: 4, patient: true })
  try {
    const holder = await reachDatabase(pool, config)
    try {
      const { rows } = await holder.query<{ encoding: string }>("select current_setting('server_encoding') as encoding")
      if (rows[0]?.encoding !== 'UTF8')
        throw new Error(
          `The database has the encoding ${rows[0]?.encoding}. Rheinklang needs one with the encoding UTF8.`,
        )
      await holder.query("select pg_advisory_lock(hashtext('rheinklang start'))")
      return await work(db)
    } finally {
      // closing the connection gives the lock back, whatever state it is in
      holder.release(true)
    }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    throw new Error(`The database cannot be reached any more: ${(error as Error).message}.`, { cause: error })
  } finally {
    await db.destroy()
  }
}

/** DATABASE_URL, or the embedded server of the data folder, started now. */
async function databaseAddress(
  config: Config,
  undo: (() => Promise<unknown>)[],
  note: ReturnType<typeof notes>,
): Promise<DatabaseAddress> {
  if (keepsFiles(config)) prepareDataFolder(config.dataDir)
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (level, message) => (level === 'warn' || level === 'error') && note(message),
  })
  undo.push(() => embedded.stop())
  return embedded.connection
}

async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  let failure: unknown
  for (const step of undo.reverse()) {
    try {
      await step()
    } catch (error) {
      failure ??= error
    }
  }
  if (failure) throw failure
}
