import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fillScaledData } from '../test/scaled-data.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'

export const centre = { latitude: 47.5596, longitude: 7.5886 }

export interface Town {
  deals: number
  /** For DATABASE_URL. */
  url: string
  /** PostgreSQL's main process, for counting its CPU time. */
  postmaster: number
  sampleDealIds: string[]
  /** Up to 5,000: more than are asked for within the second for which pages are kept. */
  manyDealIds: string[]
  /** Stops PostgreSQL and starts it again in its place. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** A PostgreSQL of its own with so many deals over 30 × 30 km around Basel. */
export async function buildTown(deals: number): Promise<Town> {
  const dataDir = mkdtempSync(join(tmpdir(), `rheinklang-bench-`))
  let postgres = await startEmbeddedPostgres({ dataDir })
  const url = socketUrl(postgres)
  const manyDealIds = await fill(url, deals)
  // else what was filled in is still being written while the first rows are measured
  const superuser = new pg.Client({ connectionString: url.replace(/user=\w+/, 'user=postgres') })
  await superuser.connect()
  await superuser.query('checkpoint').finally(() => superuser.end())
  return {
    deals,
    url,
    postmaster: postgres.pid!,
    sampleDealIds: manyDealIds.slice(0, 200),
    manyDealIds,
    async restart() {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ dataDir })
    },
    async close() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The same town in a new database of a server that runs already; `admin` may create databases and roles. An ordinary role
 * owns it, as it does in the embedded one: PostgreSQL asks a superuser for no permissions, which is a tenth of a short search.
 */
export async function buildTownAt(admin: string, deals: number): Promise<Omit<Town, 'postmaster' | 'restart'>> {
  const name = `rheinklang_bench_${process.pid}`
  const say = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const password = randomUUID()
  await say(`create role ${name} login password '${password}'`)
  await say(`create database ${name} owner ${name} encoding 'UTF8' template template0`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  url.username = name
  url.password = password
  const manyDealIds = await fill(url.href, deals)
  return {
    deals,
    url: url.href,
    sampleDealIds: manyDealIds.slice(0, 200),
    manyDealIds,
    async close() {
      await say(`drop database ${name} with (force)`)
      await say(`drop role ${name}`)
    },
  }
}

/** @returns ids of some of its deals */
async function fill(url: string, deals: number): Promise<string[]> {
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  await migrate(db)
  await (await startJobs(db, () => ({}), { zone: 'Europe/Zurich', log: () => {} })).stop()
  await fillScaledData(db, { deals, centre, now: systemClock.now() })
  await db.destroy()
  return sample(url)
}

async function sample(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ deal_id: string }>(
    "select deal_id from deals where state = 'published' limit 5000",
  )
  await client.end()
  return rows.map((row) => row.deal_id)
}

export function socketUrl({ connection: { host, port, user, database } }: EmbeddedPostgres) {
  return `postgres://localhost/${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`
}
