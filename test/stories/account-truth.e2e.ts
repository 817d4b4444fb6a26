import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { aMerchant, aVisitor, goodPassword, post, type Person } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const row = (page: Page, id: string) => page.locator(`#${id}`)

/** Switches the second factor on for somebody. @returns the recovery codes */
async function withSecondFactor(app: { url: string }, { authToken: token }: Person) {
  const { secret } = (await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token })).body
  const totp = new TOTP({ secret }).generate()
  return (await post(app, '/api/me/2fa/enable', { totp }, { token })).body.recovery_codes as string[]
}

inBrowser('a merchant’s signup', () => {
  const at = useBrowser({ now: null })
  const fill = async (page: Page) => {
    await hydrated(page)
    await page.getByLabel('Business Name').fill('Café Rhein')
    await main(page).getByLabel('Email').fill(newAddress())
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
  }
  const logo = (buffer: Buffer) => ({ name: 'logo.png', mimeType: 'image/png', buffer })
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#f2574a' } })
      .png()
      .toBuffer()

  it('a very large logo is shown scaled, as it will be sent', async () => {
    const { page, faults } = await at.visit('/signup')
    await fill(page)
    const field = page.getByLabel('Logo (optional)')
    await field.setInputFiles(logo(await picture(8000, 5010)))
    await page.getByRole('img', { name: 'Preview of your logo' }).waitFor()
    await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull()
    expect(faults).toEqual([])
  })

  it('a logo that only the server refuses, a GIF named .png, has the reason beside the field', async () => {
    const { page } = await at.visit('/signup', { expected: /422/ })
    await fill(page)
    // browsers look at the bytes and can show GIF, too
    const gif = await sharp(await picture(80, 50))
      .gif()
      .toBuffer()
    await page.getByLabel('Logo (optional)').setInputFiles(logo(gif))
    await page.getByRole('img', { name: 'Preview of your logo' }).waitFor()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    await page.getByText('This file is not a PNG, JPEG or WebP picture, or it is damaged.').waitFor()
    await expect.poll(() => page.getByLabel('Logo (optional)').getAttribute('aria-invalid')).toBe('true')
  })

  it('a refusal that belongs to no field stands above the form', async () => {
    const { page, context } = await at.visit('/signup', { expected: /403/ })
    await context.route('**/api/business/signup', (route) =>
      route.fulfill({ status: 403, json: { error: 'Please prove that you are human.', code: 'challenge_required' } }),
    )
    await fill(page)
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Please prove that you are human.').waitFor()
    await expect.poll(() => page.getByText('Registration failed. Please try again.').isVisible()).toBe(true)
  })
})

inBrowser('the settings', () => {
  const at = useBrowser({ now: null })
  const settingsOf = async (person: Person, more: Parameters<typeof at.visit>[1] = {}) => {
    const visit = await at.visit('/contact', more)
    await loggedIn(visit.context, person)
    await visit.page.goto('/settings')
    await visit.page.locator('#sessions li').first().waitFor()
    return visit
  }

  it('a merchant can save the long name of the business; a visitor is told before sending that a name is too long', async () => {
    const name = 'Vereinigung der Basler Rheinuferbuvettenbetreiberinnen'
    const merchant = await aMerchant(at.app, newAddress(), { business_name: name })
    const { page, faults } = await settingsOf(merchant)
    await row(page, 'name').getByRole('button', { name: 'Change' }).click()
    await row(page, 'name').getByText('At most 80 characters.').waitFor()
    await row(page, 'name').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(faults).toEqual([])

    const visitor = await settingsOf(await aVisitor(at.app, newAddress()))
    const names = row(visitor.page, 'name')
    await names.getByRole('button', { name: 'Change' }).click()
    await names.getByLabel('Display name').fill(name)
    await names.getByRole('button', { name: 'Save' }).click()
    await names.getByText('At most 40 characters, please.').waitFor()
    await expect.poll(() => names.getByLabel('Display name').inputValue()).toBe(name)
    // nothing was sent: a refusal would have been an error in the console
    expect(visitor.faults).toEqual([])
  })

  it('leaving the page before the recovery codes are saved asks first', async () => {
    const person = await aVisitor(at.app, newAddress())
    const [code] = await withSecondFactor(at.app, person)
    const { page } = await settingsOf(person, { viewport: phone, expected: /^dialog: $/ })
    const factor = row(page, 'second-factor')
    await factor.getByRole('button', { name: 'New recovery codes' }).click()
    await factor.getByText('Your old codes will stop working.').waitFor()
    await factor.getByLabel('Current password').fill(goodPassword)
    await factor.getByLabel('Code', { exact: true }).fill(code!)
    await factor.getByRole('button', { name: 'Create new codes' }).click()
    await factor.getByText('Save these recovery codes').waitFor()
    await factor.getByText('10 recovery codes left.').waitFor()

    const leave = page.getByRole('link', { name: 'Deals', exact: true }).first()
    await leave.click()
    const question = page.getByRole('dialog', { name: 'Leave without the recovery codes?' })
    await question.waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Back to the codes' }).click()
    await expect.poll(() => question.isVisible()).toBe(false)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings')
    await expect.poll(() => factor.getByRole('listitem').count()).toBe(10)

    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload(), 0))
    expect((await asked).type()).toBe('beforeunload')
    await expect.poll(() => factor.getByRole('listitem').count()).toBe(10)

    await leave.click()
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.waitForURL('**/deals')
  })

  it('a code is needed to change the password and to delete the account, also if two-factor authentication was switched on elsewhere', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page } = await settingsOf(person, { viewport: phone, expected: /400/ })
    const [first, second] = await withSecondFactor(at.app, person)
    const password = row(page, 'password')
    await password.getByRole('button', { name: 'Change' }).click()
    await password.getByLabel('Current password').fill(goodPassword)
    await password.getByLabel('New password').fill('a quieter walk by the Birs')
    await expect.poll(() => password.getByLabel('Code', { exact: true }).count()).toBe(0)
    await password.getByRole('button', { name: 'Save' }).click()
    await password.getByText('Please fill this in.').waitFor()
    await password.getByLabel('Code', { exact: true }).fill(first!)
    await expectAccessible(page)
    await password.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your password has been changed').waitFor()

    await page.reload()
    const remove = row(page, 'delete')
    await remove.getByRole('button', { name: 'Delete account' }).click()
    await remove.getByLabel('Current password').fill('a quieter walk by the Birs')
    await remove.getByLabel('Code', { exact: true }).fill('000000')
    await remove.getByRole('button', { name: 'Delete my account' }).click()
    await remove.getByText('This code is incorrect.').waitFor()
    await remove.getByLabel('Code', { exact: true }).fill(second!)
    await remove.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor()
  })

  it('leaving the page after the recovery codes are saved does not ask', async () => {
    const person = await aVisitor(at.app, newAddress())
    const [code] = await withSecondFactor(at.app, person)
    const { page, faults } = await settingsOf(person)
    const factor = row(page, 'second-factor')
    await factor.getByRole('button', { name: 'New recovery codes' }).click()
    await factor.getByLabel('Current password').fill(goodPassword)
    await factor.getByLabel('Code', { exact: true }).fill(code!)
    await factor.getByRole('button', { name: 'Create new codes' }).click()
    await factor.getByRole('button', { name: 'I have saved them' }).click()
    const again = factor.getByRole('button', { name: 'New recovery codes' })
    await expect.poll(() => again.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('link', { name: 'Deals', exact: true }).first().click()
    await page.waitForURL('**/deals')
    expect(faults).toEqual([])
  })

  it('staff cannot switch off two-factor authentication, and read why', async () => {
    const person = await aVisitor(at.app, newAddress())
    await withSecondFactor(at.app, person)
    // her own name: nobody can sign up with the name of staff
    const set = { role: 'moderator', display_name: 'Mira' } as const
    await at.app.db.updateTable('accounts').set(set).where('email', '=', person.email).execute()
    const { page } = await settingsOf(person)
    const factor = row(page, 'second-factor')
    for (const path of ['/settings', '/settings#second-factor', '/settings#second-factor-off']) {
      await page.goto(path)
      await page.reload()
      await factor.getByText('Staff accounts cannot turn off two-factor authentication').waitFor()
      await expect
        .poll(() => factor.getByRole('button').allInnerTexts(), { message: path })
        .toEqual(['New recovery codes'])
      await expect.poll(() => factor.getByLabel('Current password').count(), { message: path }).toBe(0)
    }
  })

  it.each([
    ['de', 'Chrome auf Linux', 'Unbekanntes Gerät'],
    ['fr', 'Chrome sur Linux', 'Appareil inconnu'],
  ])('devices have their names in %s', async (locale, known, unknown) => {
    const person = await aVisitor(at.app, newAddress())
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
    const { email, password } = person
    await post(at.app, '/api/auth/login', { email, password }, { headers: { 'user-agent': userAgent } })
    const { page } = await settingsOf(person, { locale })
    const names = row(page, 'sessions').locator('li span.font-semibold:first-child')
    await expect.poll(() => names.allInnerTexts()).toEqual(expect.arrayContaining([known, unknown]))
  })

  it('entering the present address needs no confirmation', async () => {
    const person = await aVisitor(at.app, newAddress())
    const { page } = await settingsOf(person, { expected: /400/ })
    const email = row(page, 'email')
    await email.getByRole('button', { name: 'Change' }).click()
    await email.getByLabel('New email').fill(person.email.toUpperCase())
    await email.getByLabel('Current password').fill(goodPassword)
    await email.getByRole('button', { name: 'Send the link' }).click()
    await email.getByText('This is already the address of this account.').waitFor()
    await expect.poll(() => page.getByText('is not confirmed yet').count()).toBe(0)
  })

  it('a checkbox that could not be saved offline has a message without the word "typed"', async () => {
    const { page, context } = await settingsOf(await aVisitor(at.app, newAddress()), { expected: /ERR_INTERNET/ })
    await context.setOffline(true)
    await row(page, 'location').getByRole('checkbox').click()
    await page.getByText('You are offline. Please try again once you are back online.').waitFor()
    await expect.poll(() => page.getByText('What you typed').count()).toBe(0)
  })
})

inBrowser('a form speaks to its reader', () => {
  const at = useBrowser({ now: null })

  it.each([
    ['/usersignup?next=%2Fcontact', '/contact', (email: string) => aVisitor(at.app, email)],
    ['/signup', '/dashboard', (email: string) => aMerchant(at.app, email)],
  ] as const)('%s tells people who are already logged in so, with a link to continue', async (path, on, make) => {
    const { page, context } = await at.visit('/contact')
    await loggedIn(context, await make(newAddress()))
    await page.goto(path)
    const notice = main(page).getByText('You are already logged in.')
    await notice.waitFor()
    await expect.poll(() => notice.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(on)
  })

  it.each([
    ['/userlogin?next=%2Fmyschedule', 'business account', '/dashboard', aMerchant],
    ['/business-login?next=%2Fdashboard', 'visitor', '/', aVisitor],
  ] as const)('%s tells people with a session of the other kind so', async (path, kind, on, make) => {
    const { page, context } = await at.visit('/contact')
    await loggedIn(context, await make(at.app, newAddress()))
    await page.goto(path)
    const notice = main(page).getByText('You are logged in').filter({ hasText: kind })
    await expect.poll(() => notice.getByRole('link').getAttribute('href')).toBe(on)
    await main(page).getByRole('button', { name: 'Log In' }).waitFor()
  })

  it('without JavaScript there is no button to show the password', async () => {
    const eye = (page: Page) => page.getByRole('button', { name: 'Show password' })
    const { page } = await at.visit('/usersignup', { javaScriptEnabled: false })
    await expect.poll(() => eye(page).isVisible()).toBe(false)
    const { page: alive } = await at.visit('/usersignup')
    await expect.poll(() => eye(alive).isVisible()).toBe(true)
  })

  it('refusals of the server address a merchant as a merchant', async () => {
    const merchant = await aMerchant(at.app, newAddress())
    const { page, context } = await at.visit('/contact', { locale: 'de', expected: /401/ })
    await loggedIn(context, { ...merchant, authToken: 'over', refreshToken: 'over' })
    await page.goto('/dashboard')
    await main(page).getByText('Die Sitzung ist abgelaufen. Bitte neu anmelden.').waitFor()
    await expect.poll(() => main(page).innerText()).not.toMatch(/\b(du|dich|dir|deine?)\b/i)
  })
})
