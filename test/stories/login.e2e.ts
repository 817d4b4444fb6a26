import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aMerchant, aVisitor, goodPassword, mailTo, post, tokenIn, type Person } from '../people.ts'
import { logInBy, loggedIn, main, newAddress, stored } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('logging in', () => {
  const at = useBrowser({ now: null })
  const logIn = async (page: Page, email: string, password = goodPassword) => {
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
  }

  it('with a wrong password says so, keeps the typed address and stores nothing', async () => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page } = await at.visit('/userlogin', { expected: /401/ })
    await logIn(page, email, 'something else')
    await page.getByText('Invalid email or password.').waitFor()
    await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe(email)
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

  it('leads back to the page from before, and the back button skips the form', async () => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page } = await at.visit('/deals')
    await page.goto('/userlogin?next=%2Fcontact%3Ftopic%3Dpress')
    await logIn(page, email)
    await page.waitForURL('**/contact?topic=press')
    await page.goBack()
    await page.waitForURL('**/deals')
  })

  it.each(['by a tap', 'by Enter'])('sent %s before hydration happens after it', async (way) => {
    const { email } = await aVisitor(at.app, newAddress())
    const { page, context, faults } = await at.visit('/deals')
    const scripts = Promise.withResolvers<void>()
    await context.route('**/assets/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto('/userlogin?next=%2Fcontact', { waitUntil: 'commit' })
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    const button = main(page).getByRole('button', { name: 'Log In' })
    // the script that holds an early submit is at the end of the document
    await page.waitForFunction(() => document.readyState !== 'loading')
    if (way === 'by a tap') await button.click()
    else await page.keyboard.press('Enter')
    await main(page).locator('button[aria-busy="true"]', { hasText: 'Log In' }).waitFor()
    scripts.resolve()
    await page.waitForURL('**/contact')
    expect(faults).toEqual([])
  })

  it('leads a merchant to the dashboard; the visitors’ form does not know that account', async () => {
    const { email, businessId } = await aMerchant(at.app, newAddress())
    const { page } = await at.visit('/userlogin', { expected: /401|404/ })
    await logIn(page, email)
    await page.getByText('Invalid email or password.').waitFor()
    await page.goto('/business-login')
    await logIn(page, email)
    await page.waitForURL('**/dashboard')
    await expect.poll(() => stored(page)).toMatchObject({ userType: 'business', businessId })
  })

  it('needs JavaScript: without it a text says so and there is no form', async () => {
    for (const path of ['/userlogin', '/business-login']) {
      const { page, context } = await at.visit(path, { javaScriptEnabled: false })
      await expect.poll(() => main(page).innerText()).toContain('To log in, please turn on JavaScript')
      await expect.poll(() => main(page).locator('form').isVisible()).toBe(false)
      await context.close()
    }
  })

  it('with Google says on both addresses that it is not set up, and links to User Login', async () => {
    const { page } = await at.visit('/userlogin')
    await main(page).getByRole('link', { name: 'Sign in with Google' }).click()
    await page.waitForURL('**/googlelogin')
    await page.getByText('Signing in with Google is not set up on this site.').waitFor()
    await expect
      .poll(() => main(page).getByRole('link', { name: 'User Login' }).getAttribute('href'))
      .toBe('/userlogin')
    await page.goto('/socialLogin')
    await page.getByText('Signing in with Google is not set up on this site.').waitFor()
  })

  it('after a forgotten password works with a new one from the mailed link, and ends every other session', async () => {
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
    await page.getByText('Your password has been changed.').waitFor()
    // the link logs in, so that guesses elsewhere cannot lock out the owner
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${at.app.url}/`)
    expect((await stored(page))['authToken']).toBeTruthy()
    const { status } = await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${person.authToken}` } })
    expect(status).toBe(401)
    await page.goto(link)
    await hydrated(page)
    await page.getByLabel('New password').fill(goodPassword)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('This link is invalid or has expired.').waitFor()
    await main(page).getByRole('link', { name: 'Request a new link' }).waitFor()
    expect(faults).toEqual([])
  })

  it('after a forgotten password with two-factor authentication: the link saves the password, then asks for the code', async () => {
    const person = await aVisitor(at.app, newAddress())
    await post(at.app, '/api/auth/verify', { token: tokenIn(await mailTo(at.app, person.email)) })
    const setup = await post(at.app, '/api/me/2fa/setup', { password: goodPassword }, { token: person.authToken })
    const totp = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate()
    const enabled = await post(at.app, '/api/me/2fa/enable', { totp }, { token: person.authToken })
    await post(at.app, '/api/auth/forgot', { email: person.email })
    const link = `/reset-password?token=${tokenIn(await mailTo(at.app, person.email, 'Set a new password'))}`
    const { page } = await at.visit(link, { expected: /400|401/ })
    await hydrated(page)
    await page.getByLabel('New password').fill('another walk by the Rhine')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Your new password is saved.').waitFor()
    await expect.poll(() => page.getByLabel('New password').isVisible()).toBe(false)
    await page.getByLabel('Code').fill('000000')
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await expect.poll(() => page.getByLabel('Code').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Code').fill(enabled.body.recovery_codes[0])
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Your password has been changed.').waitFor()
    expect((await stored(page))['authToken']).toBeTruthy()
  })

  it('by a mailed link changes nothing until its button is pressed, and works without JavaScript', async () => {
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
    await expect.poll(() => verified()).toBe(false)
    const { page } = await at.visit(`/verify-email?token=${token}`, { javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await expect.poll(() => verified()).toBe(true)
  })

  it('after confirming an address has this address filled in', async () => {
    const person = await aVisitor(at.app, newAddress())
    const token = tokenIn(await mailTo(at.app, person.email))
    const { page } = await at.visit(`/verify-email?token=${token}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    // header and footer have such a link too, even before the address is confirmed
    await page.waitForURL(/done=user/)
    await main(page).getByRole('link', { name: 'User Login' }).click()
    await page.waitForURL(/userlogin/)
    await expect.poll(() => page.getByLabel('Email', { exact: true }).first().inputValue()).toBe(person.email)
  })
})

inBrowser('a session', () => {
  const at = useBrowser({ now: null })

  it('ends here and on the server at a logout; the back button shows nothing private', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, person)
    await page.goto('/settings')
    await page.getByText(person.email).first().waitFor()
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await expect
      .poll(() => stored(page))
      .toEqual({ authToken: null, refreshToken: null, userType: null, businessId: null })
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
    await expect.poll(() => page.content()).not.toContain(person.email)
  })

  it('is refreshed silently, once for two tabs, also after the server was unreachable', async () => {
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
    await expect
      .poll(() => stored(page))
      .toMatchObject({ authToken: 'run.out.token', refreshToken: person.refreshToken })
    // a page that is left during a refresh would refresh again
    await page.goto('/help')
    isStarting = false
    const other = await context.newPage()
    await Promise.all([page.goto('/settings'), other.goto('/settings')])
    for (const tab of [page, other]) await tab.getByText(person.email).first().waitFor()
    expect(refreshes).toBe(1)
    expect((await stored(page))['authToken']).not.toBe('run.out.token')
  })

  it('with an expired token still shows merchants their own view', async () => {
    const person = await aMerchant(at.app, newAddress())
    const draft = await post(
      at.app,
      '/api/deals',
      { deal_name: 'Soup of tomorrow', draft: true },
      { token: person.authToken },
    )
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, { ...person, authToken: 'run.out.token' })
    await page.goto(`/deal/${draft.body.deal_id}/edit`)
    await expect.poll(() => page.getByLabel('Deal Name').inputValue()).toBe('Soup of tomorrow')
    await page.evaluate(() => localStorage.setItem('authToken', 'run.out.again'))
    await page.goto('/dashboard')
    await main(page).getByText('Soup of tomorrow').first().waitFor()
    await page.evaluate(() => localStorage.setItem('authToken', 'run.out.again'))
    await page.goto('/edit-business')
    await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(person.email)
  })

  it('that has expired: loading a page keeps it, an action ends it with a friendly message and leads back', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { expected: /401/ })
    await loggedIn(context, person)
    await page.goto('/settings#name')
    await page.getByRole('textbox', { name: 'Display name' }).fill('Lena H.')
    await at.app.db.deleteFrom('sessions').execute()
    const other = await context.newPage()
    await other.goto('/settings')
    await other.getByText('Your session expired.').waitFor()
    await expect.poll(() => stored(other)).toMatchObject({ authToken: person.authToken })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/userlogin\?next=%2Fsettings%23name&why=ended/)
    await page.getByText('Your session expired.').waitFor()
    await expect
      .poll(() => stored(page))
      .toEqual({ authToken: null, refreshToken: null, userType: null, businessId: null })
  })

  it.each([
    ['moderator', ['/admin', '/admin/log', '/admin/moderation', '/admin/events/new']],
    [
      'business',
      [
        '/dashboard',
        '/deal/0190a000-0000-7000-8000-000000000000/edit',
        '/edit-business',
        '/create-deal',
        '/upgrade-subscription',
        '/deal-analytics',
        '/redeem',
        '/invoices',
      ],
    ],
  ] as const)('that is over leads a %s from each of their pages to the login', async (userType, paths) => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    await loggedIn(context, { authToken: 'x', refreshToken: 'y', userType, businessId: '42' } as unknown as Person)
    const login = userType === 'business' ? '/business-login' : '/userlogin'
    for (const path of paths) {
      await page.goto(path)
      await main(page).getByText('Your session expired. Please log in again.').waitFor()
      await expect
        .poll(() => main(page).getByRole('link', { name: 'Log in', exact: true }).getAttribute('href'), {
          message: path,
        })
        .toBe(`${login}?next=${encodeURIComponent(path)}`)
      // once, and with no other message
      await expect.poll(() => main(page).locator('[aria-busy="true"], .animate-breathe').count()).toBe(0)
      expect(await main(page).getByText('Your session expired.').count(), path).toBe(1)
      expect(await main(page).getByText('Please log in.', { exact: true }).count(), path).toBe(0)
    }
  })

  it('with any text as token shows the menu, but pages ask the server', async () => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    await loggedIn(context, { authToken: 'x', refreshToken: 'y', userType: 'business', businessId: '42' } as Person)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Business Account' }).waitFor()
    await main(page).getByText('Your session expired. Please log in again.').waitFor()
    await expect.poll(() => stored(page)).toMatchObject({ authToken: 'x', businessId: '42' })
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
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
    await expect
      .poll(() => main(page).getByRole('link', { name: 'Business Login' }).getAttribute('href'))
      .toBe(`/business-login?next=${encodeURIComponent(path)}`)
    expect(calls).toEqual([])
    expect(faults).toEqual([])
  })

  it.each(['/settings', '/favorites', '/myschedule'])('%s sends a guest to the login', async (path) => {
    const { page } = await at.visit(`${path}?a=1`)
    await page.waitForURL(`**/userlogin?next=${encodeURIComponent(`${path}?a=1`)}`)
  })
})

inBrowser('an address that is not confirmed yet', () => {
  const at = useBrowser({ now: null })

  it('has a line after the login that can send the mail again, until the address is confirmed', async () => {
    const email = newAddress()
    await aVisitor(at.app, email)
    const { page, context, faults } = await at.visit('/userlogin', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED/,
    })
    await logInBy(page, email)
    await page.waitForURL(`${at.app.url}/`)
    const line = page.getByRole('complementary', { name: 'Please confirm your email address' })
    await line.getByText('Almost there').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await context.setOffline(true)
    await line.getByRole('button', { name: 'Resend' }).click()
    await line.getByText('You are offline.').waitFor()
    await context.setOffline(false)
    await line.getByRole('button', { name: 'Resend' }).click()
    await line.getByText('Sent again.').waitFor()
    const token = tokenIn(await mailTo(at.app, email, 'confirm your email', 2))

    // pages with their own message have no second line
    await page.goto('/settings')
    await main(page).getByText(`We sent a link to ${email}.`).waitFor()
    await expect.poll(() => line.count()).toBe(0)
    await page.goto('/contact')
    await line.waitFor()

    // confirmed on another device: the line disappears when the visitor returns to this page
    expect((await post(at.app, '/api/auth/verify', { token })).status).toBe(200)
    const other = await context.newPage()
    await other.bringToFront()
    await page.bringToFront()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await line.waitFor({ state: 'detached' })
    await page.reload()
    await hydrated(page)
    await expect.poll(() => line.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('has a line that one tap hides, and no line for confirmed accounts', async () => {
    const email = newAddress()
    await aMerchant(at.app, email)
    const { page } = await at.visit('/business-login?next=%2Fhelp', { expected: /my-subscription|404/ })
    await logInBy(page, email)
    await page.waitForURL('**/help')
    const line = page.getByRole('complementary', { name: 'Please confirm your email address' })
    await line.getByRole('button', { name: 'Hide' }).click()
    await line.waitFor({ state: 'detached' })
    await page.reload()
    await hydrated(page)
    await expect.poll(() => line.count()).toBe(0)

    const confirmed = newAddress()
    await aVisitor(at.app, confirmed)
    await post(at.app, '/api/auth/verify', { token: tokenIn(await mailTo(at.app, confirmed)) })
    await page.goto('/userlogin?next=%2Fhelp')
    await logInBy(page, confirmed)
    await page.waitForURL('**/help')
    await expect.poll(() => line.count()).toBe(0)
  })
})
