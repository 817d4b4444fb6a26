import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { waitingForLocks } from '../../../test/locks.ts'
import { appForTest } from '../../../test/start-app.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const migrations = new URL('../../../migrations/', import.meta.url)
const files = readdirSync(migrations).filter((file) => file.endsWith('.sql'))

it('a database stores a fingerprint of each migration, and no migration runs twice', async () => {
  const { db } = await appForTest()
  expect(await migrate(db)).toEqual([])
  const { rows } = await sql<{ name: string }>`select name from migration_files order by name`.execute(db)
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
})

it('a migration that has changed since it ran is refused with its name', async () => {
  const { db } = await appForTest()
  await sql`update migration_files set sha256 = 'another' where name = '0014_deals'`.execute(db)
  await expect(migrate(db)).rejects.toThrow('made by another version of migrations/0014_deals.sql')
})

it('a database of a newer release is left unchanged', async () => {
  const { db } = await appForTest()
  await sql`delete from migration_files where name = '0014_deals'`.execute(db)
  await sql`insert into migration_files values ('9999_from_the_future', 'unknown')`.execute(db)
  expect(await migrate(db)).toEqual([])
  const { rows } = await sql`select 1 from migration_files where name = '0014_deals'`.execute(db)
  expect(rows).toHaveLength(1)
})

it('a database of another version that lacks a migration is refused with the names of both', async () => {
  const { db } = await appForTest()
  await sql`delete from kysely_migration where name = '0012_places'`.execute(db)
  await sql`insert into kysely_migration values ('9999_from_the_future', '2027-01-01')`.execute(db)
  await expect(migrate(db)).rejects.toThrow(
    'has migrations of another version (9999_from_the_future) and lacks some of this one (0012_places)',
  )
})

it('a database from before 1.0 is refused with a sentence that says what to do', async () => {
  const { db } = await appForTest()
  await sql`insert into kysely_migration values ('0004_deals', '2026-11-01')`.execute(db)
  await expect(migrate(db)).rejects.toThrow('made before version 1.0.0')
  await expect(migrate(db)).rejects.toThrow('Start with an empty data folder')
})

it('a migration that waits for a lock lets reads pass, logs what it waits for, and goes on later', async () => {
  const app = await appForTest()
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(migrations, folder, { recursive: true })
  writeFileSync(join(folder, '9999_sizes.sql'), 'alter table event_changes add column shoe_size int;')
  // the lock of a dump
  const dump = await connected(app.databaseUrl)
  await dump.query('begin; lock table event_changes in access share mode')
  const said: string[] = []
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  onTestFinished(() => db.destroy())
  const migrating = migrate(db, (line) => said.push(line), pathToFileURL(`${folder}/`))
  await waitingForLocks(app, 1)
  const reader = await connected(app.databaseUrl)
  await reader.query("set statement_timeout = '3s'")
  for (let read = 0; read < 3; read++) await reader.query('select from event_changes limit 1')
  await dump.query('commit')
  expect(await migrating).toEqual(['9999_sizes'])
  await reader.query('select shoe_size from event_changes limit 1')
  expect(said).toEqual([expect.stringContaining('migration 9999_sizes waits for a lock')])
})

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
