import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './database.ts'

const folder = new URL('../../../migrations/', import.meta.url)

/**
 * Reads of a table queue behind a migration that waits for its lock, so it waits for less than a request does for a connection
 * (1.5 s); and for more than `deadlock_timeout` (1 s), when PostgreSQL ends an autovacuum that is in its way.
 */
const lockWaitMs = 1_200
/** For those reads, before all pending migrations are tried again. */
const pauseMs = 5_000
const sayAgainMs = 60_000
const lockNotAvailable = '55P03'
/** Only databases of before 1.0 have it: one file a room came in the place of their 83. */
const beforeFirstRelease = '0004_deals'

/** The migrations in their order: name without `.sql` -> file. */
async function migrations(from: URL): Promise<Record<string, Migration>> {
  const files = (await readdir(from)).filter((file) => file.endsWith('.sql')).sort()
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.sql$/, ''),
      {
        async up(db) {
          // until the end of the transaction; the lock by which one instance migrates is waited for before it
          await sql.raw(`set local lock_timeout = ${lockWaitMs}`).execute(db)
          // one simple-protocol query, so a file may hold many statements
          await sql.raw(await readFile(new URL(file, from), 'utf8')).execute(db)
        },
      },
    ]),
  )
}

/**
 * Brings the database to the newest schema, one instance at a time by kysely's lock; all pending files in one
 * transaction, so a crash leaves the old schema. A database that has them all and more is of a newer version, which keeps
 * what this one needs. While another connection, such as that of a dump, holds a lock that it needs, all of it is rolled
 * back and tried again; `say` gets a sentence at once and each minute. Throws with the name of the file that failed, or that has
 * been changed since it made this database: its schema would then not be what the statements expect.
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
    if (!known.isSupersetOf(files)) await rememberFiles(db, files)
    return []
  }
  const unknown = done.difference(files)
  if (unknown.size > 0)
    throw new Error(
      `The database has migrations of another version (${[...unknown].join(', ')}) and lacks some of this one ` +
        `(${[...missing].join(', ')}). Start the version that made it, or a newer one.`,
    )
  // a change that was begun earlier may land later, with a lower number
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => migrations(from) },
    allowUnorderedMigrations: true,
  })
  let sayAt = 0
  for (;;) {
    const { error, results } = await migrator.migrateToLatest()
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    if (!error) {
      await rememberFiles(db, files)
      return (results ?? []).map((result) => result.migrationName)
    }
    // without one it was not the schema that failed
    if (failed === undefined) throw error
    if ((error as { code?: unknown }).code !== lockNotAvailable)
      throw new Error(`Migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    if (performance.now() >= sayAt) {
      say(
        `migration ${failed} waits for a lock that another connection holds, such as that of a dump; it is tried again every 5 s`,
      )
      sayAt = performance.now() + sayAgainMs
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

/** The names of those that the database remembers. */
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

/** Names of those that this version does not know: a newer one has been here. */
export async function newerMigrations(db: Database): Promise<string[]> {
  return [...(await migrationsOf(db)).difference(await fingerprints(folder))].sort()
}

/** What has been done; kysely's own look reads the whole catalogue twice for that. */
async function migrationsOf(db: Database): Promise<Set<string>> {
  const table = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!table.rows[0]!.there) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Those of which nothing is known yet were done by this release, or by one that did not remember. */
async function rememberFiles(db: Database, files: Map<string, string>): Promise<void> {
  await sql`
    insert into migration_files (name, sha256)
    select name, sha256 from unnest(${[...files.keys()]}::text[], ${[...files.values()]}::text[]) as files (name, sha256)
    where name in (select name from kysely_migration)
    on conflict (name) do nothing`.execute(db)
}

/** True when no migration of this version is missing. */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = new Set(done.rows.map((row) => row.name))
  return Object.keys(await migrations(folder)).every((name) => names.has(name))
}
