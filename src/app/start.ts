import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  accountLimits,
  accountMailJob,
  askToConfirm,
  deleteUnverified,
  executeDeletions,
  forgetExpired,
  requeueMails,
  sealSecretsAnew,
  sendQueuedMail,
  type AccountRoom,
} from '../accounts/server/accounts.ts'
import { fillOpenings } from '../businesses/server/businesses.ts'
import { forgetMessages, mailJob, mailMessage, requeueMessages } from '../contact/server/contact.ts'
import { keepsBusinesses } from '../businesses/server/keeping.ts'
import { keepsMessages } from '../contact/server/keeping.ts'
import { keepsDeals } from '../deals/server/keeping.ts'
import { systemClock, type Clock } from '../kit/server/clock.ts'
import { onceInAWhile } from '../kit/server/complaints.ts'
import { prepareDataFolder } from '../kit/server/data-folder.ts'
import { isDatabaseUnavailable, openDatabase, type Database, type DatabaseAddress } from '../kit/server/database.ts'
import { startEmbeddedPostgres } from '../kit/server/embedded-postgres.ts'
import { startJobs } from '../kit/server/jobs.ts'
import { openKeyring } from '../kit/server/keyring.ts'
import { MailNotSent } from '../kit/server/mail-faults.ts'
import { createMailer } from '../kit/server/mailer.ts'
import { migrate } from '../kit/server/migrate.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { createFileStore } from '../kit/server/uploads.ts'
import { openMapRoom } from '../map/server/map.ts'
import { forgetVisitors } from '../views/server/views.ts'
import { keepsFiles, ownOrigin, secretPlaceOf, type Config } from './config.ts'
import { fillDemoLogins, type DemoLogin } from './demo/demo-logins.ts'
import { fillDemoData } from './demo/demo-data.ts'
import { demoMailboxOf } from './demo-mailbox.ts'
import { complaints, notes } from './logging.ts'
import type { Pages } from './pages.ts'
import { buildServer } from './server.ts'
import { cannotListen, faultOf, reachDatabase, refuseUnfit } from './start-faults.ts'
import { texts } from './texts.ts'

/** Looks for what waits in tables and has no job. */
const requeueJob = 'requeue-mails'

/** A mail that is being handed over may go on for so long after the stop began, … */
const mailsAtMostMs = 4_500
/** … but for so long at least, however long the last answers took. */
const mailsAtLeastMs = 500
/** For writing down that it has left. */
const afterMailsMs = 1_500

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
  let stopAt = 0
  const stop = () => {
    if (!stopping) stopAt = performance.now()
    return (stopping ??= undoAll(undo))
  }
  const complain = complaints(config, parts.logTo)
  try {
    const map = await openMapRoom({ ...config.map, centre: config.festival })
    const address = await databaseAddress(config, undo, note)
    const { db, pool } = openDatabase(address, {
      log: (error) => !stopping && note('a database connection broke', error),
    })
    undo.push(() => db.destroy())

    let hurryMails = () => {}
    const mailer = createMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      folder: join(config.dataDir, 'mail'),
      complain,
      onWayFree: () => hurryMails(),
    })
    const log = createSecurityLog(
      config.logLevel === 'silent' && !parts.logTo ? null : (line) => (parts.logTo ?? process.stdout).write(line),
    )
    const files = createFileStore({ folder: join(config.dataDir, 'uploads'), s3: config.s3 })
    let demoLogins: DemoLogin[] = []
    const accountParts = await oneAtATime(config, address, note, async (patient) => {
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
      const { requireVerifiedEmail, mailFrom: operator } = config
      const mails = { mailer, texts, festivalName: config.festival.name, requireVerifiedEmail }
      const contact = { db, clock, mailer, operator, complain: onceInAWhile(complain) }
      const complainNow = onceInAWhile(complain)
      const jobsWait = (code: string) => complainNow('Background jobs and mails wait for the database.', { code })
      const origin = config.publicUrl ?? ownOrigin(config)
      const jobs = await startJobs(
        db,
        {
          [accountMailJob]: {
            lookEveryS: 0.5,
            untilDone: true,
            run: (job, jobs) => sendQueuedMail({ ...room, jobs, ...mails }, String(job['mailId'])),
          },
          'forget-expired': { cron: '15 4 * * *', run: () => forgetExpired({ ...room, complain }) },
          'delete-accounts': {
            cron: '20 4 * * *',
            run: async (_, jobs) => {
              await executeDeletions(room)
              await deleteUnverified(room, requireVerifiedEmail)
              await askToConfirm({ ...room, jobs }, requireVerifiedEmail, origin)
            },
          },
          [mailJob]: { untilDone: true, run: (job) => mailMessage(contact, String(job['messageId'])) },
          [requeueJob]: {
            cron: '*/15 * * * *',
            run: async (_, jobs) => {
              await requeueMails({ db, jobs })
              await requeueMessages({ db, jobs })
            },
          },
          'fill-openings': { cron: '30 4 * * *', run: async () => void (await fillOpenings({ db, clock })) },
          'forget-messages': { cron: '40 4 * * *', run: () => forgetMessages({ db, clock, complain }) },
          'forget-visitors': { cron: '45 4 * * *', run: () => forgetVisitors({ db, clock }) },
        },
        {
          zone: config.festival.zone,
          log: (error) => {
            // why mails wait is said once for all of them, by the mailer
            if (error instanceof MailNotSent) return
            // they look for work every second or two, and all of them say so
            if (isDatabaseUnavailable(error)) jobsWait(faultOf(error))
            else note('a background job failed', error)
          },
        },
      )
      return { ...room, jobs }
    })
    const { jobs } = accountParts
    undo.push(() => {
      const graceMs = Math.max(mailsAtLeastMs, stopAt + mailsAtMostMs - performance.now())
      return Promise.all([mailer.close(graceMs), jobs.stop(graceMs + afterMailsMs)])
    })

    hurryMails = () =>
      void jobs.hurry([accountMailJob, mailJob]).catch((error: unknown) => note('mails go on waiting', error))
    // what the last run may have left, perhaps with a wrong password that is right now
    await jobs.enqueue(db, requeueJob, {})
    await jobs.hurry([accountMailJob, mailJob])

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

/** A start that waits for so long says what for. */
const quietMs = 3000

/**
 * What an instance does to the database at its start, one instance after the other: a lock on a connection of its own,
 * which ends with it. Nothing in here has a time limit.
 */
async function oneAtATime<T>(
  config: Config,
  address: DatabaseAddress,
  note: (message: string) => void,
  work: (patient: Database) => Promise<T>,
): Promise<T> {
  const { db, pool } = openDatabase(address, { maxConnections: 4, patient: true })
  try {
    const holder = await reachDatabase(pool, config)
    try {
      await refuseUnfit(holder)
      const patience = setTimeout(() => note('waiting for another instance that prepares this database'), quietMs)
      await holder.query("select pg_advisory_lock(hashtext('rheinklang start'))").finally(() => clearTimeout(patience))
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
