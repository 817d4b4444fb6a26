import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { systemClock, type Clock } from '../kit/server/clock.ts'
import { onceInAWhile } from '../kit/server/complaints.ts'
import { prepareDataFolder } from '../kit/server/data-folder.ts'
import {
  isDatabaseUnavailable,
  openDatabase,
  openDatabases,
  type Database,
  type DatabaseAddress,
} from '../kit/server/database.ts'
import { startEmbeddedPostgres } from '../kit/server/embedded-postgres.ts'
import { startJobs } from '../kit/server/jobs.ts'
import { createLimiter } from '../kit/server/limiter.ts'
import { standardOutput, type LineLog } from '../kit/server/line-log.ts'
import { MailNotSent } from '../kit/server/mail-faults.ts'
import { createMailer } from '../kit/server/mailer.ts'
import { openOutside, type OutsideParts } from '../kit/server/outside.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { openRooms, type House, type Room, type RoomSettings } from '../kit/server/room.ts'
import { createFileStore } from '../kit/server/uploads.ts'
import { deletionsOf, usesDataFolder, ownOrigin, type Config } from './config.ts'
import { fillDemoLogins, type DemoLogin } from './demo/demo-logins.ts'
import { installationKeys } from './installation-keys.ts'
import { instanceName } from './instances.ts'
import { demoMailboxOf, openDemoMailbox } from './server/demo-mailbox.ts'
import { complaints, notes } from './server/logging.ts'
import { prepareDatabase } from './prepare-database.ts'
import type { Pages } from './server/pages.ts'
import { rooms as allRooms } from './rooms.ts'
import { buildServer } from './server/server.ts'
import {
  cannotListen,
  faultOf,
  inASentence,
  reachDatabase,
  refuseUnfit,
  sentenceOfNewDatabase,
  whatItWaitsFor,
} from './start-faults.ts'
import { texts } from './server/texts.ts'

/** Job that enqueues mails again that have lost their job. */
const requeueJob = 'requeue-mails'

/** After a stop began, sending a mail may go on for this long in total, … */
const mailsAtMostMs = 4_500
/** … but always for this long after the last answer. */
const mailsAtLeastMs = 500
/** Time to store that a mail was sent. */
const afterMailsMs = 1_500

export interface RunningApp {
  app: FastifyInstance
  db: Database
  /** Where it listens, e.g. http://127.0.0.1:3000 */
  address: string
  demoLogins: DemoLogin[]
  /** Path and query of the demo mailbox with its key; null: there is none. */
  demoMailbox: string | null
  /** Lets running requests finish, then closes everything in reverse order. A second call does nothing more. */
  stop(): Promise<void>
}

/**
 * Starts map pack, database, migrations, demo data, jobs and HTTP server, in this order.
 * @throws Error with a sentence for the operator; everything started so far is closed again
 */
export async function startApp(
  config: Config,
  parts: {
    pages: Pages | null
    clock?: Clock
    logTo?: LineLog
    rooms?: readonly Room[]
    /** Replacements for services outside, for tests. */
    outside?: Partial<OutsideParts>
    /** How jobs run; by default with workers that look for them. */
    startJobs?: typeof startJobs
  },
): Promise<RunningApp> {
  const clock = parts.clock ?? systemClock
  const rooms = parts.rooms ?? allRooms
  const logTo = parts.logTo ?? standardOutput()
  const note = notes(config, logTo)
  const undo: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | null = null
  let stopAt = 0
  const stop = () => {
    if (!stopping) stopAt = performance.now()
    return (stopping ??= undoAll(undo))
  }
  const complain = complaints(config, logTo)
  try {
    for (const room of rooms) await room.check?.({ settings: settingsOf(config), site: siteOf(config) })
    const address = await databaseAddress(config, undo, note)
    const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : address
    const { db, pool } = openDatabases(
      { primary: address, replicas: config.databaseReadUrls.map((connectionString) => ({ connectionString })) },
      (error) => !stopping && note('a database connection broke', error),
      { connections: config.databaseConnections, name: instanceName() },
    )
    undo.push(() => db.destroy())

    let hurryMails = () => {}
    const mailer = createMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      folder: join(config.dataDir, 'mail'),
      complain,
      onWayFree: () => hurryMails(),
    })
    const log = createSecurityLog(config.logLevel === 'silent' && !parts.logTo ? null : (line) => logTo.write(line))
    const files = createFileStore({ folder: join(config.dataDir, 'uploads'), s3: config.s3 })
    let demoLogins: DemoLogin[] = []
    const { house, open, jobs } = await oneAtATime(config, direct, note, async (patient) => {
      await prepareDatabase(patient, { rooms, clock, demo: config.demoData ? siteOf(config) : null, note })
      const keyring = await installationKeys(patient, config, rooms)
      if (config.demoData) demoLogins = await fillDemoLogins({ db: patient, clock, keyring }, note)
      const complainNow = onceInAWhile(complain)
      const jobsWait = (code: string) => complainNow('Background jobs and mails wait for the database.', { code })
      let opened!: Awaited<ReturnType<typeof openRooms>>
      const jobs = await (parts.startJobs ?? startJobs)(
        db,
        async (jobs) => {
          opened = await openRooms(rooms, {
            site: siteOf(config),
            db,
            clock,
            jobs,
            keyring,
            files,
            outside: openOutside(parts.outside),
            deletions: deletionsOf(config),
            mailer,
            texts,
            log,
            complain,
            ownConnection: (broke) =>
              openDatabase(
                {
                  ...direct,
                  idleTimeoutMillis: 0,
                  maxLifetimeSeconds: 0,
                  application_name: 'rheinklang listening',
                },
                { maxConnections: 1, log: broke },
              ),
            limiter: (options) => createLimiter(pool, options),
            settings: settingsOf(config),
          })
          const { open } = opened
          return { ...open.jobs(), [requeueJob]: { cron: '*/15 * * * *', run: () => open.requeue() } }
        },
        {
          zone: config.festival.zone,
          log: (error) => {
            // the mailer reports once why mails wait
            if (error instanceof MailNotSent) return
            // every worker fails every second or two, so this is reported only once in a while
            if (isDatabaseUnavailable(error)) jobsWait(faultOf(error))
            else note('a background job failed', error)
          },
        },
      )
      return { ...opened, jobs }
    })
    undo.push(() => {
      const graceMs = Math.max(mailsAtLeastMs, stopAt + mailsAtMostMs - performance.now())
      return Promise.all([mailer.close(graceMs), jobs.stop(graceMs + afterMailsMs)])
    })

    hurryMails = () => void jobs.hurry(open.mailQueues()).catch((error: unknown) => note('mails go on waiting', error))
    // sends mails that the last run left, perhaps because of a wrong password
    await jobs.enqueue(db, requeueJob, {})
    await jobs.hurry(open.mailQueues())

    const app = await buildServer({ config, house, open, logTo, pages: parts.pages })
    undo.push(() => app.close())
    const listening = await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw cannotListen(config, error as Error)
    })
    const demoMailbox = demoMailboxOf(config) && openDemoMailbox(house.keyring)
    return { app, db, address: listening, demoLogins, demoMailbox, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export function siteOf(config: Config): House['site'] {
  const { name, zone, latitude, longitude, days } = config.festival
  return { name, zone, centre: { latitude, longitude }, days, origin: config.publicUrl ?? ownOrigin(config) }
}

export function settingsOf(config: Config): RoomSettings {
  const { requireVerifiedEmail, signupChallenge, passwordBlocklist, google } = config
  return {
    accounts: {
      requireVerifiedEmail,
      signupChallenge,
      passwordBlocklist,
      google,
      demoMail: demoMailboxOf(config),
      demoPayments: config.payments.provider === 'test' && !config.payments.testCheckout,
      festivalName: config.festival.name,
    },
    contact: { operator: config.mailFrom },
    notifications: { contact: config.vapidSubject, keys: config.vapid, push: config.serviceWorker },
    payments: config.payments,
    map: config.map,
  }
}

/** A start that waits longer than this logs what it waits for. */
const quietMs = 3000

/**
 * Runs `work` on the database while no other instance starts, by a lock on a connection of its own. Without time limits, because
 * migrations may take long.
 */
async function oneAtATime<T>(
  config: Config,
  address: DatabaseAddress,
  note: (message: string) => void,
  work: (patient: Database) => Promise<T>,
): Promise<T> {
  const name = `rheinklang start ${randomUUID()}`
  const { db, pool } = openDatabase(address, { maxConnections: 4, patient: true, name })
  let watching: NodeJS.Timeout | undefined
  const saySlow = <Answer>(message: string, answer: Promise<Answer>) => {
    const patience = setTimeout(() => note(message), quietMs)
    return answer.finally(() => clearTimeout(patience))
  }
  try {
    const holder = await saySlow('the start waits for a connection to the database', reachDatabase(pool, config))
    try {
      await saySlow('the start waits for an answer of the database', refuseUnfit(holder))
      await saySlow(
        'waiting for another instance that prepares this database',
        holder.query("select pg_advisory_lock(hashtext('rheinklang start'))"),
      )
      const saySlowest = async () => {
        const reason = await whatItWaitsFor(holder, name, quietMs)
        if (reason) note(reason)
      }
      // the start goes on if this message fails
      watching = setInterval(() => void saySlowest().catch(() => {}), quietMs)
      return await work(db)
    } finally {
      clearInterval(watching)
      // closing the connection releases the lock in any case
      holder.release(true)
    }
  } catch (error) {
    throw inASentence(error)
  } finally {
    await db.destroy()
  }
}

/** DATABASE_URL, else the address of the embedded server, which this starts. */
async function databaseAddress(
  config: Config,
  undo: (() => Promise<unknown>)[],
  note: ReturnType<typeof notes>,
): Promise<DatabaseAddress> {
  if (usesDataFolder(config)) prepareDataFolder(config.dataDir)
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const isNew = sentenceOfNewDatabase(config)
  if (isNew) note(isNew)
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (level, message) => (level === 'warn' || level === 'error') && note(message),
    // null for port 0: the system has not chosen a port yet
    origin: config.publicUrl ?? (config.port === 0 ? null : ownOrigin(config)),
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
