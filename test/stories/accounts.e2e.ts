import { TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { aMerchant, aVisitor, goodPassword, mailTo, post, tokenIn, type Person } from '../people.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const storageKeys = ['authToken', 'refreshToken', 'userType', 'businessId'] as const

/** What the specification keeps in local storage; null for what is not there. */
const stored = (page: Page) =>
  page.evaluate((keys) => Object.fromEntries(keys.map((key) => [key, localStorage.getItem(key)])), storageKeys)

/** A browser in which somebody is logged in already. */
async function loggedIn(context: BrowserContext, person: Person) {
  const values = Object.entries({
    authToken: person.authToken,
    refreshToken: person.refreshToken,
    userType: person.userType,
    businessId: person.businessId,
  }).filter(([, value]) => value !== undefined)
  await context.addInitScript((entries) => {
    if (sessionStorage.getItem('begun')) return
    sessionStorage.setItem('begun', 'yes')
    for (const [key, value] of entries) localStorage.setItem(key, String(value))
  }, values)
}

/** The form of a login, filled in and sent. */
async function logInBy(page: Page, email: string) {
  await hydrated(page)
  await main(page).getByLabel('Email').fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
  await main(page).getByRole('button', { name: 'Log In' }).click()
}

let people = 0
const newAddress = () => `person${++people}@example.org`
const main = (page: Page) => page.getByRole('main')

inBrowser('signing up', () => {
  const at = useBrowser({ now: null })

  it('a visitor: form, mail, confirmed, logged in, back where they were', async () => {
    const email = newAddress()
    const { page, faults } = await at.visit('/myschedule', { viewport: phone })
    await page.waitForURL('**/userlogin?next=%2Fmyschedule')
    await main(page).getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('**/usersignup**')
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    const busy = main(page).getByRole('button', { name: 'Submitting...' })
    await busy.waitFor()
    expect(await busy.isDisabled()).toBe(true)
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    await page.waitForURL('**/userlogin**')

    const mail = await mailTo(at.app, email)
    await page.goto(`/verify-email?token=${tokenIn(mail)}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await main(page).getByRole('link', { name: 'User Login' }).click()
    await page.waitForURL('**/userlogin')

    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(`${at.app.url}/`)
    expect(await stored(page)).toMatchObject({ userType: 'user', businessId: null })
    await page.getByRole('button', { name: 'My Profile' }).waitFor()
    expect(faults).toEqual([])
  })

  it('a merchant: two seconds of waiting, a picture with its preview, three seconds to the login, the dashboard', async () => {
    const email = newAddress()
    const { page, faults } = await at.visit('/signup', { expected: /my-subscription|status of 404/ })
    expect(await page.getByText('Join Our Community').isVisible()).toBe(true)
    expect(await page.locator('h1').innerText()).toBe('Create Your Business Account')
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('Address (optional)').fill('Rheingasse 12, 4058 Basel')
    await page.getByLabel('PREMIUM').check()
    await page.getByLabel('Logo (optional)').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 300, height: 200, channels: 3, background: '#f2574a' } })
        .png()
        .toBuffer(),
    })
    await page.getByRole('img', { name: 'Preview of your logo' }).waitFor()
    const sent = page.waitForRequest('**/api/business/signup')
    const pressed = Date.now()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    expect(await main(page).getByRole('button', { name: 'Submitting...' }).isDisabled()).toBe(true)
    await sent
    const waited = Date.now() - pressed
    expect(waited).toBeGreaterThanOrEqual(1990)
    expect(waited).toBeLessThan(8000)
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    const answered = Date.now()
    await page.waitForURL('**/business-login')
    expect(Date.now() - answered).toBeGreaterThan(2500)

    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL('**/dashboard')
    const { userType, businessId } = await stored(page)
    expect(userType).toBe('business')
    const business = await at.app.db
      .selectFrom('businesses')
      .select(['business_name', 'address', 'requested_tier', 'logo_url'])
      .where('business_id', '=', businessId!)
      .executeTakeFirstOrThrow()
    expect(business).toMatchObject({
      business_name: 'Café Rhein',
      address: 'Rheingasse 12, 4058 Basel',
      requested_tier: 'PREMIUM',
    })
    expect(business.logo_url).toMatch(/^\//)
    await page.getByRole('heading', { name: 'Café Rhein' }).waitFor()
    expect(await main(page).getByRole('link', { name: 'Complete your Premium upgrade' }).getAttribute('href')).toBe(
      '/upgrade-subscription',
    )
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('Sent again.').waitFor()
    expect(faults).toEqual([])
  })

  it('that fails keeps everything typed and says what is wrong beside the field', async () => {
    const { page } = await at.visit('/signup', { expected: /400/ })
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill('kurz')
    await page.getByText('4 more characters to go.').waitFor()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    const password = main(page).getByLabel('Password', { exact: true })
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await password.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await password.inputValue()).toBe('kurz')
    expect(await page.getByLabel('Business Name').inputValue()).toBe('Café Rhein')
    expect(await page.getByText('At least 8 characters, please.').isVisible()).toBe(true)
  })

  it('sends nothing while a required field is empty', async () => {
    const { page } = await at.visit('/signup')
    let sent = 0
    page.on('request', (request) => void (request.url().includes('/api/business/signup') && sent++))
    await main(page).getByLabel('Email').fill('no address')
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Please fill this in.').first().waitFor()
    expect(await page.getByLabel('Business Name').evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.getByText('Please enter an e-mail address such as name@example.ch.').isVisible()).toBe(true)
    expect(sent).toBe(0)
  })

  it.each([
    ['the server is away', (route: any) => route.abort('connectionfailed')],
    ['the server fails', (route: any) => route.fulfill({ status: 500, body: '<html>' })],
  ])('says the same when %s', async (_name, answer) => {
    const { page } = await at.visit('/usersignup', { expected: /Failed to load|net::|status of 500/, viewport: phone })
    await page.route('**/api/auth/signup', answer)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    // at the foot of the form, where the button was tapped, one would not see its head
    const box = (await page.getByText('Registration failed. Please try again.').boundingBox())!
    expect(box.y).toBeGreaterThan(0)
    expect(box.y + box.height).toBeLessThan(phone.height - 64)
    expect(await main(page).getByLabel('Password', { exact: true }).inputValue()).toBe(goodPassword)
  })

  it('works where the human check cannot be fetched', async () => {
    const email = newAddress()
    const { page } = await at.visit('/usersignup', { expected: /Failed to load|net::/ })
    await page.route('**/api/auth/challenge', (route) => route.abort('connectionfailed'))
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Account created!').first().waitFor()
    await mailTo(at.app, email)
  })

  it.each(['/signup', '/usersignup'])('%s works without JavaScript', async (path) => {
    const email = newAddress()
    const { page } = await at.visit(path, { javaScriptEnabled: false, expected: /400/ })
    await page.getByLabel(path === '/signup' ? 'Business Name' : 'Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill('kurz')
    if (path === '/usersignup') await main(page).getByRole('checkbox').check()
    const send = main(page).getByRole('button', { name: 'Create Account' }).and(page.locator(':visible'))
    await send.click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    expect(await main(page).getByLabel('Email').inputValue()).toBe(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await send.click()
    await page.getByText('Account created! Please check your email for verification.').waitFor()
    await mailTo(at.app, email)
  })

  it('help opens over the form and gives the focus back', async () => {
    const { page } = await at.visit('/signup')
    await hydrated(page)
    const help = main(page).getByRole('button', { name: 'Need Help' })
    await help.click()
    await page.getByRole('dialog', { name: 'Sign Up Support' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await help.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

inBrowser('signing up where the human check is demanded', () => {
  const at = useBrowser({ now: null, env: { SIGNUP_CHALLENGE: 'always' } })

  it('is worked out while the form waits, each time anew', async () => {
    const email = newAddress()
    const { page } = await at.visit('/usersignup', { expected: /400/ })
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByRole('checkbox').check()
    for (const password of ['kurz', goodPassword]) {
      await main(page).getByLabel('Password', { exact: true }).fill(password)
      await main(page).getByRole('button', { name: 'Create Account' }).click()
      if (password === 'kurz') await page.getByText('Registration failed. Please try again.').waitFor()
    }
    await page.getByText('Account created!').first().waitFor()
    expect((await at.app.db.selectFrom('used_challenges').selectAll().execute()).length).toBeGreaterThan(0)
    await mailTo(at.app, email)
  })
})

inBrowser('logging in', () => {
  const at = useBrowser({ now: null })
  const logIn = async (page: Page, email: string, password = goodPassword) => {
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
  }

  it('with a wrong password says so, keeps the address and stores nothing', async () => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page } = await at.visit('/userlogin', { expected: /401/ })
    await logIn(page, email, 'something else')
    await page.getByText('Invalid email or password.').waitFor()
    expect(await main(page).getByLabel('Email').inputValue()).toBe(email)
    expect((await stored(page))['authToken']).toBeNull()
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/\tevil',
  ])('never leads to %j', async (next) => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page, faults } = await at.visit(`/userlogin?next=${encodeURIComponent(next)}`)
    await logIn(page, email)
    await page.waitForURL(`${at.app.url}/`)
    expect(faults).toEqual([])
  })

  it('leads back to where one was, and the way back skips the form', async () => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page } = await at.visit('/deals')
    await page.goto('/userlogin?next=%2Fcontact%3Ftopic%3Dpress')
    await logIn(page, email)
    await page.waitForURL('**/contact?topic=press')
    await page.goBack()
    await page.waitForURL('**/deals')
  })

  it('a merchant gets to the dashboard; the visitors’ form knows nobody of that name', async () => {
    const { email, businessId } = await aMerchant(at.app, newAddress())
    const { page } = await at.visit('/userlogin', { expected: /401|404/ })
    await logIn(page, email)
    await page.getByText('Invalid email or password.').waitFor()
    await page.goto('/business-login')
    await logIn(page, email)
    await page.waitForURL('**/dashboard')
    expect(await stored(page)).toMatchObject({ userType: 'business', businessId })
  })

  it('needs JavaScript, says so and shows no dead form', async () => {
    for (const path of ['/userlogin', '/business-login']) {
      const { page, context } = await at.visit(path, { javaScriptEnabled: false })
      expect(await main(page).innerText()).toContain('Logging in needs JavaScript')
      expect(await main(page).locator('form').isVisible()).toBe(false)
      await context.close()
    }
  })

  it('with Google says that it is not set up, on both addresses, and links to User Login', async () => {
    const { page } = await at.visit('/userlogin')
    await main(page).getByRole('link', { name: 'Sign in with Google' }).click()
    await page.waitForURL('**/googlelogin')
    await page.getByText('Signing in with Google is not set up on this site.').waitFor()
    expect(await main(page).getByRole('link', { name: 'User Login' }).getAttribute('href')).toBe('/userlogin')
    await page.goto('/socialLogin')
    await page.getByText('Signing in with Google is not set up on this site.').waitFor()
  })

  it('after a forgotten password: the mailed link, a new one, every other session over', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, faults } = await at.visit('/forgot-password', { expected: /400/ })
    await hydrated(page)
    await main(page).getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'The link is on its way' }).waitFor()
    const link = `/reset-password?token=${tokenIn(await mailTo(at.app, person.email, /password/i))}`
    await page.goto(link)
    await hydrated(page)
    await page.getByLabel('New password').fill('another walk by the Rhine')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Your password is changed.').waitFor()
    await logIn(page, person.email, 'another walk by the Rhine')
    await page.waitForURL(`${at.app.url}/`)
    const { status } = await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${person.authToken}` } })
    expect(status).toBe(401)
    await page.goto(link)
    await hydrated(page)
    await page.getByLabel('New password').fill(goodPassword)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Link is invalid or expired.').waitFor()
    await main(page).getByRole('link', { name: 'Ask for a new link' }).waitFor()
    expect(faults).toEqual([])
  })

  it('a mailed link changes nothing when it is only opened, and works without JavaScript', async () => {
    const person = await aVisitor(at.app, newAddress())
    const token = tokenIn(await mailTo(at.app, person.email))
    const verified = async () =>
      (
        (await (
          await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${person.authToken}` } })
        ).json()) as { email_verified: boolean }
      ).email_verified
    const scanner = await at.visit(`/verify-email?token=${token}`)
    await hydrated(scanner.page)
    expect(await verified()).toBe(false)
    const { page } = await at.visit(`/verify-email?token=${token}`, { javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    expect(await verified()).toBe(true)
  })
})

inBrowser('a session', () => {
  const at = useBrowser({ now: null })

  it('logs out here and on the server; the way back shows nothing private', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, person)
    await page.goto('/settings')
    await page.getByText(person.email).first().waitFor()
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    expect(await stored(page)).toEqual({ authToken: null, refreshToken: null, userType: null, businessId: null })
    for (const call of [
      fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${person.authToken}` } }),
      fetch(`${at.app.url}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refreshToken: person.refreshToken }),
      }),
    ])
      expect((await call).status).toBe(401)
    await page.goBack()
    await page.waitForURL('**/userlogin?next=%2Fsettings')
    expect(await page.content()).not.toContain(person.email)
  })

  it('is renewed without a word, once for two tabs, also when the server was away', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, { ...person, authToken: 'run.out.token' })
    let isStarting = true
    let refreshes = 0
    await context.route('**/api/auth/refresh', async (route) => {
      if (isStarting) return route.fulfill({ status: 503, body: '{"error":"busy","code":"unavailable"}' })
      refreshes++
      return route.continue()
    })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await stored(page)).toMatchObject({ authToken: 'run.out.token', refreshToken: person.refreshToken })
    // a page that is left in the middle of a refresh would ask once more
    await page.goto('/help')
    isStarting = false
    const other = await context.newPage()
    await Promise.all([page.goto('/settings'), other.goto('/settings')])
    for (const tab of [page, other]) await tab.getByText(person.email).first().waitFor()
    expect(refreshes).toBe(1)
    expect((await stored(page))['authToken']).not.toBe('run.out.token')
  })

  it('that is over: a page that only loads keeps it, an action ends it with a kind word and comes back', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, person)
    await page.goto('/settings#name')
    await page.getByRole('textbox', { name: 'Display name' }).fill('Lena H.')
    await at.app.db.deleteFrom('sessions').execute()
    const other = await context.newPage()
    await other.goto('/settings')
    await other.getByText('You were logged out here.').waitFor()
    expect(await stored(other)).toMatchObject({ authToken: person.authToken })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/userlogin\?next=%2Fsettings%23name&why=ended/)
    await page.getByText('You were logged out, because this login had come to its end.').waitFor()
    expect(await stored(page)).toEqual({ authToken: null, refreshToken: null, userType: null, businessId: null })
  })

  it('any text is a token: the menu follows it, the pages ask the server', async () => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    await loggedIn(context, { authToken: 'x', refreshToken: 'y', userType: 'business', businessId: '42' } as Person)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Business Account' }).waitFor()
    await page.getByText('No business is currently logged in.').waitFor()
    expect(await stored(page)).toMatchObject({ authToken: 'x', businessId: '42' })
  })
})

inBrowser('guards', () => {
  const at = useBrowser({ now: null })

  it.each([
    ['/dashboard', 'No business is currently logged in.'],
    ['/edit-business', 'No business is logged in.'],
    ['/create-deal', 'No business is logged in.'],
    ['/deal-analytics', 'No business is logged in.'],
    ['/redeem', 'No business is logged in.'],
    ['/upgrade-subscription', 'Not logged in as a business.'],
    ['/promote-business', 'Please log in first.'],
    ['/deal/0190a000-0000-7000-8000-000000000000/edit', 'No deal or token found.'],
  ])('%s says "%s" and asks nothing', async (path, text) => {
    const { page, faults } = await at.visit(path)
    const calls: string[] = []
    page.on('request', (request) => void (request.url().includes('/api/') && calls.push(request.url())))
    await page.getByText(text, { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    expect(await main(page).getByRole('link', { name: 'Business Login' }).getAttribute('href')).toBe(
      `/business-login?next=${encodeURIComponent(path)}`,
    )
    expect(calls).toEqual([])
    expect(faults).toEqual([])
  })

  it.each(['/settings', '/favorites', '/myschedule'])('%s sends a guest to the login', async (path) => {
    const { page } = await at.visit(`${path}?a=1`)
    await page.waitForURL(`**/userlogin?next=${encodeURIComponent(`${path}?a=1`)}`)
  })
})

inBrowser('the dashboard', () => {
  const at = useBrowser({ demo: true, now: null })
  const asMerchant = { authToken: 'a', refreshToken: 'r', userType: 'business', businessId: '7' } as Person

  it('makes the four specified calls and no other, with the token', async () => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    const person = await aMerchant(at.app, newAddress())
    await loggedIn(context, person)
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) calls.push(`${request.headers()['authorization']?.slice(0, 7)} ${pathname}`)
    })
    await page.goto('/dashboard')
    await page.getByText('No deals yet. Click').waitFor()
    await page.getByRole('heading', { name: 'Café Rhein' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(calls.sort()).toEqual(
      [
        `/api/business/${person.businessId}/subscription`,
        `/api/deals/business/${person.businessId}`,
        `/api/business/${person.businessId}/stats`,
        '/api/payments/my-subscription',
      ]
        .map((path) => `Bearer  ${path}`)
        .sort(),
    )
    await expectAccessible(page)
  })

  it('reads answers tolerantly, and shows the texts of the specification where there are none', async () => {
    const { page, context } = await at.visit('/contact', { expected: /status of (500|403)/ })
    await loggedIn(context, asMerchant)
    const answers: Record<string, { status?: number; json: unknown }> = {
      '/api/business/7/subscription': { json: { subscription_tier: 'PREMIUM' } },
      '/api/deals/business/7': {
        json: [{ deal_id: 12, deal_name: 'Spritz', description: 'Cold', price: '9', more: 1 }],
      },
      '/api/business/7/stats': { json: { profileViews: 3, dealClicks: '4', sales: 12.5 } },
      '/api/payments/my-subscription': {
        json: {
          provider_id: 'sub_1',
          status: 'active',
          current_period_end: '2026-12-24T00:00:00Z',
          cancel_at_period_end: true,
        },
      },
    }
    await context.route('**/api/**', (route) => {
      const { status = 200, json } = answers[new URL(route.request().url()).pathname]!
      return route.fulfill({ status, json })
    })
    await page.goto('/dashboard')
    await page.getByText('Scheduled to cancel at period end').waitFor()
    expect(await main(page).innerText()).toMatch(/PREMIUM[\s\S]*Active[\s\S]*24 December/)
    expect(await main(page).innerText()).toContain('CHF 12.50')
    expect(await page.getByRole('link', { name: 'View Details' }).getAttribute('href')).toBe('/deal/12')
    expect(await page.getByRole('link', { name: 'Edit Deal' }).getAttribute('href')).toBe('/deal/12/edit')
    expect(await page.getByText('Price: CHF 9').isVisible()).toBe(true)

    for (const path of Object.keys(answers)) answers[path] = { status: 500, json: { error: 'boom at line 3' } }
    await page.reload()
    for (const text of ['Failed to load subscription tier.', 'Failed to load deals.', 'Failed to load stats.'])
      await page.getByText(text).waitFor()
    expect(await page.content()).not.toContain('boom')
    expect(await main(page).getByRole('link', { name: 'Upgrade to Premium' }).isVisible()).toBe(true)

    answers['/api/business/7/stats'] = { status: 403, json: { error: 'Your figures rest today.' } }
    answers['/api/deals/business/7'] = { json: { error: 'Your deals rest today.' } }
    await page.reload()
    await page.getByText('Your figures rest today.').waitFor()
    await page.getByText('Your deals rest today.').waitFor()
  })
})

inBrowser('the settings', () => {
  const at = useBrowser({ now: null })
  const settingsOf = async (more: Parameters<typeof at.visit>[1] = {}) => {
    const person = await aVisitor(at.app, newAddress())
    const visit = await at.visit('/contact', more)
    await loggedIn(visit.context, person)
    await visit.page.goto('/settings')
    await visit.page.getByRole('heading', { name: 'Security' }).waitFor()
    return { ...visit, person }
  }
  const row = (page: Page, id: string) => page.locator(`#${id}`)

  it('change the name, the language, reminders and consent', async () => {
    const { page, person } = await settingsOf()
    await row(page, 'name').getByRole('button', { name: 'Change' }).click()
    await row(page, 'name').getByLabel('Display name').fill('Lena H.')
    await row(page, 'name').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    // the keyboard goes on where it opened the row, also when it goes back with Escape
    const change = row(page, 'name').getByRole('button', { name: 'Change' })
    const isFocused = () => change.evaluate((element) => element === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Enter')
    const name = row(page, 'name').getByRole('textbox', { name: 'Display name' })
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(isFocused).toBe(true)
    await row(page, 'reminder').getByRole('combobox').selectOption('30')
    await expect.poll(() => row(page, 'reminder').getByRole('combobox').isEnabled()).toBe(true)
    await row(page, 'location').getByRole('checkbox').click()
    await expect.poll(() => row(page, 'location').getByRole('checkbox').isChecked()).toBe(true)
    await row(page, 'language').getByRole('button', { name: 'Change' }).click()
    await row(page, 'language').getByRole('combobox').selectOption('de')
    await row(page, 'language').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
    const me = (await (
      await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${person.authToken}` } })
    ).json()) as Record<string, unknown>
    expect(me).toMatchObject({
      display_name: 'Lena H.',
      language: 'de',
      default_reminder_min: 30,
      location_consent: true,
    })
  })

  it('a new address counts once its mail was answered', async () => {
    const { page, person } = await settingsOf({ expected: /403/ })
    const next = newAddress()
    await row(page, 'email').getByRole('button', { name: 'Change' }).click()
    await row(page, 'email').getByLabel('New email').fill(next)
    await row(page, 'email').getByLabel('Present password').fill('not this')
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await expect.poll(() => row(page, 'email').getByLabel('Present password').getAttribute('aria-invalid')).toBe('true')
    await row(page, 'email').getByLabel('Present password').fill(person.password)
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`${next} waits for its confirmation`).waitFor()
    await page.goto(`/verify-email?token=${tokenIn(await mailTo(at.app, next))}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
    await page.getByText('From now on this is the address to log in with.').waitFor()
    await page.goto('/settings')
    await page.getByText(next).first().waitFor()
  })

  it('a new password keeps this device in and ends the others', async () => {
    const { page, person } = await settingsOf()
    await row(page, 'password').getByRole('button', { name: 'Change' }).click()
    await row(page, 'password').getByLabel('Present password').fill(person.password)
    await row(page, 'password').getByLabel('New password').fill('a quieter walk by the Birs')
    await row(page, 'password').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your password is changed').waitFor()
    const { authToken } = await stored(page)
    expect(authToken).not.toBe(person.authToken)
    const status = async (token: string | null) =>
      (await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await status(person.authToken), await status(authToken!)]).toEqual([401, 200])
    await page.reload()
    await page.getByText(person.email).first().waitFor()
  })

  it('a second factor: set up, log in with it, with a recovery code, and off again', async () => {
    const { page, person, context } = await settingsOf({ expected: /401|400/, viewport: phone })
    const factor = row(page, 'second-factor')
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByLabel('Present password').fill(person.password)
    await factor.getByRole('button', { name: 'Continue' }).click()
    await factor.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await expectAccessible(page)
    const secret = (await factor.locator('.select-all').innerText()).replace(/\s/g, '')
    const code = (offset = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + offset })
    await factor.getByLabel('The 6 digits the app shows now').fill(code())
    await factor.getByRole('button', { name: 'Switch on' }).click()
    await factor.getByText('Keep these recovery codes').waitFor()
    const codes = await factor.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    // what the row says is true already, and a reload would not open the way out
    await factor.getByText('On', { exact: true }).waitFor()
    await factor.getByText('10 recovery codes left.').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await factor.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('rheinklang-recovery-codes.txt')
    await factor.getByRole('button', { name: 'I have kept them' }).click()
    await factor.getByRole('button', { name: 'New recovery codes' }).waitFor()
    expect(await page.content()).not.toContain(codes[0])

    await context.clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/userlogin')
    await main(page).getByLabel('Email').fill(person.email)
    await main(page).getByLabel('Password', { exact: true }).fill(person.password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Enter the code from your authenticator app.').waitFor()
    const field = main(page).getByLabel('Code', { exact: true })
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    // a wrong code: the same no as for everybody, and a word about the code for whoever knew the password
    await field.fill('000000')
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Invalid email or password.').waitFor()
    await page.getByText('Perhaps it is the code').waitFor()
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await field.fill(codes[0]!)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(`${at.app.url}/`)

    await page.goto('/settings#second-factor')
    await factor.getByText('9 recovery codes left.').waitFor()
    expect(await factor.getByLabel('Present password').count()).toBe(0)
    await factor.getByRole('button', { name: 'Switch off' }).click()
    await factor.getByLabel('Present password').fill(person.password)
    await factor.getByLabel('Code', { exact: true }).fill(codes[1]!)
    await factor.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Two-factor login is off.').waitFor()
  })

  it('list the devices and end one', async () => {
    const { page, person } = await settingsOf()
    await fetch(`${at.app.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password }),
    })
    await page.reload()
    const sessions = row(page, 'sessions')
    await sessions.getByText('This device').waitFor()
    expect(await sessions.getByRole('listitem').count()).toBe(2)
    await sessions.getByRole('button', { name: /^Log out/ }).click()
    await page.getByText('Logged out there.').waitFor()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
  })

  it('give everything away as a file, delete in 14 days, and keep when one comes back', async () => {
    const { page, person } = await settingsOf()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)

    const remove = row(page, 'delete')
    await remove.getByRole('button', { name: 'Delete account' }).click()
    await remove.getByLabel('Present password').fill(person.password)
    await remove.getByRole('button', { name: 'Delete my account' }).click()
    const goodbye = page.getByRole('heading', { name: 'Goodbye' })
    await goodbye.waitFor()
    // the button lay at the foot of a long page
    await expect.poll(async () => (await goodbye.boundingBox())!.y).toBeGreaterThan(0)
    expect(await goodbye.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await stored(page))['authToken']).toBeNull()

    await page.goto('/userlogin?next=%2Fdeals')
    await main(page).getByLabel('Email').fill(person.email)
    await main(page).getByLabel('Password', { exact: true }).fill(person.password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    // back where one wanted to go, with a line that says it; the settings say it themselves
    await page.waitForURL('**/deals')
    const line = page.getByRole('complementary', { name: 'Your account is going' })
    await line.waitFor()
    await page.goto('/settings')
    await main(page).getByRole('button', { name: 'Keep my account' }).click()
    await page.getByText('The account stays.').waitFor()
    expect(await line.count()).toBe(0)
    await page.reload()
    await row(page, 'delete').getByRole('button', { name: 'Delete account' }).waitFor()
    expect(await page.getByRole('button', { name: 'Keep my account' }).count()).toBe(0)
  })

  it('switch the newsletter on for a confirmed address at once, and off', async () => {
    const { page, person } = await settingsOf()
    await page.goto(`/verify-email?token=${tokenIn(await mailTo(at.app, person.email))}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await page.goto('/settings')
    const box = row(page, 'newsletter').getByRole('checkbox')
    for (const wanted of [true, false]) {
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(wanted)
      await expect.poll(() => box.isEnabled()).toBe(true)
      await page.reload()
      await expect.poll(() => box.isChecked()).toBe(wanted)
    }
  })
})

inBrowser('an address that is not confirmed yet', () => {
  const at = useBrowser({ now: null })

  it('is said in one calm line after the login, which sends the mail again, and goes once it is confirmed', async () => {
    const email = newAddress()
    await aVisitor(at.app, email)
    const { page, context, faults } = await at.visit('/userlogin', { viewport: phone })
    await logInBy(page, email)
    await page.waitForURL(`${at.app.url}/`)
    const line = page.getByRole('complementary', { name: 'Please confirm your e-mail address' })
    await line.getByText('One tap is missing').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await line.getByRole('button', { name: 'Resend' }).click()
    await line.getByText('Sent again.').waitFor()
    const token = tokenIn(await mailTo(at.app, email, 'verify', 2))

    // pages that say it themselves have no second line
    await page.goto('/settings')
    await main(page).getByText(`We sent a link to ${email}.`).waitFor()
    expect(await line.count()).toBe(0)
    await page.goto('/contact')
    await line.waitFor()

    // confirmed elsewhere: whoever comes back to this page finds it gone
    expect((await post(at.app, '/api/auth/verify', { token })).status).toBe(200)
    const other = await context.newPage()
    await other.bringToFront()
    await page.bringToFront()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await line.waitFor({ state: 'detached' })
    await page.reload()
    await hydrated(page)
    expect(await line.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is put away by one tap, and not said to whoever logs in confirmed', async () => {
    const email = newAddress()
    await aMerchant(at.app, email)
    const { page } = await at.visit('/business-login?next=%2Fhelp', { expected: /my-subscription|404/ })
    await logInBy(page, email)
    await page.waitForURL('**/help')
    const line = page.getByRole('complementary', { name: 'Please confirm your e-mail address' })
    await line.getByRole('button', { name: 'Hide' }).click()
    await line.waitFor({ state: 'detached' })
    await page.reload()
    await hydrated(page)
    expect(await line.count()).toBe(0)

    const confirmed = newAddress()
    await aVisitor(at.app, confirmed)
    await post(at.app, '/api/auth/verify', { token: tokenIn(await mailTo(at.app, confirmed)) })
    await page.goto('/userlogin?next=%2Fhelp')
    await logInBy(page, confirmed)
    await page.waitForURL('**/help')
    expect(await line.count()).toBe(0)
  })
})

inBrowser('a page whose script does not come', () => {
  const at = useBrowser({ now: null })
  const withoutScript = async (path: string) => {
    const visited = await at.visit('/terms', { expected: /Failed to load|net::/, reducedMotion: 'reduce' })
    await visited.page.route('**/assets/*.js', (route) => route.abort())
    await visited.page.goto(path)
    return visited
  }

  it('lets a visitor sign up all the same: the form is sent as it is', async () => {
    const email = newAddress()
    const { page } = await withoutScript('/usersignup')
    const late = main(page).getByRole('button', { name: 'Send it as it is' })
    expect(await late.isVisible()).toBe(false)
    expect(await main(page).getByRole('button', { name: 'Create Account' }).isDisabled()).toBe(true)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await late.waitFor()
    await main(page).getByText('The script of this page has not come yet.').waitFor()
    await late.click()
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    await mailTo(at.app, email)
  })

  it('lets a merchant sign up, with the plan of their choice', async () => {
    const email = newAddress()
    const { page } = await withoutScript('/signup?tier=premium')
    await main(page).getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    const late = main(page).getByRole('button', { name: 'Send it as it is' })
    await late.waitFor()
    await late.click()
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    const rows = await at.app.db.selectFrom('businesses').select('requested_tier').where('email', '=', email).execute()
    expect(rows).toEqual([{ requested_tier: 'PREMIUM' }])
  })

  it.each(['/userlogin?next=%2Fhelp', '/business-login', '/settings', '/dashboard'])(
    'says on %s what is missing and loads the page again, which then works',
    async (path) => {
      const { page } = await withoutScript(path)
      const again = main(page).getByRole('link', { name: 'Load the page again' })
      await again.waitFor()
      await page.unroute('**/assets/*.js')
      await again.click()
      await page.waitForURL((url) => url.pathname + url.search === path || path === '/settings')
      await hydrated(page)
      await again.waitFor({ state: 'detached' })
    },
  )
})

inBrowser('the newsletter', () => {
  const at = useBrowser({ now: null })

  it.each([true, false])('from the foot of any page, by two taps (JavaScript: %s)', async (javaScriptEnabled) => {
    const email = newAddress()
    const { page } = await at.visit('/help', { javaScriptEnabled })
    if (javaScriptEnabled) await hydrated(page)
    await page.getByRole('contentinfo').getByLabel('Where to send it').fill(email)
    await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('heading', { name: 'One tap is missing' }).waitFor()
    await page.goto(`/newsletter/confirm?token=${tokenIn(await mailTo(at.app, email))}`)
    if (javaScriptEnabled) await hydrated(page)
    const isOn = async () =>
      (
        await at.app.db.selectFrom('newsletter_subscribers').select('confirmed_at').where('email', '=', email).execute()
      )[0]?.confirmed_at ?? null
    expect(await isOn()).toBeNull()
    await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
    await page.getByRole('heading', { name: 'You are on the list' }).waitFor()
    expect(await isOn()).not.toBeNull()

    // the link in the mail: a page, on which one tap ends it
    const mail = await mailTo(at.app, email)
    await page.goto(mail.headers['List-Unsubscribe']!.slice(1, -1))
    if (javaScriptEnabled) await hydrated(page)
    expect(await isOn()).not.toBeNull()
    await page.getByRole('button', { name: 'Stop the newsletter' }).click()
    await page.getByRole('heading', { name: 'No more newsletters' }).waitFor()
    expect(await isOn()).toBeNull()
  })

  it('ends by the one click of a mail program, which follows no redirect; twice does no harm', async () => {
    const email = newAddress()
    await post(at.app, '/api/newsletter', { email })
    const mail = await mailTo(at.app, email)
    const out = mail.headers['List-Unsubscribe']!.slice(1, -1)
    const rows = () =>
      at.app.db.selectFrom('newsletter_subscribers').select('email').where('email', '=', email).execute()
    const click = (url: string, body: BodyInit) => fetch(url, { method: 'POST', body, redirect: 'manual' })
    const form = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(out)).status).toBe(200)
    expect((await click(out.replace(/.$/, ''), form())).status).toBe(400)
    expect(await rows()).toHaveLength(1)
    expect((await click(out, form())).status).toBe(200)
    expect(await rows()).toEqual([])
    const parts = new FormData()
    parts.set('List-Unsubscribe', 'One-Click')
    expect((await click(out, parts)).status).toBe(200)
  })
})
