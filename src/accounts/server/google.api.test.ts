import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browse, startOpenIdPeer, type OpenIdPerson } from '../../../test/peers/openid.ts'
import { aVisitor, get, goodPassword, logIn, mailTo, post, tokenIn } from '../../../test/people.ts'
import { appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let peer: Awaited<ReturnType<typeof startOpenIdPeer>>

beforeAll(async () => {
  const client = { id: 'festival', secret: 'a secret between the two' }
  peer = await startOpenIdPeer(client)
  // Tokens of the peer have the real time.
  app = await startTestApp({
    now: null,
    env: { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_ISSUER: peer.issuer },
  })
  peer.register(`${app.url}/api/auth/google/callback`)
})
afterAll(async () => {
  await app.close()
  await peer.close()
})

const lena = (more: Partial<OpenIdPerson> = {}): OpenIdPerson => ({
  sub: 'sub-lena',
  email: 'lena@example.org',
  email_verified: true,
  name: 'Lena Muster',
  ...more,
})

const isBack = (url: URL) => url.pathname === '/googlelogin'
const start = (next?: string) =>
  `${app.url}/api/auth/google/start${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
const outcome = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))

/** Exchanges a code in the browser with these cookies. */
const exchange = (body: object, jar: Map<string, string> = new Map()) =>
  post(app, '/api/auth/google/exchange', body, {
    headers: { cookie: `google_flow=${jar.get(`${new URL(app.url).host} google_flow`) ?? ''}` },
  })

/** Goes to the peer and back as this person, and exchanges the code. */
async function signIn(person: OpenIdPerson, more: object = {}, next?: string) {
  peer.is(person)
  const { url, jar } = await browse(start(next), isBack)
  const { code } = outcome(url)
  expect(code, url.href).toBeTruthy()
  return { code: code!, jar, ...(await exchange({ code, ...more }, jar)) }
}

const rows = (email: string) => app.db.selectFrom('accounts').selectAll().where('email', '=', email).execute()

describe('signing in with Google', () => {
  it('goes there with PKCE, state and nonce, and comes back to the wanted page of this site', async () => {
    peer.is(lena({ sub: 'new', email: 'new@example.org' }))
    const { trail, url, jar } = await browse(start('/myschedule?day=sat'), isBack)
    const asked = trail.find((each) => each.origin === peer.issuer)!.searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(asked.get('state')!.length).toBeGreaterThanOrEqual(32)
    expect(asked.get('nonce')!.length).toBeGreaterThanOrEqual(32)
    expect(asked.get('redirect_uri')).toBe(`${app.url}/api/auth/google/callback`)
    // The code is behind the #, where no server and no log sees it.
    expect(url.search).toBe('?next=%2Fmyschedule%3Fday%3Dsat')
    const { code } = outcome(url)
    const pair = await exchange({ code }, jar)
    expect(pair).toMatchObject({ status: 200, body: { userType: 'user', next: '/myschedule?day=sat' } })
    expect((await get(app, '/api/me', pair.body.authToken)).body).toMatchObject({
      email: 'new@example.org',
      email_verified: true,
      has_password: false,
      google_linked: true,
      display_name: 'Lena Muster',
    })
    expect((await exchange({ code }, jar)).status).toBe(400)
  })
  it('identifies a person by id, not by address', async () => {
    const first = await signIn(lena({ sub: 'moves', email: 'before@example.org' }))
    const second = await signIn(lena({ sub: 'moves', email: 'after@example.org' }))
    const me = async (token: string) => (await get(app, '/api/me', token)).body.account_id
    expect(await me(second.body.authToken)).toBe(await me(first.body.authToken))
    expect(await rows('after@example.org')).toEqual([])
  })
  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never leaves for %s',
    async (next) => {
      const { body } = await signIn(lena({ sub: 'new', email: 'new@example.org' }), {}, next)
      expect(body.next).toBe('/')
    },
  )
  it('has codes that work for a minute', async () => {
    const fixed = new Date(Date.now() - 61_000)
    peer.is(lena({ sub: 'slow', email: 'slow@example.org' }))
    const { url, jar } = await browse(start(), isBack)
    await app.db.updateTable('google_arrivals').set({ expires_at: fixed }).execute()
    expect(await exchange(outcome(url), jar)).toMatchObject({
      status: 400,
      body: { code: 'link_invalid' },
    })
  })
  it('has codes that work only in the browser that went to Google', async () => {
    peer.is(lena({ sub: 'mallory', email: 'mallory@example.org' }))
    const { url, jar } = await browse(start(), isBack)
    const victim = (await browse(start(), isBack)).jar
    for (const other of [new Map<string, string>(), victim])
      expect(await exchange(outcome(url), other)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await exchange(outcome(url), jar)).status).toBe(200)
  })
})

describe('a verified Google address', () => {
  it('takes over an account that nobody verified: its password, sessions and second factor are gone', async () => {
    const squatter = await aVisitor(app, 'mine@example.org')
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: squatter.authToken })
    const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate({
      timestamp: app.now().epochMilliseconds,
    })
    await post(app, '/api/me/2fa/enable', { totp: code }, { token: squatter.authToken })
    const owner = await signIn(lena({ sub: 'owner-of-mine', email: 'Mine@Example.org', name: 'The Owner' }))
    expect(owner.status).toBe(200)
    expect((await get(app, '/api/me', squatter.authToken)).status).toBe(401)
    expect((await post(app, '/api/auth/refresh', { refreshToken: squatter.refreshToken })).status).toBe(401)
    expect((await post(app, '/api/auth/login', { email: 'mine@example.org', password: goodPassword })).status).toBe(401)
    expect((await get(app, '/api/me', owner.body.authToken)).body).toMatchObject({
      email: 'mine@example.org',
      email_verified: true,
      has_password: false,
      second_factor: false,
      display_name: 'The Owner',
    })
  })
  it('of a verified account asks for its password once, then is linked', async () => {
    const local = await aVisitor(app, 'local@example.org')
    await post(app, '/api/auth/verify', {
      token: tokenIn(await mailTo(app, 'local@example.org', 'confirm your email')),
    })
    const person = lena({ sub: 'local', email: 'local@example.org' })
    const asked = await signIn(person)
    expect(asked).toMatchObject({ status: 401, body: { code: 'password_required' } })
    const wrong = await exchange({ code: asked.code, password: 'wrong' }, asked.jar)
    expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    const linked = await exchange({ code: asked.code, password: goodPassword }, asked.jar)
    expect(linked.status).toBe(200)
    await mailTo(app, 'local@example.org', 'Google sign-in is linked')
    expect((await signIn(person)).status).toBe(200)
    // The password and the other session still work.
    await logIn(app, '/api/auth/login', 'local@example.org')
    expect((await get(app, '/api/me', local.authToken)).status).toBe(200)
  })
  it('is only one factor: an account with a second one is asked for the code', async () => {
    const person = lena({ sub: 'careful', email: 'careful@example.org' })
    const first = await signIn(person)
    await post(app, '/api/auth/forgot', { email: 'careful@example.org' })
    const token = tokenIn(await mailTo(app, 'careful@example.org', 'Set a new password'))
    await post(app, '/api/auth/reset', { token, password: goodPassword })
    expect((await get(app, '/api/me', first.body.authToken)).status).toBe(401)
    const inside = await logIn(app, '/api/auth/login', 'careful@example.org')
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: inside.authToken })
    const totp = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate({
      timestamp: app.now().epochMilliseconds,
    })
    const { recovery_codes } = (await post(app, '/api/me/2fa/enable', { totp }, { token: inside.authToken })).body
    const asked = await signIn(person)
    expect(asked).toMatchObject({ status: 401, body: { code: 'totp_required' } })
    expect((await exchange({ code: asked.code, totp: '000000' }, asked.jar)).status).toBe(401)
    expect((await exchange({ code: asked.code, totp: recovery_codes[0] }, asked.jar)).status).toBe(200)
  })
  it('is needed: an address that Google has not verified logs nobody in', async () => {
    peer.is(lena({ sub: 'unverified', email: 'unverified@example.org', email_verified: false }))
    const { url } = await browse(start(), isBack)
    expect(outcome(url)).toEqual({ error: 'unverified' })
    expect(await rows('unverified@example.org')).toEqual([])
  })
})

describe('the callback is refused', () => {
  /** Everything but the last step: the address that Google sends the browser to, and its cookie. */
  async function beforeCallback(next?: string) {
    peer.is(lena())
    const { url, jar } = await browse(start(next), (each) => each.pathname === '/api/auth/google/callback')
    return { url, cookie: `google_flow=${jar.get(`${new URL(app.url).host} google_flow`)}` }
  }
  const wayBack = async (url: URL, cookie: string | null) => {
    const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    expect(answer.status).toBe(303)
    return answer.headers.get('location')!
  }
  const finish = async (url: URL, cookie: string | null) => outcome(new URL(await wayBack(url, cookie), app.url))
  it('with a wrong state, a used one, or none', async () => {
    const { url, cookie } = await beforeCallback()
    const tampered = new URL(url)
    tampered.searchParams.set('state', 'x'.repeat(43))
    expect(await finish(tampered, cookie)).toEqual({ error: 'failed' })
    expect(await finish(url, cookie)).toHaveProperty('code')
    expect(await finish(url, cookie)).toEqual({ error: 'failed' })
    url.searchParams.delete('state')
    expect(await finish(url, cookie)).toEqual({ error: 'failed' })
  })
  it('in another browser than the one that started', async () => {
    const { url } = await beforeCallback()
    expect(await finish(url, null)).toEqual({ error: 'failed' })
    const other = await beforeCallback()
    expect(await finish(other.url, 'google_flow=somebody-elses')).toEqual({ error: 'failed' })
  })
  it('with an unknown code, or from another issuer', async () => {
    const one = await beforeCallback()
    one.url.searchParams.set('code', 'made-up')
    expect(await finish(one.url, one.cookie)).toEqual({ error: 'failed' })
    const two = await beforeCallback()
    two.url.searchParams.set('iss', 'https://accounts.evil.example')
    expect(await finish(two.url, two.cookie)).toEqual({ error: 'failed' })
  })
  it('with an ID token that has the signature of another one', async () => {
    onTestFinished(() => peer.forges(null))
    const person = lena({ sub: 'honest', email: 'honest@example.org' })
    expect((await signIn(person)).status).toBe(200)
    peer.forges('somebody else')
    peer.is(person)
    expect(outcome((await browse(start(), isBack)).url)).toEqual({ error: 'failed' })
    peer.forges(null)
    expect((await signIn(person)).status).toBe(200)
  })
  it.each<[string, Partial<OpenIdPerson>]>([
    ['a NUL in the address', { email: 'le\0na@example.org' }],
    ['half a letter in the address', { email: 'le\ud83cna@example.org' }],
    ['no address', { email: '' }],
    ['an address that is none', { email: 'lena' }],
    ['a very long address', { email: `${'x'.repeat(300)}@example.org` }],
    ['an address that is no text', { email: { is: 'odd' } as never }],
  ])('of somebody with %s', async (_, odd) => {
    const { url, cookie } = await beforeCallback()
    peer.is(lena({ sub: 'odd', ...odd }))
    expect(await finish(url, cookie)).toEqual({ error: 'failed' })
  })
  it.each<[unknown, string]>([
    ['Le\0na', 'Le na'],
    ['Lena \ud83c', 'odd-name'],
    ['\u202eaneL', 'odd-name'],
    ['\u200b', 'odd-name'],
    ['x'.repeat(3000), 'x'.repeat(40)],
    [{ is: 'odd' }, 'odd-name'],
    [null, 'odd-name'],
    ['Rheinklang Team', 'odd-name'],
    ['Мoderator', 'odd-name'],
    ['Le\u200bna', 'odd-name'],
  ])('never because of a name: %j becomes %j', async (name, shown) => {
    const person = lena({ sub: `odd-${crypto.randomUUID()}`, email: 'odd-name@example.org', name: name as string })
    await app.db.deleteFrom('accounts').where('email', '=', person.email).execute()
    const { body } = await signIn(person)
    expect((await get(app, '/api/me', body.authToken)).body.display_name).toBe(shown)
  })
  it('in every case without losing the wanted page', async () => {
    const begin = await beforeCallback('/contact?topic=press')
    const cancelled = new URL(begin.url)
    cancelled.searchParams.delete('code')
    cancelled.searchParams.set('error', 'access_denied')
    const failed = await beforeCallback('/contact?topic=press')
    failed.url.searchParams.set('code', 'made-up')
    for (const [url, cookie] of [[cancelled, begin.cookie] as const, [failed.url, failed.cookie] as const]) {
      expect(await wayBack(url, cookie)).toMatch(
        /^\/googlelogin\?next=%2Fcontact%3Ftopic%3Dpress#error=(cancelled|failed)$/,
      )
    }
    const good = await beforeCallback('/contact')
    expect(await wayBack(good.url, good.cookie)).toMatch(/^\/googlelogin\?next=%2Fcontact#code=/)
    const elsewhere = await beforeCallback('https://evil.example/')
    expect(await wayBack(elsewhere.url, null)).toBe('/googlelogin#error=failed')
  })
  it('when the person refused at Google', async () => {
    const { url, cookie } = await beforeCallback()
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
    expect(await finish(url, cookie)).toEqual({ error: 'cancelled' })
  })
})

describe('without Google', () => {
  it('the page says that it is not set up', async () => {
    const plain = await appForTest()
    const answer = await fetch(`${plain.url}/api/auth/google/start`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/googlelogin#error=not_set_up')
    expect((await get(plain, '/api/auth/options')).body.google).toBe(false)
  })
  it('the page says within seconds that Google cannot be reached, or is another issuer', async () => {
    const liar = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          issuer: 'https://accounts.evil.example',
          authorization_endpoint: 'https://accounts.evil.example/a',
        }),
      ),
    )
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void liar.close())
    const { port } = liar.address() as AddressInfo
    for (const issuer of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
      const lost = await appForTest({
        env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: issuer },
      })
      const answer = await fetch(`${lost.url}/api/auth/google/start`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toBe('/googlelogin#error=unavailable')
    }
  })
})
