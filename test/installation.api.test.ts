import { execFile } from 'node:child_process'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeLink, tokenOfMade } from '../src/accounts/server/accounts.ts'
import { writeWhole } from '../src/kit/server/data-folder.ts'
import { faultOfSecret, openKeyring, WrongKey } from '../src/kit/server/keyring.ts'
import {
  aMerchant,
  aVisitor,
  get,
  goodPassword,
  logIn,
  mailTo,
  post,
  signUpBusiness,
  tokenIn,
  visitorForm,
} from './people.ts'
import { aModerator, switchOnSecondFactor } from './staff.ts'
import { anotherInstance, appForTest, type TestApp } from './start-app.ts'

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'rheinklang-keys-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const nothingSealed = async () => {}

describe('the key of an installation', () => {
  it('is shared by all instances of a database: a session is valid on both, and ends on both', async () => {
    const one = await appForTest({ now: null })
    const two = await anotherInstance(one)
    const lena = await aVisitor(one)
    expect((await get(two, '/api/me', lena.authToken)).status).toBe(200)
    const pair = await post(two, '/api/auth/refresh', { refreshToken: lena.refreshToken })
    expect((await get(one, '/api/me', pair.body.authToken)).status).toBe(200)
    await post(two, '/api/auth/logout', undefined, { token: pair.body.authToken })
    expect((await get(one, '/api/me', pair.body.authToken)).status).toBe(401)
  })
  it('belongs to limits that hold for all instances together', async () => {
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
  it('is stored in no table if given as SECRET_KEY, and an instance with another key is refused with a sentence', async () => {
    const key = 'a key of more than thirty-two letters'
    const app = await appForTest({ env: { SECRET_KEY: key } })
    const rows = await app.db.selectFrom('installation_keys').select('name').execute()
    expect(rows).toEqual([{ name: 'fingerprint' }])
    await expect(anotherInstance(app, { SECRET_KEY: 'another key of more than thirty letters' })).rejects.toThrow(
      'SECRET_KEY is not the key that this database was used with.',
    )
    await expect(anotherInstance(app)).rejects.toThrow('This database was used with a SECRET_KEY')
    // the refused instance leaves nothing behind
    expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([{ name: 'fingerprint' }])
  })
  it('is a file that only its owner can read with the embedded database, and another file is refused', async () => {
    const app = await appForTest()
    await app.db.deleteFrom('installation_keys').execute()
    const where = { secretKey: null, oldSecretKey: null, dataDir: folder(), embedded: true }
    expect(await faultOfSecret(app.db, where)).toBeNull()
    const keyring = await openKeyring(app.db, where, nothingSealed)
    expect(await faultOfSecret(app.db, where)).toBeNull()
    const file = join(where.dataDir, 'secrets', 'key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([{ name: 'fingerprint' }])
    expect((await openKeyring(app.db, where, nothingSealed)).mac('x', 'y')).toEqual(keyring.mac('x', 'y'))
    expect(readFileSync(file, 'utf8').trim()).toHaveLength(43)
    const another = { ...where, dataDir: folder() }
    // the doctor says the same, and writes nothing
    expect(await faultOfSecret(app.db, another)).toMatch(/^The key in .* is missing or not the one/)
    await expect(openKeyring(app.db, another, nothingSealed)).rejects.toBeInstanceOf(WrongKey)
    expect(readdirSync(another.dataDir)).toEqual([])
    const made = randomBytes(32).toString('base64url')
    await writeWhole(join(another.dataDir, 'secrets', 'key'), made)
    await expect(openKeyring(app.db, another, nothingSealed)).rejects.toBeInstanceOf(WrongKey)
    expect(readFileSync(join(another.dataDir, 'secrets', 'key'), 'utf8')).toBe(made)
  })
  it('is refused if its file is empty or truncated, and an old one is ignored beside a newer one', async () => {
    const app = await appForTest()
    await app.db.deleteFrom('installation_keys').execute()
    const where = { secretKey: null, oldSecretKey: null, dataDir: folder(), embedded: true }
    const file = join(where.dataDir, 'secrets', 'key')
    for (const cutOff of ['', 'c2hvcnQ']) {
      await writeWhole(file, cutOff)
      await expect(openKeyring(app.db, where, nothingSealed)).rejects.toThrow(`${file} is empty or cut off`)
      expect(await faultOfSecret(app.db, where)).toContain('is empty or cut off')
    }
    expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([])
    rmSync(file)
    await openKeyring(app.db, where, nothingSealed)
    await writeWhole(`${file}.old`, '')
    expect((await openKeyring(app.db, where, nothingSealed)).macs('x', 'y')).toHaveLength(1)
    rmSync(file)
    await expect(openKeyring(app.db, where, nothingSealed)).rejects.toThrow(`${file}.old is empty or cut off`)
    // a short key that is in use stays valid until it is replaced
    rmSync(`${file}.old`)
    await app.db.deleteFrom('installation_keys').execute()
    const used = createHmac(
      'sha256',
      Buffer.from(hkdfSync('sha256', Buffer.from('short'), 'rheinklang', 'fingerprint', 32)),
    )
    const value = used.update('rheinklang').digest()
    await app.db.insertInto('installation_keys').values({ name: 'fingerprint', value }).execute()
    await writeWhole(file, 'c2hvcnQ')
    const short = await openKeyring(app.db, where, nothingSealed)
    renameSync(file, `${file}.old`)
    const changed = await openKeyring(app.db, where, nothingSealed)
    expect(changed.macs('x', 'y')).toContainEqual(short.mac('x', 'y'))
    const again = await openKeyring(app.db, where, nothingSealed)
    expect([await faultOfSecret(app.db, where), again.macs('x', 'y')]).toEqual([null, [changed.mac('x', 'y')]])
  })
  it('opens sealed values only with the same key, purpose and row', async () => {
    const app = await appForTest()
    const where = { secretKey: null, oldSecretKey: null, dataDir: folder(), embedded: false }
    const keyring = await openKeyring(app.db, where, nothingSealed)
    const sealed = keyring.seal('second factor', 'row 1', 'JBSWY3DPEHPK3PXP')
    expect(sealed.toString('latin1')).not.toContain('JBSWY3DP')
    expect(keyring.open('second factor', 'row 1', sealed)).toBe('JBSWY3DPEHPK3PXP')
    expect(() => keyring.open('second factor', 'row 2', sealed)).toThrow()
    expect(() => keyring.open('something else', 'row 1', sealed)).toThrow()
    sealed[15]! ^= 1
    expect(() => keyring.open('second factor', 'row 1', sealed)).toThrow()
  })
})

describe('a changed secret', () => {
  const oldKey = 'the secret of the first summer, long enough'
  const newKey = 'the secret of the second summer, long enough'
  const changed = { SECRET_KEY: newKey, SECRET_KEY_OLD: oldKey }

  /** Lena with a second factor and the newsletter, on an instance with the first secret. */
  async function firstSummer() {
    const app = await appForTest({ now: null, env: { SECRET_KEY: oldKey } })
    const lena = await aVisitor(app)
    const { body: setup } = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: lena.authToken })
    const app2fa = new TOTP({ secret: Secret.fromBase32(setup.secret) })
    const enabled = await post(app, '/api/me/2fa/enable', { totp: app2fa.generate() }, { token: lena.authToken })
    await post(app, '/api/newsletter', { email: lena.email })
    const newsletter = await mailTo(app, lena.email, 'Confirm your newsletter subscription')
    return { app, lena, app2fa, codes: enabled.body.recovery_codes as string[], newsletter }
  }
  const login = (app: { url: string }, email: string, totp: string) =>
    post(app, '/api/auth/login', { email, password: goodPassword, totp })

  it('accepts what the old secret has signed until it expires', async () => {
    const { app, lena, codes, newsletter } = await firstSummer()
    const used = lena.refreshToken
    const pair = await post(app, '/api/auth/refresh', { refreshToken: used })
    const { body: challenge } = await get(app, '/api/auth/challenge')
    const next = await anotherInstance(app, { ...changed, SIGNUP_CHALLENGE: 'always' })
    // tokens, a second tab that is some seconds late, a human check under way, a mailed link, a recovery code
    expect((await get(next, '/api/me', lena.authToken)).status).toBe(200)
    expect((await post(next, '/api/auth/refresh', { refreshToken: used })).body.refreshToken).toBe(
      pair.body.refreshToken,
    )
    const solution = await solveChallenge({ challenge, deriveKey })
    const altcha = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    expect((await post(next, '/api/auth/signup', visitorForm('noah@example.org', { altcha }))).status).toBe(201)
    expect((await post(next, '/api/newsletter/confirm', { token: tokenIn(newsletter) })).status).toBe(204)
    expect((await login(next, lena.email, codes[0]!)).status).toBe(200)
    const out = new URL(newsletter.headers['List-Unsubscribe']!.slice(1, -1))
    expect((await post(next, `/api/newsletter/unsubscribe${out.search}`)).status).toBe(204)
    // new tokens are signed with the new secret: the instance that has only the old one refuses them
    const fresh = await post(next, '/api/auth/refresh', { refreshToken: pair.body.refreshToken })
    expect((await get(next, '/api/me', fresh.body.authToken)).status).toBe(200)
    expect((await get(app, '/api/me', fresh.body.authToken)).status).toBe(401)
  })
  it('keeps second factors, recovery codes and logins after the old secret is removed', async () => {
    const { app, lena, app2fa, codes } = await firstSummer()
    await (await anotherInstance(app, changed)).stop()
    const alone = await anotherInstance(app, { SECRET_KEY: newKey })
    expect((await get(alone, '/api/me', lena.authToken)).status).toBe(401)
    expect((await post(alone, '/api/auth/refresh', { refreshToken: lena.refreshToken })).status).toBe(200)
    expect((await login(alone, lena.email, codes[0]!)).status).toBe(200)
    const inAMoment = app2fa.generate({ timestamp: Date.now() + 30_000 })
    expect((await login(alone, lena.email, inAMoment)).status).toBe(200)
    await expect(anotherInstance(app, { SECRET_KEY: oldKey })).rejects.toThrow('SECRET_KEY is not the key')
  })
  it('loses no mail and breaks no login on an instance that has only the old secret', async () => {
    const { app, lena, codes } = await firstSummer()
    const place = { secretKey: oldKey, oldSecretKey: null, dataDir: folder(), embedded: false }
    const before = await openKeyring(app.db, place, nothingSealed)
    const next = await anotherInstance(app, changed)
    // the second factor is already sealed with the new secret
    const waits = await login(app, lena.email, codes[0]!)
    expect(waits).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(waits.headers.get('retry-after')).toBe('2')
    expect((await login(next, lena.email, codes[0]!)).status).toBe(200)
    // the new instance creates the link, and the old one sends the mail
    const now = await openKeyring(app.db, { ...place, secretKey: newKey, oldSecretKey: oldKey }, nothingSealed)
    const clock = { now: () => Temporal.Now.instant() }
    const { account_id: accountId } = (await get(app, '/api/me', lena.authToken)).body
    const linkId = await makeLink({ clock, keyring: now }, app.db, { purpose: 'verify', accountId })
    const token = await tokenOfMade(before, app.db, linkId)
    expect((await post(next, '/api/auth/verify', { token })).status).toBe(200)
    expect(await tokenOfMade(before, app.db, linkId)).toBeNull()
  })
  it('replaces the secret in the database, which is deleted', async () => {
    const app = await appForTest({ now: null })
    const lena = await aVisitor(app)
    const { body: setup } = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: lena.authToken })
    const next = await anotherInstance(app, { SECRET_KEY: newKey })
    expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([{ name: 'fingerprint' }])
    // dumps contain the old secret: its signatures are refused, but nobody has to log in again
    expect((await get(next, '/api/me', lena.authToken)).status).toBe(401)
    const pair = await post(next, '/api/auth/refresh', { refreshToken: lena.refreshToken })
    const totp = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate()
    expect((await post(next, '/api/me/2fa/enable', { totp }, { token: pair.body.authToken })).status).toBe(200)
  })
  const commands = [['staff.ts', 'add', 'crew@example.org'], ['restore-deletions.ts'], ['payments-check.ts']]
  it.each(commands)(
    'may reach a command (%s) before the first restart: the next start finds all that was sealed',
    async (...command) => {
      const app = await appForTest({ now: null })
      const pushKey = async () => (await app.db.selectFrom('push_keys').select('public_key').execute())[0]!.public_key
      const before = await pushKey()
      const [file, ...args] = command
      const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, SECRET_KEY: newKey, PAYMENTS: 'test' }
      const env = { ...process.env, ...settings }
      await promisify(execFile)(process.execPath, [`src/app/${file}`, ...args], { env })
      expect(await app.db.selectFrom('installation_keys').select('name').execute()).toEqual([{ name: 'fingerprint' }])
      await anotherInstance(app, { SECRET_KEY: newKey })
      expect(await pushKey()).toEqual(before)
    },
  )
  it('replaces the file key.old with the embedded database', async () => {
    const app = await appForTest()
    await app.db.deleteFrom('installation_keys').execute()
    const where = { secretKey: null, oldSecretKey: null, dataDir: folder(), embedded: true }
    const before = await openKeyring(app.db, where, nothingSealed)
    const sealed = before.seal('second factor', 'row', 'a secret')
    renameSync(join(where.dataDir, 'secrets', 'key'), join(where.dataDir, 'secrets', 'key.old'))
    const sealedAnew: (Buffer | null)[] = []
    const keyring = await openKeyring(app.db, where, async (keys) => {
      sealedAnew.push(keys.sealAnew('second factor', 'row', sealed))
    })
    expect(keyring.mac('x', 'y')).not.toEqual(before.mac('x', 'y'))
    expect(keyring.open('second factor', 'row', sealed)).toBe('a secret')
    rmSync(join(where.dataDir, 'secrets', 'key.old'))
    const after = await openKeyring(app.db, where, nothingSealed)
    expect(after.open('second factor', 'row', sealedAnew[0]!)).toBe('a secret')
    expect(() => after.open('second factor', 'row', sealed)).toThrow()
  })
  it('is not accepted when values of the old secret cannot be sealed again', async () => {
    const { app, lena, codes } = await firstSummer()
    const place = { secretKey: newKey, oldSecretKey: oldKey, dataDir: folder(), embedded: false }
    const crash = openKeyring(app.db, place, () => Promise.reject(new Error('the power went')))
    await expect(crash).rejects.toThrow('the power went')
    const again = await anotherInstance(app, { SECRET_KEY: oldKey })
    expect((await login(again, lena.email, codes[0]!)).status).toBe(200)
  })
})

describe('one email address that signs up many times at once', () => {
  it.each(['visitors', 'merchants'])('creates one account, over two instances: %s', async (who) => {
    const env = { TRUST_PROXY: 'on' }
    const one = await appForTest({ now: null, env })
    const two = await anotherInstance(one, env)
    const count = async (table: 'accounts' | 'businesses') =>
      (await one.db.selectFrom(table).select(`${table}.created_at`).execute()).length
    for (let round = 1; round <= 3; round++) {
      const email = `race${round}@example.org`
      const signup = (n: number) => {
        const [at, headers] = [n % 2 ? one : two, { 'x-forwarded-for': `198.18.${round}.${n}` }]
        return who === 'visitors'
          ? post(at, '/api/auth/signup', visitorForm(email), { headers })
          : signUpBusiness(at, { email }, { headers })
      }
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => signup(n)))
      expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toHaveLength(1)
      expect(answers[0]!.status).toBe(201)
      expect(await count('accounts')).toBe(round)
      expect(await count('businesses')).toBe(who === 'visitors' ? 0 : round)
    }
  })
})

describe('staff', () => {
  const staff = (app: TestApp, ...args: string[]) => staffWith({ PUBLIC_URL: 'https://festival.example' }, app, args)
  const staffWith = async (more: Record<string, string>, app: TestApp, args: string[]) => {
    const env = { ...process.env, DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, ...more }
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/app/staff.ts', ...args], { env })
      return { code: 0, out: stdout }
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string }
      return { code, out: stderr }
    }
  }
  it('are created by a command, set a password by its link, and must first set up a second factor', async () => {
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
    // each is an audit entry
    const entries = await app.db
      .selectFrom('audit_entries')
      .select(['actor', 'action', 'object_name', 'after'])
      .orderBy('entry_id')
      .execute()
    expect(entries).toEqual([
      { actor: 'command', action: 'add-staff', object_name: 'Crew', after: { what: 'admin' } },
      { actor: 'command', action: 'remove-staff', object_name: 'Crew', after: { what: 'user' } },
    ])
    expect((await get(app, '/api/me', crew.authToken)).status).toBe(401)
    expect((await logIn(app, '/api/auth/login', 'crew@example.org')).userType).toBe('user')
  })
  it.each([
    [{ HOST: '127.0.0.1', PORT: '3210' }, 'http://127.0.0.1:3210/'],
    [{ HOST: '0.0.0.0', PORT: '3210' }, 'http://localhost:3210/'],
  ])('get a link to the origin of the site with %j', async (env, origin) => {
    const app = await appForTest({ now: null })
    const { out } = await staffWith(env, app, ['add', 'crew@example.org'])
    expect(out).toContain(`${origin}reset-password?token=`)
  })
  it('keep neither password nor sessions of an existing account, and become staff only by the link', async () => {
    const app = await appForTest({ now: null })
    const visitor = await aVisitor(app, 'maybe.crew@example.org')
    expect((await staff(app, 'add', 'Maybe.Crew@example.org')).out).toContain(
      'is moderator now; its old password is gone.',
    )
    expect((await get(app, '/api/me', visitor.authToken)).status).toBe(401)
    expect((await post(app, '/api/auth/login', { email: visitor.email, password: goodPassword })).status).toBe(401)
  })
  it('cannot be taken over by a person who signed up with the email address before', async () => {
    const app = await appForTest({ now: null })
    const squatter = await aVisitor(app, 'crew@example.org')
    await post(
      app,
      '/api/me/email',
      { email: 'squatter@example.com', password: goodPassword },
      { token: squatter.authToken },
    )
    const link = tokenIn(await mailTo(app, 'squatter@example.com'))
    expect(await staff(app, 'add', 'crew@example.org', '--role', 'admin')).toMatchObject({ code: 0 })
    expect((await post(app, '/api/auth/verify', { token: link })).status).toBe(400)
    expect((await staff(app, 'list')).out).toContain('crew@example.org  admin')
  })
  const entriesOf = (app: TestApp) =>
    app.db.selectFrom('audit_entries').select(['actor', 'action', 'object_name', 'after']).orderBy('entry_id').execute()
  it('lose their second factor when they are removed, and get a mail about it', async () => {
    const app = await appForTest({ now: null })
    const token = await aModerator(app, 'mo@example.org')
    expect((await staff(app, 'remove', 'mo@example.org')).out).toContain('is a visitor now, without a second factor.')
    expect((await get(app, '/api/me', token)).status).toBe(401)
    await mailTo(app, 'mo@example.org', 'Two-factor authentication was reset')
    const { userType, authToken } = await logIn(app, '/api/auth/login', 'mo@example.org')
    expect(userType).toBe('user')
    expect((await get(app, '/api/me', authToken)).body).toMatchObject({ second_factor: false, recovery_codes_left: 0 })
    // so they can become staff again without their old phone
    const added = await staff(app, 'add', 'mo@example.org')
    expect(
      (await post(app, '/api/auth/reset', { token: tokenIn({ text: added.out }), password: goodPassword })).status,
    ).toBe(200)
  })
  it('can have a lost second factor removed, like visitors and merchants, with an audit entry and a mail', async () => {
    const app = await appForTest({ now: null })
    const token = await aModerator(app, 'mo@example.org')
    const reset = await staff(app, 'reset-factor', 'MO@example.org')
    expect(reset).toMatchObject({ code: 0 })
    expect((await get(app, '/api/me', token)).status).toBe(401)
    const mo = await logIn(app, '/api/auth/login', 'mo@example.org')
    expect((await get(app, '/api/me', mo.authToken)).body).toMatchObject({
      role: 'moderator',
      must_set_second_factor: true,
    })
    const mail = await mailTo(app, 'mo@example.org', 'Two-factor authentication was reset')
    expect(mail.text).toContain('https://festival.example/forgot-password?kind=user')
    expect((await staff(app, 'reset-factor', 'mo@example.org')).out).toContain('has no second factor.')

    // two accounts with one email address
    const both = 'lena@example.org'
    const logins = { visitor: '/api/auth/login', business: '/api/business/login' }
    for (const { authToken } of [await aVisitor(app, both), await aMerchant(app, both)])
      await switchOnSecondFactor(app, authToken)
    const unclear = await staff(app, 'reset-factor', both)
    expect(unclear).toMatchObject({ code: 2, out: expect.stringContaining('has two accounts') })
    const login = async (kind: keyof typeof logins) =>
      (await post(app, logins[kind], { email: both, password: goodPassword })).status
    expect([await login('visitor'), await login('business')]).toEqual([401, 401])
    expect(await staff(app, 'reset-factor', both, '--kind', 'business')).toMatchObject({ code: 0 })
    expect([await login('visitor'), await login('business')]).toEqual([401, 200])
    const mails = await mailTo(app, both, 'Two-factor authentication was reset')
    expect(mails.text).toContain('?kind=business')
    const done = (object_name: string) => ({ actor: 'command', action: 'reset-factor', object_name, after: null })
    expect(await entriesOf(app)).toEqual([done('Mo'), done('Café Rhein')])
  })
  it('can give people who get no mail a link to set a password, with an audit entry', async () => {
    const app = await appForTest({ now: null, env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
    await aVisitor(app, 'lena@example.org')
    const { code, out } = await staff(app, 'reset-password', 'lena@example.org')
    expect(code).toBe(0)
    expect(out).toContain('https://festival.example/reset-password?token=')
    expect(tokenIn({ text: out })).toBe(tokenIn(await mailTo(app, 'lena@example.org', 'Set a new password')))
    const back = await post(app, '/api/auth/reset', { token: tokenIn({ text: out }), password: 'by the Birs at dawn' })
    expect((await get(app, '/api/me', back.body.authToken)).body).toMatchObject({ must_verify: false })
    expect(await entriesOf(app)).toEqual([
      { actor: 'command', action: 'reset-password', object_name: 'Lena', after: null },
    ])
  })
  // each case starts a process
  const wrong = [
    [['add', 'a@b.ch', '--role', 'king']],
    [['remove', 'nobody@example.org']],
    [['add', 'nobody']],
    [['add']],
    [['promote', 'a@b.ch']],
    [['reset-factor', 'nobody@example.org']],
    [['reset-password', 'a@b.ch', '--kind', 'king']],
    [['add', 'a@b.ch', '--kind', 'visitor']],
  ]
  it.each(wrong)('%j is refused with a sentence', async (args) => {
    const app = await appForTest()
    const { code, out } = await staff(app, ...args)
    expect(code).toBe(2)
    expect(out).not.toMatch(/ at .*\.ts:\d/)
  })
})

describe('the demo', () => {
  it('has a visitor and a merchant with a random password of the installation, and no staff', async () => {
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
  })
  it('prints the same working logins on every instance and at every start', async () => {
    const one = await appForTest({ demo: true, now: null, env: { DEMO_DATA: 'on' } })
    const [visitor] = one.demoLogins as [(typeof one.demoLogins)[0]]
    const lena = await logIn(one, '/api/auth/login', visitor.email, visitor.password)
    const { status } = await post(
      one,
      '/api/me/password',
      { password: visitor.password, new_password: goodPassword },
      { token: lena.authToken },
    )
    expect(status).toBe(200)
    const two = await anotherInstance(one, { DEMO_DATA: 'on' })
    expect(two.demoLogins).toEqual(one.demoLogins)
    for (const { page, email, password } of two.demoLogins)
      await logIn(two, page === '/userlogin' ? '/api/auth/login' : '/api/business/login', email, password)
  })
  it('starts without its merchant login, and says so, if that account has another email address by now', async () => {
    const app = await appForTest({ demo: true, now: null, env: { DEMO_DATA: 'on' } })
    const address = { email: 'lotti@example.org', email_folded: 'lotti@example.org' }
    await app.db.updateTable('accounts').set(address).where('kind', '=', 'business').execute()
    const log: string[] = []
    const { demoLogins } = await anotherInstance(app, { DEMO_DATA: 'on' }, log)
    expect(demoLogins.map(({ who }) => who)).toEqual(['visitor'])
    expect(log.join('\n')).toMatch(/the demo's login of the merchant \(.+\) cannot be set and is left out/)
  })
})
