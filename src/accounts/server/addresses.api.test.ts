import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aMerchant,
  crowd,
  get,
  goodPassword,
  logIn,
  mailTo,
  post,
  signUpBusiness,
  visitorForm,
} from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

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
  it('has one business, one newsletter, and one of each limit', async () => {
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
