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
import { anotherInstance, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const count = async (on: TestApp, email: string) =>
  (await on.db.selectFrom('accounts').select('account_id').where('email', '=', email).execute()).length

describe('an address in several spellings', () => {
  it.each([
    ['one@müller.ch', 'one@xn--mller-kva.ch', 'one@xn--mller-kva.ch'],
    ['two@mail.example。org', 'two@mail.example.org', 'two@mail.example.org'],
    ['three@ＥＸＡＭＰＬＥ.org', 'Three@example.org', 'three@example.org'],
  ])('%s is the one account of %s, stored and mailed as %s', async (first, second, canonical) => {
    expect((await post(app, '/api/auth/signup', visitorForm(first))).status).toBe(201)
    await mailTo(app, canonical, 'confirm your email')
    expect((await post(app, '/api/auth/signup', visitorForm(second))).status).toBe(201)
    await mailTo(app, canonical, 'already have an account')
    expect(await count(app, canonical)).toBe(1)
    for (const spelling of [first, second, canonical]) {
      const { authToken } = await logIn(app, '/api/auth/login', spelling)
      expect((await get(app, '/api/me', authToken)).body.email).toBe(canonical)
    }
    await post(app, '/api/auth/forgot', { email: second })
    await mailTo(app, canonical, 'Set a new password')
  })
  it('has one business, one newsletter, one throttle and one budget', async () => {
    const spellings = ['bar@bücher.ch', 'BAR@BÜCHER.ch', 'bar@xn--bcher-kva.ch', 'bar@bücher。ch']
    for (const email of spellings) {
      expect((await signUpBusiness(app, { email })).status).toBe(201)
      expect((await post(app, '/api/newsletter', { email })).status).toBe(202)
    }
    const table = (name: 'accounts' | 'businesses' | 'newsletter_subscribers') =>
      app.db.selectFrom(name).select('email').where('email', 'like', '%cher%').execute()
    await expect.poll(() => table('newsletter_subscribers')).toHaveLength(1)
    expect(await table('accounts')).toEqual([{ email: 'bar@xn--bcher-kva.ch' }])
    expect(await table('businesses')).toEqual([{ email: 'bar@xn--bcher-kva.ch' }])
    const guesses = await crowd(32, (n) =>
      post(app, '/api/business/login', { email: spellings[n % 4], password: `guess ${n}` }),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(25)
  })
})

describe('an address that can be mistaken for another', () => {
  it.each(['ｖictim@example.org', 'kım@example.org', 'vіctim@example.org'])(
    '%s is refused with a reason',
    async (email) => {
      const merchant = await aMerchant(app, `asks-${email.length}-${email.codePointAt(1)}@example.org`)
      const answers = await Promise.all([
        post(app, '/api/auth/signup', visitorForm(email)),
        signUpBusiness(app, { email }),
        post(app, '/api/newsletter', { email }),
        post(app, '/api/contact', { name: 'Lena', email, message: 'Where is the stage?' }),
        post(app, '/api/me/email', { email, password: goodPassword }, { token: merchant.authToken }),
      ])
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 400,
          body: {
            code: 'invalid_input',
            fields: { email: expect.stringContaining('can be mistaken for another one') as string },
          },
        })
    },
  )
})

describe('accounts from before there was one form of an address', () => {
  /** Writes the address as an older release would have. */
  const asBefore = (on: TestApp, email: string, before: string) =>
    on.db
      .updateTable('accounts')
      .set({ email: before, email_folded: before.normalize('NFKC').toLowerCase() })
      .where('email', '=', email)
      .execute()

  it('stay usable by the spelling of their owners, and give a key that they took back to whose it is', async () => {
    const tests = await appForTest()
    const olds = {
      'squatter@example.org': 'ｖictim@example.org',
      'dotless@example.org': 'kım@example.org',
      'older@example.org': 'anna@müller.ch',
      'younger@example.org': 'anna@xn--mller-kva.ch',
      'alone@example.org': 'Lena@MAIL.example。org',
    }
    for (const email of Object.keys(olds)) {
      await aVisitor(tests, email)
      await mailTo(tests, email, 'confirm your email')
    }
    for (const [email, before] of Object.entries(olds)) await asBefore(tests, email, before)
    await tests.db
      .updateTable('accounts')
      .set({ verified_at: new Date() })
      .where('email', '=', 'anna@xn--mller-kva.ch')
      .execute()
    // twice, for every start does it
    await (await anotherInstance(tests)).stop()
    await (await anotherInstance(tests)).stop()
    const rows = await tests.db.selectFrom('accounts').select(['email', 'email_folded']).orderBy('account_id').execute()
    expect(rows.map(({ email, email_folded }) => [email, email_folded])).toEqual([
      ['ｖictim@example.org', ' ｖictim@example.org'],
      ['kım@example.org', ' kım@example.org'],
      // of the twins the confirmed one is found by every spelling, and this one by its own
      ['anna@xn--mller-kva.ch', ' anna@müller.ch'],
      ['anna@xn--mller-kva.ch', 'anna@xn--mller-kva.ch'],
      ['Lena@mail.example.org', 'lena@mail.example.org'],
    ])
    const ids = new Set<string>()
    for (const before of Object.values(olds)) {
      const { authToken } = await logIn(tests, '/api/auth/login', before)
      ids.add((await get(tests, '/api/me', authToken)).body.account_id)
      await post(tests, '/api/auth/forgot', { email: before, kind: 'user' })
    }
    expect(ids.size).toBe(5)
    for (const before of ['ｖictim@example.org', 'kım@example.org', 'Lena@mail.example.org'])
      await mailTo(tests, before, 'Set a new password')
    // the owner of the address that it reads like has it for themselves
    await aVisitor(tests, 'victim@example.org')
    const verify = await mailTo(tests, 'victim@example.org', 'confirm your email')
    expect((await post(tests, '/api/auth/verify', { token: tokenIn(verify) })).status).toBe(200)
    expect((await mailsTo(tests, 'ｖictim@example.org')).map(({ subject }) => subject)).toEqual(['Set a new password'])
    await aVisitor(tests, 'kim@example.org')
  })
  it('that Google has opened for the owner send their mails to the owner', async () => {
    const tests = await appForTest()
    await aVisitor(tests, 'taken@example.org')
    await mailTo(tests, 'taken@example.org', 'confirm your email')
    await asBefore(tests, 'taken@example.org', 'ｔaken@example.org')
    const { account_id } = await tests.db
      .updateTable('accounts')
      .set({ verified_at: new Date() })
      .returning('account_id')
      .executeTakeFirstOrThrow()
    await tests.db
      .insertInto('identities')
      .values({ provider: 'google', subject: 'owner', account_id, created_at: new Date() })
      .execute()
    await (await anotherInstance(tests)).stop()
    await post(tests, '/api/auth/forgot', { email: 'taken@example.org' })
    await mailTo(tests, 'taken@example.org', 'Set a new password')
    expect(await mailsTo(tests, 'ｔaken@example.org')).toEqual([])
  })
})
