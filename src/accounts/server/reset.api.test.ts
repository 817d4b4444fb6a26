import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMerchant, aVisitor, get, goodPassword, mailTo, post, tokenIn } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const wanted = 'another walk by the Rhine'

async function resetLink(email: string): Promise<string> {
  await post(app, '/api/auth/forgot', { email })
  return tokenIn(await mailTo(app, email, 'Set a new password'))
}

const reset = (token: string, more: object = {}) => post(app, '/api/auth/reset', { token, password: wanted, ...more })

describe('a reset link', () => {
  it('logs a visitor or a merchant in on this device, and ends every other session', async () => {
    const visitor = await aVisitor(app, 'visitor@example.org')
    const merchant = await aMerchant(app, 'merchant@example.org')
    const back = await reset(await resetLink(visitor.email))
    expect(back).toMatchObject({ status: 200, body: { kind: 'user', userType: 'user' } })
    const shop = await reset(await resetLink(merchant.email))
    expect(shop.body).toMatchObject({ kind: 'business', userType: 'business', businessId: merchant.businessId })
    for (const [before, now] of [
      [visitor, back.body],
      [merchant, shop.body],
    ] as const) {
      expect((await get(app, '/api/me', before.authToken)).status).toBe(401)
      expect((await post(app, '/api/auth/refresh', { refreshToken: before.refreshToken })).status).toBe(401)
      expect((await get(app, '/api/me', now.authToken)).body).toMatchObject({
        email: before.email,
        email_verified: true,
      })
      expect((await get(app, '/api/me/sessions', now.authToken)).body).toHaveLength(1)
    }
  })
})

describe('with the second factor on, a reset link', () => {
  async function withSecondFactor(email: string) {
    const person = await aVisitor(app, email)
    await post(app, '/api/auth/verify', { token: tokenIn(await mailTo(app, email, 'confirm your email')) })
    const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: person.authToken })
    const totp = new TOTP({ secret: Secret.fromBase32(setup.body.secret) })
    const timestamp = Date.parse('2026-06-20T17:30:00Z')
    const enabled = await post(
      app,
      '/api/me/2fa/enable',
      { totp: totp.generate({ timestamp }) },
      { token: person.authToken },
    )
    return { ...person, codes: enabled.body.recovery_codes as string[] }
  }
  it('sets the password, ends every session, and logs in only with the code', async () => {
    const person = await withSecondFactor('careful@example.org')
    const token = await resetLink(person.email)
    const asked = await reset(token)
    expect(asked).toMatchObject({ status: 401, body: { code: 'totp_required' } })
    expect(asked.body.authToken).toBeUndefined()
    // Somebody who stole the password and switched the second factor on is out at once.
    expect((await get(app, '/api/me', person.authToken)).status).toBe(401)
    expect((await post(app, '/api/auth/login', { email: person.email, password: wanted })).body.code).toBe(
      'totp_required',
    )
    const wrong = await reset(token, { totp: '000000' })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { totp: 'This code is incorrect.' } } })
    // The link does not set a second password.
    expect(await reset(token, { password: 'a third one for the Rhine', totp: person.codes[0] })).toMatchObject({
      status: 400,
      body: { code: 'link_invalid' },
    })
    const inside = await reset(token, { totp: person.codes[0] })
    expect(inside).toMatchObject({ status: 200, body: { kind: 'user' } })
    expect((await get(app, '/api/me', inside.body.authToken)).body).toMatchObject({
      second_factor: true,
      recovery_codes_left: 9,
    })
    await mailTo(app, person.email, /recovery code/i)
    expect(await reset(token, { totp: person.codes[1] })).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
  })
  it('logs in at once with a code, and waits for it at most ten minutes', async () => {
    const person = await withSecondFactor('quick@example.org')
    expect((await reset(await resetLink(person.email), { totp: person.codes[0] })).status).toBe(200)
    await post(app, '/api/auth/forgot', { email: person.email })
    const token = tokenIn(await mailTo(app, person.email, 'Set a new password', 2))
    expect((await reset(token)).status).toBe(401)
    app.setNow('2026-06-20T17:40:01Z')
    expect(await reset(token, { totp: person.codes[1] })).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    app.setNow('2026-06-20T17:30:00Z')
  })
  it('limits attempts of codes', async () => {
    const person = await withSecondFactor('guessed@example.org')
    const token = await resetLink(person.email)
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => reset(token, { totp: String(100000 + n) })))
    // Requests from before the password was set find the link used.
    expect(tries.filter(({ status }) => status === 200)).toEqual([])
    let last = 400
    for (let n = 0; n < 30 && last !== 429; n++) last = (await reset(token, { totp: String(200000 + n) })).status
    expect(last).toBe(429)
  })
})
