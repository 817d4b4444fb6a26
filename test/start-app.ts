import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { onMissingText } from '../src/app/server/texts.ts'
import { startApp, type RunningApp } from '../src/app/start.ts'
import type { Clock } from '../src/kit/server/clock.ts'
import type { OutsideParts } from '../src/kit/server/outside.ts'
import type { Room } from '../src/kit/server/room.ts'
import { databaseUrl, dropDatabase, sql } from './databases.ts'
import { hasOwnDocument, undocumented } from './documented.ts'
import { inlineJobs, type InlineJobs } from './inline-jobs.ts'
import { answerLate } from './late-answers.ts'
import { saturdayEvening } from './saturday-evening.ts'

export interface TestApp extends RunningApp {
  url: string
  /** Time of the clock of the rules. */
  now(): Temporal.Instant
  /** Sets this clock. */
  setNow(instant: string): void
  /** Runs the due jobs, unless the app has workers (`jobs: 'queue'`). */
  runJobs(): Promise<void>
  dataDir: string
  databaseUrl: string
  close(): Promise<void>
}

export { saturdayEvening }

onMissingText((key) => {
  throw new Error(`No text in the catalogues for ${key}; do the manifests name its namespace (texts)?`)
})

/** On a busy machine a page takes longer than a visitor's patience, and a story would see the page of the story before it. */
const pagePatienceMs = 60_000

let made = 0

/**
 * Starts the whole application on its own database (a clone of the run's template) and a free port. `now` fixes its clock; null lets it run
 * from Saturday evening on. `demo`: with the demo data. Jobs run after the answer that enqueued them, and at `runJobs`; `jobs: 'queue'`
 * starts real workers. `log` gets the lines of the log.
 */
export async function startTestApp(
  options: {
    now?: string | null
    demo?: boolean
    pages?: boolean
    env?: Record<string, string>
    log?: string[]
    jobs?: 'inline' | 'queue'
    /** Default: all rooms. */
    rooms?: readonly Room[]
    /** How host names are resolved, and which peers on this machine may be fetched. */
    outside?: Partial<OutsideParts>
  } = {},
): Promise<TestApp> {
  const postgres = inject('postgres')
  const name = `rk_${process.pid}_${made++}_${Date.now().toString(36)}`
  await sql(postgres.admin, `create database ${name} template ${options.demo ? postgres.demo : postgres.empty}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-app-'))
  let fixed = options.now === null ? null : Temporal.Instant.from(options.now ?? saturdayEvening)
  const clock: Clock = { now: () => fixed ?? Temporal.Now.instant() }
  const config = readConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(postgres.admin, name),
      LOG_LEVEL: options.log ? 'info' : 'silent',
      DEMO_DATA: 'off',
      ...options.env,
    },
    process.cwd(),
  )
  const removeData = async () => {
    await dropDatabase(postgres.admin, name)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const jobs = options.jobs === 'queue' ? null : inlineJobs()
  const running = await startApp(config, {
    // the build is loaded by the first request of a page
    pages: options.pages
      ? { ...(await (await import('./built-pages.ts')).builtPages()), patienceMs: pagePatienceMs }
      : null,
    clock,
    rooms: options.rooms,
    ...(options.outside ? { outside: options.outside } : {}),
    startJobs: jobs?.start,
    ...(options.log ? { logTo: { write: (line: string) => void options.log!.push(line) } } : {}),
  }).catch(async (refused: unknown) => {
    await removeData()
    throw refused
  })
  // Node writes the machine's time, and pages take the time from this header
  running.app.server.prependListener('request', (_request, response) =>
    response.setHeader('date', new Date(clock.now().epochMilliseconds).toUTCString()),
  )
  if (options.pages) answerLate(running.app.server)
  if (jobs) runAfterAnswers(running, jobs)
  if (options.rooms) hasOwnDocument(running.address)
  return {
    ...running,
    url: running.address,
    dataDir,
    databaseUrl: config.databaseUrl!,
    runJobs: async () => jobs?.run(),
    now: () => clock.now(),
    setNow: (instant) => {
      fixed = Temporal.Instant.from(instant)
    },
    async close() {
      await running.stop()
      await removeData()
    },
  }
}

/** Runs jobs after each answer that enqueued some, so that tests need not wait for workers. */
function runAfterAnswers(running: RunningApp, jobs: InlineJobs) {
  running.app.server.on('request', (_request, response) =>
    response.once('close', () => void jobs.runIfAny().catch((error: unknown) => console.error(error))),
  )
}

/** Starts an app that is closed at the end of the test. */
export async function appForTest(options?: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
  const app = await startTestApp(options)
  onTestFinished(() => app.close())
  return app
}

/** Starts a second instance on the same database, with its own data folder, until the end of the test. `log` gets its lines. */
export async function anotherInstance(
  app: Pick<TestApp, 'databaseUrl'>,
  env: Record<string, string> = {},
  log?: string[],
): Promise<RunningApp & { url: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-app-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: app.databaseUrl,
      LOG_LEVEL: log ? 'info' : 'silent',
      DEMO_DATA: 'off',
      ...env,
    },
    process.cwd(),
  )
  const running = await startApp(config, {
    pages: null,
    ...(log ? { logTo: { write: (line: string) => void log.push(line) } } : {}),
  })
  onTestFinished(() => running.stop())
  return { ...running, url: running.address }
}

/** Calls the API like an outside client. Fails for an undocumented answer. */
export async function api(app: { url: string }, path: string, init: RequestInit = {}) {
  const response = await fetch(`${app.url}${path}`, init)
  const text = await response.text()
  const fault = await undocumented(app.url, {
    method: init.method ?? 'GET',
    path,
    status: response.status,
    contentType: response.headers.get('content-type'),
    text,
  })
  if (fault) throw new Error(fault)
  // untyped: the OpenAPI document is checked above, and each story checks the values
  // oxlint-disable-next-line typescript/no-explicit-any
  let body: any = text
  try {
    body = JSON.parse(text)
  } catch {
    // not JSON: the story checks the text
  }
  return { status: response.status, headers: response.headers, body, text }
}
