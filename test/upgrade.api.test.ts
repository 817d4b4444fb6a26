import { readdirSync, readFileSync } from 'node:fs'
import { sql as statement } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { openDatabase } from '../src/kit/server/database.ts'
import { hashSecret } from '../src/kit/server/secret-hash.ts'
import { databaseUrl, dropDatabase, sql } from './databases.ts'
import { askDoctor } from './doctor.ts'
import { goodPassword, logIn } from './people.ts'
import { schemaOf, whatBreaks, type Schema } from './schema-changes.ts'
import { anotherInstance, api, appForTest } from './start-app.ts'

/**
 * While instances are restarted one after the other, the code of the previous release runs on the schema of this one.
 */

const released = () =>
  readFileSync('migrations/released.txt', 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .sort()

/** Breaking changes that are allowed, and why they do no harm. */
const known: Record<string, string> = {}

describe('the previous release, on the schema of this one', () => {
  const { admin } = inject('postgres')
  const name = `rk_before_${process.pid}_${Date.now().toString(36)}`
  const url = databaseUrl(admin, name)
  let client: pg.Client
  let before: Schema

  beforeAll(async () => {
    await sql(admin, `create database ${name} encoding 'UTF8' template template0`)
    client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
    await client.connect()
    for (const migration of released()) await client.query(readFileSync(`migrations/${migration}.sql`, 'utf8'))
    before = await schemaOf(client)
    expect(before.columns.size).toBeGreaterThan(300)
    const newer = readdirSync('migrations').filter(
      (file) => file.endsWith('.sql') && !released().includes(file.slice(0, -4)),
    )
    await client.query('begin')
    for (const file of newer.sort()) await client.query(readFileSync(`migrations/${file}`, 'utf8'))
  })
  afterAll(async () => {
    await client.end()
    await dropDatabase(admin, name)
  })

  it('finds everything that it needs: a schema first adds, and only the next release removes', async () => {
    expect(whatBreaks(before, await schemaOf(client))).toEqual(Object.keys(known).sort())
  })

  it.each([
    ['drop table favorites', 'favorites is gone'],
    ['alter table deals drop column deal_name cascade', 'deals.deal_name is gone'],
    ['alter table contact_messages rename column topic to subject', 'contact_messages.topic is gone'],
    [
      'alter table contact_messages alter column topic type varchar(40)',
      'contact_messages.topic was text and is character varying(40)',
    ],
    ['alter table businesses alter column logo_url set not null', 'businesses.logo_url may no longer be empty'],
    ['alter table live_events alter column xid drop default', 'live_events.xid is no longer filled by itself'],
    [
      'alter table contact_messages add column shoe_size int not null',
      'contact_messages.shoe_size is new and must be given',
    ],
    [
      'alter table contact_messages add check (length(name) < 10)',
      'contact_messages demands CHECK ((length(name) < 10))',
    ],
    [
      'create unique index on contact_messages (name)',
      'contact_messages demands UNIQUE INDEX ON public.contact_messages USING btree (name)',
    ],
    ['create table fans (account_id uuid references accounts)', 'fans keeps rows of accounts from being deleted'],
  ])('would break by: %s', async (change, sentence) => {
    await client.query('savepoint change')
    await client.query('set constraints all immediate')
    await client.query(change)
    const breaks = whatBreaks(before, await schemaOf(client))
    await client.query('rollback to change')
    expect(breaks).toContain(sentence)
  })

  it.each([
    'alter table contact_messages add column shoe_size int, add check (shoe_size > 0)',
    'alter table contact_messages add column shoe_size int not null default 40',
    'create table fans (account_id uuid primary key references accounts on delete cascade)',
    'create index on contact_messages (name)',
  ])('still works after: %s', async (change) => {
    await client.query('savepoint change')
    await client.query(change)
    const breaks = whatBreaks(before, await schemaOf(client))
    await client.query('rollback to change')
    expect(breaks).toEqual(Object.keys(known).sort())
  })
})

it('an instance works on the schema of a newer version, logs that, and leaves unknown jobs to the newer version', async () => {
  const app = await appForTest({ now: null })
  await statement`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2027-01-01')`.execute(
    app.db,
  )
  await statement`insert into migration_files (name, sha256) values ('9999_from_the_future', 'unknown')`.execute(app.db)
  await statement`alter table contact_messages add column shoe_size int not null default 40`.execute(app.db)
  await statement`select jobs.create_queue('from-the-future', '{"policy": "standard"}'::jsonb)`.execute(app.db)
  await statement`insert into jobs.job (name, data, created_on) values ('from-the-future', '{}', now() - interval '1 hour')`.execute(
    app.db,
  )
  const log: string[] = []
  const older = await anotherInstance(app, {}, log)
  expect(log.join('\n')).toContain('a newer version has been at this database (9999_from_the_future)')
  expect((await api(older, '/readyz')).status).toBe(200)
  const written = await api(older, '/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Lena', email: 'lena@example.org', topic: 'visitor', message: 'Lost and found?' }),
  })
  expect(written.status).toBe(201)
  // its workers have run, and skipped the other job
  await vi.waitFor(async () => {
    const { rows } = await statement<{ name: string }>`select name from jobs.job where state = 'completed'`.execute(
      app.db,
    )
    expect(rows.length).toBeGreaterThan(0)
  }, 90_000)
  const { rows } = await statement`select state::text from jobs.job where name = 'from-the-future'`.execute(app.db)
  expect(rows).toEqual([{ state: 'created' }])
})

describe('a filled database of the previous release', () => {
  const { admin } = inject('postgres')
  const name = `rk_filled_${process.pid}_${Date.now().toString(36)}`
  const url = databaseUrl(admin, name)
  const merchant = '0190a000-0000-7000-8000-000000000001'

  beforeAll(async () => {
    await sql(admin, `create database ${name} encoding 'UTF8' template template0`)
    const { db } = openDatabase({ connectionString: url }, { patient: true })
    const files = released().map((file) => {
      const text = readFileSync(`migrations/${file}.sql`, 'utf8')
      const up: Migration['up'] = async (trx) => void (await statement.raw(text).execute(trx))
      return [file, { up }] as const
    })
    const provider = { getMigrations: async () => Object.fromEntries(files) }
    expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined()
    await statement`
      insert into businesses (business_id, business_name, slug, category, created_at, updated_at)
      values (${merchant}, 'Café Rhein', 'cafe-rhein', 'food', now(), now())`.execute(db)
    await statement`
      insert into deals (deal_id, business_id, deal_name, created_at, updated_at)
      values (gen_random_uuid(), ${merchant}, 'A deal of the release before', now(), now())`.execute(db)
    await statement`
      insert into events (event_id, title, starts_at, ends_at, over_at, festival_day, created_at, updated_at)
      select gen_random_uuid(), title, '2026-06-20T18:00Z', ends_at, ends_at, '2026-06-20', now(), now()
      from (values ('Concert', timestamptz '2026-06-20T20:00Z'), ('Camp', '2026-06-22T04:00Z')) e (title, ends_at)`.execute(
      db,
    )
    await statement`
      insert into accounts (account_id, kind, role, email, email_folded, display_name, language, password_hash, created_at)
      values (gen_random_uuid(), 'user', 'user', 'lena@example.org', 'lena@example.org', 'Lena', 'en',
        ${await hashSecret(goodPassword)}, now())`.execute(db)
    await db.destroy()
  })
  afterAll(() => dropDatabase(admin, name))

  it('is migrated at a start, which the doctor announces, and keeps its people, deals and events', async () => {
    expect(await askDoctor({ DATABASE_URL: url })).toContain(
      '✓ What a start does to the database was tried, and rolled back',
    )
    for (let start = 0; start < 2; start++) {
      const app = await anotherInstance({ databaseUrl: url })
      expect((await api(app, '/readyz')).status).toBe(200)
      await logIn(app, '/api/auth/login', 'lena@example.org')
      expect((await api(app, '/api/deals')).text).toContain('A deal of the release before')
      const listed = (await api(app, '/api/events?day_from=2026-06-20')).body as { title: string; last_day: string }[]
      expect(listed.map(({ title, last_day }) => `${title} until ${last_day}`).toSorted()).toEqual([
        'Camp until 2026-06-21',
        'Concert until 2026-06-20',
      ])
      await app.stop()
    }
  })
})
