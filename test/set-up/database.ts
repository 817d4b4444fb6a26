import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../src/app/config.ts'
import { fillDemo } from '../../src/app/demo/fill-demo.ts'
import { rooms } from '../../src/app/rooms.ts'
import { startApp } from '../../src/app/start.ts'
import type { Clock } from '../../src/kit/server/clock.ts'
import { openDatabase, type Database } from '../../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../../src/kit/server/embedded-postgres.ts'
import { databaseUrl, dropDatabase, sql, type RunPostgres } from '../databases.ts'
import { quickFolder } from '../quick-folder.ts'
import { saturdayEvening } from '../saturday-evening.ts'

/** The projects of a run share one server, which the last of them stops. */
const run = Symbol.for('rheinklang.test.postgres')
const shared = globalThis as { [run]?: { users: number; server: ReturnType<typeof startServer> } }

export default async function setup(project: TestProject) {
  const own = (shared[run] ??= { users: 0, server: startServer() })
  own.users++
  project.provide('postgres', (await own.server).postgres)
  return async () => {
    if (--own.users > 0) return
    delete shared[run]
    await (await own.server).stop()
  }
}

const clock: Clock = { now: () => Temporal.Instant.from(saturdayEvening) }
const zone = 'Europe/Zurich'
const centre = { latitude: 47.5596, longitude: 7.5886 }

/**
 * TEST_DATABASE_URL, or an embedded PostgreSQL, with two databases that test apps clone in some 40 ms. An app has been
 * started on them once, so that a start on a clone finds migrations, queues and schedules.
 */
async function startServer(): Promise<{ postgres: RunPostgres; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-test-'))
  const given = process.env['TEST_DATABASE_URL']
  const embedded = given ? null : await startEmbeddedPostgres({ dataDir })
  const admin = given ?? socketUrl(embedded!.connection)
  // what these databases hold need not survive a power cut
  if (embedded) await sql(admin, 'alter role current_user set synchronous_commit = off')
  const suffix = `${process.pid}_${Date.now().toString(36)}`
  const empty = `rk_empty_${suffix}`
  const demo = `rk_demo_${suffix}`

  await sql(admin, `create database ${empty} encoding 'UTF8' template template0`)
  await startOnce(databaseUrl(admin, empty), join(dataDir, 'app'))
  await sql(admin, `create database ${demo} template ${empty}`)
  await withDatabase(databaseUrl(admin, demo), async (db) => {
    await fillDemo(rooms, { db, clock, name: 'Rheinklang', zone, centre }, (sentence, cause) => {
      throw new Error(sentence, { cause })
    })
    for (const room of rooms) await room.prepare?.({ db, clock })
  })
  return {
    postgres: { admin, empty, demo },
    async stop() {
      if (embedded) await embedded.stop()
      else for (const name of [empty, demo]) await dropDatabase(admin, name)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Leaves nothing behind that belongs to one installation: its keys, and jobs of its start. */
async function startOnce(url: string, dataDir: string) {
  const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, DEMO_DATA: 'off' }
  const app = await startApp(readConfig({ ...env, LOG_LEVEL: 'silent' }, process.cwd()), { pages: null, clock })
  await app.stop()
  await sql(url, 'delete from installation_keys; delete from push_keys; delete from jobs.job')
}

async function withDatabase(url: string, work: (db: Database) => Promise<void>) {
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

function socketUrl({ host, port, user, database }: { host: string; port: number; user: string; database: string }) {
  return `postgres://localhost/${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`
}
