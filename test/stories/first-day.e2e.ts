import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { aVisitor, get, goodPassword, mailTo, tokenIn, type Person } from '../people.ts'
import { aModerator } from '../staff.ts'
import { loggedIn, logInBy, main, newAddress, stored } from './account-pages.ts'
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  phone,
  useBrowser,
} from './browser.ts'
import { withCamera } from './camera.ts'

inBrowser('a merchant’s first day on a phone', () => {
  // with confirmed addresses required
  const at = useBrowser({ now: null, env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
  const touched = { viewport: phone, hasTouch: true }
  let cafe: Person & { businessId: string }
  let deal: string
  let lena: Person

  const confirmed = async (person: Person) => {
    await at.app.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', person.email).execute()
    return person
  }
  const impressions = async () => {
    const rows = await at.app.db
      .selectFrom('analytics_hours')
      .select('impressions')
      .where('deal_id', '=', deal)
      .execute()
    return rows.reduce((sum, row) => sum + row.impressions, 0)
  }
  /** A person's device with a page open. */
  const deviceOf = async (person: Person, path: string, expected?: RegExp) => {
    const visit = await at.visit('/contact', { ...touched, ...(expected ? { expected } : {}) })
    await loggedIn(visit.context, person)
    await visit.page.goto(path)
    await hydrated(visit.page)
    return visit
  }

  it('begins with signing up and ends, at most 12 taps after “Create Deal”, with a deal that visitors find', async () => {
    const email = newAddress()
    const { page, faults } = await at.visit('/signup', { ...touched, expected: /my-subscription|status of 404/ })
    await hydrated(page)
    await main(page).getByLabel('Business Name').fill('Café am Rhein')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Create Account' }).tap()
    await page.getByText('Account created! Please check your email for verification.').first().waitFor()
    await page.goto('/business-login')
    await logInBy(page, email)
    await page.waitForURL('**/dashboard')
    await main(page).getByText('Until then you cannot publish deals.').waitFor()
    await main(page).getByText('0 of 4 done').waitFor()

    await page.goto(`/verify-email?token=${tokenIn(await mailTo(at.app, email))}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Confirm email address' }).tap()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
    const { authToken, refreshToken, businessId } = await stored(page)
    cafe = { email, password: goodPassword, userType: 'business', authToken, refreshToken, businessId } as typeof cafe

    await page.goto('/edit-business')
    await main(page).getByRole('heading', { level: 1, name: 'Edit Business Profile' }).waitFor()
    await expect.poll(() => main(page).getByLabel('Email').inputValue()).toBe(email)
    await main(page).getByLabel('Address').fill('Rheingasse 1')
    await main(page).getByLabel('Logo URL (optional)').fill('https://example.org/logo.png')
    await main(page).getByLabel('Short Description').fill('Coffee with a view.')
    // no hours are unknown hours, not closed days
    expect(await main(page).getByText('closed', { exact: true }).count()).toBe(0)
    await main(page).getByRole('button', { name: 'Mon: add hours' }).tap()
    await expect.poll(() => main(page).getByText('closed', { exact: true }).count()).toBe(6)
    await main(page).getByLabel('Mon: closes').fill('02:00')
    await main(page).getByRole('button', { name: 'Same on all days' }).tap()
    await main(page).getByRole('button', { name: 'Set the pin' }).tap()
    await main(page).getByLabel('Latitude').fill('47.5596')
    await main(page).getByLabel('Longitude').fill('7.5886')
    await expectAccessible(page)
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await main(page).getByRole('button', { name: 'Save Changes' }).tap()
    const request = await sent
    expect(request.headers()['if-match']).toMatch(/^".*"$/)
    expect(request.postDataJSON()).toEqual({
      business_name: 'Café am Rhein',
      email,
      address: 'Rheingasse 1',
      logo_url: 'https://example.org/logo.png',
      description: 'Coffee with a view.',
      open_hours: 'Mo-Su 11:00-02:00',
      latitude: '47.5596',
      longitude: '7.5886',
    })
    await page.waitForURL('**/dashboard')
    await main(page).getByRole('heading', { name: 'Café am Rhein' }).waitFor()
    await main(page).getByText('3 of 4 done').waitFor()
    await main(page).getByRole('link', { name: 'Publish your first deal' }).tap()

    await main(page).getByRole('heading', { level: 1, name: 'Create Deal' }).waitFor()
    await hydrated(page)
    const taps: string[] = []
    const tap = async (what: string, on: ReturnType<Page['getByRole']>) => {
      taps.push(what)
      await on.tap()
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await main(page).getByLabel('Deal Name').fill('Fondue for two')
    await main(page).getByLabel('Description').fill('From six, by the river.')
    await main(page).getByLabel('Price (optional)').fill('42')
    const chooser = page.waitForEvent('filechooser')
    await tap('Add a picture', button('Add a picture'))
    const photo = sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#c84' } }).jpeg()
    taps.push('the photo')
    await (await chooser).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo.toBuffer() })
    await tap('Use this picture', button('Use this picture'))
    await button('Choose another picture').waitFor()
    await tap('Food & Dining', main(page).getByText('Food & Dining'))
    await tap('From', main(page).getByLabel('From', { exact: true }))
    await main(page).getByLabel('From', { exact: true }).fill('18:00')
    await tap('Until', main(page).getByLabel('Until', { exact: true }))
    await main(page).getByLabel('Until', { exact: true }).fill('02:00')
    await main(page).getByText('Until 02:00 on the next day.').waitFor()
    await tap('With a code', main(page).locator('label[for="deal-mode-code"]'))
    await expectAccessible(page)
    await tap('Publish', button('Publish'))
    await page.waitForURL('**/dashboard')
    await main(page).getByText('Fondue for two').first().waitFor()
    expect(taps.length, `taps: ${taps.join(', ')}`).toBeLessThanOrEqual(12)
    await expect.poll(() => main(page).getByText('of 4 done').count()).toBe(0)
    const [published] = (await get(at.app, `/api/deals/business/${businessId}`)).body
    expect(published).toMatchObject({
      deal_name: 'Fondue for two',
      price: '42',
      price_chf: 42,
      category: 'food',
      start_time: '18:00',
      end_time: '02:00',
      redemption_mode: 'code',
      image_url: expect.stringMatching(/^\/uploads\//),
      status: 'active',
      usable_now: true,
    })
    deal = published.deal_id
    expect(faults).toEqual([])

    lena = await confirmed(await aVisitor(at.app, newAddress()))
    const visitor = await deviceOf(lena, '/dealsmap?lat=47.5596&lon=7.5886&z=15')
    await main(visitor.page)
      .getByRole('link', { name: /Fondue for two/ })
      .first()
      .waitFor({ state: 'attached' })
    await visitor.page.goto('/deals')
    await hydrated(visitor.page)
    await main(visitor.page).getByRole('link', { name: 'Fondue for two' }).first().waitFor()
    // collected in the browser for two seconds, and on the server for one
    await expect.poll(impressions, { timeout: 90_000 }).toBeGreaterThan(0)
    expect(visitor.faults).toEqual([])
  })

  // the other stories have the same layout for both, and take long

  it('continues with a code that a visitor claims and the merchant’s camera reads, a rating, a reply and the figures', async () => {
    const visitor = await deviceOf(lena, `/deal/${deal}`)
    await main(visitor.page).getByRole('button', { name: 'Get code' }).tap()
    const code = visitor.page.getByRole('dialog').locator('svg[data-payload]')
    await code.waitFor()

    // without the browser's own detector the page loads one
    const camera = await withCamera((await code.getAttribute('data-payload'))!, { baseURL: at.app.url, ...touched })
    await camera.addInitScript(() => Reflect.deleteProperty(globalThis, 'BarcodeDetector'))
    await loggedIn(camera, cafe)
    const till = await camera.newPage()
    await till.goto('/redeem')
    await main(till).getByRole('button', { name: 'Scan with the camera' }).tap()
    await main(till).getByText('Valid code').waitFor()
    await main(till).getByRole('button', { name: 'Redeem', exact: true }).tap()
    await main(till).getByRole('button', { name: 'Next code' }).waitFor()

    await visitor.page.goto(`/deal/${deal}`)
    await hydrated(visitor.page)
    await main(visitor.page).getByRole('button', { name: 'Rate this deal' }).tap()
    await main(visitor.page).getByRole('radio', { name: '5 stars' }).check()
    await main(visitor.page).getByLabel('Comment (optional)').fill('The best of the river.')
    await main(visitor.page).getByRole('button', { name: 'Save rating' }).tap()
    await main(visitor.page).getByText('The best of the river.').waitFor()

    const { page, faults } = await deviceOf(cafe, `/business/${cafe.businessId}`, /status of (404|409)/)
    expect(await main(page).getByRole('link', { name: 'Edit Profile' }).getAttribute('href')).toBe('/edit-business')
    await main(page).getByRole('button', { name: 'Reply' }).tap()
    await main(page).getByLabel('Your reply').fill('See you on Sunday.')
    await main(page).getByRole('button', { name: 'Save reply' }).tap()
    await main(page).getByText('Reply from the merchant').waitFor()

    await page.goto('/deal-analytics')
    await main(page).getByText('CHF 42').waitFor()
    await main(page).getByRole('link', { name: 'Compare tiers' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
    await at.app.db
      .updateTable('businesses')
      .set({ subscription_tier: 'ULTIMATE' })
      .where('business_id', '=', cafe.businessId)
      .execute()
    await page.reload()
    await main(page)
      .getByText(/^Your deals were shown (once|\d+ times), opened (once|\d+ times) and redeemed once\./)
      .waitFor()
    await main(page).getByRole('button', { name: 'Export as CSV' }).waitFor()
    // each chart has a description, and a table with its numbers
    const funnel = main(page).locator('section[aria-labelledby="funnel"]')
    await funnel.getByRole('img').waitFor()
    await funnel.getByText('Show the numbers').tap()
    await funnel.getByRole('row', { name: /^Redeemed 1/ }).waitFor()
    const byDay = main(page).locator('section[aria-labelledby="by-day"]')
    await byDay.getByRole('img').waitFor()
    await byDay.getByText('Show the numbers').tap()
    await byDay.getByRole('columnheader', { name: 'Redeemed' }).waitFor()
    await expect.poll(() => byDay.getByRole('row').last().getByRole('cell').last().innerText()).toBe('1')
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)

    await main(page).getByRole('link', { name: 'Fondue for two' }).first().tap()
    await main(page)
      .getByText(/^This deal was shown/)
      .waitFor()
    const form = main(page).getByRole('form', { name: 'What if the price were different?' })
    await form.getByLabel('New price').fill('forty')
    await form.getByRole('button', { name: 'Estimate' }).tap()
    await form.getByText('Please enter an amount such as 12.50.').waitFor()
    await form.getByLabel('New price').fill('48,50')
    await form.getByRole('button', { name: 'Estimate' }).tap()
    await main(page).getByText('An estimate needs 30 redemptions in the last 30 days; this deal has 1.').waitFor()
    await at.app.db.updateTable('analytics_hours').set({ redemptions: 45 }).where('redemptions', '=', 1).execute()
    await form.getByLabel('Cost per item (optional)').fill('20')
    await form.getByRole('button', { name: 'Estimate' }).tap()
    await main(page)
      .getByText('At CHF 48.50 instead of CHF 42: about 36 redemptions in 30 days (22 to 52) instead of 45.')
      .waitFor()
    await main(page).getByText('Margin: about CHF 1’026 (CHF 627 to CHF 1’482) instead of CHF 990.').waitFor()
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
    expect([...visitor.faults, ...faults]).toEqual([])
  })

  it('may end badly: the deal is reported, and staff suspend the business and lift the suspension', async () => {
    const visitor = await deviceOf(lena, `/deal/${deal}`, /status of 404/)
    await main(visitor.page).getByRole('button', { name: 'Report this deal' }).tap()
    const dialog = visitor.page.getByRole('dialog')
    await dialog.getByLabel('Reason').selectOption('Details are wrong')
    await dialog.getByLabel('Details (optional)').fill('It is raclette.')
    await expectAccessibleInBothThemes(visitor.page)
    await dialog.getByRole('button', { name: 'Send report' }).tap()
    await main(visitor.page).getByText('Thank you.').waitFor()

    const moderator = {
      authToken: await aModerator(at.app),
      refreshToken: '',
      userType: 'moderator',
    } as Person
    const { page, faults } = await deviceOf(moderator, '/admin')
    const reports = main(page).getByRole('listitem').filter({ hasText: 'Decide on visitors’ reports' })
    await reports.getByText('1 open').waitFor()
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
    await reports.getByRole('link', { name: 'Reports' }).tap()
    await main(page).getByText('It is raclette.').waitFor()
    await main(page).getByRole('button', { name: 'Suspend business' }).tap()
    await page.getByRole('dialog').getByLabel('Reason (shown to the merchant)').fill('Raclette is no fondue.')
    await expectAccessibleInBothThemes(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).tap()
    await main(page).getByText('Café am Rhein is suspended.').waitFor()

    await visitor.page.goto(`/deal/${deal}`)
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    expect((await get(at.app, `/api/deals/${deal}`)).status).toBe(404)
    const merchant = await deviceOf(cafe, '/dashboard', /status of 404/)
    await main(merchant.page).getByText('Raclette is no fondue.').waitFor()
    await main(merchant.page).getByText('Hidden while your business is not public.').waitFor()
    await expect
      .poll(() => main(merchant.page).getByRole('link', { name: 'Contact the festival' }).getAttribute('href'))
      .toBe('/contact?topic=merchant')
    await expectAccessibleInBothThemes(merchant.page)
    await expectNoSidewaysScroll(merchant.page)
    await merchant.page.goto(`/deal/${deal}/edit`)
    await main(merchant.page).getByText('Hidden while your business is not public.').waitFor()
    await expect.poll(() => main(merchant.page).getByLabel('Deal Name').count()).toBe(0)

    await main(page).getByRole('link', { name: 'Suspended' }).tap()
    await main(page).getByText('Raclette is no fondue.').waitFor()
    await expectAccessibleInBothThemes(page)
    await main(page).getByRole('button', { name: 'Lift suspension' }).tap()
    await main(page).getByText('Café am Rhein is visible again.').waitFor()
    await merchant.page.goto('/dashboard')
    await main(merchant.page).getByText('Live', { exact: true }).waitFor()
    expect([...visitor.faults, ...faults, ...merchant.faults]).toEqual([])
  })
})
