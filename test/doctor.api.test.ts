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

it('the doctor checks the online map without printing its key, and names unreachable buckets, test payments and misspelt settings', async () => {
  const app = await appForTest()
  const tiles = createServer(
    ({ url }, answer) => void answer.writeHead(url!.startsWith('/style') ? 200 : 404).end('{}'),
  )
  await once(tiles.listen(0, '127.0.0.1'), 'listening')
  const at = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`
  const closed = once(tiles, 'close')
  onTestFinished(() => void tiles.close())
  const own = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
  const output = await askDoctor({ ...own, MAP_STYLE_URL: `${at}/style?key=a-secret-key`, SMPT_URL: 'smtp://x' })
  expect(output).toContain(`✓ Online map of ${at}: its style is there`)
  expect(output).not.toContain('a-secret-key')
  expect(output).toContain('✗ SMPT_URL is not a setting and has no effect. Did you mean SMTP_URL?')
  expect(await askDoctor({ ...own, MAP_STYLE_URL: `${at}/none` })).toContain(`✗ Online map of ${at}: answers 404`)
  tiles.close()
  await closed
  const S3 = { S3_ENDPOINT: at, S3_BUCKET: 'uploads', S3_ACCESS_KEY_ID: 'xxxxxxxx', S3_SECRET_ACCESS_KEY: 'yyyyyyyy' }
  const test = await askDoctor({ ...own, PAYMENTS: 'test', PUBLIC_URL: 'https://deals.example.ch' })
  expect(test).toContain('· Payments are those of the test provider: merchants pay nothing')
  expect(await askDoctor({ ...own, ...S3 })).toMatch(/✗ Bucket uploads at \S+: .*ECONNREFUSED/)
})

it('the doctor names an unusable data folder once, also where it should hold the database', async () => {
  const file = fileURLToPath(import.meta.url)
  const output = await askDoctor({ DATA_DIR: join(file, 'data'), DATABASE_URL: '', DATABASE_DIRECT_URL: '' })
  expect(output.match(/^✗ .*$/gm)).toEqual([
    expect.stringContaining(`✗ The data folder "${join(file, 'data')}" cannot be used`),
  ])
  expect(output).toContain('· The database in it was not looked at')
  expect(output).toMatch(/\n1 thing to mend\.\n$/)
})

it('the doctor names everything that a public site still needs, and nothing when it is ready', async () => {
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
  // the doctor runs in another process, with its own clock
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

it('the doctor tries the changes of a start and rolls them back, but not beside a running instance', async () => {
  const app = await appForTest({ now: null })
  const own = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
  expect(await askDoctor(own)).toContain('was not tried, as an instance runs at it')
  await app.stop()
  const filled = () => onDatabase(app.databaseUrl, 'select room from demo_parts')
  const fine = await askDoctor({ ...own, DEMO_DATA: 'on' })
  expect(fine).toContain('✓ What a start does to the database was tried, and rolled back')
  expect((await filled()).rows).toEqual([])
  // so that a start would repeat a migration on a schema that already has it
  await onDatabase(app.databaseUrl, "delete from kysely_migration where name = '0020_favorites'")
  const broken = await askDoctor(own)
  expect(broken).toContain('✗ A start would fail: Migration 0020_favorites failed: relation "favorites" already exists')
})
