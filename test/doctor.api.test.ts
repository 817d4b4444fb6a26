import { once } from 'node:events'
import { stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { sql as onDatabase } from './databases.ts'
import { askDoctor } from './doctor.ts'
import { aVisitor } from './people.ts'
import { appForTest } from './start-app.ts'

it('the doctor looks for the online map without showing its key, tells why a bucket is not reached, that payments are not real, and names a misspelt setting', async () => {
  const app = await appForTest()
  const tiles = createServer(
    ({ url }, answer) => void answer.writeHead(url!.startsWith('/style') ? 200 : 404).end('{}'),
  )
  await once(tiles.listen(0, '127.0.0.1'), 'listening')
  const at = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`
  const closed = once(tiles, 'close')
  onTestFinished(() => void tiles.close())
  const own = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
  const said = await askDoctor({ ...own, MAP_STYLE_URL: `${at}/style?key=a-secret-key`, SMPT_URL: 'smtp://x' })
  expect(said).toContain(`✓ Online map of ${at}: its style is there`)
  expect(said).not.toContain('a-secret-key')
  expect(said).toContain('✗ SMPT_URL is not a setting and has no effect. Did you mean SMTP_URL?')
  expect(await askDoctor({ ...own, MAP_STYLE_URL: `${at}/none` })).toContain(`✗ Online map of ${at}: answers 404`)
  tiles.close()
  await closed
  const S3 = { S3_ENDPOINT: at, S3_BUCKET: 'uploads', S3_ACCESS_KEY_ID: 'xxxxxxxx', S3_SECRET_ACCESS_KEY: 'yyyyyyyy' }
  const test = await askDoctor({ ...own, PAYMENTS: 'test', PUBLIC_URL: 'https://deals.example.ch' })
  expect(test).toContain('· Payments are those of the test provider: merchants pay nothing')
  expect(await askDoctor({ ...own, ...S3 })).toMatch(/✗ Bucket uploads at \S+: .*ECONNREFUSED/)
})

it('the doctor names a data folder that cannot be used once, also where the database would be in it', async () => {
  const file = fileURLToPath(import.meta.url)
  const said = await askDoctor({ DATA_DIR: join(file, 'data'), DATABASE_URL: '', DATABASE_DIRECT_URL: '' })
  expect(said.match(/^✗ .*$/gm)).toEqual([
    expect.stringContaining(`✗ The data folder "${join(file, 'data')}" cannot be used`),
  ])
  expect(said).toContain('· The database in it was not looked at')
  expect(said).toMatch(/\n1 thing to mend\.\n$/)
})

it('the doctor names all that a public site is not ready for, and nothing once it is', async () => {
  const app = await appForTest({ now: null })
  const own = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, PUBLIC_URL: 'https://deals.example.ch' }
  const notReady = async (env: Record<string, string>) =>
    (await askDoctor({ ...own, ...env })).match(/(?<=^✗ Not ready for the public: )[^:.]+/gm)
  expect(await notReady({})).toEqual([
    'No mail leaves',
    'TRUST_PROXY is off, and https needs a proxy',
    'There is no staff',
    'The festival has no days',
    'No backup is noted',
  ])
  const note = join(app.dataDir, 'last-backup')
  await writeFile(note, '')
  // the clock of the doctor, which is another process
  const { mtimeMs: now } = await stat(note)
  const hours = (ago: number) => new Date(now - ago * 3_600_000)
  await utimes(note, hours(75), hours(75))
  await sql`update accounts set role = 'admin' where email = ${(await aVisitor(app)).email}`.execute(app.db)
  const set = {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'hello@example.ch',
    TRUST_PROXY: 'on',
    FESTIVAL_START: '2026-06-19',
    FESTIVAL_END: '2026-06-21',
  }
  expect(await notReady(set)).toEqual(['The last noted backup is 3 days old'])
  await utimes(note, hours(20), hours(20))
  expect(await askDoctor({ ...own, ...set })).toContain('✓ Ready for the public')
  expect(await askDoctor({ ...own, PUBLIC_URL: '' })).toContain('what a public site needs was not looked at')
})

it('the doctor tries what a start does to the database and leaves it as it was; beside an instance it does not', async () => {
  const app = await appForTest({ now: null })
  const own = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
  expect(await askDoctor(own)).toContain('was not tried, as an instance runs at it')
  await app.stop()
  const filled = () => onDatabase(app.databaseUrl, 'select room from demo_parts')
  const fine = await askDoctor({ ...own, DEMO_DATA: 'on' })
  expect(fine).toContain('✓ What a start does to the database was tried, and rolled back')
  expect((await filled()).rows).toEqual([])
  // so a start would run a migration on a schema that has it
  await onDatabase(app.databaseUrl, "delete from kysely_migration where name = '0020_favorites'")
  const broken = await askDoctor(own)
  expect(broken).toContain('✗ A start would fail: Migration 0020_favorites failed: relation "favorites" already exists')
})
