import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aMerchant, aVisitor, get, goodPassword, mailTo, post, tokenIn } from '../people.ts'
import { api } from '../start-app.ts'
import { logInBy, main, newAddress } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('an account that is about to be deleted', () => {
  const at = useBrowser({ now: null })
  const leaving = async (person: { authToken: string }) => {
    const { status } = await api(at.app, '/api/me', {
      method: 'DELETE',
      body: JSON.stringify({ password: goodPassword }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.authToken}` },
    })
    expect(status).toBe(202)
  }
  const deletionOf = async (email: string, login = '/api/auth/login') => {
    const { body } = await post(at.app, login, { email, password: goodPassword })
    return (await get(at.app, '/api/me', body.authToken)).body.deletion_at as string | null
  }
  const lineOf = (page: Page) => page.getByRole('complementary', { name: 'Your account will be deleted' })

  it('is announced on every page after the login, also on a slow network, and is kept by one tap', async () => {
    const email = newAddress()
    await leaving(await aVisitor(at.app, email))
    const { page, context, faults } = await at.visit('/userlogin?next=%2Fcontact', { viewport: phone })
    // the answer comes long after the login has led to the next page
    let answer = () => {}
    const slow = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/me', async (route) => {
      await slow
      await route.continue()
    })
    await logInBy(page, email)
    await page.waitForURL('**/contact')
    answer()
    const line = lineOf(page)
    await line.getByText(/^This account will be deleted on \d+ \w+\.$/).waitFor()
    await expect.poll(() => page.getByRole('complementary').count()).toBe(1)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    await page.goto('/deals')
    await line.waitFor()
    const other = await context.newPage()
    await other.goto('/')
    await lineOf(other).waitFor()
    await expect.poll(() => deletionOf(email)).not.toBeNull()

    await line.getByRole('button', { name: 'Keep my account' }).click()
    await line.getByText('Good to have you back. Your account stays.').waitFor()
    await lineOf(other).waitFor({ state: 'detached' })
    await expect.poll(() => deletionOf(email)).toBeNull()
    await page.reload()
    await hydrated(page)
    await expect.poll(() => line.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is announced on the dashboard of a merchant until the logout', async () => {
    const email = newAddress()
    await leaving(await aMerchant(at.app, email))
    const { page } = await at.visit('/business-login', { expected: /my-subscription|404/ })
    await logInBy(page, email)
    await page.waitForURL('**/dashboard')
    await lineOf(page).waitFor()
    await page.getByRole('button', { name: 'Business Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await hydrated(page)
    await expect.poll(() => lineOf(page).count()).toBe(0)
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
    // a login alone must not keep the account
    await expect.poll(() => deletionOf(email, '/api/business/login')).not.toBeNull()
  })

  it('loses its line on an open page once it is kept on another device', async () => {
    const email = newAddress()
    await leaving(await aVisitor(at.app, email))
    const { page } = await at.visit('/userlogin')
    await logInBy(page, email)
    await lineOf(page).waitFor()
    const { body } = await post(at.app, '/api/auth/login', { email, password: goodPassword })
    expect((await post(at.app, '/api/me/keep', undefined, { token: body.authToken })).status).toBe(200)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await lineOf(page).waitFor({ state: 'detached' })
  })

  it('is announced on the next page if the answer after the login was lost', async () => {
    const email = newAddress()
    await leaving(await aVisitor(at.app, email))
    const { page } = await at.visit('/userlogin?next=%2Fcontact', { expected: /net::|Failed to load/ })
    await page.route('**/api/me', (route) => route.abort('connectionfailed'))
    await logInBy(page, email)
    await page.waitForURL('**/contact')
    await page.unroute('**/api/me')
    await page.reload()
    await lineOf(page).waitFor()
  })
})

inBrowser('a mailed link', () => {
  const at = useBrowser({ now: null })
  const resetLink = async (email: string) => {
    await post(at.app, '/api/auth/forgot', { email })
    return `/reset-password?token=${tokenIn(await mailTo(at.app, email, /password/i))}`
  }
  const next = 'another walk by the Rhine'

  it.each(['?', '#'])('to a new password (%stoken=) still works after a refusal and after a reload', async (sign) => {
    const email = newAddress()
    await aVisitor(at.app, email)
    const { page } = await at.visit((await resetLink(email)).replace('?', sign), { expected: /400/ })
    await hydrated(page)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await expect.poll(() => page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true')
    await page.reload()
    await hydrated(page)
    await page.getByLabel('New password').fill(next)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Your password has been changed.').waitFor()
  })

  it.each([
    ['/reset-password', '?token='],
    ['/verify-email', '?token='],
    ['/newsletter/confirm', '?token='],
    ['/newsletter/unsubscribe', '?subscriber='],
    ['/reset-password', '#token='],
  ])('to %s (%s) leaves its token neither in the address bar nor in a Referer', async (path, sign) => {
    const referers: string[] = []
    const { page, context } = await at.visit('/contact')
    context.on('request', (request) => void referers.push(request.headers()['referer'] ?? ''))
    await page.goto(`${at.app.url}${path}${sign}secret`)
    await hydrated(page)
    await expect.poll(() => page.url()).toBe(at.app.url + path)
    // the tab's history has no address with the token either, and the link still works after a reload
    await page.reload()
    await hydrated(page)
    await expect.poll(() => page.url()).toBe(at.app.url + path)
    await main(page).locator('input[name="token"][value="secret"]').waitFor({ state: 'attached' })
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await page.waitForURL('**/privacy')
    expect(referers.length).toBeGreaterThan(0)
    expect(referers.filter((each) => each.includes('secret'))).toEqual([])
    const { headers } = await fetch(`${at.app.url}${path}${sign}secret`)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('to a new password shows the form again with the reason if no script runs', async () => {
    const email = newAddress()
    await aVisitor(at.app, email)
    const link = await resetLink(email)
    const { page } = await at.visit(link, { javaScriptEnabled: false, expected: /400/ })
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Please check the marked field.').waitFor()
    await expect.poll(() => page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true')
    await page.goto(page.url())
    await page.getByLabel('New password').fill(next)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Your password has been changed.').waitFor()
  })

  it.each([
    ['/reset-password', { password: 'short' }, 'New password'],
    ['/verify-email', {}, 'This link is invalid or has expired.'],
    ['/newsletter/confirm', {}, 'This link is invalid or has expired.'],
  ])('that is sent to %s without its address is answered, not called incomplete', async (path, more, text) => {
    const answer = await fetch(at.app.url + path, {
      method: 'POST',
      body: new URLSearchParams({ token: 'abcabc', ...more }),
      headers: { origin: at.app.url },
    })
    expect(answer.status).toBe(400)
    const html = await answer.text()
    expect(html).toContain(text)
    expect(html).not.toContain('This link is incomplete')
  })

  it.each([
    ['/verify-email', 'Confirm email address', 'Confirmed'],
    ['/newsletter/confirm', 'Yes, send me the newsletter', 'You are subscribed'],
  ])('to %s works after the network was gone and the page loaded again', async (path, button, done) => {
    const email = newAddress()
    if (path === '/verify-email') await aVisitor(at.app, email)
    else await post(at.app, '/api/newsletter', { email })
    const { page } = await at.visit(`${path}?token=${tokenIn(await mailTo(at.app, email))}`, {
      expected: /net::|Failed to load/,
    })
    await hydrated(page)
    await page.route('**/api/**', (route) => route.abort('connectionfailed'))
    await page.getByRole('button', { name: button }).click()
    await main(page).getByText('You are offline.').waitFor()
    await page.unroute('**/api/**')
    await page.reload()
    await hydrated(page)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: done }).waitFor()
  })

  it.each([
    ['/verify-email', 'Confirm email address', 'Confirmed', 'If this address is already confirmed, you are all set.'],
    ['/newsletter/confirm', 'Yes, send me the newsletter', 'You are subscribed', 'you are already subscribed'],
  ])('to %s that was used says calmly that all may be well', async (path, button, done, calm) => {
    const email = newAddress()
    if (path === '/verify-email') await aVisitor(at.app, email)
    else await post(at.app, '/api/newsletter', { email })
    const link = `${path}?token=${tokenIn(await mailTo(at.app, email))}`
    const { page } = await at.visit(link, { expected: /400/ })
    for (const end of [page.getByRole('heading', { name: done }), main(page).getByRole('status')]) {
      await page.goto(link)
      await hydrated(page)
      await page.getByRole('button', { name: button }).click()
      await end.waitFor()
    }
    await expect
      .poll(() => main(page).getByRole('status').innerText())
      .toContain('This link is invalid or has expired.')
    await expect.poll(() => main(page).getByRole('status').innerText()).toContain(calm)
    await expect.poll(() => main(page).getByRole('alert').count()).toBe(0)
    await expectAccessible(page)
  })

  it('to a changed address says what its page will do', async () => {
    const email = newAddress()
    const person = await aVisitor(at.app, email)
    const other = newAddress()
    await post(at.app, '/api/me/email', { email: other, password: goodPassword }, { token: person.authToken })
    const mail = await mailTo(at.app, other)
    expect(mail.text).toContain('Once you confirm it, you log in')
    expect(mail.text).not.toContain('the moment you open')
  })
})

inBrowser('a typed draft', () => {
  const at = useBrowser({ now: null })
  const cases = [
    {
      path: '/usersignup',
      fields: { 'Display name': 'Lena', Email: 'lena@example.org' },
      link: 'Terms of Use',
    },
    {
      path: '/signup?tier=premium',
      fields: { 'Business Name': 'Café Rhein', Email: 'cafe@example.org', 'Address (optional)': 'Rheingasse 1' },
      link: 'Privacy',
    },
    {
      path: '/contact?topic=press',
      fields: { 'Your name': 'Lena', Email: 'lena@example.org', 'Your message': 'Where is\nthe lost and found?' },
      link: 'Privacy',
    },
  ]

  it.each(cases)('in $path stays while the visitor reads $link, changes the language, and reloads', async (each) => {
    const { page } = await at.visit(each.path)
    await hydrated(page)
    const field = (label: string) => main(page).getByLabel(label, { exact: true })
    const password = main(page).locator('input[type="password"]')
    for (const [label, text] of Object.entries(each.fields)) await field(label).fill(text)
    const isSignup = (await password.count()) > 0
    if (isSignup) await password.fill(goodPassword)
    if (each.path === '/usersignup') await main(page).getByRole('checkbox').check()
    if (each.path.startsWith('/signup')) await main(page).getByRole('radio', { name: 'FREE' }).check()
    if (each.path.startsWith('/contact')) await main(page).getByRole('combobox').selectOption('other')
    const ids = await main(page)
      .locator('input:not([type="file"]), textarea, select')
      .evaluateAll((all) => all.map(({ id }) => id))
    const values = async () =>
      Object.fromEntries(
        await Promise.all(
          ids
            .filter((id) => id && id !== 'signup-password')
            .map(async (id) => [
              id,
              await page
                .locator(`[id="${id}"]`)
                .evaluate((element) =>
                  ['checkbox', 'radio'].includes((element as HTMLInputElement).type)
                    ? (element as HTMLInputElement).checked
                    : (element as HTMLInputElement).value,
                ),
            ]),
        ),
      )
    const typed = await values()
    expect(Object.values(typed)).toEqual(expect.arrayContaining(Object.values(each.fields)))

    await main(page).getByRole('link', { name: each.link }).first().click()
    await page.waitForURL(/terms|privacy/)
    await page.goBack()
    await expect.poll(values).toEqual(typed)
    if (isSignup) expect(await password.inputValue()).toBe('')

    await page.reload()
    await hydrated(page)
    await expect.poll(values).toEqual(typed)

    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.waitForFunction(() => document.documentElement.lang === 'de')
    await hydrated(page)
    await expect.poll(values).toEqual(typed)

    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
    expect(stored).not.toContain(goodPassword)
  })

  it('is deleted once it was sent, and at a logout', async () => {
    const { page } = await at.visit('/contact')
    await hydrated(page)
    const fill = async (message: string) => {
      await page.getByLabel('Your name').fill('Lena')
      await page.getByRole('main').getByLabel('Email').fill('lena@example.org')
      await page.getByLabel('Your message').fill(message)
    }
    await fill('Where is the lost and found?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.waitForURL(/ticket=RK-/)
    await main(page).getByRole('link', { name: 'Write another message' }).click()
    await page.getByLabel('Your message').waitFor()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('')
    await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('')

    const email = newAddress()
    await page.goto('/usersignup')
    await hydrated(page)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Account created!').first().waitFor()
    await page.goto('/usersignup')
    await hydrated(page)
    await expect.poll(() => page.getByLabel('Display name').inputValue()).toBe('')
    await expect.poll(() => main(page).getByRole('checkbox').isChecked()).toBe(false)

    await page.goto('/userlogin?next=%2Fcontact')
    await logInBy(page, email)
    await page.waitForURL('**/contact')
    await fill('Something for Lena alone')
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Lena')
    await page.goto('/contact')
    await hydrated(page)
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('')
  })

  it.each(['/userlogin', '/business-login'])(
    'keeps the address of %s for the form of a forgotten password',
    async (path) => {
      const { page } = await at.visit(path)
      await hydrated(page)
      await main(page).getByLabel('Email').fill('lena@example.org')
      await main(page).getByRole('link', { name: 'Forgot password?' }).click()
      await page.waitForURL('**/forgot-password**')
      await expect.poll(() => page.url()).not.toContain('lena')
      await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe('lena@example.org')
      await page.goBack()
      await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe('lena@example.org')
    },
  )
})

inBrowser('the page that a guest wanted to open', () => {
  const at = useBrowser({ now: null })

  it.each(['/usersignup', '/signup'])(
    'is kept by %s without JavaScript, whose text promises nothing else',
    async (path) => {
      const { page } = await at.visit(`${path}?next=%2Fcontact`, { javaScriptEnabled: false })
      await page.getByLabel(path === '/signup' ? 'Business Name' : 'Display name').fill('Lena')
      await main(page).getByLabel('Email').fill(newAddress())
      await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
      if (path === '/usersignup') await main(page).getByRole('checkbox').check()
      await main(page).getByRole('button', { name: 'Create Account' }).and(page.locator(':visible')).click()
      await page.getByText('Account created! Please check your email for verification.').waitFor()
      await expect.poll(() => main(page).innerText()).not.toContain('seconds')
      const login = path === '/signup' ? '/business-login' : '/userlogin'
      const link = main(page).getByRole('link', { name: /Login/ })
      await expect.poll(() => link.getAttribute('href')).toBe(`${login}?next=%2Fcontact`)
    },
  )

  it('opens after the login or signup, also of the other kind of account', async () => {
    const email = newAddress()
    await aMerchant(at.app, email)
    const { page } = await at.visit('/settings')
    await page.waitForURL('**/userlogin?next=%2Fsettings')
    await main(page).getByRole('link', { name: 'Create an account' }).click()
    await main(page).getByRole('link', { name: 'Business signup' }).click()
    await page.waitForURL('**/signup?next=%2Fsettings')
    await main(page).getByRole('link', { name: 'Business Login' }).click()
    await page.waitForURL('**/business-login?next=%2Fsettings')
    await main(page).getByRole('link', { name: 'User Login' }).click()
    await page.waitForURL('**/userlogin?next=%2Fsettings')
    await main(page).getByRole('link', { name: 'Business Login' }).click()
    await page.waitForURL('**/business-login?next=%2Fsettings')
    await logInBy(page, email)
    await page.waitForURL('**/settings')
  })
})
