import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aVisitor, get, goodPassword, logIn, post, type Person } from '../../../test/people.ts'
import { keyringFor } from '../../../test/rooms.ts'
import { appForTest, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'

const start = Temporal.Instant.from(saturdayEvening)
const later = (duration: Temporal.DurationLike) => start.add(duration).toString()
const refresh = (app: TestApp, refreshToken: string) => post(app, '/api/auth/refresh', { refreshToken })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('an access token', () => {
  it('lives 15 minutes', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    tests.setNow(later({ minutes: 14, seconds: 59 }))
    expect((await get(tests, '/api/me', lena.authToken)).status).toBe(200)
    tests.setNow(later({ minutes: 15, seconds: 1 }))
    expect(await get(tests, '/api/me', lena.authToken)).toMatchObject({
      status: 401,
      body: { error: 'Please log in.', code: 'unauthenticated' },
    })
    expect((await refresh(tests, lena.refreshToken)).status).toBe(200)
  })
  it('is valid at once on an instance whose clock is behind', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    tests.setNow(later({ seconds: -5 }))
    expect((await get(tests, '/api/me', lena.authToken)).status).toBe(200)
  })
  it('is invalid as soon as its session ends', async () => {
    const lena = await aVisitor(app, 'dies@example.org')
    const phone = await logIn(app, '/api/auth/login', 'dies@example.org')
    const list = await get(app, '/api/me/sessions', lena.authToken)
    expect(list.body).toHaveLength(2)
    const other = list.body.find((each: { current: boolean }) => !each.current)
    expect((await get(app, `/api/me/sessions/${other.session_id}`, lena.authToken, { method: 'DELETE' })).status).toBe(
      204,
    )
    expect((await get(app, '/api/me', phone.authToken)).status).toBe(401)
    expect((await refresh(app, phone.refreshToken)).status).toBe(401)
    expect((await get(app, '/api/me', lena.authToken)).status).toBe(200)
  })
  it('that is forged is refused: 12 kinds', async () => {
    const lena = await aVisitor(app, 'forged@example.org')
    const { keyring } = await keyringFor(app)
    const key = keyring.keyFor('access tokens')
    const [head, body, signature] = lena.authToken.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = (header: object, payload: object) => `${encode(header)}.${encode(payload)}.`
    const now = Math.floor(start.epochMilliseconds / 1000)
    const signed = (payload: Record<string, unknown>, header: Record<string, unknown> = {}, secret: Uint8Array = key) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(secret)
    // The forgeries are otherwise right: a correct token made by hand is accepted.
    expect((await get(app, '/api/me', await signed(claims))).status).toBe(200)
    const forged: Record<string, string> = {
      'no algorithm': unsigned({ alg: 'none', typ: 'at+jwt' }, claims),
      'an algorithm spelt otherwise': unsigned({ alg: 'nOnE', typ: 'at+jwt' }, claims),
      'the signature left away': `${head}.${body}.`,
      'a signature of something else': `${head}.${encode({ ...claims, sub: claims['sid'] })}.${signature}`,
      'another key': await signed(claims, {}, Buffer.alloc(32, 1)),
      'another algorithm with the same key': `${encode({ alg: 'HS384', typ: 'at+jwt' })}.${body}.${createHmac(
        'sha384',
        key,
      )
        .update(`${encode({ alg: 'HS384', typ: 'at+jwt' })}.${body}`)
        .digest('base64url')}`,
      'another type': await signed(claims, { typ: 'JWT' }),
      'another issuer': await signed({ ...claims, iss: 'somebody' }),
      'another audience': await signed({ ...claims, aud: 'mail' }),
      'no end': await signed({ ...claims, exp: undefined }),
      over: await signed({ ...claims, exp: now - 1 }),
      'an end in a year': await signed({ ...claims, iat: now - 86_400, exp: now + 31_536_000 }),
      'somebody else in the same session': await signed({ ...claims, sub: '019790f0-0000-7000-8000-000000000000' }),
      'a session that is none': await signed({ ...claims, sid: "' or 1=1 --" }),
      'the refresh token': lena.refreshToken,
      nothing: '',
      noise: '....',
      much: 'a'.repeat(5000),
    }
    for (const [kind, token] of Object.entries(forged))
      expect((await get(app, '/api/me', token || ' ')).status, kind).toBe(401)
    expect((await get(app, '/api/me', lena.authToken)).status).toBe(200)
  })
  it('is accepted only as a bearer token', async () => {
    const lena = await aVisitor(app, 'bearer@example.org')
    const ask = async (authorization: string) =>
      (await fetch(`${app.url}/api/me`, { headers: { authorization } })).status
    expect(await ask(`bearer ${lena.authToken}`)).toBe(200)
    expect(await ask(lena.authToken)).toBe(401)
    expect(await ask(`Basic ${lena.authToken}`)).toBe(401)
    expect((await fetch(`${app.url}/api/me?authToken=${lena.authToken}`)).status).toBe(401)
    expect((await fetch(`${app.url}/api/me`, { headers: { cookie: `authToken=${lena.authToken}` } })).status).toBe(401)
  })
})

describe('a refresh token', () => {
  it('works once: a second use ends the session', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    const next = (await refresh(tests, lena.refreshToken)).body
    const newest = (await refresh(tests, next.refreshToken)).body
    tests.setNow(later({ seconds: 11 }))
    expect(await refresh(tests, lena.refreshToken)).toMatchObject({
      status: 401,
      body: { code: 'session_ended', error: 'Your session expired. Please log in again.' },
    })
    expect((await get(tests, '/api/me', next.authToken)).status).toBe(401)
    expect((await refresh(tests, newest.refreshToken)).status).toBe(401)
    const events = await tests.db.selectFrom('security_events').select('event').execute()
    expect(events.map(({ event }) => event)).toContain('refresh_token_reused')
  })
  it('still gives a working pair within ten seconds, the same one to every tab', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    const one = (await refresh(tests, lena.refreshToken)).body
    tests.setNow(later({ seconds: 9 }))
    const two = (await refresh(tests, lena.refreshToken)).body
    expect(two.refreshToken).toBe(one.refreshToken)
    const three = (await refresh(tests, one.refreshToken)).body
    // A tab that is late twice gets the newest pair.
    expect((await refresh(tests, lena.refreshToken)).body.refreshToken).toBe(three.refreshToken)
    for (const pair of [one, two, three]) expect((await get(tests, '/api/me', pair.authToken)).status).toBe(200)
  })
  it('gives the same pair again for two minutes while that pair is unused, in case the answer got lost', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    const lost = (await refresh(tests, lena.refreshToken)).body
    for (const seconds of [30, 119]) {
      tests.setNow(later({ seconds }))
      const again = await refresh(tests, lena.refreshToken)
      expect(again).toMatchObject({ status: 200, body: { refreshToken: lost.refreshToken } })
      expect((await get(tests, '/api/me', again.body.authToken)).status).toBe(200)
    }
    tests.setNow(later({ seconds: 121 }))
    expect((await refresh(tests, lena.refreshToken)).status).toBe(401)
    expect((await refresh(tests, lost.refreshToken)).status).toBe(401)
  })
  it('used by twenty tabs at once keeps the session', async () => {
    const lena = await aVisitor(app, 'twenty@example.org')
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(app, lena.refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect((await get(app, '/api/me', answers[7]!.body.authToken)).status).toBe(200)
    expect((await refresh(app, answers[3]!.body.refreshToken)).status).toBe(200)
  })
  it('lives 30 days without use, and its session 90 days in any case', async () => {
    const idle = await appForTest()
    const lena = await aVisitor(idle)
    idle.setNow(later({ hours: 30 * 24 + 1 }))
    expect((await refresh(idle, lena.refreshToken)).status).toBe(401)

    const busy = await appForTest()
    let { refreshToken } = await aVisitor(busy)
    for (let day = 29; day < 90; day += 29) {
      busy.setNow(later({ hours: day * 24 }))
      refreshToken = (await refresh(busy, refreshToken)).body.refreshToken
    }
    busy.setNow(later({ hours: 90 * 24 - 1 }))
    refreshToken = (await refresh(busy, refreshToken)).body.refreshToken
    expect(refreshToken).toBeTruthy()
    busy.setNow(later({ hours: 90 * 24 + 1 }))
    expect((await refresh(busy, refreshToken)).status).toBe(401)
  })
  it('without a session is refused', async () => {
    for (const token of ['x', 'a'.repeat(43), '\u{1f3b7}', "'; drop table sessions; --"])
      expect((await refresh(app, token)).status, token).toBe(401)
    expect((await refresh(app, '')).status).toBe(400)
    expect((await post(app, '/api/auth/refresh', { refreshToken: { $ne: null } })).status).toBe(400)
  })
  it('is stored only as a hash', async () => {
    const lena = await aVisitor(app, 'hash@example.org')
    const { rows } = await sql<{ row: string }>`select refresh_tokens::text as row from refresh_tokens`.execute(app.db)
    const dump = rows.map(({ row }) => row).join('\n')
    expect(dump).not.toContain(lena.refreshToken)
    expect(dump).not.toContain(Buffer.from(lena.refreshToken).toString('hex'))
    expect(dump).not.toContain(Buffer.from(lena.refreshToken, 'base64url').toString('hex'))
  })
})

describe('the end of sessions', () => {
  it('logging out ends the session, by either token', async () => {
    const byToken = await aVisitor(app, 'out1@example.org')
    expect((await post(app, '/api/auth/logout', undefined, { token: byToken.authToken })).status).toBe(204)
    expect((await refresh(app, byToken.refreshToken)).status).toBe(401)
    const byRefresh = await logIn(app, '/api/auth/login', 'out1@example.org')
    expect((await post(app, '/api/auth/logout', { refreshToken: byRefresh.refreshToken })).status).toBe(204)
    expect((await get(app, '/api/me', byRefresh.authToken)).status).toBe(401)
    // Safe to repeat.
    expect((await post(app, '/api/auth/logout', { refreshToken: byRefresh.refreshToken })).status).toBe(204)
    expect((await post(app, '/api/auth/logout', undefined, { token: byRefresh.authToken })).status).toBe(204)
  })
  it('a changed password ends every session and gives this device a new one', async () => {
    const lena = await aVisitor(app, 'change@example.org')
    const phone = await logIn(app, '/api/auth/login', 'change@example.org')
    const changed = await post(
      app,
      '/api/me/password',
      { password: goodPassword, new_password: 'another walk by the Rhine' },
      { token: lena.authToken },
    )
    expect(changed).toMatchObject({ status: 200, body: { userType: 'user' } })
    for (const old of [lena, phone] as Person[]) {
      expect((await get(app, '/api/me', old.authToken)).status).toBe(401)
      expect((await refresh(app, old.refreshToken)).status).toBe(401)
    }
    expect((await get(app, '/api/me', changed.body.authToken)).status).toBe(200)
    expect((await post(app, '/api/auth/login', { email: 'change@example.org', password: goodPassword })).status).toBe(
      401,
    )
    await logIn(app, '/api/auth/login', 'change@example.org', 'another walk by the Rhine')
  })
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      'Chrome',
      'Linux',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox', 'Android'],
    ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)', null, 'iPad'],
    ['', null, null],
  ])('are told apart by browser and system: %j', async (userAgent, browser, system) => {
    const email = `ua${userAgent.length}@example.org`
    await aVisitor(app, email)
    const headers = { 'user-agent': userAgent }
    const { body } = await post(app, '/api/auth/login', { email, password: goodPassword }, { headers })
    const current = (await get(app, '/api/me/sessions', body.authToken)).body.find(
      (each: { current: boolean }) => each.current,
    )
    expect(current).toMatchObject({ browser, system })
  })
  it('one can end all other own sessions, never those of somebody else', async () => {
    const lena = await aVisitor(app, 'others@example.org')
    const phone = await logIn(app, '/api/auth/login', 'others@example.org')
    const stranger = await aVisitor(app, 'stranger@example.org')
    const mine = (await get(app, '/api/me/sessions', lena.authToken)).body[0]
    expect(mine).toMatchObject({ browser: null, system: null, current: expect.any(Boolean) })
    expect(
      await get(app, `/api/me/sessions/${mine.session_id}`, stranger.authToken, { method: 'DELETE' }),
    ).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    })
    expect((await get(app, '/api/me/sessions', lena.authToken, { method: 'DELETE' })).status).toBe(204)
    expect((await get(app, '/api/me', phone.authToken)).status).toBe(401)
    expect((await get(app, '/api/me', lena.authToken)).status).toBe(200)
    expect((await get(app, '/api/me', stranger.authToken)).status).toBe(200)
  })
  it('a blocked account is out at the next call, and cannot come back', async () => {
    const lena = await aVisitor(app, 'blocked@example.org')
    await app.db
      .updateTable('accounts')
      .set({ blocked_at: new Date() })
      .where('email', '=', 'blocked@example.org')
      .execute()
    expect((await get(app, '/api/me', lena.authToken)).status).toBe(401)
    expect((await refresh(app, lena.refreshToken)).status).toBe(401)
    expect(await post(app, '/api/auth/login', { email: 'blocked@example.org', password: goodPassword })).toMatchObject({
      status: 401,
      body: { error: 'Invalid email or password.' },
    })
  })
})
