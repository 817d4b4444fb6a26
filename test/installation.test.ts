import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { startApp } from '../src/app/start.ts'
import { openKeyring, WrongKey } from '../src/kit/server/keyring.ts'
import { aVisitor, get, goodPassword, logIn, mailTo, post, tokenIn } from './people.ts'
import { appForTest, type TestApp } from './start-app.ts'

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'rheinklang-keys-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A second instance on the same database, with a data folder of its own. */
async function anotherInstance(app: TestApp, env: Record<string, string> = {}) {
  const config = readConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder(),
      DATABASE_URL: app.databaseUrl,
      LOG_LEVEL: 'silent',
      DEMO_DATA: 'off',
      ...env,
    },
    process.cwd(),
  )
  const running = await startApp(config, { pages: null })
  onTestFinished(() => running.stop())
  return { ...running, url: running.address }
}

describe('the key of an installation', () => {
  it('is shared by all instances on a database: a session of one is known to the other, and ends on both', async () => {
    const one = await appForTest({ now: null })
    const two = await anotherInstance(one)
    const lena = await aVisitor(one)
    expect((await get(two, '/api/me', lena.authToken)).status).toBe(200)
    const pair = await post(two, '/api/auth/refresh', { refreshToken: lena.refreshToken })
    expect((await get(one, '/api/me', pair.body.authToken)).status).toBe(200)
    await post(two, '/api/auth/logout', undefined, { token: pair.body.authToken })
    expect((await get(one, '/api/me', pair.body.authToken)).status).toBe(401)
  })
  it('limits hold over all instances', async () => {
    const one = await appForTest({ now: null })
    const two = await anotherInstance(one)
    await aVisitor(one)
    const statuses: number[] = []
    for (let n = 0; n < 40; n++)
      statuses.push(
        (await post(n % 2 ? one : two, '/api/auth/login', { email: 'lena@example.org', password: `${n}` })).status,
      )
    expect(statuses.filter((status) => status === 401)).toHaveLength(25)
  })
  it('given as SECRET_KEY lies in no table, and an instance with another one is refused with a sentence', async () => {
    const key = 'a key of more than thirty-two letters'
    const app = await appForTest({ env: { SECRET_KEY: key } })
    const rows = await app.db.selectFrom('installation_keys').select('name').execute()
    expect(rows).toEqual([{ name: 'fingerprint' }])
    await expect(anotherInstance(app, { SECRET_KEY: 'another key of more than thirty letters' })).rejects.toThrow(
      'SECRET_KEY is not the key that this database was used with.',
    )
    await expect(anotherInstance(app)).rejects.toThrow('This database was used with a SECRET_KEY')
  })
  it('of the embedded database is a file that only its owner reads; another file is refused', async () => {
    const app = await appForTest()
    await app.db.deleteFrom('installation_keys').execute()
    const where = { secretKey: null, dataDir: folder(), embedded: true }
    const keyring = await openKeyring(app.db, where)
    const file = join(where.dataDir, 'secrets', 'key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([{ name: 'fingerprint' }])
    expect((await openKeyring(app.db, where)).mac('x', 'y')).toEqual(keyring.mac('x', 'y'))
    expect(readFileSync(file, 'utf8').trim()).toHaveLength(43)
    await expect(openKeyring(app.db, { ...where, dataDir: folder() })).rejects.toBeInstanceOf(WrongKey)
  })
  it('seals what only the same key, purpose and row open', async () => {
    const app = await appForTest()
    const keyring = await openKeyring(app.db, { secretKey: null, dataDir: folder(), embedded: false })
    const sealed = keyring.seal('second factor', 'row 1', 'JBSWY3DPEHPK3PXP')
    expect(sealed.toString('latin1')).not.toContain('JBSWY3DP')
    expect(keyring.open('second factor', 'row 1', sealed)).toBe('JBSWY3DPEHPK3PXP')
    expect(() => keyring.open('second factor', 'row 2', sealed)).toThrow()
    expect(() => keyring.open('something else', 'row 1', sealed)).toThrow()
    sealed[15]! ^= 1
    expect(() => keyring.open('second factor', 'row 1', sealed)).toThrow()
  })
})

describe('staff', () => {
  const staff = async (app: TestApp, ...args: string[]) => {
    const env = {
      ...process.env,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.dataDir,
      PUBLIC_URL: 'https://festival.example',
    }
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/app/staff.ts', ...args], { env })
      return { code: 0, out: stdout }
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string }
      return { code, out: stderr }
    }
  }
  it(
    'are made by a command, set a password by its link, and can do nothing but set up a second factor first',
    { timeout: 60_000 },
    async () => {
      const app = await appForTest({ now: null })
      expect((await staff(app, 'list')).out).toContain('No staff yet.')
      const added = await staff(app, 'add', 'crew@example.org', '--role', 'admin', '--name', 'Crew')
      expect(added).toMatchObject({ code: 0 })
      expect(added.out).toContain('crew@example.org is admin now, with a new account.')
      const mail = await mailTo(app, 'crew@example.org')
      expect(mail.subject).toBe('Your staff account')
      expect(mail.text).toContain('https://festival.example/reset-password?token=')
      expect(tokenIn({ text: added.out })).toBe(tokenIn(mail))
      expect((await post(app, '/api/auth/reset', { token: tokenIn(mail), password: goodPassword })).status).toBe(200)
      const crew = await logIn(app, '/api/auth/login', 'crew@example.org')
      expect(crew.userType).toBe('admin')
      expect((await get(app, '/api/me', crew.authToken)).body).toMatchObject({
        role: 'admin',
        must_set_second_factor: true,
      })
      expect((await staff(app, 'list')).out).toContain('crew@example.org  admin  (no second factor yet)')
      expect(await staff(app, 'remove', 'crew@example.org')).toMatchObject({ code: 0 })
      expect((await get(app, '/api/me', crew.authToken)).status).toBe(401)
      expect((await logIn(app, '/api/auth/login', 'crew@example.org')).userType).toBe('user')
    },
  )
  it(
    'an account of the address becomes staff only by the link: its password and sessions are gone',
    { timeout: 60_000 },
    async () => {
      const app = await appForTest({ now: null })
      const visitor = await aVisitor(app, 'maybe.crew@example.org')
      expect((await staff(app, 'add', 'Maybe.Crew@example.org')).out).toContain(
        'is moderator now; its old password is gone.',
      )
      expect((await get(app, '/api/me', visitor.authToken)).status).toBe(401)
      expect((await post(app, '/api/auth/login', { email: visitor.email, password: goodPassword })).status).toBe(401)
    },
  )
  it.each([
    [['add', 'nobody']],
    [['add']],
    [['promote', 'a@b.ch']],
    [['add', 'a@b.ch', '--role', 'king']],
    [['remove', 'nobody@example.org']],
  ])('%j is refused with a sentence', { timeout: 60_000 }, async (args) => {
    const app = await appForTest()
    const { code, out } = await staff(app, ...args)
    expect(code).toBe(2)
    expect(out).not.toMatch(/ at .*\.ts:\d/)
  })
})

describe('the demo', () => {
  it(
    'has a visitor and a merchant with a random password of the data folder, and no staff',
    { timeout: 60_000 },
    async () => {
      const first = await appForTest({ demo: true, now: null, env: { DEMO_DATA: 'on' } })
      const second = await appForTest({ demo: true, now: null, env: { DEMO_DATA: 'on' } })
      expect(first.demoLogins.map(({ page }) => page)).toEqual(['/userlogin', '/business-login'])
      expect(first.demoLogins[0]!.password).not.toBe(second.demoLogins[0]!.password)
      const [visitor, merchant] = first.demoLogins as [(typeof first.demoLogins)[0], (typeof first.demoLogins)[0]]
      expect((await logIn(first, '/api/auth/login', visitor.email, visitor.password)).userType).toBe('user')
      const owner = await logIn(first, '/api/business/login', merchant.email, merchant.password)
      expect((await get(first, `/api/business/${owner.businessId}`, owner.authToken)).body.email).toBeTruthy()
      const roles = await first.db.selectFrom('accounts').select('role').orderBy('role').execute()
      expect(roles).toEqual([{ role: 'business' }, { role: 'user' }])
    },
  )
})
