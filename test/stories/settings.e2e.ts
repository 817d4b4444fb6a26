import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aVisitor, get, mailTo, post, tokenIn } from '../people.ts'
import { loggedIn, main, newAddress, stored } from './account-pages.ts'
import { expectAccessible, hydrated, hydratedFooter, inBrowser, phone, useBrowser } from './browser.ts'

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

  it('explain on an iPhone the two taps that make push notifications possible', async () => {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1'
    const { page, context, faults } = await settingsOf({ viewport: phone, userAgent })
    await context.addInitScript(() => {
      for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(globalThis, name)
    })
    await page.reload()
    const device = page.getByRole('group', { name: 'This device' })
    await device.getByText('tap Share (sometimes under •••), then “Add to Home Screen”').waitFor()
    expect(await device.getByRole('checkbox').isDisabled()).toBe(true)
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('change the name, the language, reminders and consent', async () => {
    const { page, person } = await settingsOf()
    await row(page, 'name').getByRole('button', { name: 'Change' }).click()
    await row(page, 'name').getByLabel('Display name').fill('Lena H.')
    await row(page, 'name').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    // the focus returns to the button that opened the row, also after Escape
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
    // the language chosen in the footer is saved in the account too
    await (await hydratedFooter(page)).getByRole('button', { name: 'Français' }).click()
    await page.getByRole('heading', { name: 'Réglages', level: 1 }).waitFor()
    await row(page, 'language').getByText('Français').waitFor()
    // also on an information page without the app: the next page saves it
    await page.goto('/help')
    await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()
    await page.goto('/')
    const language = async () => (await get(at.app, '/api/me', person.authToken)).body.language as string
    await expect.poll(language).toBe('en')
  })

  it('show a message and do not reload if the language could not be saved', async () => {
    const { page } = await settingsOf({ expected: /ERR_FAILED|503/ })
    const footer = await hydratedFooter(page)
    await page.route('**/preferences', (route) => route.abort())
    await footer.getByRole('button', { name: 'Deutsch' }).click()
    await footer.getByText('You are offline. Please try again once you are back online.').waitFor()
    await page.unroute('**/preferences')
    await page.route('**/preferences', (route) => route.fulfill({ status: 503, body: '' }))
    await footer.getByRole('button', { name: 'Deutsch' }).click()
    await footer.getByText('We are very busy right now. Please try again in a moment.').waitFor()
    await page.unroute('**/preferences')
    await footer.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
  })

  it('use a new address once the link in its mail was opened', async () => {
    const { page, person } = await settingsOf({ expected: /403/ })
    const next = newAddress()
    await row(page, 'email').getByRole('button', { name: 'Change' }).click()
    await row(page, 'email').getByLabel('New email').fill(next)
    await row(page, 'email').getByLabel('Current password').fill('not this')
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await expect.poll(() => row(page, 'email').getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
    await row(page, 'email').getByLabel('Current password').fill(person.password)
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`${next} is not confirmed yet`).waitFor()
    await page.goto(`/verify-email?token=${tokenIn(await mailTo(at.app, next))}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByText('From now on, log in with this address.').waitFor()
    await page.goto('/settings')
    await page.getByText(next).first().waitFor()
  })

  it('change the password, keep this session and end the others', async () => {
    const { page, person } = await settingsOf()
    await row(page, 'password').getByRole('button', { name: 'Change' }).click()
    await row(page, 'password').getByLabel('Current password').fill(person.password)
    await row(page, 'password').getByLabel('New password').fill('a quieter walk by the Birs')
    await row(page, 'password').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your password has been changed').waitFor()
    const { authToken } = await stored(page)
    expect(authToken).not.toBe(person.authToken)
    const status = async (token: string | null) =>
      (await fetch(`${at.app.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await status(person.authToken), await status(authToken!)]).toEqual([401, 200])
    await page.reload()
    await page.getByText(person.email).first().waitFor()
  })

  it('set up two-factor authentication, which then works at the login, also with a recovery code, and turn it off', async () => {
    const { page, person, context } = await settingsOf({ expected: /401|400|409/, viewport: phone })
    const factor = row(page, 'second-factor')
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByLabel('Current password').fill(person.password)
    await factor.getByRole('button', { name: 'Continue' }).click()
    await factor.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await expectAccessible(page)
    const secret = (await factor.locator('.select-all').innerText()).replace(/\s/g, '')
    const code = (offset = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + offset })
    await factor.getByLabel('The 6 digits shown in the app').fill(code())
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await factor.getByText('Save these recovery codes').waitFor()
    const codes = await factor.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    // the row shows the new state already, and a reload would close the dialog with the recovery codes
    await factor.getByText('On', { exact: true }).waitFor()
    await factor.getByText('10 recovery codes left.').waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await factor.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('rheinklang-recovery-codes.txt')
    await factor.getByRole('button', { name: 'I have saved them' }).click()
    await factor.getByRole('button', { name: 'New recovery codes' }).waitFor()
    await expect.poll(() => page.content()).not.toContain(codes[0])

    // a change of the address takes a code as well
    const next = newAddress()
    await row(page, 'email').getByRole('button', { name: 'Change' }).click()
    await row(page, 'email').getByLabel('New email').fill(next)
    await row(page, 'email').getByLabel('Current password').fill(person.password)
    await row(page, 'email').getByLabel('Code', { exact: true }).fill('000000')
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await row(page, 'email').getByText('This code is incorrect.').waitFor()
    await expectAccessible(page)
    await row(page, 'email').getByLabel('Code', { exact: true }).fill(codes.pop()!)
    await row(page, 'email').getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`${next} is not confirmed yet`).waitFor()

    await context.clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/userlogin')
    await main(page).getByLabel('Email').fill(person.email)
    await main(page).getByLabel('Password', { exact: true }).fill(person.password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Enter the code from your authenticator app.').waitFor()
    const field = main(page).getByLabel('Code', { exact: true })
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('one-time-code')
    // a wrong code: the same refusal as always, with a hint about the code if the password was right
    await field.fill('000000')
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Invalid email or password.').waitFor()
    await page.getByText('Maybe it is the code').waitFor()
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await field.fill(codes[0]!)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(`${at.app.url}/`)

    await page.goto('/settings#second-factor')
    await factor.getByText('8 recovery codes left.').waitFor()
    await expect.poll(() => factor.getByLabel('Current password').count()).toBe(0)
    await factor.getByRole('button', { name: 'Turn off' }).click()
    await factor.getByLabel('Current password').fill(person.password)
    await factor.getByLabel('Code', { exact: true }).fill(codes[1]!)
    await factor.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Two-factor authentication is off.').waitFor()

    // switched on in another tab, or by a try whose answer was lost: the recovery codes that nobody has seen are available here
    await factor.getByRole('button', { name: 'Set up' }).click()
    const token = (await stored(page)).authToken!
    const other = (await post(at.app, '/api/me/2fa/setup', { password: person.password }, { token })).body
    await post(at.app, '/api/me/2fa/enable', { totp: new TOTP({ secret: other.secret }).generate() }, { token })
    await factor.getByLabel('Current password').fill(person.password)
    await factor.getByRole('button', { name: 'Continue' }).click()
    await factor.getByRole('button', { name: 'Create new codes' }).waitFor()
    await factor.getByText('On', { exact: true }).waitFor()
  })

  it('list sessions and end one', async () => {
    const { page, person } = await settingsOf()
    await fetch(`${at.app.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password }),
    })
    await page.reload()
    const sessions = row(page, 'sessions')
    await sessions.getByText('This device').waitFor()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
    await sessions.getByRole('button', { name: /^Log out/ }).press('Enter')
    await page.getByText('Logged out there.').waitFor()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    expect(await sessions.getByRole('heading').evaluate((title) => title === document.activeElement)).toBe(true)
  })

  it('export all data, delete the account in 14 days, and keep it if the owner comes back', async () => {
    const { page, person } = await settingsOf()
    const download = page.waitForEvent('download')
    const fetchAll = page.getByRole('button', { name: 'Download my data' })
    await fetchAll.click()
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)
    await expect.poll(() => fetchAll.evaluate((button) => button === document.activeElement)).toBe(true)

    const remove = row(page, 'delete')
    await remove.getByRole('button', { name: 'Delete account' }).click()
    await remove.getByLabel('Current password').fill(person.password)
    await remove.getByRole('button', { name: 'Delete my account' }).click()
    const goodbye = page.getByRole('heading', { name: 'Goodbye' })
    await goodbye.waitFor()
    // the button was at the end of a long page
    await expect.poll(async () => (await goodbye.boundingBox())!.y).toBeGreaterThan(0)
    await expect.poll(() => goodbye.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await stored(page))['authToken']).toBeNull()

    await page.goto('/userlogin?next=%2Fdeals')
    await main(page).getByLabel('Email').fill(person.email)
    await main(page).getByLabel('Password', { exact: true }).fill(person.password)
    await main(page).getByRole('button', { name: 'Log In' }).click()
    // the requested page, with a line about the deletion; the settings have their own message
    await page.waitForURL('**/deals')
    const line = page.getByRole('complementary', { name: 'Your account will be deleted' })
    await line.waitFor()
    await page.goto('/settings')
    await main(page).getByRole('button', { name: 'Keep my account' }).click()
    await page.getByText('Your account stays.').waitFor()
    await expect.poll(() => line.count()).toBe(0)
    await page.reload()
    await row(page, 'delete').getByRole('button', { name: 'Delete account' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Keep my account' }).count()).toBe(0)
  })

  it('switch the newsletter on and off at once for a confirmed address', async () => {
    const { page, person } = await settingsOf()
    await page.goto(`/verify-email?token=${tokenIn(await mailTo(at.app, person.email))}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
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

inBrowser('the newsletter', () => {
  const at = useBrowser({ now: null })

  it.each([true, false])(
    'is subscribed from the footer of any page with two taps, with JavaScript (%s) without leaving the page',
    async (javaScriptEnabled) => {
      const email = newAddress()
      const { page } = await at.visit('/contact', { javaScriptEnabled, expected: /status of 400/ })
      const footer = javaScriptEnabled ? await hydratedFooter(page) : page.getByRole('contentinfo')
      const subscribe = async (address: string) => {
        await footer.getByLabel('Your email address').fill(address)
        await footer.getByRole('button', { name: 'Subscribe' }).click()
      }
      if (javaScriptEnabled) {
        await main(page).getByLabel('Your message').fill('Half a message')
        await subscribe('no address')
        await footer.getByText('an email address such as name@example.ch').waitFor()
        await subscribe(email)
        await footer.getByText('Almost there').waitFor()
        expect(await main(page).getByLabel('Your message').inputValue()).toBe('Half a message')
      } else {
        await subscribe(email)
        await page.getByRole('heading', { name: 'Almost there' }).waitFor()
      }
      await page.goto(`/newsletter/confirm?token=${tokenIn(await mailTo(at.app, email))}`)
      if (javaScriptEnabled) await hydrated(page)
      const isOn = async () =>
        (
          await at.app.db
            .selectFrom('newsletter_subscribers')
            .select('confirmed_at')
            .where('email', '=', email)
            .execute()
        )[0]?.confirmed_at ?? null
      await expect.poll(() => isOn()).toBeNull()
      await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
      await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
      await expect.poll(() => isOn()).not.toBeNull()

      // the link in the mail leads to a page where one tap unsubscribes
      const mail = await mailTo(at.app, email)
      await page.goto(mail.headers['List-Unsubscribe']!.slice(1, -1))
      if (javaScriptEnabled) await hydrated(page)
      await expect.poll(() => isOn()).not.toBeNull()
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      await expect.poll(() => isOn()).toBeNull()
    },
  )

  it('is ended by the one-click unsubscribe of a mail program, which follows no redirect; a repeat does no harm', async () => {
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
    await expect.poll(() => rows()).toHaveLength(1)
    expect((await click(out, form())).status).toBe(200)
    await expect.poll(() => rows()).toEqual([])
    const parts = new FormData()
    parts.set('List-Unsubscribe', 'One-Click')
    expect((await click(out, parts)).status).toBe(200)
  })
})
