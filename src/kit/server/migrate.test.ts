import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { waitingForLocks } from '../../../test/locks.ts'
import { appForTest } from '../../../test/start-app.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const files = readdirSync(new URL('../../../migrations/', import.meta.url)).filter((file) => file.endsWith('.sql'))

it('a database remembers what each migration was like, and nothing is done twice', async () => {
  const { db } = await appForTest()
  expect(await migrate(db)).toEqual([])
  const { rows } = await sql<{ name: string }>`select name from migration_files order by name`.execute(db)
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
})

it('a migration that has been changed since it made the database is refused with its name', async () => {
  const { db } = await appForTest()
  await sql`update migration_files set sha256 = 'another' where name = '0004_deals'`.execute(db)
  await expect(migrate(db)).rejects.toThrow('made by another version of migrations/0004_deals.sql')
})

it('a database of a release before this memory, or of one that is newer, is left in peace', async () => {
  const { db } = await appForTest()
  await sql`delete from migration_files where name = '0004_deals'`.execute(db)
  await sql`insert into migration_files values ('9999_from_the_future', 'unknown')`.execute(db)
  expect(await migrate(db)).toEqual([])
  const { rows } = await sql`select 1 from migration_files where name = '0004_deals'`.execute(db)
  expect(rows).toHaveLength(1)
})

it('a database of another version that lacks a migration of this one is refused with both names', async () => {
  const { db } = await appForTest()
  await sql`delete from kysely_migration where name = '0096_suspended_businesses'`.execute(db)
  await sql`insert into kysely_migration values ('9999_from_the_future', '2027-01-01')`.execute(db)
  await expect(migrate(db)).rejects.toThrow(
    'has migrations of another version (9999_from_the_future) and lacks some of this one (0096_suspended_businesses)',
  )
})

it('a migration whose lock another session holds gives way to reads, says what it waits for, and goes on after', async () => {
  const app = await appForTest()
  await sql`alter table event_changes drop column sequence`.execute(app.db)
  await sql`alter table schedule_event_changes drop column first_sequence`.execute(app.db)
  await sql`delete from kysely_migration where name = '0199_sequences_of_changes'`.execute(app.db)
  // as a dump does
  const dump = await connected(app.databaseUrl)
  await dump.query('begin; lock table event_changes in access share mode')
  const said: string[] = []
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  onTestFinished(() => db.destroy())
  const migrating = migrate(db, (line) => said.push(line))
  await waitingForLocks(app, 1)
  const reader = await connected(app.databaseUrl)
  await reader.query("set statement_timeout = '3s'")
  for (let read = 0; read < 3; read++) await reader.query('select from event_changes limit 1')
  await dump.query('commit')
  expect(await migrating).toEqual(['0199_sequences_of_changes'])
  await reader.query('select sequence from event_changes limit 1')
  expect(said).toEqual([expect.stringContaining('migration 0199_sequences_of_changes waits for a lock')])
})

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
