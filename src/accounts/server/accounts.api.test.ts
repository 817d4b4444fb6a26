import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMerchant, get, logIn, mailTo, post, tokenIn, visitorForm } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('a visitor', () => {
  it('signs up, verifies the address, logs in, owns the data, refreshes and logs out', async () => {
    // The domain of an address is case-insensitive.
    const email = 'Lena.Muster@example.org'
    const signup = await post(app, '/api/auth/signup', visitorForm('Lena.Muster@Example.org'))
    expect(signup).toMatchObject({
      status: 201,
      body: { message: 'Account created! Please check your email for verification.' },
    })
    const mail = await mailTo(app, email)
    expect(mail.subject).toBe('Please confirm your email address')
    expect(mail.text).toContain(`${app.url}/verify-email?token=`)
    const verified = await post(app, '/api/auth/verify', { token: tokenIn(mail) })
    expect(verified).toMatchObject({
      status: 200,
      body: { kind: 'user', changed: false, email: expect.stringMatching(/^lena.muster@example.org$/i) as string },
    })
    const again = await post(app, '/api/auth/verify', { token: tokenIn(mail) })
    expect(again).toMatchObject({
      status: 400,
      body: { error: 'This link is invalid or has expired.', code: 'link_invalid' },
    })

    const lena = await logIn(app, '/api/auth/login', 'lena.muster@example.ORG')
    expect(lena.userType).toBe('user')
    expect(lena).not.toHaveProperty('businessId')
    const me = await get(app, '/api/me', lena.authToken)
    expect(me).toMatchObject({
      status: 200,
      body: { display_name: 'Lena', email, email_verified: true, role: 'user', business_id: null },
    })
    expect(me.headers.get('cache-control')).toBe('no-store')

    const pair = await post(app, '/api/auth/refresh', { refreshToken: lena.refreshToken })
    expect(pair.status).toBe(200)
    expect(pair.body.refreshToken).not.toBe(lena.refreshToken)
    expect((await get(app, '/api/me', pair.body.authToken)).status).toBe(200)

    const out = await post(
      app,
      '/api/auth/logout',
      { refreshToken: pair.body.refreshToken },
      { token: pair.body.authToken },
    )
    expect(out).toMatchObject({ status: 204, text: '' })
    expect(await get(app, '/api/me', pair.body.authToken)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    expect((await post(app, '/api/auth/refresh', { refreshToken: pair.body.refreshToken })).status).toBe(401)
  })
})

describe('a merchant', () => {
  it('signs up with the specified form and PREMIUM, and logs in with the businessId', async () => {
    const cafe = await aMerchant(app, 'merchant@example.org', { address: 'Rheingasse 1', subscription_tier: 'PREMIUM' })
    expect(cafe).toMatchObject({ userType: 'business', businessId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(await get(app, `/api/business/${cafe.businessId}/subscription`, cafe.authToken)).toMatchObject({
      status: 200,
      body: { subscription_tier: 'FREE', requested_tier: 'PREMIUM' },
    })
    expect((await get(app, `/api/business/${cafe.businessId}/stats`, cafe.authToken)).body).toMatchObject({
      profileViews: 0,
      dealClicks: 0,
      sales: 0,
    })
    const own = await get(app, `/api/business/${cafe.businessId}`, cafe.authToken)
    expect(own.body).toMatchObject({
      business_name: 'Café Rhein',
      address: 'Rheingasse 1',
      email: 'merchant@example.org',
    })
    const others = await api(app, `/api/business/${cafe.businessId}`)
    expect(others.body).not.toHaveProperty('email')
    expect(others.body).not.toHaveProperty('requested_tier')
  })
})
