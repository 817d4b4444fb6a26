import type { Route } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { goodPassword, mailTo, tokenIn } from '../people.ts'
import { main, newAddress, stored } from './account-pages.ts'
import { expectAccessible, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const logoPicture = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#f2574a' } })
    .png()
    .toBuffer()

inBrowser('signing up', () => {
  const at = useBrowser({ now: null })

  it('as a visitor: form, mail, confirmation, login, and back to the page from before', async () => {
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
    await expect.poll(() => busy.isDisabled()).toBe(true)
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    await page.waitForURL('**/userlogin**')

    const mail = await mailTo(at.app, email)
    await page.goto(`/verify-email?token=${tokenIn(mail)}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await main(page).getByRole('link', { name: 'User Login' }).click()
    await page.waitForURL('**/userlogin')

    await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await expect.poll(() => stored(page)).toMatchObject({ userType: 'user', businessId: null })
    await page.getByRole('button', { name: 'My Profile' }).waitFor()
    expect(faults).toEqual([])
  })

  it('as a merchant: two seconds of waiting, a picture with preview, three seconds to the login, the dashboard', async () => {
    const email = newAddress()
    const { page, faults } = await at.visit('/signup', { expected: /my-subscription|status of 404/ })
    await expect.poll(() => page.getByText('Join Our Community').isVisible()).toBe(true)
    await expect.poll(() => page.locator('h1').innerText()).toBe('Create Your Business Account')
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('Address (optional)').fill('Rheingasse 12, 4058 Basel')
    await page.getByLabel('PREMIUM').check()
    await page.getByLabel('Logo (optional)').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await logoPicture(),
    })
    await page.getByRole('img', { name: 'Preview of your logo' }).waitFor()
    const sent = page.waitForRequest('**/api/business/signup')
    const pressed = Date.now()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await expect.poll(() => main(page).getByRole('button', { name: 'Submitting...' }).isDisabled()).toBe(true)
    await sent
    const waited = Date.now() - pressed
    expect(waited).toBeGreaterThanOrEqual(1990)
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    const answered = Date.now()
    await page.waitForURL('**/business-login')
    expect(Date.now() - answered).toBeGreaterThan(2500)

    await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe(email)
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
    await expect
      .poll(() => main(page).getByRole('link', { name: 'Complete your Premium upgrade' }).getAttribute('href'))
      .toBe('/upgrade-subscription')
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('Sent again.').waitFor()
    expect(faults).toEqual([])
  })

  it.each([
    ['a photo of 27 megapixels', 'jpeg', { width: 6000, height: 4500 }, { width: 2048, height: 1536 }],
    ['a small picture', 'png', { width: 300, height: 200 }, { width: 300, height: 200 }],
  ] as const)('%s is sent with at most 2048 px on its longer side', async (_, format, size, sent) => {
    const { page } = await at.visit('/signup', { expected: /my-subscription|status of 404/ })
    await hydrated(page)
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('Logo (optional)').setInputFiles({
      name: `logo.${format}`,
      mimeType: `image/${format}`,
      buffer: await sharp({ create: { ...size, channels: 3, background: '#f2574a' } })
        .toFormat(format)
        .toBuffer(),
    })
    await page.getByRole('img', { name: 'Preview of your logo' }).waitFor()
    const logo = page.evaluate(
      () =>
        new Promise((resolve) => {
          const send = window.fetch
          window.fetch = async (input, init) => {
            const file = init?.body instanceof FormData ? init.body.get('logo') : null
            if (file instanceof Blob) {
              const { width, height } = await createImageBitmap(file)
              resolve({ width, height, type: file.type })
            }
            return send(input, init)
          }
        }),
    )
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    expect(await logo).toEqual({ ...sent, type: `image/${format}` })
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
  })

  it('that is refused keeps the typed text and has the reason beside the field', async () => {
    const { page } = await at.visit('/signup', { expected: /400/ })
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill('kurz')
    await page.getByText('4 more characters to go.').waitFor()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    const password = main(page).getByLabel('Password', { exact: true })
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => password.evaluate((element) => element === document.activeElement)).toBe(true)
    await expect.poll(() => password.inputValue()).toBe('kurz')
    await expect.poll(() => page.getByLabel('Business Name').inputValue()).toBe('Café Rhein')
    await expect.poll(() => page.getByText('At least 8 characters, please.').isVisible()).toBe(true)
  })

  it('sends nothing while a required field is empty', async () => {
    const { page } = await at.visit('/signup')
    let sent = 0
    page.on('request', (request) => void (request.url().includes('/api/business/signup') && sent++))
    await main(page).getByLabel('Email').fill('no address')
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Please fill this in.').first().waitFor()
    await expect
      .poll(() => page.getByLabel('Business Name').evaluate((element) => element === document.activeElement))
      .toBe(true)
    const wrongAddress = page.getByText('Please enter an email address such as name@example.ch.')
    await expect.poll(() => wrongAddress.isVisible()).toBe(true)
    expect(sent).toBe(0)
    // an error is shown as long as the field is wrong, and again when it is wrong again
    const address = main(page).getByLabel('Email')
    await address.fill('no address either')
    await expect.poll(() => wrongAddress.isVisible()).toBe(true)
    await address.fill('lena@example.org')
    await wrongAddress.waitFor({ state: 'detached' })
    await expect.poll(() => address.getAttribute('aria-invalid')).toBeNull()
    await address.fill('')
    await wrongAddress.waitFor()
    await page.getByLabel('Business Name').fill('Café Rhein')
    await expect.poll(() => page.getByText('Please fill this in.').count()).toBe(1)
  })

  it('asks a visitor to accept the Terms of Use, in the specified words, before anything is sent', async () => {
    const { page } = await at.visit('/usersignup')
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Please accept the Terms of Use.').waitFor()
    const box = main(page).getByRole('checkbox')
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
    await box.check()
    await page.getByText('Please accept the Terms of Use.').waitFor({ state: 'detached' })
  })

  const failures: [string, (route: Route) => Promise<void>][] = [
    ['the server fails', (route) => route.fulfill({ status: 500, body: '<html>' })],
    ['the server is away', (route) => route.abort('connectionfailed')],
  ]
  it.each(failures)('has the same message when %s', async (_name, answer) => {
    const { page } = await at.visit('/usersignup', { expected: /Failed to load|net::|status of 500/, viewport: phone })
    await page.route('**/api/auth/signup', answer)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    // after a tap at the end of the form its beginning is not visible
    const box = (await page.getByText('Registration failed. Please try again.').boundingBox())!
    expect(box.y).toBeGreaterThan(0)
    expect(box.y + box.height).toBeLessThan(phone.height - 64)
    await expect.poll(() => main(page).getByLabel('Password', { exact: true }).inputValue()).toBe(goodPassword)
  })

  it('works if the human check cannot be loaded', async () => {
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
    await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await logoPicture() }
    if (path === '/signup') await main(page).getByLabel('Logo (optional)').setInputFiles(logo)
    await send.click()
    await page.getByText('Account created! Please check your email for verification.').waitFor()
    await mailTo(at.app, email)
    if (path !== '/signup') return
    const { logo_url } = await at.app.db
      .selectFrom('businesses')
      .select('logo_url')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect((await fetch(`${at.app.url}${logo_url}`)).headers.get('content-type')).toBe('image/webp')
  })

  it('opens help over the form, and returns the focus when it closes', async () => {
    const { page } = await at.visit('/signup')
    await hydrated(page)
    const help = main(page).getByRole('button', { name: 'Need Help' })
    await help.click()
    await page.getByRole('dialog', { name: 'Sign Up Support' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => help.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

inBrowser('signing up with a required human check', () => {
  const at = useBrowser({ now: null, env: { SIGNUP_CHALLENGE: 'always' } })

  it('computes the proof of work while the form waits, again for each try', async () => {
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

inBrowser('a page whose scripts cannot be loaded', () => {
  const at = useBrowser({ now: null })
  const withoutScript = async (path: string) => {
    const visited = await at.visit('/terms', { expected: /Failed to load|net::/, reducedMotion: 'reduce' })
    await visited.page.route('**/assets/*.js', (route) => route.abort())
    await visited.page.goto(path)
    return visited
  }

  it('still lets a visitor sign up by the plain form', async () => {
    const email = newAddress()
    const { page } = await withoutScript('/usersignup')
    const late = main(page).getByRole('button', { name: 'Send it anyway' })
    await expect.poll(() => late.isVisible()).toBe(false)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await late.waitFor()
    await main(page).getByText('This page is still loading.').waitFor()
    await late.click()
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    await mailTo(at.app, email)
  })

  it('still lets a merchant sign up, with the chosen plan', async () => {
    const email = newAddress()
    const { page } = await withoutScript('/signup?tier=premium')
    await main(page).getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    const late = main(page).getByRole('button', { name: 'Send it anyway' })
    await late.waitFor()
    await late.click()
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    const rows = await at.app.db.selectFrom('businesses').select('requested_tier').where('email', '=', email).execute()
    expect(rows).toEqual([{ requested_tier: 'PREMIUM' }])
  })

  it.each(['/userlogin?next=%2Fhelp', '/business-login', '/settings', '/dashboard'])(
    'says on %s that a part is missing and offers a reload, which then works',
    async (path) => {
      const { page } = await withoutScript(path)
      const again = main(page).getByRole('link', { name: 'Reload the page' })
      await again.waitFor()
      await page.unroute('**/assets/*.js')
      await again.click()
      await page.waitForURL((url) => url.pathname + url.search === path || path === '/settings')
      await hydrated(page)
      await again.waitFor({ state: 'detached' })
    },
  )
})
