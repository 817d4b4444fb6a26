import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './database.ts'

const folder = new URL('../../../migrations/', import.meta.url)

/**
 * Time that a migration waits for a lock. Reads of the table queue behind it, so it must be shorter than a request waits for a connection
 * (1.5 s). It must be longer than `deadlock_timeout` (1 s), after which PostgreSQL ends an autovacuum that holds the lock.
 */
const lockWaitMs = 1_200
/** Pause before all pending migrations are retried, for the waiting reads. */
const pauseMs = 5_000
const logAgainMs = 60_000
const lockNotAvailable = '55P03'
/** A migration that only databases from before 1.0 have. */
const beforeFirstRelease = '0004_deals'

/** The migrations in their order, by file name without `.sql`. */
async function migrations(from: URL): Promise<Record<string, Migration>> {
  const files = (await readdir(from)).filter((file) => file.endsWith('.sql')).sort()
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.sql$/, ''),
      {
        async up(db) {
          // until the end of the transaction; kysely's own lock for migrations is taken before, without this limit
          await sql.raw(`set local lock_timeout = ${lockWaitMs}`).execute(db)
          // the simple query protocol allows many statements in one file
          await sql.raw(await readFile(new URL(file, from), 'utf8')).execute(db)
        },
      },
    ]),
  )
}

/**
 * Brings the database to the newest schema. Kysely's lock lets one instance migrate at a time, and all pending files run in one
 * transaction, so a crash leaves the old schema. A database of a newer version stays unchanged: its schema also serves this version.
 * While another connection, such as a dump, holds a needed lock, everything is rolled back and retried; `say` gets a sentence at once and
 * then every minute.
 * @returns names of the migrations that ran
 * @throws Error with the name of a file that failed, or that has changed since it ran: the schema is then not what the code expects
 */
export async function migrate(
  db: Database,
  say: (sentence: string) => void = (sentence) => process.stderr.write(`${sentence}\n`),
  from: URL = folder,
): Promise<string[]> {
  const files = await fingerprints(from)
  const done = await migrationsOf(db)
  if (done.has(beforeFirstRelease))
    throw new Error(
      'This database was made before version 1.0.0, and its data cannot be read by this one. ' +
        'Start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL).',
    )
  const known = await refuseChangedFiles(db, files)
  const missing = new Set(files.keys()).difference(done)
  if (missing.size === 0) {
    if (!known.isSupersetOf(files)) await storeFingerprints(db, files)
    return []
  }
  const unknown = done.difference(files)
  if (unknown.size > 0)
    throw new Error(
      `The database has migrations of another version (${[...unknown].join(', ')}) and lacks some of this one ` +
        `(${[...missing].join(', ')}). Start the version that made it, or a newer one.`,
    )
  // a migration with a lower number may be merged later
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => migrations(from) },
    allowUnorderedMigrations: true,
  })
  let logAt = 0
  for (;;) {
    const { error, results } = await migrator.migrateToLatest()
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    if (!error) {
      await storeFingerprints(db, files)
      return (results ?? []).map((result) => result.migrationName)
    }
    // no migration failed: the error is one of the connection
    if (failed === undefined) throw error
    if ((error as { code?: unknown }).code !== lockNotAvailable)
      throw new Error(`Migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    if (performance.now() >= logAt) {
      say(
        `migration ${failed} waits for a lock that another connection holds, such as that of a dump; it is tried again every 5 s`,
      )
      logAt = performance.now() + logAgainMs
    }
    await sleep(pauseMs)
  }
}

async function fingerprints(from: URL): Promise<Map<string, string>> {
  const names = Object.keys(await migrations(from))
  const hashes = names.map(async (name) => {
    const content = await readFile(new URL(`${name}.sql`, from))
    return [name, createHash('sha256').update(content).digest('hex')] as const
  })
  return new Map(await Promise.all(hashes))
}

/** @returns names of the migrations whose fingerprint the database has */
async function refuseChangedFiles(db: Database, now: Map<string, string>): Promise<Set<string>> {
  const table = await sql<{ there: boolean }>`select to_regclass('migration_files') is not null as there`.execute(db)
  if (!table.rows[0]!.there) return new Set()
  const made = await sql<{
    name: string
    sha256: string
  }>`select name, sha256 from migration_files limit 10000`.execute(db)
  for (const { name, sha256 } of made.rows) {
    if (!now.has(name) || now.get(name) === sha256) continue
    throw new Error(
      `The database was made by another version of migrations/${name}.sql: its schema is not what this release expects. ` +
        'Start the release that made it, or restore its data into a new database.',
    )
  }
  return new Set(made.rows.map(({ name }) => name))
}

/** Names of migrations in the database that this version does not have: they come from a newer version. */
export async function newerMigrations(db: Database): Promise<string[]> {
  return [...(await migrationsOf(db)).difference(await fingerprints(folder))].sort()
}

/** Names of the migrations that ran. Kysely's own function reads the whole catalogue twice. */
async function migrationsOf(db: Database): Promise<Set<string>> {
  const table = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!table.rows[0]!.there) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Stores fingerprints of migrations that have none: this release ran them, or one that did not store fingerprints. */
async function storeFingerprints(db: Database, files: Map<string, string>): Promise<void> {
  await sql`
    insert into migration_files (name, sha256)
    select name, sha256 from unnest(${[...files.keys()]}::text[], ${[...files.values()]}::text[]) as files (name, sha256)
    where name in (select name from kysely_migration)
    on conflict (name) do nothing`.execute(db)
}

/** True when all migrations of this version ran. */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = new Set(done.rows.map((row) => row.name))
  return Object.keys(await migrations(folder)).every((name) => names.has(name))
}
