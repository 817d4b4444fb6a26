import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { parse } from 'csv-parse/sync'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import {
  aMerchant,
  aVisitor,
  get,
  goodPassword,
  logIn,
  mailTo,
  post,
  tokenIn,
  visitorForm,
  type Person,
} from '../../../test/people.ts'
import { startMailPeer, withMail } from '../../../test/peers/smtp.ts'
import { nightlyServices, keyringFor, withJobs } from '../../../test/rooms.ts'
import {
  anotherInstance,
  api,
  appForTest,
  saturdayEvening,
  startTestApp,
  type TestApp,
} from '../../../test/start-app.ts'

import { withWrittenViews } from '../../../test/views.ts'
import { newId } from '../../kit/server/ids.ts'
import { giveUpMails } from '../../mail/server/mail.ts'
import { deleteUnconfirmed } from '../../newsletter/server/newsletter.ts'
import {
  askToConfirm,
  deleteAgain,
  deleteUnverified,
  executeDeletions,
  deleteExpired,
  runNightlyAccountWork,
} from './accounts.ts'
import { csvOf } from './csv.ts'

const start = Temporal.Instant.from(saturdayEvening)
const emails = async (on: TestApp) =>
  (await on.db.selectFrom('accounts').select('email').orderBy('email').execute()).map(({ email }) => email)
/** Waits until all mails were sent. */
const mailed = (on: TestApp) =>
  expect
    .poll(async () => {
      await on.runJobs()
      return (await on.db.selectFrom('outgoing_mails').select('kind').execute()).length
    })
    .toBe(0)
const later = (duration: Temporal.DurationLike) => start.add(duration).toString()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const send = (on: TestApp, method: string, path: string, body: unknown, token: string) =>
  post(on, path, body, { method, token })

describe('my account', () => {
  it('changes only the fields that are sent', async () => {
    const lena = await aVisitor(app, 'me@example.org')
    const changed = await send(app, 'PATCH', '/api/me', { language: 'fr', default_reminder_min: 15 }, lena.authToken)
    expect(changed).toMatchObject({
      status: 200,
      body: { language: 'fr', default_reminder_min: 15, display_name: 'Lena' },
    })
    const again = await send(
      app,
      'PATCH',
      '/api/me',
      { location_consent: true, default_reminder_min: null },
      lena.authToken,
    )
    expect(again.body).toMatchObject({ language: 'fr', location_consent: true, default_reminder_min: null })
    expect((await send(app, 'PATCH', '/api/me', { default_reminder_min: 7 }, lena.authToken)).status).toBe(400)
    expect((await send(app, 'PATCH', '/api/me', { display_name: '' }, lena.authToken)).status).toBe(400)
    expect((await send(app, 'PATCH', '/api/me', {}, lena.authToken)).body).toEqual(again.body)
  })
  it.each([
    ['a visitor', 40, (email: string) => aVisitor(app, email)],
    ['a merchant', 80, (email: string) => aMerchant(app, email, { business_name: 'ü'.repeat(80) })],
  ] as const)('%s may be called by %i characters, and no more', async (who, max, make) => {
    const { authToken } = await make(`named-${max}@example.org`)
    const rename = (display_name: string) => send(app, 'PATCH', '/api/me', { display_name }, authToken)
    expect(await rename('🎷'.repeat(max + 1)), who).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { display_name: `At most ${max} characters, please.` } },
    })
    // The name that a business got at signup can be saved unchanged.
    for (const name of ['🎷'.repeat(max), 'ü'.repeat(max)])
      expect(await rename(name), who).toMatchObject({ status: 200, body: { display_name: name } })
  })
  it('keeps only the session that changes the address: all others end, also those started in the meantime', async () => {
    const lena = await aVisitor(app, 'moving@example.org')
    const another = await logIn(app, '/api/auth/login', 'moving@example.org')
    const next = { email: 'moved-in@example.org', password: goodPassword }
    const statuses = async (...people: Person[]) =>
      Promise.all(people.map(async ({ authToken }) => (await get(app, '/api/me', authToken)).status))
    expect((await post(app, '/api/me/email', { ...next, password: 'no' }, { token: lena.authToken })).status).toBe(403)
    expect(await statuses(lena, another)).toEqual([200, 200])
    expect((await post(app, '/api/me/email', next, { token: lena.authToken })).status).toBe(202)
    expect(await statuses(lena, another)).toEqual([200, 401])
    expect((await post(app, '/api/auth/refresh', { refreshToken: another.refreshToken })).status).toBe(401)
    const meanwhile = await logIn(app, '/api/auth/login', 'moving@example.org')
    const link = tokenIn(await mailTo(app, next.email, 'Confirm'))
    expect((await post(app, '/api/auth/verify', { token: link })).body).toMatchObject({ kind: 'user', changed: true })
    expect(await statuses(lena, meanwhile)).toEqual([200, 401])
  })
  it('cannot change to the address that it has, in any spelling', async () => {
    const lena = await aVisitor(app, 'same@example.org')
    const wish = { email: 'Same@Example.org', password: goodPassword }
    expect(await post(app, '/api/me/email', wish, { token: lena.authToken })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { email: 'This is already the address of this account.' } },
    })
    expect((await get(app, '/api/me', lena.authToken)).body.pending_email).toBeNull()
  })
  it('keeps its address until the new one is confirmed, and the old one gets a notice', async () => {
    const lena = await aVisitor(app, 'old@example.org')
    const wish = (body: object) => post(app, '/api/me/email', body, { token: lena.authToken })
    expect(await wish({ email: 'new@example.org', password: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password', fields: { password: 'This password is incorrect.' } },
    })
    expect((await wish({ email: 'new@example.org', password: goodPassword })).status).toBe(202)
    const notice = await mailTo(app, 'old@example.org', 'address is about to change')
    expect(notice.text).toContain('new@example.org')
    const link = tokenIn(await mailTo(app, 'new@example.org', 'Confirm'))
    expect((await get(app, '/api/me', lena.authToken)).body).toMatchObject({
      email: 'old@example.org',
      pending_email: 'new@example.org',
    })
    await post(app, '/api/auth/forgot', { email: 'old@example.org' })
    const reset = tokenIn(await mailTo(app, 'old@example.org', 'Set a new password'))
    expect((await post(app, '/api/auth/verify', { token: link })).body).toMatchObject({ kind: 'user', changed: true })
    expect((await get(app, '/api/me', lena.authToken)).body).toMatchObject({
      email: 'new@example.org',
      email_verified: true,
      pending_email: null,
    })
    // Links in the old mailbox no longer work.
    expect((await post(app, '/api/auth/reset', { token: reset, password: 'of the old mailbox' })).status).toBe(400)
    await logIn(app, '/api/auth/login', 'new@example.org')
    expect((await post(app, '/api/auth/login', { email: 'old@example.org', password: goodPassword })).status).toBe(401)
  })
  it('does not reveal by a pending change whether the new address has an account', async () => {
    const curious = await aVisitor(app, 'curious@example.org')
    await aVisitor(app, 'has.account@example.org')
    const pending = async (email: string) => {
      const asked = await post(app, '/api/me/email', { email, password: goodPassword }, { token: curious.authToken })
      expect(asked.status).toBe(202)
      const { pending_email } = (await get(app, '/api/me', curious.authToken)).body
      return pending_email
    }
    expect(await pending('has.account@example.org')).toBe('has.account@example.org')
    // The owner of the new address gets a notice, and nobody a link.
    const notice = await mailTo(app, 'has.account@example.org', 'tried to use your address')
    expect(notice.text).not.toContain('token=')
    expect((await get(app, '/api/me', curious.authToken)).body['pending_email']).toBe('has.account@example.org')
    expect(await pending('has.none@example.org')).toBe('has.none@example.org')
    await mailTo(app, 'has.none@example.org', 'Confirm')
    expect((await get(app, '/api/me', curious.authToken)).body['pending_email']).toBe('has.none@example.org')
  })
  it('loses a pending change of the address when its owner sets a new password', async () => {
    const ways = {
      changed: async (owner: Person) =>
        post(
          app,
          '/api/me/password',
          { password: goodPassword, new_password: 'what the owner wants' },
          { token: owner.authToken },
        ),
      reset: async (owner: Person) => {
        await post(app, '/api/auth/forgot', { email: owner.email })
        const token = tokenIn(await mailTo(app, owner.email, 'Set a new password'))
        return post(app, '/api/auth/reset', { token, password: 'what the owner wants' })
      },
    }
    for (const [way, setNew] of Object.entries(ways)) {
      const owner = await aVisitor(app, `owner-${way}@example.org`)
      const thief = { email: `thief-${way}@example.org`, password: goodPassword }
      expect((await post(app, '/api/me/email', thief, { token: owner.authToken })).status).toBe(202)
      const link = tokenIn(await mailTo(app, thief.email))
      expect((await setNew(owner)).status).toBe(200)
      expect(await post(app, '/api/auth/verify', { token: link })).toMatchObject({
        status: 400,
        body: { code: 'link_invalid' },
      })
      const back = await logIn(app, '/api/auth/login', owner.email, 'what the owner wants')
      expect((await get(app, '/api/me', back.authToken)).body).toMatchObject({
        email: owner.email,
        pending_email: null,
      })
    }
  })
  it('can send mails to at most ten new addresses per hour', async () => {
    const spammer = await aVisitor(app, 'spammer@example.org')
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      const wish = { email: `stranger${n}@example.org`, password: goodPassword }
      statuses.push((await post(app, '/api/me/email', wish, { token: spammer.authToken })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(202), 429])
  })
  it('cannot take the address of another account, and does not learn that the account exists', async () => {
    const lena = await aVisitor(app, 'wants@example.org')
    await aVisitor(app, 'has@example.org')
    const known = await post(
      app,
      '/api/me/email',
      { email: 'has@example.org', password: goodPassword },
      { token: lena.authToken },
    )
    const unknown = await post(
      app,
      '/api/me/email',
      { email: 'free@example.org', password: goodPassword },
      { token: lena.authToken },
    )
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    await mailTo(app, 'has@example.org', 'tried to use your address')
  })
})

describe('the second factor', () => {
  const codeOf = (secret: string, at: Temporal.Instant) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.epochMilliseconds })

  async function withSecondFactor(on: TestApp, email: string) {
    const lena = await aVisitor(on, email)
    const setup = await post(on, '/api/me/2fa/setup', { password: goodPassword }, { token: lena.authToken })
    const enabled = await post(
      on,
      '/api/me/2fa/enable',
      { totp: codeOf(setup.body.secret, start) },
      { token: lena.authToken },
    )
    expect(enabled.status).toBe(200)
    return { lena, secret: setup.body.secret as string, codes: enabled.body.recovery_codes as string[] }
  }
  it('is asked for before the address changes, and a missing or wrong code changes nothing', async () => {
    const on = await appForTest()
    const { lena, codes } = await withSecondFactor(on, 'two@example.org')
    const wish = (more: object) =>
      post(
        on,
        '/api/me/email',
        { email: 'moved@example.org', password: goodPassword, ...more },
        { token: lena.authToken },
      )
    expect(await wish({})).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { totp: 'Please fill this in.' } },
    })
    expect(await wish({ totp: '000000' })).toMatchObject({
      status: 400,
      body: { fields: { totp: 'This code is incorrect.' } },
    })
    expect(await wish({ totp: codes[0], password: 'wrong' })).toMatchObject({ status: 403 })
    expect((await get(on, '/api/me', lena.authToken)).body.pending_email).toBeNull()
    // The wrong password did not use up a code.
    expect((await wish({ totp: codes[0] })).status).toBe(202)
    expect((await get(on, '/api/me', lena.authToken)).body.pending_email).toBe('moved@example.org')
  })

  it.each([
    ['the password changes', 'POST', '/api/me/password', { new_password: 'a quieter walk by the Birs' }, 200],
    ['the account is deleted', 'DELETE', '/api/me', {}, 202],
  ])('is asked for before %s, and a missing or wrong code changes nothing', async (_, method, path, more, done) => {
    const on = await appForTest()
    const { lena, codes } = await withSecondFactor(on, 'two@example.org')
    const ask = (tried: object) => send(on, method, path, { password: goodPassword, ...more, ...tried }, lena.authToken)
    expect(await ask({})).toMatchObject({ status: 400, body: { fields: { totp: 'Please fill this in.' } } })
    expect(await ask({ totp: '000000' })).toMatchObject({
      status: 400,
      body: { fields: { totp: 'This code is incorrect.' } },
    })
    expect(await ask({ totp: codes[0], password: 'wrong' })).toMatchObject({ status: 403 })
    expect((await get(on, '/api/me', lena.authToken)).body).toMatchObject({ deletion_at: null })
    expect((await login(on, 'two@example.org', codes[1])).status).toBe(200)
    // The wrong password did not use up a code.
    expect((await ask({ totp: codes[0] })).status).toBe(done)
  })
  it('is not used up by a refused new password', async () => {
    const on = await appForTest({ env: { PASSWORD_BLOCKLIST: 'on' } })
    const { lena, codes } = await withSecondFactor(on, 'two@example.org')
    const change = (new_password: string) =>
      send(on, 'POST', '/api/me/password', { password: goodPassword, totp: codes[0], new_password }, lena.authToken)
    expect((await change('password1234')).body.fields).toHaveProperty('new_password')
    expect((await change('a quieter walk by the Birs')).status).toBe(200)
  })

  const login = (on: TestApp, email: string, totp?: string, password = goodPassword) =>
    post(on, '/api/auth/login', { email, password, ...(totp === undefined ? {} : { totp }) })

  it('is set up with a QR code without markup, and is on only after a first code', async () => {
    const lena = await aVisitor(app, 'qr@example.org')
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: lena.authToken })
    expect(setup.body.otpauth_url).toContain(`secret=${setup.body.secret}`)
    expect(setup.body.otpauth_url).toMatch(/^otpauth:\/\/totp\/Rheinklang:qr%40example\.org\?/)
    expect(setup.body.qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/)
    expect(setup.body.qr.size).toBeGreaterThan(29)
    expect((await login(app, 'qr@example.org')).status).toBe(200)
    expect(await post(app, '/api/me/2fa/enable', { totp: '000000' }, { token: lena.authToken })).toMatchObject({
      status: 400,
      body: { fields: { totp: 'This code is incorrect.' } },
    })
    const { totp_pending } = await app.db
      .selectFrom('accounts')
      .select('totp_pending')
      .where('email', '=', 'qr@example.org')
      .executeTakeFirstOrThrow()
    expect(totp_pending!.toString('latin1')).not.toContain(setup.body.secret)
  })
  it('is asked for only after the right password, and each code works once', async () => {
    const tests = await appForTest()
    const { secret } = await withSecondFactor(tests, 'two@example.org')
    expect(await login(tests, 'two@example.org')).toMatchObject({
      status: 401,
      body: { code: 'totp_required', error: 'Enter the code from your authenticator app.' },
    })
    expect((await login(tests, 'two@example.org', undefined, 'wrong')).body.code).toBe('wrong_credentials')
    expect((await login(tests, 'two@example.org', '123456')).body).toMatchObject({
      code: 'wrong_credentials',
      error: 'Invalid email or password.',
    })
    // The code that switched it on is used up.
    expect((await login(tests, 'two@example.org', codeOf(secret, start))).status).toBe(401)
    tests.setNow(later({ seconds: 30 }))
    const code = codeOf(secret, start.add({ seconds: 30 }))
    const race = await Promise.all(
      Array.from({ length: 5 }, () => login(tests, 'two@example.org', `${code.slice(0, 3)} ${code.slice(3)}`)),
    )
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
    tests.setNow(later({ minutes: 5 }))
    expect((await login(tests, 'two@example.org', code)).status).toBe(401)
  })
  it('accepts a code once, however many requests send it at the same moment', async () => {
    const tests = await appForTest()
    const { secret, codes } = await withSecondFactor(tests, 'moment@example.org')
    for (const code of [codes[0]!, codeOf(secret, start.add({ seconds: 30 }))]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => login(tests, 'moment@example.org', code)))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(9).fill(401),
      ])
    }
  })
  it('cannot be guessed with password and session: a right password does not reset wrong codes', async () => {
    const tests = await appForTest()
    const { lena } = await withSecondFactor(tests, 'stolen@example.org')
    const guess = async (n: number) => (await login(tests, 'stolen@example.org', String(100_000 + n))).status
    for (let n = 0; n < 20; n++) expect(await guess(n)).toBe(401)
    const proven = { password: goodPassword, totp: '100100' }
    expect((await post(tests, '/api/me/2fa/recovery-codes', proven, { token: lena.authToken })).status).toBe(400)
    for (let n = 20; n < 25; n++) expect(await guess(n)).toBe(401)
    expect(await guess(25)).toBe(429)
  })
  it('cannot be guessed with the mailbox: a reset link resets wrong codes only after a right one', async () => {
    const tests = await appForTest({ env: { TRUST_PROXY: 'on' } })
    const email = 'mailbox@example.org'
    const { codes } = await withSecondFactor(tests, email)
    await post(tests, '/api/auth/verify', { token: tokenIn(await mailTo(tests, email, 'confirm your email')) })
    const guess = async (n: number, password: string) => {
      const headers = { 'x-forwarded-for': `203.0.113.${n}` }
      return (await post(tests, '/api/auth/login', { email, password, totp: String(100_000 + n) }, { headers })).status
    }
    for (let n = 0; n < 25; n++) expect(await guess(n, goodPassword)).toBe(401)
    await post(tests, '/api/auth/forgot', { email })
    const token = tokenIn(await mailTo(tests, email, 'Set a new password'))
    const password = 'another walk by the Rhine'
    expect((await post(tests, '/api/auth/reset', { token, password })).body.code).toBe('totp_required')
    expect(await guess(25, password)).toBe(429)
    expect((await post(tests, '/api/auth/reset', { token, password, totp: codes[0] })).status).toBe(200)
    expect(await guess(26, password)).toBe(401)
  })
  it('cannot be switched on by guessing: a pending set-up accepts 25 attempts per hour', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests, 'waits@example.org')
    await post(tests, '/api/me/2fa/setup', { password: goodPassword }, { token: lena.authToken })
    const tried: number[] = []
    for (let n = 0; n < 26; n++)
      tried.push(
        (await post(tests, '/api/me/2fa/enable', { totp: String(100_000 + n) }, { token: lena.authToken })).status,
      )
    expect(tried).toEqual([...Array<number>(25).fill(400), 429])
  })
  it('can be replaced by each of ten recovery codes, once, with a mail', async () => {
    const tests = await appForTest()
    const { codes } = await withSecondFactor(tests, 'codes@example.org')
    expect(new Set(codes).size).toBe(10)
    const inside = await login(tests, 'codes@example.org', codes[0]!.toLowerCase())
    expect(inside.status).toBe(200)
    expect((await login(tests, 'codes@example.org', codes[0]!)).status).toBe(401)
    expect((await get(tests, '/api/me', inside.body.authToken)).body).toMatchObject({
      second_factor: true,
      recovery_codes_left: 9,
    })
    await mailTo(tests, 'codes@example.org', 'recovery code was used')
    const { rows } = await sql<{ row: string }>`select recovery_codes::text as row from recovery_codes`.execute(
      tests.db,
    )
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''))
  })
  it('gets new recovery codes for password and code, with a mail; the old ones stop working', async () => {
    const tests = await appForTest()
    const { lena, codes } = await withSecondFactor(tests, 'renews@example.org')
    const renew = (body: object) => post(tests, '/api/me/2fa/recovery-codes', body, { token: lena.authToken })
    expect(await renew({ password: 'wrong', totp: codes[0] })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect(await renew({ password: goodPassword, totp: '000000' })).toMatchObject({
      status: 400,
      body: { fields: { totp: 'This code is incorrect.' } },
    })
    const renewed = await renew({ password: goodPassword, totp: codes[0] })
    expect(renewed.status).toBe(200)
    const next = renewed.body.recovery_codes as string[]
    expect(new Set([...codes, ...next]).size).toBe(20)
    await mailTo(tests, 'renews@example.org', 'New recovery codes')
    expect((await login(tests, 'renews@example.org', codes[1]!)).status).toBe(401)
    expect((await login(tests, 'renews@example.org', next[0]!)).status).toBe(200)
    expect((await get(tests, '/api/me', lena.authToken)).body.recovery_codes_left).toBe(9)
  })
  it('has no recovery codes to renew while it is off', async () => {
    const lena = await aVisitor(app, 'no.factor@example.org')
    const wish = { password: goodPassword, totp: '000000' }
    expect(await post(app, '/api/me/2fa/recovery-codes', wish, { token: lena.authToken })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_off' },
    })
  })
  it('is switched off with password and code', async () => {
    const tests = await appForTest()
    const { lena, codes } = await withSecondFactor(tests, 'off@example.org')
    const off = (body: object) => post(tests, '/api/me/2fa/disable', body, { token: lena.authToken })
    expect((await off({ password: 'wrong', totp: codes[1] })).status).toBe(403)
    expect((await off({ password: goodPassword, totp: '000000' })).status).toBe(400)
    expect((await off({ password: goodPassword, totp: codes[1] })).status).toBe(204)
    expect((await off({ password: goodPassword, totp: codes[2] })).body.code).toBe('second_factor_off')
    expect((await login(tests, 'off@example.org')).status).toBe(200)
  })
})

describe('my data', () => {
  it('comes as a zip with every table that holds my id, as JSON and as CSV', async () => {
    const tests = await appForTest()
    const cafe = await aMerchant(tests, 'export@example.org', { business_name: '=HYPERLINK("https://evil.example")' })
    const dealId = await addDeal(tests.db, cafe.businessId, '+41 61 000 00 00', {
      description: '@SUM(A1)',
      price: '-5',
    })
    await api(tests, `/api/deals/${dealId}/view`, { method: 'PUT' })
    await aVisitor(tests, 'somebody.else@example.org')
    const answer = await fetch(`${tests.url}/api/me/export`, { headers: { authorization: `Bearer ${cafe.authToken}` } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="rheinklang-2026-06-20.zip"')
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    const read = (name: string) => new TextDecoder().decode(files[name])
    const data = JSON.parse(read('data.json')) as Record<string, Record<string, unknown>[]>
    const { rows } = await sql<{ table: string }>`
      select distinct table_name as table from information_schema.columns
      where table_schema = 'public' and column_name in ('account_id', 'business_id')`.execute(tests.db)
    expect(rows.map(({ table }) => table).filter((table) => !Object.hasOwn(data, table))).toEqual([])
    // Tables that hold the id of something of theirs.
    for (const table of ['view_hours', 'view_hours_of_deals', 'analytics_hours', 'forum_images'])
      expect(data, table).toHaveProperty(table)
    expect(data['accounts']![0]).toMatchObject({ email: 'export@example.org', role: 'business' })
    expect(data['businesses']![0]).toMatchObject({ business_id: cafe.businessId })
    expect(data['deals']![0]).toMatchObject({ deal_name: '+41 61 000 00 00' })
    expect(read('data.json')).not.toMatch(/argon2id|somebody\.else|password_hash|token_hash/)
    const [deal] = parse(read('deals.csv'), { bom: true, columns: true }) as Record<string, string>[]
    expect(deal).toMatchObject({ deal_name: "'+41 61 000 00 00", description: "'@SUM(A1)", price: "'-5" })
    const [business] = parse(read('businesses.csv'), { bom: true, columns: true }) as Record<string, string>[]
    expect(business!['business_name']).toBe('\'=HYPERLINK("https://evil.example")')
  })
  it('holds what I wrote to the organisers while logged in, and nothing that others wrote under my address', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests, 'Writes@example.org')
    const other = await aVisitor(tests, 'other@example.org')
    await verify(tests, lena.email)
    await writeToUs(tests, 'WRITES@example.org', 'When does the ferry run?', lena.authToken)
    await writeToUs(tests, 'elsewhere@example.org', 'Written from another mailbox', lena.authToken)
    await writeToUs(tests, 'writes@example.org', 'A stranger about Lena')
    await writeToUs(tests, 'writes@example.org', 'Another account about Lena', other.authToken)
    await writeToUs(tests, 'writes@example.org', 'With a token that is dead', 'dead.token.here')
    const messages = async () => {
      const answer = await fetch(`${tests.url}/api/me/export`, {
        headers: { authorization: `Bearer ${lena.authToken}` },
      })
      const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
      return JSON.parse(new TextDecoder().decode(files['data.json'])).contact_messages
    }
    expect(((await messages()) as { message: string }[]).map(({ message }) => message).sort()).toEqual([
      'When does the ferry run?',
      'Written from another mailbox',
    ])
  })
  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '=cmd|"/c calc"!A0', '-2+3'])(
    'a cell %j is no formula in a spreadsheet',
    (cell) => {
      const [row] = parse(csvOf([{ cell, number: -5, plain: 'a "quoted", cell\nof two lines' }]), {
        bom: true,
        columns: true,
      }) as Record<string, string>[]
      expect(row).toEqual({ cell: `'${cell}`, number: '-5', plain: 'a "quoted", cell\nof two lines' })
    },
  )
})

describe('leaving', () => {
  it('needs the password, ends all sessions, and can be taken back for 14 days', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    expect((await send(tests, 'DELETE', '/api/me', { password: 'wrong' }, lena.authToken)).status).toBe(403)
    const asked = await send(tests, 'DELETE', '/api/me', { password: goodPassword }, lena.authToken)
    expect(asked).toMatchObject({ status: 202, body: { deletion_at: later({ hours: 14 * 24 }).replace('Z', '.000Z') } })
    expect((await get(tests, '/api/me', lena.authToken)).status).toBe(401)
    await mailTo(tests, lena.email, 'will be deleted in 14 days')
    tests.setNow(later({ hours: 13 * 24 }))
    await executeDeletions(nightlyServices(tests, later({ hours: 13 * 24 })))
    const back = await logIn(tests, '/api/auth/login', lena.email)
    expect((await get(tests, '/api/me', back.authToken)).body.deletion_at).not.toBeNull()
    expect((await post(tests, '/api/me/keep', undefined, { token: back.authToken })).body.deletion_at).toBeNull()
    await executeDeletions(nightlyServices(tests, later({ hours: 30 * 24 })))
    await logIn(tests, '/api/auth/login', lena.email)
  })
  it('leaves nothing after 14 days: no table holds name, address or id; several instances can run it at once', async () => {
    const { rooms, written } = withWrittenViews()
    const tests = await appForTest({ rooms })
    const cafe = await aMerchant(tests, 'Gone.Cafe@example.org', {
      business_name: 'Gone Café',
      address: 'Verschwundene Gasse 7',
    })
    const dealId = await addDeal(tests.db, cafe.businessId, 'A deal that goes with its merchant')
    await api(tests, `/api/deals/${dealId}/view`, { method: 'PUT' })
    await api(tests, `/api/business/${cafe.businessId}/view`, { method: 'PUT' })
    await post(tests, '/api/newsletter', { email: 'gone.cafe@example.org' })
    await mailTo(tests, 'gone.cafe@example.org', 'newsletter')
    await mailTo(tests, 'Gone.Cafe@example.org', 'confirm your email')
    await writeToUs(tests, 'gone.CAFE@example.org', 'A question before leaving')
    await writeToUs(tests, 'GONE.cafe@EXAMPLE.org', 'A question in capitals')
    await writeToUs(tests, 'from.elsewhere@example.org', 'A question from another mailbox', cafe.authToken)
    await verify(tests, cafe.email)
    await writeToUs(tests, 'stays@example.org', 'Another question')
    const stays = await aMerchant(tests, 'stays@example.org', { business_name: 'Staying Bar' })
    const asked = await send(tests, 'DELETE', '/api/me', { password: goodPassword }, cafe.authToken)
    expect(asked.status).toBe(202)
    await mailTo(tests, 'Gone.Cafe@example.org', 'deleted in 14 days')
    await written()
    await tests.runJobs()
    // The job queue deletes these rows a day later.
    await sql`delete from jobs.job where state = 'completed'`.execute(tests.db)
    const room = nightlyServices(tests, later({ hours: 14 * 24 + 1 }))
    const counts = await Promise.all([executeDeletions(room), executeDeletions(room), executeDeletions(room)])
    expect(counts.reduce((sum, n) => sum + n)).toBe(1)
    const dump = await everything(tests)
    // The address was confirmed, so messages under it go too; those of others stay.
    expect(dump).toContain('Another question')
    for (const trace of [
      'A question before leaving',
      'A question in capitals',
      'A question from another mailbox',
      'gone.cafe',
      'Gone.Cafe',
      'Gone Café',
      'Verschwundene',
      cafe.businessId,
      dealId,
    ])
      expect(dump, trace).not.toContain(trace)
    expect((await api(tests, `/api/business/${cafe.businessId}`)).status).toBe(404)
    expect((await api(tests, `/api/business/${stays.businessId}`)).status).toBe(200)
    expect(dump).toContain('stays@example.org')
  })
})

describe('after a deletion', () => {
  it('no queued mail is sent any more, and no newsletter request is left', async () => {
    let isUp = false
    const peer = await startMailPeer(() => (isUp ? null : 451))
    const tests = await appForTest({ env: withMail(peer.url) })
    const email = 'leaves@example.org'
    const waiting = () => tests.db.selectFrom('outgoing_mails').select(['kind', 'account_id']).execute()
    const { authToken } = await aVisitor(tests, email)
    expect((await send(tests, 'PATCH', '/api/me', { newsletter: true }, authToken)).status).toBe(200)
    await post(tests, '/api/auth/forgot', { email })
    await post(tests, '/api/me/email', { email: 'next@example.org', password: goodPassword }, { token: authToken })
    await expect
      .poll(async () => (await waiting()).map(({ kind }) => kind).sort(), { timeout: 90_000 })
      .toEqual(['change_email', 'email_changed', 'newsletter', 'reset', 'verify'])
    // Two queued requests: by anybody with the address, and by the account itself.
    const wish = { kind: 'newsletter_wish', email: 'Leaves@example.org', locale: 'en', origin: tests.url }
    const created_at = new Date(start.epochMilliseconds)
    const own = (await waiting()).find(({ account_id }) => account_id)!.account_id
    await tests.db
      .insertInto('outgoing_mails')
      .values([
        { ...wish, mail_id: newId(), email_folded: email, created_at },
        { ...wish, mail_id: newId(), account_id: own, created_at },
      ])
      .execute()
    expect((await send(tests, 'DELETE', '/api/me', { password: goodPassword }, authToken)).status).toBe(202)
    // Requests of the account are gone, and so are requests of others for its address.
    const left = (await waiting()).filter(({ kind }) => kind !== 'deletion')
    expect(left.map(({ kind }) => kind).sort()).toEqual([
      'email_changed',
      'newsletter',
      'newsletter_wish',
      'reset',
      'verify',
    ])
    expect(await executeDeletions(nightlyServices(tests, later({ hours: 14 * 24 + 1 })))).toBe(1)
    expect(await waiting()).toEqual([])
    expect(await tests.db.selectFrom('newsletter_subscribers').selectAll().execute()).toEqual([])
    // Attempts that were under way have ended.
    await tests.runJobs()
    isUp = true
    // Another mail is sent, the earlier ones are not.
    await aVisitor(tests, 'stays@example.org')
    const tryAgain = async () => {
      await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(tests.db)
      await tests.runJobs()
      return peer.received.length
    }
    await expect.poll(tryAgain, { timeout: 90_000, interval: 250 }).toBe(1)
    expect(peer.received.map(({ to }) => to)).toEqual([['stays@example.org']])
  })
  it.each([true, false])('was asked for, nobody is asked to confirm the address (reminded before: %s)', async (due) => {
    const tests = await appForTest()
    const { authToken } = await aVisitor(tests, 'unconfirmed@example.org')
    await mailTo(tests, 'unconfirmed@example.org', 'confirm your email')
    if (due)
      await tests.db
        .updateTable('accounts')
        .set({ confirm_by: new Date(start.add({ hours: 3 }).epochMilliseconds) })
        .execute()
    await send(tests, 'DELETE', '/api/me', { password: goodPassword }, authToken)
    await mailTo(tests, 'unconfirmed@example.org', 'will be deleted')
    const at = later({ hours: 2 })
    await withJobs(tests, async (jobs) =>
      askToConfirm({ ...nightlyServices(tests, at), ...(await keyringFor(tests)), jobs }, true, tests.url),
    )
    expect(await tests.db.selectFrom('outgoing_mails').select('kind').execute()).toEqual([])
  })
})

const verify = (on: TestApp, email: string) =>
  on.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', email).execute()

const writeToUs = async (on: TestApp, email: string, message: string, token?: string) => {
  const wish = { name: 'Somebody', email, topic: 'visitor', message }
  expect((await post(on, '/api/contact', wish, token === undefined ? {} : { token })).status).toBe(201)
}

/** All rows of all tables as text, with those of the job queue. */
async function everything(on: TestApp): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'jobs')`.execute(on.db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(on.db)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n')
}

describe('what runs out', () => {
  const origin = 'https://festival.example'

  it('unconfirmed accounts without content are deleted after seven days, but not where confirmation is not required', async () => {
    const tests = await appForTest({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
    const people: Record<string, Person> = {}
    people['never'] = await aVisitor(tests, 'never@example.org')
    people['empty'] = await aMerchant(tests, 'empty@example.org')
    const busy = await aMerchant(tests, 'busy@example.org')
    await addDeal(tests.db, busy.businessId, 'Beer')
    await post(tests, '/api/auth/signup', visitorForm('verified@example.org'))
    await post(tests, '/api/auth/verify', { token: tokenIn(await mailTo(tests, 'verified@example.org')) })
    await mailed(tests)
    expect((await mailTo(tests, 'never@example.org')).text).toContain('we will delete the account in 7 days.')
    const at = (duration: Temporal.DurationLike) => nightlyServices(tests, later(duration))
    expect(await deleteUnverified(at({ hours: 7 * 24 - 1 }), true)).toBe(0)
    expect(await deleteUnverified(at({ hours: 400 * 24 }), false)).toBe(0)
    expect(await deleteUnverified(at({ hours: 7 * 24 + 1 }), true)).toBe(2)
    expect(await emails(tests)).toEqual(['busy@example.org', 'verified@example.org'])
    expect(await deleteUnverified(at({ hours: 7 * 24 + 1 }), true)).toBe(0)
    expect((await api(tests, `/api/business/${(people['empty'] as { businessId: string }).businessId}`)).status).toBe(
      404,
    )
  })

  it('an account from before mail was sent has seven days from the first mail, and gets one reminder', async () => {
    // A festival without mail: accounts for months, some used daily.
    const before = await appForTest({ now: '2026-02-20T17:30:00Z' })
    await aVisitor(before, 'daily@example.org')
    await aVisitor(before, 'gone@example.org')
    await mailed(before)
    expect((await mailTo(before, 'daily@example.org')).text).not.toContain('delete')
    await before.stop()
    // Then mail is switched on.
    const peer = await startMailPeer((to) => (to === 'gone@example.org' ? 550 : null))
    const after = await anotherInstance(before, { ...withMail(peer.url), PUBLIC_URL: origin })
    const tests = { ...before, ...after }
    const night = async (now: Temporal.Instant) => {
      const room = { ...nightlyServices(tests, now.toString()), ...(await keyringFor(tests)) }
      const deleted = await deleteUnverified(room, true)
      await withJobs(tests, (jobs) => askToConfirm({ ...room, jobs }, true, origin))
      await mailed(tests)
      return deleted
    }
    const now = Temporal.Now.instant()
    const days = (n: number) => now.add({ hours: 24 * n, minutes: 5 })
    expect(await night(days(0))).toBe(0)
    const read = async (n: number) => PostalMime.parse(Buffer.from(peer.received[n]!.raw, 'latin1'))
    expect(peer.received.map(({ to }) => to)).toEqual([['daily@example.org']])
    const asked = (await read(0)).text!
    expect(asked).toContain('Your address is not confirmed at Rheinklang yet.')
    expect(asked).toContain('we will delete the account in 7 days.')
    expect(asked).toContain(`${origin}/verify-email?token=`)
    for (const n of [1, 2, 3, 4]) expect(await night(days(n))).toBe(0)
    expect(peer.received).toHaveLength(1)
    // Two days before the end, once, with a working link.
    expect(await night(days(5))).toBe(0)
    expect(await night(days(6))).toBe(0)
    expect(peer.received).toHaveLength(2)
    // An address that does not exist could not be asked; its account is deleted all the same.
    expect((await post(tests, '/api/auth/verify', { token: tokenIn({ text: (await read(1)).text! }) })).status).toBe(
      200,
    )
    expect(await night(days(7))).toBe(1)
    expect(await emails(tests)).toEqual(['daily@example.org'])
  })

  it('where confirmation is no longer required nobody is asked, and the days start again', async () => {
    const tests = await appForTest({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
    await aVisitor(tests, 'anew@example.org')
    await mailed(tests)
    const at = { ...nightlyServices(tests, later({ hours: 24 * 30 })), ...(await keyringFor(tests)) }
    await withJobs(tests, (jobs) => askToConfirm({ ...at, jobs }, false, origin))
    expect(await deleteUnverified(at, true)).toBe(0)
    expect(await tests.db.selectFrom('outgoing_mails').select('kind').execute()).toEqual([])
  })

  it('400 days later no session, token, link, proof, mail or event of today is left', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    await post(tests, '/api/auth/forgot', { email: lena.email })
    await mailTo(tests, lena.email, 'Set a new password')
    await post(tests, '/api/newsletter', { email: 'reader@example.org' })
    await mailTo(tests, 'reader@example.org')
    await post(
      tests,
      '/api/me/password',
      { password: goodPassword, new_password: 'yet another password' },
      { token: lena.authToken },
    )
    const at = nightlyServices(tests, later({ hours: 400 * 24 }))
    await giveUpMails(at)
    await deleteExpired(at)
    await deleteUnconfirmed(at)
    for (const table of [
      'sessions',
      'refresh_tokens',
      'mailed_links',
      'outgoing_mails',
      'security_events',
      'familiar_addresses',
      'newsletter_subscribers',
      'used_challenges',
      'google_flows',
    ] as const)
      expect(await tests.db.selectFrom(table).selectAll().execute(), table).toEqual([])
    expect(await tests.db.selectFrom('accounts').select('email').execute()).toEqual([{ email: lena.email }])
  })
})

describe('the newsletter', () => {
  it('is sent only after the link was opened, and one click ends it', async () => {
    const tests = await appForTest()
    expect((await post(tests, '/api/newsletter', { email: 'reader@example.org', language: 'fr' })).status).toBe(202)
    const mail = await mailTo(tests, 'reader@example.org')
    expect(mail.subject).toBe('Confirmer la newsletter')
    const confirmed = () => tests.db.selectFrom('newsletter_subscribers').select(['email', 'confirmed_at']).execute()
    expect(await confirmed()).toEqual([{ email: 'reader@example.org', confirmed_at: null }])
    expect((await post(tests, '/api/newsletter/confirm', { token: tokenIn(mail) })).status).toBe(204)
    expect((await post(tests, '/api/newsletter/confirm', { token: tokenIn(mail) })).status).toBe(400)
    expect((await confirmed())[0]!.confirmed_at).not.toBeNull()
    // Mail programs and people open a page, which has a browser test; the API takes the same token.
    const out = new URL(mail.headers['List-Unsubscribe']!.slice(1, -1))
    expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(out.pathname).toBe('/newsletter/unsubscribe')
    const end = (search: string) => post(tests, `/api/newsletter/unsubscribe${search}`)
    expect((await end(`${out.search}x`)).status).toBe(400)
    expect((await end(out.search)).status).toBe(204)
    expect((await end(out.search)).status).toBe(204)
    expect(await confirmed()).toEqual([])
  })
  it('moves with an account to its new address, which also confirms a pending request of that address', async () => {
    const tests = await appForTest()
    const readers = () =>
      tests.db.selectFrom('newsletter_subscribers').select(['email', 'language']).where('confirmed_at', 'is not', null)
    const readsAt = async (email: string, isConfirmed = true) => {
      const reader = await aVisitor(tests, email)
      if (isConfirmed)
        await post(tests, '/api/auth/verify', { token: tokenIn(await mailTo(tests, email, 'confirm your')) })
      await send(tests, 'PATCH', '/api/me', { language: 'fr', newsletter: true }, reader.authToken)
      if (!isConfirmed)
        await post(tests, '/api/newsletter/confirm', { token: tokenIn(await mailTo(tests, email, 'letter')) })
      return reader
    }
    const moves = async (reader: Person, email: string) => {
      const wish = { email, password: goodPassword }
      expect((await post(tests, '/api/me/email', wish, { token: reader.authToken })).status).toBe(202)
      const mail = await mailTo(tests, email, 'adresse')
      expect((await post(tests, '/api/auth/verify', { token: tokenIn(mail) })).body).toMatchObject({ changed: true })
    }
    const anna = await readsAt('anna@example.org')
    await moves(anna, 'anna.neu@example.org')
    expect(await readers().execute()).toEqual([{ email: 'anna.neu@example.org', language: 'fr' }])
    expect((await get(tests, '/api/me', anna.authToken)).body).toMatchObject({ newsletter: true })
    // The new address has an unconfirmed request of its own.
    await post(tests, '/api/newsletter', { email: 'anna.drei@example.org', language: 'de' })
    await mailTo(tests, 'anna.drei@example.org')
    await moves(anna, 'anna.drei@example.org')
    expect(await readers().execute()).toEqual([{ email: 'anna.drei@example.org', language: 'de' }])
    // An unconfirmed old address takes nothing along: its reader may be somebody else.
    await send(tests, 'PATCH', '/api/me', { newsletter: false }, anna.authToken)
    await moves(await readsAt('stranger@example.org', false), 'stranger.neu@example.org')
    expect(await readers().execute()).toEqual([{ email: 'stranger@example.org', language: 'fr' }])
  })
  it('is not shown to somebody who signed up with its reader’s address and never confirmed it', async () => {
    const tests = await appForTest()
    await post(tests, '/api/newsletter', { email: 'reader@example.org' })
    await post(tests, '/api/newsletter/confirm', { token: tokenIn(await mailTo(tests, 'reader@example.org')) })
    const stranger = await aVisitor(tests, 'Reader@example.org')
    const seen = await get(tests, '/api/me', stranger.authToken)
    expect(seen.body).toMatchObject({ email_verified: false, newsletter: false })
    const ended = await send(tests, 'PATCH', '/api/me', { newsletter: false }, stranger.authToken)
    expect(ended).toMatchObject({ status: 200, body: { newsletter: false } })
    const file = await fetch(`${tests.url}/api/me/export`, {
      headers: { authorization: `Bearer ${stranger.authToken}` },
    })
    expect(file.status).toBe(200)
    const { newsletter_subscribers } = JSON.parse(
      new TextDecoder().decode(unzipSync(new Uint8Array(await file.arrayBuffer()))['data.json']),
    ) as Record<string, unknown>
    expect(newsletter_subscribers).toEqual([])
    await send(tests, 'DELETE', '/api/me', { password: goodPassword }, stranger.authToken)
    expect(await executeDeletions(nightlyServices(tests, later({ hours: 14 * 24 + 1 })))).toBe(1)
    const readers = await tests.db.selectFrom('newsletter_subscribers').select(['email', 'confirmed_at']).execute()
    expect(readers).toMatchObject([{ email: 'reader@example.org', confirmed_at: expect.any(Date) as Date }])
  })
})

it('a change of two things is saved as a whole or not at all', async () => {
  const tests = await appForTest()
  const reader = await aVisitor(tests, 'reader@example.org')
  await post(tests, '/api/auth/verify', { token: tokenIn(await mailTo(tests, reader.email, 'confirm your email')) })
  await sql`alter table accounts add constraint breaks check (display_name <> 'Breaks')`.execute(tests.db)
  const change = { newsletter: true, display_name: 'Breaks' }
  expect((await send(tests, 'PATCH', '/api/me', change, reader.authToken)).status).toBe(500)
  expect(await tests.db.selectFrom('newsletter_subscribers').selectAll().execute()).toEqual([])
  const good = await send(tests, 'PATCH', '/api/me', { ...change, display_name: 'Holds' }, reader.authToken)
  expect(good).toMatchObject({ status: 200, body: { newsletter: true, display_name: 'Holds' } })
  // The newsletter has the language of its request.
  await send(tests, 'PATCH', '/api/me', { newsletter: false }, reader.authToken)
  await send(tests, 'PATCH', '/api/me', { language: 'fr', newsletter: true }, reader.authToken)
  const readers = await tests.db.selectFrom('newsletter_subscribers').select('language').execute()
  expect(readers).toEqual([{ language: 'fr' }])
})

it("a stranger's newsletter request for a confirmed reader changes nothing, the owner's does", async () => {
  const tests = await appForTest()
  const languageOf = async () =>
    (await tests.db.selectFrom('newsletter_subscribers').select('language').executeTakeFirstOrThrow()).language
  const wish = (language: string) => post(tests, '/api/newsletter', { email: 'reader@example.org', language })
  await wish('en')
  await mailTo(tests, 'reader@example.org')
  // Before the confirmation, the mail has the language of the last request.
  await wish('de')
  const link = tokenIn(await mailTo(tests, 'reader@example.org', /./, 2))
  expect(await languageOf()).toBe('de')
  expect((await post(tests, '/api/newsletter/confirm', { token: link })).status).toBe(204)
  await wish('fr')
  await mailed(tests)
  expect(await languageOf()).toBe('de')
  const reader = await aVisitor(tests, 'reader@example.org')
  await post(tests, '/api/auth/verify', { token: tokenIn(await mailTo(tests, reader.email, 'confirm your email')) })
  const changed = await api(tests, '/api/me', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${reader.authToken}` },
    body: JSON.stringify({ newsletter: true }),
  })
  expect(changed.body.newsletter).toBe(true)
  expect(await languageOf()).toBe('en')
})

/** Personal data of a room that fails to delete one account. */
const failingFor = (id: string) => ({
  exportOf: async () => ({}),
  hasContent: async () => false,
  async forget(_: unknown, { accountId }: { accountId: string }) {
    if (accountId === id) throw new Error('the file store is away')
  },
})
const idOf = async (on: TestApp, email: string) =>
  (await on.db.selectFrom('accounts').select('account_id').where('email', '=', email).executeTakeFirstOrThrow())
    .account_id

it('an account that cannot be deleted does not stop others, and is retried', async () => {
  const tests = await appForTest()
  const stuck = await aVisitor(tests, 'stuck@example.org')
  const gone = await aVisitor(tests, 'gone@example.org')
  for (const { authToken } of [stuck, gone])
    await api(tests, '/api/me', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${authToken}` },
      body: JSON.stringify({ password: goodPassword }),
    })
  const room = nightlyServices(tests, later({ hours: 15 * 24 }))
  const away = failingFor(await idOf(tests, stuck.email))
  await expect(executeDeletions({ ...room, personalData: [...room.personalData, away] })).rejects.toThrow(
    'the file store is away',
  )
  expect(await emails(tests)).toEqual(['stuck@example.org'])
  expect(await executeDeletions(room)).toBe(1)
  expect(await emails(tests)).toEqual([])
})

it('an account that cannot be deleted does not stop the rest of the nightly work', async () => {
  const tests = await appForTest({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
  for (const name of ['stuck', 'never', 'asked']) await aVisitor(tests, `${name}@example.org`)
  await mailed(tests)
  const change = (email: string, values: { deletion_at?: Date; confirm_by?: null }) =>
    tests.db.updateTable('accounts').set(values).where('email', '=', email).execute()
  await change('stuck@example.org', { deletion_at: new Date(later({ hours: 1 })) })
  await change('asked@example.org', { confirm_by: null })
  const room = { ...nightlyServices(tests, later({ hours: 15 * 24 })), ...(await keyringFor(tests)) }
  const personalData = [...room.personalData, failingFor(await idOf(tests, 'stuck@example.org'))]
  await withJobs(tests, (jobs) =>
    expect(runNightlyAccountWork({ ...room, personalData, jobs }, true, 'https://festival.example')).rejects.toThrow(
      'the file store is away',
    ),
  )
  expect(await emails(tests)).toEqual(['asked@example.org', 'stuck@example.org'])
  const mails = await tests.db.selectFrom('outgoing_mails').select(['account_id', 'kind']).execute()
  expect(mails).toEqual([{ account_id: await idOf(tests, 'asked@example.org'), kind: 'verify' }])
})

it('an account that cannot be deleted again after a restore does not stop others, and is counted', async () => {
  const tests = await appForTest()
  for (const name of ['stuck', 'gone']) await aVisitor(tests, `${name}@example.org`)
  const ids = await Promise.all(['stuck', 'gone'].map((name) => idOf(tests, `${name}@example.org`)))
  const room = nightlyServices(tests, later({ hours: 1 }))
  await expect(
    deleteAgain({ ...room, personalData: [...room.personalData, failingFor(ids[0]!)] }, ids),
  ).rejects.toThrow(
    '1 of 2 accounts could not be deleted and is left; run it again. The first failure: the file store is away',
  )
  expect(await emails(tests)).toEqual(['stuck@example.org'])
  expect(await deleteAgain(room, ids)).toBe(1)
  expect(await emails(tests)).toEqual([])
})
