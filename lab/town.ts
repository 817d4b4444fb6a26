import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { fillScaledData } from '../test/scaled-data.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { startDatabase } from './folder.ts'

export const centre = { latitude: 47.5596, longitude: 7.5886 }

export interface Town extends AsyncDisposable {
  deals: number
  /** For DATABASE_URL. */
  url: string
  /** PostgreSQL's main process, for its CPU time; null: it runs elsewhere. */
  postmaster: number | null
  /** Up to 5,000: so many that no page is asked for twice within the second for which it is cached. */
  dealIds: string[]
}

/** Starts a PostgreSQL and fills it with deals in 30 × 30 km around Basel. */
export async function buildTown(deals: number): Promise<Town> {
  const { url, postmaster, ...database } = await startDatabase()
  const dealIds = await fill(url, deals)
  // otherwise PostgreSQL would still be writing the data during the first measurements
  await query(url.replace(/user=\w+/, 'user=postgres'), 'checkpoint')
  return { deals, url, postmaster, dealIds, ...database }
}

/**
 * The same town in a new database of a running server; the role of `admin` may create databases and roles. Like the embedded database, it
 * belongs to an ordinary role: for a superuser PostgreSQL checks no permissions, which is a tenth of a short search's time.
 */
export async function buildTownAt(admin: string, deals: number): Promise<Town> {
  const name = `rheinklang_lab_${process.pid}`
  const password = randomUUID()
  await query(admin, `create role ${name} login password '${password}'`)
  await query(admin, `create database ${name} owner ${name} encoding 'UTF8' template template0`)
  const url = Object.assign(new URL(admin), { pathname: `/${name}`, username: name, password }).href
  return {
    deals,
    url,
    postmaster: null,
    dealIds: await fill(url, deals),
    async [Symbol.asyncDispose]() {
      await query(admin, `drop database ${name} with (force)`)
      await query(admin, `drop role ${name}`)
    },
  }
}

/** Creates schema and queues of an empty database. */
export async function prepare(url: string) {
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  await migrate(db)
  await (await startJobs(db, () => ({}), { zone: 'Europe/Zurich', log: () => {} })).stop()
  return db
}

/** @returns ids of some of its deals */
async function fill(url: string, deals: number): Promise<string[]> {
  const db = await prepare(url)
  await fillScaledData(db, { deals, centre, now: systemClock.now() })
  await db.destroy()
  await query(url, 'vacuum analyze')
  const rows = await query<{ deal_id: string }>(url, "select deal_id from deals where state = 'published' limit 5000")
  return rows.map(({ deal_id }) => deal_id)
}

/** Runs a statement with a new connection. */
export async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}
