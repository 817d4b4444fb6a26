import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aMerchant,
  aVisitor,
  crowd,
  get,
  goodPassword,
  logIn,
  mailsTo,
  mailTo,
  post,
  signUpBusiness,
  tokenIn,
  visitorForm,
} from '../../../test/people.ts'
import { appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const signup = (form: object, on: TestApp = app) => post(on, '/api/auth/signup', form)

describe('a visitor who signs up', () => {
  it.each([
    [{ display_name: '' }, 'display_name', 'Please fill this in.'],
    [{ display_name: ' \u200b ' }, 'display_name', 'Please fill this in.'],
    [{ display_name: 'x'.repeat(41) }, 'display_name', 'At most 40 characters, please.'],
    [{ display_name: 'Lena\r\nBcc: all@example.org' }, 'display_name', 'Please use a single line.'],
    [{ email: 'nobody' }, 'email', 'Please enter an email address such as name@example.ch.'],
    [{ email: 'a@b.ch\nBcc: x@y.ch' }, 'email', 'Please enter an email address such as name@example.ch.'],
    [{ email: 'a@b.ch,x@y.ch' }, 'email', 'Please enter an email address such as name@example.ch.'],
    [{ password: '' }, 'password', 'Please fill this in.'],
    [{ accepts_terms: false }, 'accepts_terms', 'Please accept the Terms of Use.'],
    [{ language: 'it' }, 'language', 'Please choose one of: en, de, fr.'],
  ])('with %j is refused beside the field', async (wrong, field, text) => {
    const answer = await signup(visitorForm('wrong@example.org', wrong))
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(answer.body.fields).toEqual({ [field]: text })
  })
  it('gets the mail in the chosen language', async () => {
    expect((await signup(visitorForm('franz@example.org', { language: 'de', display_name: 'Franz' }))).status).toBe(201)
    const mail = await mailTo(app, 'franz@example.org')
    expect(mail.subject).toBe('Bitte bestätige deine Adresse')
    expect(mail.text).toContain('Hallo Franz')
    await signUpBusiness(app, { email: 'wirt@example.org', language: 'de' })
    expect((await mailTo(app, 'wirt@example.org')).subject).toBe('Bitte bestätigen Sie Ihre Adresse')
  })
  it('can have a business account with the same address, and each login takes its own kind', async () => {
    const visitor = await aVisitor(app, 'both@example.org')
    const merchant = await aMerchant(app, 'both@example.org', { password: 'the other password of mine' }).catch(
      () => null,
    )
    expect(merchant).toBeNull()
    const business = await logIn(app, '/api/business/login', 'both@example.org', 'the other password of mine')
    expect(business.userType).toBe('business')
    expect(visitor.userType).toBe('user')
    expect(
      (await post(app, '/api/auth/login', { email: 'both@example.org', password: 'the other password of mine' }))
        .status,
    ).toBe(401)
  })
})

describe('a taken address', () => {
  it('gets exactly the answer of a new one, keeps its account, and its owner gets a mail with a reset link', async () => {
    await aVisitor(app, 'taken@example.org')
    const fresh = await signup(visitorForm('fresh@example.org'))
    const taken = await signup(
      visitorForm('Taken@Example.org', { display_name: 'Mallory', password: 'of mallory alone' }),
    )
    expect([taken.status, taken.body]).toEqual([fresh.status, fresh.body])
    const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== 'x-request-id')
    expect(names(taken.headers)).toEqual(names(fresh.headers))
    const mail = await mailTo(app, 'taken@example.org', 'You already have an account')
    expect(mail.text).not.toContain('Mallory')
    expect(
      (await post(app, '/api/auth/login', { email: 'taken@example.org', password: 'of mallory alone' })).status,
    ).toBe(401)
    await logIn(app, '/api/auth/login', 'taken@example.org')
    const reset = await post(app, '/api/auth/reset', { token: tokenIn(mail), password: 'mine again, for good' })
    expect(reset).toMatchObject({ status: 200, body: { kind: 'user' } })
    await logIn(app, '/api/auth/login', 'taken@example.org', 'mine again, for good')
  })
  it('of a business creates no second business', async () => {
    await aMerchant(app, 'shop@example.org', { business_name: 'Shop One' })
    const png = await fetch(
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ).then((it) => it.blob())
    expect(
      (await signUpBusiness(app, { email: 'shop@example.org', business_name: 'Shop Two', logo: png })).status,
    ).toBe(201)
    const rows = await app.db
      .selectFrom('businesses')
      .select('business_name')
      .where('email', '=', 'shop@example.org')
      .execute()
    expect(rows).toEqual([{ business_name: 'Shop One' }])
  })
  it.each(['\u200b', 'Bar\u202egnp', `Z${'\u0301'.repeat(79)}`])(
    'of a business by the name %j is refused',
    async (name) => {
      const answer = await signUpBusiness(app, { email: 'unseen@example.org', business_name: name })
      expect(answer).toMatchObject({ status: 400, body: { fields: { business_name: expect.any(String) as string } } })
    },
  )
  it('signed up 90 times at once creates one account, one business and no error', async () => {
    // Each from another network address: from one, the 101st would need a proof of work.
    const tests = await appForTest({ env: { TRUST_PROXY: 'on' } })
    const email = 'race@example.org'
    const from = (n: number) => ({ headers: { 'x-forwarded-for': `198.18.0.${n}` } })
    const answers = await crowd(90, (n) =>
      n % 3 ? post(tests, '/api/auth/signup', visitorForm(email), from(n)) : signUpBusiness(tests, { email }, from(n)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const count = async (table: 'accounts' | 'businesses') =>
      Number(
        (
          await tests.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    expect(await count('accounts')).toBe(2)
    expect(await count('businesses')).toBe(1)
  })
})

describe('somebody who signs up with the address of another', () => {
  it('loses password, sessions and second factor when the owner of the mailbox takes over the account', async () => {
    const tests = await appForTest()
    const squatter = await aVisitor(tests, 'victim@example.org')
    const setup = await post(tests, '/api/me/2fa/setup', { password: goodPassword }, { token: squatter.authToken })
    expect(setup.status).toBe(200)
    await post(
      tests,
      '/api/me/email',
      { email: 'mallory@example.org', password: goodPassword },
      { token: squatter.authToken },
    )
    const change = await mailTo(tests, 'mallory@example.org')
    // The owner signs up, and gets the mail that there is an account.
    await signup(visitorForm('victim@example.org', { password: 'what the owner typed' }), tests)
    const mail = await mailTo(tests, 'victim@example.org', 'You already have an account')
    expect(
      (await post(tests, '/api/auth/reset', { token: tokenIn(mail), password: 'what the owner wants' })).status,
    ).toBe(200)
    expect((await get(tests, '/api/me', squatter.authToken)).status).toBe(401)
    expect((await post(tests, '/api/auth/refresh', { refreshToken: squatter.refreshToken })).status).toBe(401)
    expect((await post(tests, '/api/auth/verify', { token: tokenIn(change) })).status).toBe(400)
    const owner = await logIn(tests, '/api/auth/login', 'victim@example.org', 'what the owner wants')
    expect((await get(tests, '/api/me', owner.authToken)).body).toMatchObject({
      email: 'victim@example.org',
      email_verified: true,
      second_factor: false,
      pending_email: null,
    })
  })
})

describe('fields that nobody may set at signup', () => {
  const wishes: Record<string, unknown> = {
    role: 'admin',
    is_admin: true,
    kind: 'business',
    email_verified: true,
    verified_at: '2020-01-01T00:00:00Z',
    subscription_tier: 'ULTIMATE',
    featured_until: '2099-01-01T00:00:00Z',
    is_premium: true,
    business_id: '019790f0-0000-7000-8000-000000000000',
    profileViews: 1000,
    blocked_at: null,
    account_id: '019790f0-0000-7000-8000-000000000001',
    ['__proto__']: { role: 'admin' },
    constructor: { prototype: { role: 'admin' } },
  }
  const { constructor: _, ...harmless } = Object.fromEntries(
    Object.entries(wishes).filter(([field]) => field !== '__proto__'),
  )
  it.each(Object.keys(wishes))('%s is ignored for a visitor', async (field) => {
    const email = `mass-${field.toLowerCase().replace(/\W|_/g, '')}@example.org`
    const body = `${JSON.stringify(visitorForm(email)).slice(0, -1)},${JSON.stringify(field)}:${JSON.stringify(wishes[field])}}`
    const answer = await fetch(`${app.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    // Keys such as __proto__ are refused as invalid JSON.
    if (answer.status !== 400) {
      const row = await app.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
      expect(row).toMatchObject({ role: 'user', kind: 'user', verified_at: null, business_id: null, blocked_at: null })
      expect(row.account_id).not.toBe(wishes['account_id'])
    } else expect(['__proto__', 'constructor']).toContain(field)
    expect(({} as Record<string, unknown>)['role']).toBeUndefined()
  })
  it('are ignored for a business: its tier is FREE, whatever is sent', async () => {
    const form: Record<string, string> = Object.fromEntries(
      Object.entries(harmless).map(([field, value]) => [field, String(value)]),
    )
    form['subscription_tier'] = 'PREMIUM'
    expect((await signUpBusiness(app, { email: 'mass@example.org', ...form })).status).toBe(201)
    const row = await app.db
      .selectFrom('businesses')
      .selectAll()
      .where('email', '=', 'mass@example.org')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ subscription_tier: 'FREE', requested_tier: 'PREMIUM', featured_until: null })
    for (const tier of ['ULTIMATE', 'premium', 'GOLD'])
      expect(
        (await signUpBusiness(app, { email: `tier-${tier}@example.org`.toLowerCase(), subscription_tier: tier }))
          .status,
      ).toBe(400)
    expect((await signUpBusiness(app, { email: 'tier-empty@example.org', subscription_tier: '' })).status).toBe(201)
  })
  it('are ignored by PATCH /api/me as well', async () => {
    const lena = await aVisitor(app, 'patch@example.org')
    const patched = await fetch(`${app.url}/api/me`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${lena.authToken}` },
      body: JSON.stringify({ ...harmless, email: 'other@example.org', password_hash: 'x', display_name: 'Lena M.' }),
    })
    expect(patched.status).toBe(200)
    const row = await app.db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', 'patch@example.org')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      display_name: 'Lena M.',
      role: 'user',
      kind: 'user',
      verified_at: null,
      business_id: null,
    })
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('the limit of signups', () => {
  it('holds for parallel signups: after 100 from one network address a proof of work is required', async () => {
    const tests = await appForTest()
    const answers = await crowd(130, (n) =>
      n % 2
        ? signup(visitorForm(`at-once-${n}@example.org`), tests)
        : signUpBusiness(tests, { email: `at-once-${n}@example.org` }),
    )
    const counts = Object.groupBy(answers, ({ status }) => status)
    expect(counts[201]).toHaveLength(100)
    expect(counts[403]).toHaveLength(30)
  })
  it('counts only successful signups', async () => {
    const tests = await appForTest({ env: { PASSWORD_BLOCKLIST: 'on' } })
    const refused = await crowd(20, (n) =>
      signup(visitorForm(`weak-${n}@example.org`, { password: 'password1234' }), tests),
    )
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]))
    const fine = await crowd(100, (n) => signup(visitorForm(`fine-${n}@example.org`), tests))
    expect(new Set(fine.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await signup(visitorForm('one-more@example.org'), tests)).body.code).toBe('challenge_required')
  })
  it('counts a refused signup once, wherever it was refused', async () => {
    const tests = await appForTest({ env: { PASSWORD_BLOCKLIST: 'on' } })
    const weak = { password: 'password1234' }
    for (let n = 0; n < 10; n++) {
      expect((await signup(visitorForm('no@example.org', weak), tests)).status).toBe(400)
      expect((await signup({}, tests)).status).toBe(400)
      expect((await signUpBusiness(tests, { email: 'no@example.org', ...weak })).status).toBe(400)
    }
    expect((await signup(visitorForm('late@example.org'), tests)).body.code).toBe('challenge_required')
    const { points } = await tests.db
      .selectFrom('rate_limits')
      .select('points')
      .where('key', 'like', 'signup-failed:%')
      .executeTakeFirstOrThrow()
    expect(points).toBe(31)
  })
})

describe('the proof of work', () => {
  async function solved(on: TestApp) {
    const { body: challenge } = await get(on, '/api/auth/challenge')
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  it('is required after 30 failed signups from one network address in an hour, and each works once', async () => {
    const tests = await appForTest()
    for (let n = 0; n < 30; n++) expect((await signup({}, tests)).status).toBe(400)
    expect(await signup(visitorForm('robot@example.org'), tests)).toMatchObject({
      status: 403,
      body: { code: 'challenge_required' },
    })
    const altcha = await solved(tests)
    expect((await signup(visitorForm('human@example.org', { altcha }), tests)).status).toBe(201)
    expect((await signup(visitorForm('human2@example.org', { altcha }), tests)).status).toBe(403)
    expect((await signUpBusiness(tests, { email: 'bar@example.org', altcha: await solved(tests) })).status).toBe(201)
  })
  it('is always required if the operator says so, and a forged one is refused', async () => {
    const tests = await appForTest({ env: { SIGNUP_CHALLENGE: 'always' } })
    expect((await get(tests, '/api/auth/options')).body).toMatchObject({ challenge: 'always', google: false })
    expect((await signup(visitorForm('a@example.org'), tests)).status).toBe(403)
    const real = JSON.parse(Buffer.from(await solved(tests), 'base64').toString())
    const easy = structuredClone(real)
    easy.challenge.parameters.cost = 1
    const foreign = structuredClone(real)
    foreign.challenge.signature = '0'.repeat(64)
    const wrong = structuredClone(real)
    wrong.solution.counter += 1
    const loud = structuredClone(real)
    // If another spelling were accepted, the same solution would work twice.
    loud.challenge.signature = loud.challenge.signature.toUpperCase()
    const { parameters } = real.challenge
    const oddShapes = [null, [], 'text', 7, {}].flatMap((odd) => [
      odd,
      { challenge: odd, solution: real.solution },
      { ...real, solution: odd },
      { ...real, challenge: { ...real.challenge, parameters: odd } },
      { ...real, challenge: { ...real.challenge, signature: odd } },
      ...Object.keys(parameters).map((name) => ({
        ...real,
        challenge: { ...real.challenge, parameters: { ...parameters, [name]: odd } },
      })),
    ])
    for (const payload of [easy, foreign, wrong, loud, ...oddShapes]) {
      const altcha = Buffer.from(JSON.stringify(payload)).toString('base64')
      expect((await signup(visitorForm('a@example.org', { altcha }), tests)).status).toBe(403)
    }
    for (const altcha of ['x', '%%%', 'e30=', '[]'])
      expect((await signup(visitorForm('a@example.org', { altcha }), tests)).status).toBe(403)
    const altcha = Buffer.from(JSON.stringify(real)).toString('base64')
    expect((await signup(visitorForm('a@example.org', { altcha }), tests)).status).toBe(201)
  })
})

describe('the link of the mail', () => {
  it('works for 24 hours and once; opening its page changes nothing', async () => {
    const tests = await appForTest()
    const start = Temporal.Instant.from('2026-06-20T17:30:00Z')
    await signup(visitorForm('late@example.org'), tests)
    const token = tokenIn(await mailTo(tests, 'late@example.org'))
    expect(token.length).toBeGreaterThanOrEqual(43)
    await fetch(`${tests.url}/verify-email?token=${token}`)
    const verifiedAt = async () =>
      (await tests.db.selectFrom('accounts').select('verified_at').executeTakeFirstOrThrow()).verified_at
    expect(await verifiedAt()).toBeNull()
    tests.setNow(start.add({ hours: 24, seconds: 1 }).toString())
    expect((await post(tests, '/api/auth/verify', { token })).status).toBe(400)
    tests.setNow(start.add({ hours: 23 }).toString())
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(tests, '/api/auth/verify', { token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await verifiedAt()).not.toBeNull()
  })
  it('can be sent again, at most five times in half an hour', async () => {
    const tests = await appForTest()
    const lena = await aVisitor(tests)
    await mailTo(tests, lena.email, /confirm your email/)
    const again = () => post(tests, '/api/auth/verify/resend', undefined, { token: lena.authToken })
    for (let n = 2; n <= 5; n++) {
      expect((await again()).status).toBe(202)
      await mailTo(tests, lena.email, /confirm your email/, n)
    }
    const refused = await again()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await mailsTo(tests, lena.email)).toHaveLength(5)
  })
})
