import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
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
import { api, appForTest, saturdayEvening, type TestApp } from './start-app.ts'

/** Log and tables may not contain secrets and personal data; the log must contain security events (S14, S19). */

const secondFactorOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(saturdayEvening) })

describe('an evening at the festival', () => {
  it('leaves no password, token, address or exact place in the log or in any table', async () => {
    const lines: string[] = []
    const app = await appForTest({ log: lines, env: { LOG_LEVEL: 'trace' } })
    const secrets: Record<string, string> = { password: goodPassword, 'wrong password': 'what Lena mistyped' }
    const visitor = await aVisitor(app, 'lena.secret@example.org')
    Object.assign(secrets, { authToken: visitor.authToken, refreshToken: visitor.refreshToken })
    const cafe = await aMerchant(app, 'cafe.secret@example.org', { business_name: 'Café Rhein' })
    Object.assign(secrets, { 'merchant token': cafe.authToken, 'merchant refresh token': cafe.refreshToken })
    const link = tokenIn(await mailTo(app, visitor.email, 'confirm your email'))
    secrets['link'] = link
    await fetch(`${app.url}/verify-email?token=${link}`)
    await post(app, '/api/auth/verify', { token: link })
    await post(app, '/api/auth/login', { email: visitor.email, password: 'what Lena mistyped' })
    await post(app, '/api/auth/forgot', { email: visitor.email })
    const reset = tokenIn(await mailTo(app, visitor.email, 'Set a new password'))
    secrets['reset link'] = reset
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: visitor.authToken })
    secrets['second factor'] = setup.body.secret
    const codes = await post(
      app,
      '/api/me/2fa/enable',
      { totp: secondFactorOf(setup.body.secret) },
      { token: visitor.authToken },
    )
    secrets['recovery code'] = codes.body.recovery_codes[0]
    secrets['recovery code without its hyphen'] = codes.body.recovery_codes[0].replace('-', '')
    await get(app, '/api/deals/search?lat=47.559612345&lon=7.588698765&radius=2')
    await get(app, `/api/me?authToken=${visitor.authToken}&lat=47.559612345`, visitor.authToken)
    await post(app, '/api/auth/login', `{"email":"lena.secret@example.org","password":"${goodPassword}"`)
    await signUpBusiness(app, { email: 'cafe.secret@example.org', password: 'password' })
    const pair = await post(app, '/api/auth/refresh', { refreshToken: visitor.refreshToken })
    Object.assign(secrets, { 'next token': pair.body.refreshToken, 'next authToken': pair.body.authToken })
    secrets['latitude'] = '47.559612345'
    secrets['longitude'] = '7.588698765'

    const log = lines.filter((line) => !line.includes('Server listening')).join('\n')
    expect(lines.length).toBeGreaterThan(20)
    for (const [what, secret] of Object.entries({ ...secrets, email: 'lena.secret', 'merchant email': 'cafe.secret' }))
      expect(log.includes(secret), `${what} in the log`).toBe(false)
    expect(log).not.toContain('127.0.0.1')

    // all mails are sent, so only lasting data is left
    await expect
      .poll(async () => (await app.db.selectFrom('outgoing_mails').select('mail_id').execute()).length, {
        timeout: 90_000,
      })
      .toBe(0)
    const dump = await everything(app)
    expect(dump).toContain('lena.secret@example.org')
    for (const [what, secret] of Object.entries(secrets))
      expect(dump.includes(secret), `${what} in a table`).toBe(false)
    for (const secret of Object.values(secrets)) expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
    expect(dump).not.toContain('127.0.0.1')
    // the queue has ids, but no email addresses
    const { rows } = await sql<{ data: string }>`select data::text as data from jobs.job`.execute(app.db)
    expect(rows.map(({ data }) => data).join()).not.toContain('@')
  })
})

describe('the security log', () => {
  it('has one JSON line with UTC time, actor and request for each of 20 kinds of events', async () => {
    const lines: string[] = []
    const app = await appForTest({ log: lines, env: { LOG_LEVEL: 'error' } })
    const events = () =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => typeof line['security'] === 'string')
    const last = (event: string, match: Record<string, unknown> = {}) => {
      const found = events()
        .filter((each) => each['security'] === event)
        .at(-1)
      expect(found, event).toMatchObject({ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), ...match })
      return found!
    }
    const lena = await aVisitor(app, 'lena@example.org')
    const me = (await get(app, '/api/me', lena.authToken)).body.account_id as string
    const reqId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    last('signup', { actor: null, reqId })
    last('login', { actor: me, reqId })
    const wrong = await post(app, '/api/auth/login', { email: lena.email, password: 'wrong' })
    expect(last('login_failed', { actor: me })['reqId']).toBe(wrong.headers.get('x-request-id'))
    await post(app, '/api/auth/login', {
      email: 'no\u001b[31m\r\n{"security":"forged"}@example.org',
      password: 'wrong',
    })
    last('login_failed', { actor: null })
    await get(app, '/api/me')
    last('refused', { status: 401, code: 'unauthenticated', operation: 'GET /api/me', actor: null })
    await get(app, `/api/business/${me}/stats`, lena.authToken)
    last('refused', { status: 403, code: 'forbidden', actor: me, operation: 'GET /api/business/:business_id/stats' })
    for (let n = 0; n < 26; n++) await post(app, '/api/auth/login', { email: 'many@example.org', password: 'wrong' })
    last('refused', { status: 429, code: 'too_many_requests' })
    await post(
      app,
      '/api/me/password',
      { password: 'wrong', new_password: 'whatever it is' },
      { token: lena.authToken },
    )
    last('password_refused', { actor: me })
    last('refused', { status: 403, code: 'wrong_password' })
    const changed = await post(
      app,
      '/api/me/password',
      { password: goodPassword, new_password: 'another good one' },
      { token: lena.authToken },
    )
    last('password_changed', { actor: me })
    await post(app, '/api/auth/verify', { token: tokenIn(await mailTo(app, lena.email, 'confirm your email')) })
    last('email_verified', { actor: me })
    await post(app, '/api/auth/forgot', { email: lena.email })
    last('password_forgotten', { actor: null })
    const token = tokenIn(await mailTo(app, lena.email, 'Set a new password'))
    await post(app, '/api/auth/reset', { token, password: goodPassword })
    last('password_reset', { actor: me })
    expect((await get(app, '/api/me', changed.body.authToken)).status).toBe(401)
    const back = await logIn(app, '/api/auth/login', lena.email)
    await post(app, '/api/me/email', { email: 'lena2@example.org', password: goodPassword }, { token: back.authToken })
    last('email_change_asked', { actor: me })
    await post(app, '/api/auth/verify', { token: tokenIn(await mailTo(app, 'lena2@example.org', 'Confirm')) })
    last('email_changed', { actor: me })
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: back.authToken })
    const codes = await post(
      app,
      '/api/me/2fa/enable',
      { totp: secondFactorOf(setup.body.secret) },
      { token: back.authToken },
    )
    last('second_factor_on', { actor: me })
    const [first, second] = codes.body.recovery_codes as string[]
    await post(app, '/api/auth/login', { email: 'lena2@example.org', password: goodPassword, totp: first })
    last('recovery_code_used', { actor: me })
    await post(app, '/api/me/2fa/disable', { password: goodPassword, totp: second }, { token: back.authToken })
    last('second_factor_off', { actor: me })
    await get(app, '/api/me/sessions', back.authToken, { method: 'DELETE' })
    last('other_sessions_ended', { actor: me })
    await get(app, '/api/me/export', back.authToken)
    last('exported', { actor: me })
    await post(app, '/api/me', { password: goodPassword }, { method: 'DELETE', token: back.authToken })
    last('deletion_asked', { actor: me })
    const away = await logIn(app, '/api/auth/login', 'lena2@example.org')
    await post(app, '/api/auth/logout', undefined, { token: away.authToken })
    last('logout', { actor: me })
    const again = await logIn(app, '/api/auth/login', 'lena2@example.org')
    await post(app, '/api/me/keep', undefined, { token: again.authToken })
    last('deletion_undone', { actor: me })
    await post(app, '/api/auth/refresh', { refreshToken: again.refreshToken })
    app.setNow('2026-06-20T17:33:00Z')
    await post(app, '/api/auth/refresh', { refreshToken: again.refreshToken })
    last('refresh_token_reused', { actor: me })
    await post(app, '/api/auth/signup', visitorForm('lena2@example.org', { display_name: 'A\u2028B' }))

    expect(new Set(events().map((each) => each['security'])).size).toBeGreaterThanOrEqual(20)
    for (const line of lines) {
      expect(line.trimEnd()).not.toMatch(/[\n\r\u001b]/)
      expect(line).not.toMatch(/@example\.org|"security":"forged"/)
    }
  })
})

/** All rows of all tables as text, with those of the queue. */
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

it('no cache may store answers to logged-in people', async () => {
  const app = await appForTest()
  const lena = await aVisitor(app)
  for (const path of ['/api/me', '/api/me/sessions', '/api/me/export'])
    expect(
      (await api(app, path, { headers: { authorization: `Bearer ${lena.authToken}` } })).headers.get('cache-control'),
      path,
    ).toBe('no-store')
})
