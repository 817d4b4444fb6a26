import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { askDoctor } from './doctor.ts'
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
