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
  tokenIn,
  visitorForm,
} from '../../../test/people.ts'
import { appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { isCommonPassword } from './common-passwords.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const login = (on: TestApp, email: string, password: string, headers: Record<string, string> = {}) =>
  post(on, '/api/auth/login', { email, password }, { headers })

describe('a login', () => {
  it('that fails gets the same answer for an unknown address, a wrong password, another kind, and no password', async () => {
    await aVisitor(app, 'lena@example.org')
    await aMerchant(app, 'cafe@example.org')
    const seen = await Promise.all([
      login(app, 'lena@example.org', 'wrong'),
      login(app, 'nobody@example.org', goodPassword),
      login(app, 'cafe@example.org', goodPassword),
      login(app, 'lena@example.org', ''),
      login(app, "' or 1=1 --", goodPassword),
      post(app, '/api/business/login', { email: 'lena@example.org', password: goodPassword }),
    ])
    for (const answer of seen)
      expect(answer).toMatchObject({
        status: 401,
        body: { error: 'Invalid email or password.', code: 'wrong_credentials' },
      })
    const german = await login(app, 'nobody@example.org', 'x', { 'accept-language': 'de' })
    expect(german.body.error).toBe('E-Mail oder Passwort ist falsch.')
  })
  it.each([
    [{}, ['email', 'password']],
    [{ email: 'a@b.ch', password: 42 }, ['password']],
    [{ email: ['a'], password: 'x' }, ['email']],
    [{ email: 'a@b.ch', password: { $gt: '' } }, ['password']],
    [{ email: 'a@b.ch', password: 'nul \0 inside' }, ['password']],
  ])('with %j is a 400', async (body, fields) => {
    const answer = await post(app, '/api/auth/login', body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields).sort()).toEqual(fields)
  })
})

describe('a password', () => {
  const signup = (password: string, n: number, on = app) =>
    post(on, '/api/auth/signup', visitorForm(`password${n}@example.org`, { password, display_name: 'Rheinhold' }))
  const accepted = [
    'eightcha',
    'fourteen chars',
    'fifteen chars!!',
    'x1'.repeat(32),
    `${'long '.repeat(25)}end`,
    ' spaces at both ends ',
    '        ',
    'tab\tand more',
    '🎷🎺🎻🥁🎸🪗🎹🪘',
    'pässwörtli mit umlaut',
    'пароль на русском',
    '密码很长的一个密码吧',
    "'; drop table accounts; --",
    '<script>alert(1)</script>',
    '{"$ne": null}',
    '%00%0a%0d long enough',
    'ALLCAPSNODIGITS',
    '\u202eright to left',
  ]
  it.each(accepted.map((password, n) => [password, n] as const))(
    '%j is taken and opens the account',
    async (password, n) => {
      expect((await signup(password, n)).status).toBe(201)
      await logIn(app, '/api/auth/login', `password${n}@example.org`, password)
      expect((await login(app, `password${n}@example.org`, `${password}x`)).status).toBe(401)
    },
  )
  it.each([
    ['sevench', 'At least 8 characters, please.'],
    ['é'.repeat(7), 'At least 8 characters, please.'],
    ['🎷'.repeat(7), 'At least 8 characters, please.'],
    ['x'.repeat(129), 'At most 128 characters, please.'],
    ['nul \0 byte inside', 'This text contains characters that cannot be saved.'],
    ['a lone surrogate \ud83c', 'This text contains characters that cannot be saved.'],
    ['password', 'This password is too common. Please choose another.'],
    ['PASSWORD1', 'This password is too common. Please choose another.'],
    ['12345678', 'This password is too common. Please choose another.'],
    ['football', 'This password is too common. Please choose another.'],
    ['password999@example.org', 'Please choose a password that is not your name or address.'],
    ['Password999', 'Please choose a password that is not your name or address.'],
    ['rheinhold', 'Please choose a password that is not your name or address.'],
  ])('%j is refused with a reason', async (password, text) => {
    const answer = await signup(password, 999)
    expect(answer).toMatchObject({ status: 400, body: { fields: { password: text } } })
  })
  it('of 128 characters is compared to the last one', async () => {
    const password = `${'y'.repeat(127)}z`
    expect((await signup(password, 128)).status).toBe(201)
    expect((await login(app, 'password128@example.org', 'y'.repeat(127))).status).toBe(401)
    expect((await login(app, 'password128@example.org', `${'y'.repeat(127)}a`)).status).toBe(401)
    await logIn(app, '/api/auth/login', 'password128@example.org', password)
  })
  it('is the same with composed and decomposed accents', async () => {
    expect((await signup('crème brûlée, s’il vous plaît'.normalize('NFC'), 500)).status).toBe(201)
    await logIn(app, '/api/auth/login', 'password500@example.org', 'crème brûlée, s’il vous plaît'.normalize('NFD'))
  })
  it('of a megabyte is refused before it is read', async () => {
    expect((await signup('x'.repeat(1_000_000), 1000)).status).toBe(413)
  })
  it('may be a common one in the demo', async () => {
    const demo = await appForTest({ env: { PASSWORD_BLOCKLIST: 'off' } })
    expect((await signup('password', 1, demo)).status).toBe(201)
    expect((await get(demo, '/api/auth/options')).body).toMatchObject({ password_blocklist: false })
  })
  it('is compared with more than 10,000 common ones', () => {
    for (const known of [
      'qwertyuiop',
      'iloveyou',
      'baseball',
      'superman',
      'trustno1',
      'sunshine',
      'Princess',
      'starwars',
    ])
      expect(isCommonPassword(known), known).toBe(true)
    expect(isCommonPassword(goodPassword)).toBe(false)
  })
  it('is stored as argon2id with 19 MiB and two passes, salted', async () => {
    const { rows } = await app.db
      .selectFrom('accounts')
      .select('password_hash')
      .execute()
      .then((found) => ({ rows: found.map((row) => row.password_hash!) }))
    for (const hash of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(new Set(rows).size).toBe(rows.length)
  })
})

describe('guessing', () => {
  it('is limited: of 1,000 wrong passwords for one account at most 25 per hour are checked, whatever X-Forwarded-For says', async () => {
    const tests = await appForTest()
    await aVisitor(tests, 'target@example.org')
    const answers: number[] = []
    for (let round = 0; round < 20; round++) {
      const seen = await crowd(50, (n) =>
        login(tests, 'target@example.org', `guess ${round} ${n}`, { 'x-forwarded-for': `203.0.113.${n + 1}` }),
      )
      answers.push(...seen.map(({ status }) => status))
      for (const answer of seen.filter(({ status }) => status === 429)) {
        expect(answer.body.code).toBe('too_many_requests')
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
      }
    }
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(25)
    expect(answers.filter((status) => status === 401).length).toBeGreaterThan(10)
    expect(new Set(answers)).toEqual(new Set([401, 429]))
  })
  it('by strangers does not lock out the owner, who uses a familiar network address or a mailed link', async () => {
    const tests = await appForTest({ env: { TRUST_PROXY: 'on' } })
    const at = (address: string) => ({ 'x-forwarded-for': address })
    expect((await post(tests, '/api/auth/signup', visitorForm('owner@example.org'))).status).toBe(201)
    expect((await login(tests, 'owner@example.org', goodPassword, at('198.51.100.7'))).status).toBe(200)
    for (let n = 0; n < 30; n++) await login(tests, 'owner@example.org', `guess ${n}`, at(`203.0.113.${n}`))
    expect((await login(tests, 'owner@example.org', goodPassword, at('203.0.113.99'))).status).toBe(429)
    expect((await login(tests, 'owner@example.org', goodPassword, at('198.51.100.7'))).status).toBe(200)
    await post(tests, '/api/auth/forgot', { email: 'owner@example.org' })
    const token = tokenIn(await mailTo(tests, 'owner@example.org', 'Set a new password'))
    // Strangers go on guessing while the owner opens the link on a new device.
    const reset = await post(
      tests,
      '/api/auth/reset',
      { token, password: 'a new one for a new day' },
      { headers: at('203.0.113.99') },
    )
    expect(reset.status).toBe(200)
    for (let n = 0; n < 30; n++) await login(tests, 'owner@example.org', `again ${n}`, at(`203.0.113.${n}`))
    expect((await get(tests, '/api/me', reset.body.authToken)).status).toBe(200)
    expect((await get(tests, '/api/me/sessions', reset.body.authToken)).body).toHaveLength(1)
    // The network address where the link was opened is familiar now.
    expect((await login(tests, 'owner@example.org', 'a new one for a new day', at('203.0.113.99'))).status).toBe(200)
    expect((await login(tests, 'owner@example.org', 'a new one for a new day', at('203.0.113.98'))).status).toBe(429)
  })
  it('one password on many accounts is limited to 300 per hour and network address, but familiar accounts can still log in', async () => {
    const tests = await appForTest()
    await aVisitor(tests, 'regular@example.org')
    let looked = 0
    for (let round = 0; round < 20; round++) {
      const seen = await crowd(20, (n) => login(tests, `somebody${round}-${n}@example.org`, 'Summer2026!'))
      looked += seen.filter(({ status }) => status === 401).length
    }
    expect(looked).toBeLessThanOrEqual(300)
    expect(looked).toBeGreaterThan(200)
    await logIn(tests, '/api/auth/login', 'regular@example.org')
  })
  it('limits do not stop a crowd behind one address: 60 people log in, a third mistyping once', async () => {
    const tests = await appForTest()
    const addressOf = (n: number) => `crowd${n}@example.org`
    await crowd(60, (n) => post(tests, '/api/auth/signup', visitorForm(addressOf(n))))
    const statuses = await crowd(60, async (n) => {
      if (n % 3 === 0) expect((await login(tests, addressOf(n), 'mistyped it')).status).toBe(401)
      return (await login(tests, addressOf(n), goodPassword)).status
    })
    expect(statuses.every((status) => status === 200)).toBe(true)
  })
  it('limits do not count 40 right passwords for one account', async () => {
    await aVisitor(app, 'forty@example.org')
    const answers = await crowd(40, () => login(app, 'forty@example.org', goodPassword))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
  })
})

describe('a forgotten password', () => {
  it('gets the same answer for everybody; each account of the address gets its own link, which works for an hour and once', async () => {
    const tests = await appForTest()
    await aVisitor(tests, 'both@example.org')
    await aMerchant(tests, 'both@example.org')
    const known = await post(tests, '/api/auth/forgot', { email: 'Both@example.org' })
    const unknown = await post(tests, '/api/auth/forgot', { email: 'nobody@example.org' })
    expect(known.status).toBe(202)
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    await mailTo(tests, 'both@example.org', 'Set a new password', 2)
    const mails = (await mailsTo(tests, 'both@example.org')).filter(({ subject }) => subject === 'Set a new password')
    const merchants = mails.find(({ text }) => text.includes('business account'))!
    const visitors = mails.find(({ text }) => !text.includes('business account'))!
    expect(
      (await post(tests, '/api/auth/reset', { token: tokenIn(merchants), password: 'new for the business' })).body,
    ).toMatchObject({ kind: 'business', userType: 'business', businessId: expect.any(String) as string })
    expect(
      (await post(tests, '/api/auth/reset', { token: tokenIn(merchants), password: 'once more, please' })).status,
    ).toBe(400)
    await logIn(tests, '/api/business/login', 'both@example.org', 'new for the business')
    await logIn(tests, '/api/auth/login', 'both@example.org')
    tests.setNow('2026-06-20T18:31:00Z')
    expect(
      await post(tests, '/api/auth/reset', { token: tokenIn(visitors), password: 'too late by a minute' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'This link is invalid or has expired.', code: 'link_invalid' },
    })
    expect(await mailsTo(tests, 'nobody@example.org')).toEqual([])
  })
  it('has a link that works once, however many requests use it at the same moment', async () => {
    const tests = await appForTest()
    await aVisitor(tests, 'once@example.org')
    const verify = tokenIn(await mailTo(tests, 'once@example.org', 'confirm your email'))
    await post(tests, '/api/auth/forgot', { email: 'once@example.org' })
    const reset = tokenIn(await mailTo(tests, 'once@example.org', 'Set a new password'))
    const ways: [string, (n: number) => object][] = [
      ['/api/auth/verify', () => ({ token: verify })],
      ['/api/auth/reset', (n) => ({ token: reset, password: `the password of number ${n}` })],
    ]
    for (const [path, body] of ways) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(tests, path, body(n))))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(19).fill(400),
      ])
    }
  })
  it('has a link that a refused new password does not use up', async () => {
    const tests = await appForTest()
    await aVisitor(tests)
    await post(tests, '/api/auth/forgot', { email: 'lena@example.org', kind: 'user' })
    const token = tokenIn(await mailTo(tests, 'lena@example.org', 'Set a new password'))
    expect((await post(tests, '/api/auth/reset', { token, password: 'password' })).status).toBe(400)
    expect((await post(tests, '/api/auth/reset', { token, password: 'a better one than that' })).status).toBe(200)
  })
  it('sends at most five links in half an hour to one account, however many people ask', async () => {
    const tests = await appForTest()
    const email = 'flood@example.org'
    await aVisitor(tests, email)
    await mailTo(tests, email, 'confirm your email')
    // One after the other: a new link replaces one whose mail is still queued.
    for (let n = 1; n <= 5; n++) {
      expect((await post(tests, '/api/auth/forgot', { email })).status).toBe(202)
      await mailTo(tests, email, 'Set a new password', n)
    }
    const answers = await crowd(95, () => post(tests, '/api/auth/forgot', { email }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    await tests.runJobs()
    expect(await tests.db.selectFrom('outgoing_mails').select('mail_id').execute()).toEqual([])
    const mails = await mailsTo(tests, email)
    expect(mails.filter(({ subject }) => subject === 'Set a new password')).toHaveLength(5)
    // And the mail of the signup, which asks to confirm the address.
    expect(mails).toHaveLength(6)
  })
  it('is not set by an unknown link, or by one of another purpose', async () => {
    await post(app, '/api/auth/signup', visitorForm('purpose@example.org'))
    const verify = tokenIn(await mailTo(app, 'purpose@example.org', 'confirm your email'))
    for (const token of [verify, 'x', '../../etc', 'a'.repeat(43)])
      expect((await post(app, '/api/auth/reset', { token, password: 'whatever it may be' })).status).toBe(400)
    // The refusal did not use up the link.
    expect((await post(app, '/api/auth/verify', { token: verify })).status).toBe(200)
  })
})
