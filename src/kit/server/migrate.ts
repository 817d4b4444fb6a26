import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './database.ts'

const folder = new URL('../../../migrations/', import.meta.url)

/** The migrations in their order: name without `.sql` -> file. */
async function migrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.sql$/, ''),
      {
        async up(db) {
          // one simple-protocol query, so a file may hold many statements
          await sql.raw(await readFile(new URL(file, folder), 'utf8')).execute(db)
        },
      },
    ]),
  )
}

/**
 * Brings the database to the newest schema, one instance at a time by kysely's lock; all pending files in one
 * transaction, so a crash leaves the old schema. Throws with the name of the file that failed.
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  return (results ?? []).map((result) => result.migrationName)
}

/** True when no migration of this version is missing. */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = new Set(done.rows.map((row) => row.name))
  return Object.keys(await migrations()).every((name) => names.has(name))
}
