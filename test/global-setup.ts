import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { fillDemo } from '../src/app/demo/fill-demo.ts'
import { rooms } from '../src/app/rooms.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server of the run, and the two databases that files clone: one empty, one with the demo data. */
    postgres: { admin: string; empty: string; demo: string }
  }
}

const zone = 'Europe/Zurich'
const centre = { latitude: 47.5596, longitude: 7.5886 }

/**
 * One PostgreSQL for the whole run (TEST_DATABASE_URL, or an embedded one), with a migrated template that each test file
 * clones in some 40 ms, and the screens built.
 */
export default async function setup(project: TestProject) {
  // while working on the server alone, the screens may stay as they are
  if (!process.env['TEST_WITHOUT_BUILD'])
    execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { stdio: 'inherit' })
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-test-'))
  const given = process.env['TEST_DATABASE_URL']
  const embedded = given ? null : await startEmbeddedPostgres({ dataDir })
  const admin = given ?? socketUrl(embedded!.connection)
  const run = `${process.pid}_${Date.now().toString(36)}`
  const empty = `rk_empty_${run}`
  const demo = `rk_demo_${run}`

  await sql(admin, `create database ${empty} encoding 'UTF8' template template0`)
  await withDatabase(databaseUrl(admin, empty), async (db) => {
    await migrate(db)
    await (await startJobs(db, () => ({}), { zone, log: () => {} })).stop()
  })
  await sql(admin, `create database ${demo} template ${empty}`)
  await withDatabase(databaseUrl(admin, demo), async (db) => {
    await fillDemo(rooms, { db, clock: systemClock, zone, centre })
    for (const room of rooms) await room.prepare?.({ db, clock: systemClock })
  })
  project.provide('postgres', { admin, empty, demo })

  return async () => {
    if (embedded) await embedded.stop()
    else for (const name of [empty, demo]) await dropDatabase(admin, name)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function withDatabase(url: string, work: (db: ReturnType<typeof openDatabase>['db']) => Promise<void>) {
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

export async function sql(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

function socketUrl({ host, port, user, database }: { host: string; port: number; user: string; database: string }) {
  return `postgres://localhost/${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`
}

/**
 * Ends what an app left connected and drops the database. Not `with (force)`: to a role that is no superuser that is
 * refused while autovacuum looks at the database; a plain drop asks it to go and waits up to 5 s.
 */
export async function dropDatabase(admin: string, name: string): Promise<void> {
  await sql(
    admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  )
  await sql(admin, `drop database if exists ${name}`)
}

/** The same server, another database. */
export function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}
