import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { aMerchant, get, post, type Person } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, inBrowser, loseAnswers, phone, useBrowser } from './browser.ts'
import { hold } from './map-pages.ts'

type Merchant = Person & { businessId: string }

inBrowser('the merchant’s side', () => {
  const at = useBrowser({ now: null })
  const asMerchant = { authToken: 'a', refreshToken: 'r', userType: 'business', businessId: '7' } as Merchant

  const visitAs = async (person: Merchant | null, path: string, more: Parameters<typeof at.visit>[1] = {}) => {
    const visited = await at.visit('/terms', more)
    if (person) await loggedIn(visited.context, person)
    await visited.page.goto(path)
    return visited
  }

  const profileOf = async ({ businessId, authToken }: Merchant) =>
    (await get(at.app, `/api/business/${businessId}`, authToken)).body
  const put = ({ businessId, authToken }: Merchant, body: object) =>
    post(at.app, `/api/business/${businessId}`, body, { method: 'PUT', token: authToken })

  it.each([
    ['/edit-business', 'No business is logged in.'],
    ['/create-deal', 'No business is logged in.'],
    ['/deal/7/edit', 'No deal or token found.'],
  ])('without a business %s says so, calls nothing and leads to the login', async (path, text) => {
    const { page, faults } = await at.visit('/terms')
    const calls: string[] = []
    page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
    await page.goto(path)
    await main(page).getByText(text, { exact: true }).waitFor()
    await expect
      .poll(() => main(page).getByRole('link', { name: 'Business Login' }).getAttribute('href'))
      .toBe(`/business-login?next=${encodeURIComponent(path)}`)
    expect(calls).toEqual([])
    expect(faults).toEqual([])
  })

  it('a deal of another business, or one that staff have hidden, cannot be edited, and the page says why', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const bar = await aMerchant(at.app, newAddress())
    const add = async ({ authToken }: Merchant) =>
      (await post(at.app, '/api/deals', { deal_name: 'Spritz' }, { token: authToken })).body.deal_id as string
    const [own, foreign, hidden] = [await add(cafe), await add(bar), await add(cafe)]
    await at.app.db
      .updateTable('deals')
      .set({ state: 'hidden', hidden_from: 'published' })
      .where('deal_id', '=', hidden)
      .execute()
    const { page } = await visitAs(cafe, `/deal/${foreign}/edit`, { expected: /status of 404/ })
    await main(page).getByText('This deal belongs to another business.').waitFor()
    expect(await main(page).getByRole('textbox').count()).toBe(0)
    expect(await main(page).getByRole('link', { name: 'View Details' }).getAttribute('href')).toBe(`/deal/${foreign}`)
    await page.goto(`/deal/${hidden}/edit`)
    await main(page).getByText('Hidden by the festival.').waitFor()
    expect(await main(page).getByRole('textbox').count()).toBe(0)
    await page.goto(`/deal/${own}/edit`)
    await expect.poll(() => main(page).getByLabel('Deal Name').inputValue()).toBe('Spritz')
  })

  it('a save that fails keeps the typed text, also after a reload', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page } = await visitAs(cafe, '/edit-business', { expected: /status of (400|404|500)|ERR_FAILED/ })
    await main(page).getByLabel('Short Description').fill('Typed on a tram.')
    await main(page).getByLabel('Logo URL (optional)').fill('http://127.0.0.1/logo.png')
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByRole('alert').getByText('Logo URL is not allowed.').waitFor()
    await page.reload()
    await expect.poll(() => main(page).getByLabel('Short Description').inputValue()).toBe('Typed on a tram.')
    await main(page).getByLabel('Logo URL (optional)').fill('')
    await page.route(`**/api/business/${cafe.businessId}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByRole('alert').getByText('Error updating profile.').waitFor()
    await page.unroute(`**/api/business/${cafe.businessId}`)
    await page.reload()
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    // the form stays until the next page opens, and a second tap sends nothing
    const shown = await page.waitForFunction(() => {
      if (!document.body.textContent.includes('Saved. Taking you to the dashboard')) return null
      document.querySelector<HTMLElement>('main form [type=submit]')!.click()
      return document.querySelector<HTMLTextAreaElement>('main textarea')!.value
    })
    expect(await shown.jsonValue()).toBe('Typed on a tram.')
    await page.waitForURL('**/dashboard')
    expect((await get(at.app, `/api/business/${cafe.businessId}`)).body.description).toBe('Typed on a tram.')
  })

  it('the texts of the specification appear if the server gives no message', async () => {
    const { page } = await visitAs(asMerchant, '/terms', { expected: /status of 500/ })
    await page.route('**/api/**', (route) => route.fulfill({ status: 500, body: '<html>' }))
    await page.goto('/edit-business')
    await main(page).getByText('Failed to load business info.').waitFor()
    await page.goto('/deal/12/edit')
    await main(page).getByText('Failed to load deal info.').waitFor()
    await page.unroute('**/api/**')
    await page.route('**/api/deals/12', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ json: { deal_id: 12, deal_name: 'Spritz', description: null, price: '9', discount: '' } })
        : route.fulfill({ status: 500, body: '' }),
    )
    await page.reload()
    await main(page).getByLabel('Deal Name').fill('Spritz 2')
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    await main(page).getByText('Error updating deal.').waitFor()
    await page.route('**/api/deals/12', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ json: {} }),
    )
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    expect((await sent).postDataJSON()).toEqual({ deal_name: 'Spritz 2', description: '', price: '9', discount: '' })
    await page.waitForURL('**/dashboard')
  })

  it('saving over a version that was changed meanwhile asks first', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const made = await post(at.app, '/api/deals', { deal_name: 'Spritz' }, { token: cafe.authToken })
    const { page } = await visitAs(cafe, `/deal/${made.body.deal_id}/edit`, { expected: /status of (404|409)/ })
    await main(page).getByLabel('Deal Name').fill('Spritz, mine')
    await post(
      at.app,
      `/api/deals/${made.body.deal_id}`,
      { deal_name: 'Theirs', price: '7' },
      { method: 'PUT', token: cafe.authToken },
    )
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    await main(page).getByText('This was changed meanwhile').waitFor()
    await main(page).getByRole('button', { name: 'Show the other version' }).click()
    await expect.poll(() => main(page).getByLabel('Price (optional)').inputValue()).toBe('7')
    await expect.poll(() => main(page).getByLabel('Deal Name').inputValue()).toBe('Spritz, mine')
    const overtaken = main(page).getByText('A field that you changed was changed elsewhere meanwhile')
    await overtaken.waitFor()
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    await page.waitForURL('**/dashboard')
    expect((await get(at.app, `/api/deals/${made.body.deal_id}`)).body).toMatchObject({
      deal_name: 'Spritz, mine',
      price: '7',
    })
  })

  it('a draft that survives a reload does not overwrite a newer version silently', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    await put(cafe, { business_name: 'Café Rhein', email: cafe.email, open_hours: 'Mo-Fr 09:00-18:00' })
    const { page } = await visitAs(cafe, '/edit-business')
    await main(page).getByLabel('Short Description').fill('Mine')
    await main(page).getByLabel('Mon: opens').fill('08:00')
    await put(cafe, {
      business_name: 'Café Rhein',
      email: cafe.email,
      description: 'Theirs',
      phone: '+41 61 000 00 00',
    })
    await page.reload()
    await main(page).getByText('A field that you changed was changed elsewhere meanwhile').waitFor()
    await expect.poll(() => main(page).getByLabel('Short Description').inputValue()).toBe('Mine')
    await put(cafe, {
      business_name: 'Café Rhein',
      email: cafe.email,
      description: 'Theirs',
      open_hours: 'Mo-Su 06:00-07:30',
    })
    await page.reload()
    await main(page).getByText('2 fields that you changed were changed elsewhere meanwhile').waitFor()
    await main(page).getByRole('button', { name: 'Take the other version' }).click()
    await expect.poll(() => main(page).getByLabel('Short Description').inputValue()).toBe('Theirs')
    await expect.poll(() => main(page).getByLabel('Mon: opens').inputValue()).toBe('06:00')
    await expect.poll(() => main(page).getByText('changed elsewhere meanwhile').count()).toBe(0)
  })

  it('a second person who logs in does not see the drafts of the first', async () => {
    const [cafe, bar] = [await aMerchant(at.app, newAddress()), await aMerchant(at.app, newAddress())]
    const { page } = await visitAs(cafe, '/edit-business')
    await main(page).getByLabel('Short Description').fill('Of the café')
    await page.goto('/create-deal')
    await main(page).getByLabel('Deal Name').fill('Of the café')
    // without a logout, as after an expired session
    await page.goto('/terms')
    await page.evaluate(
      ({ authToken, refreshToken, businessId }) => Object.assign(localStorage, { authToken, refreshToken, businessId }),
      bar,
    )
    await page.goto('/edit-business')
    await expect.poll(() => main(page).getByLabel('Business Name').inputValue()).toBe('Café Rhein')
    expect(await main(page).getByLabel('Short Description').inputValue()).toBe('')
    await page.goto('/create-deal')
    expect(await main(page).getByLabel('Deal Name').inputValue()).toBe('')
  })

  it('the place of another version moves the pin of the open map, and typed coordinates are not rounded', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page } = await visitAs(cafe, '/edit-business')
    const latitude = main(page).getByLabel('Latitude')
    const pin = page.locator('.maplibregl-marker')
    const inTheMiddle = async () => {
      const [map, { x, y, width, height }] = [
        (await page.locator('[data-map-ready]').boundingBox())!,
        (await pin.boundingBox())!,
      ]
      return [x + width / 2 - map.x - map.width / 2, y + height - map.y - map.height / 2].map(Math.round)
    }
    await main(page).getByRole('button', { name: 'Set the pin' }).click()
    await latitude.fill('47.5581')
    await main(page).getByLabel('Longitude').fill('7.5878')
    await latitude.fill('47,558')
    await pin.waitFor()
    await expect.poll(() => latitude.inputValue()).toBe('47,558')
    await put(cafe, { business_name: 'Café Rhein', email: cafe.email, latitude: 47.5612, longitude: 7.5991 })
    await page.reload()
    await main(page).getByRole('button', { name: 'Move the pin' }).click()
    await expect.poll(() => latitude.inputValue()).toBe('47.55800')
    await pin.waitFor()
    await main(page).getByRole('button', { name: 'Take the other version' }).click()
    await expect.poll(() => latitude.inputValue()).toBe('47.56120')
    await expect.poll(() => main(page).getByLabel('Longitude').inputValue()).toBe('7.59910')
    await expect.poll(inTheMiddle).toEqual([0, 0])
    await latitude.fill('47.561')
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL('**/dashboard')
    const saved = await profileOf(cafe)
    expect([saved.latitude, saved.longitude]).toEqual([47.561, 7.5991])
  })

  it('another version is shown with its opening hours', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page } = await visitAs(cafe, '/edit-business', { expected: /status of 409/ })
    await main(page).getByLabel('Short Description').fill('Mine')
    await put(cafe, { business_name: 'Café Rhein', email: cafe.email, open_hours: 'Mo-Su 06:00-07:30' })
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByRole('button', { name: 'Show the other version' }).click()
    await expect.poll(() => main(page).getByLabel('Mon: opens').inputValue()).toBe('06:00')
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL('**/dashboard')
    const { open_hours, description } = await profileOf(cafe)
    expect([open_hours, description]).toEqual(['Mo-Su 06:00-07:30', 'Mine'])
  })

  it('seven deals are seven rows with their state, and each is paused, archived and brought back with a tap', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    for (let n = 1; n <= 7; n++)
      await post(at.app, '/api/deals', { deal_name: `Deal ${n}`, draft: n === 7 }, { token: cafe.authToken })
    const { page, faults } = await visitAs(cafe, '/dashboard', { expected: /status of 404/ })
    await main(page).getByRole('row').nth(7).waitFor()
    await expect.poll(() => main(page).getByRole('row').count()).toBe(8)
    await main(page).getByText('6 of 10 active deals in use.').waitFor()
    const heads = ['Deal', 'Status', 'Period', 'Views', 'Claims', 'Redeemed', 'Last 7 days', 'Actions']
    await expect.poll(() => main(page).getByRole('columnheader').allInnerTexts()).toEqual(heads)
    await expectAccessible(page)
    const phoned = await visitAs(cafe, '/dashboard', { viewport: phone, expected: /status of 404/ })
    await main(phoned.page).getByRole('heading', { level: 3, name: 'Deal 7' }).waitFor()
    const cards = main(phoned.page)
      .getByRole('listitem')
      .filter({ has: phoned.page.getByRole('heading', { level: 3 }) })
    await expect.poll(() => cards.count()).toBe(7)
    const rowOf3 = cards.filter({ hasText: 'Deal 3' })
    await rowOf3.getByRole('button', { name: 'More: Deal 3' }).click()
    await rowOf3.getByRole('link', { name: 'View Details' }).waitFor()
    await rowOf3.getByRole('link', { name: 'Edit Deal' }).waitFor()
    await rowOf3.getByRole('button', { name: 'Archive: Deal 3' }).click()
    await rowOf3.getByText('Archived').waitFor()
    const focused = () => phoned.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Undo: archive Deal 3')
    await rowOf3.getByRole('button', { name: 'Undo: archive Deal 3' }).click()
    await rowOf3.getByText('Live').waitFor()
    await expect.poll(focused).toBe('More: Deal 3')
    await expect.poll(() => main(phoned.page).getByRole('table').count()).toBe(0)
    await expectAccessible(phoned.page)
    await expectNoSidewaysScroll(phoned.page)
    const row = (name: string) => main(page).getByRole('row', { name: new RegExp(`^${name}`) })
    await row('Deal 3').getByRole('button', { name: 'Pause: Deal 3' }).click()
    await row('Deal 3').getByText('Paused').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Deal 3').getByText('Live').waitFor()
    await row('Deal 7').getByRole('button', { name: 'Archive: Deal 7' }).click()
    await row('Deal 7').getByText('Archived').waitFor()
    // in the row and in the toast
    await row('Deal 7').getByRole('button', { name: 'Undo: archive Deal 7' }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await row('Deal 7').getByRole('button', { name: 'Publish: Deal 7' }).click()
    await row('Deal 7').getByText('Live').waitFor()
    // a second tap in the same place hits the same deal, so no other one is archived
    const tapped = (await row('Deal 4').getByRole('button', { name: 'Archive: Deal 4' }).boundingBox())!
    const tap = () => page.mouse.click(tapped.x + tapped.width / 2, tapped.y + tapped.height / 2)
    await tap()
    await row('Deal 4').getByText('Archived').waitFor()
    await main(page).getByText('6 of 10 active deals in use.').waitFor()
    await tap()
    await expectAccessible(page)
    await row('Deal 1').getByRole('button', { name: 'Archive: Deal 1' }).click()
    await row('Deal 1').getByText('Archived').waitFor()
    await expect.poll(() => main(page).getByRole('row').count()).toBe(8)
    await expect
      .poll(() =>
        main(page)
          .getByRole('button', { name: /^Undo: archive/ })
          .count(),
      )
      .toBe(2)
    for (const name of ['Deal 4', 'Deal 1']) {
      await row(name)
        .getByRole('button', { name: `Undo: archive ${name}` })
        .click()
      await row(name).getByText('Live').waitFor()
    }
    await row('Deal 2').getByRole('button', { name: 'Copy: Deal 2' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Edit Deal' }).waitFor()
    await expect.poll(() => main(page).getByLabel('Deal Name').inputValue()).toBe('Deal 2')
    expect(faults).toEqual([])
  })

  /** Chooses a picture of one colour and accepts its crop. */
  const addPicture = async (page: Page, button: string, background: string) => {
    const chooser = page.waitForEvent('filechooser')
    await main(page).getByRole('button', { name: button }).click()
    const photo = sharp({ create: { width: 400, height: 400, channels: 3, background } }).png()
    await (await chooser).setFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await photo.toBuffer() })
    await page.getByRole('button', { name: 'Use this picture' }).click()
  }
  const isLoaded = (picture: Locator) =>
    picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0))

  it('the form of a deal has a live preview, with a picture that is not uploaded yet', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page, faults } = await visitAs(cafe, '/create-deal')
    const preview = main(page).getByRole('complementary', { name: 'Preview' })
    await main(page).getByLabel('Deal Name').fill('Fondue for two')
    await preview.getByRole('heading', { name: 'Fondue for two' }).waitFor()
    await preview.getByText('Café Rhein').waitFor()
    await main(page).getByLabel('Price (optional)').fill('42')
    await preview.getByText('CHF 42').waitFor()
    await main(page).getByLabel('Discount (optional)').fill('2 for 1')
    await preview.getByText('2 for 1').waitFor()
    await main(page).getByLabel('Description').fill('From six, by the river.')
    await preview.getByText('From six, by the river.').waitFor()
    await addPicture(page, 'Add a picture', '#c84')
    await preview.locator('img[src^="/uploads/"]').waitFor()
    await expect.poll(() => isLoaded(preview.locator('img[src^="/uploads/"]'))).toBe(true)
    await expectAccessible(page)
    // nothing is stored before it is published
    expect((await get(at.app, `/api/deals/business/${cafe.businessId}`, cafe.authToken)).body).toEqual([])

    const made = await post(at.app, '/api/deals', { deal_name: 'Spritz', price: '9' }, { token: cafe.authToken })
    const phoned = await visitAs(cafe, `/deal/${made.body.deal_id}/edit`, { viewport: phone })
    await main(phoned.page).getByLabel('Price (optional)').fill('7.50')
    await addPicture(phoned.page, 'Add a picture', '#48c')
    await main(phoned.page).getByRole('button', { name: 'Choose another picture' }).waitFor()
    await main(phoned.page).getByRole('button', { name: 'Preview' }).click()
    const dialog = phoned.page.getByRole('dialog', { name: 'Preview' })
    await dialog.getByRole('heading', { name: 'Spritz' }).waitFor()
    await dialog.getByText('CHF 7.50').waitFor()
    await expect.poll(() => isLoaded(dialog.locator('img[src^="/uploads/"]'))).toBe(true)
    await expectAccessible(phoned.page)
    await expectNoSidewaysScroll(phoned.page)
    expect((await get(at.app, `/api/deals/${made.body.deal_id}`)).body).toMatchObject({ price: '9', image_url: null })
    expect([...faults, ...phoned.faults]).toEqual([])
  })

  it('a new deal whose answer was lost keeps the typed text, also after a reload, and exists only once', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page } = await visitAs(cafe, '/create-deal', { expected: /ERR_FAILED|status of 40[04]/ })
    await main(page).getByText('No location yet: the deal appears in the lists, but not on the map.').waitFor()
    await main(page).getByLabel('Deal Name').fill('Fondue for two')
    await main(page).getByLabel('Price (optional)').fill('42')
    await addPicture(page, 'Add a picture', '#c84')
    await main(page).getByRole('button', { name: 'Choose another picture' }).waitFor()
    await main(page).getByText('Food & Dining').click()
    await main(page).locator('label[for="deal-day-5"]').click()
    await main(page).getByLabel('From', { exact: true }).fill('18:00')
    // both fields begin at the same height, even with an error below one of them
    await main(page).getByRole('button', { name: 'Publish', exact: true }).click()
    await main(page).getByText('Please fill in both times, or neither.').waitFor()
    const tops = await Promise.all(
      ['From', 'Until'].map(async (name) => (await main(page).getByLabel(name, { exact: true }).boundingBox())!.y),
    )
    expect(tops[0]).toBe(tops[1])
    await main(page).getByLabel('Until', { exact: true }).fill('02:00')
    // the request arrives, its answer does not
    await loseAnswers(page, '**/api/deals')
    await main(page).getByRole('button', { name: 'Publish' }).click()
    const failed = main(page).getByRole('alert').getByText('The deal could not be saved. Please try again.')
    await failed.waitFor()
    // the correction changes the deal that has arrived
    await main(page).getByLabel('Price (optional)').fill('43')
    const lostAgain = page.waitForEvent('requestfailed')
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await lostAgain
    await failed.waitFor()
    await page.unroute('**/api/deals')
    await page.reload()
    await expect.poll(() => main(page).getByLabel('Deal Name').inputValue()).toBe('Fondue for two')
    await expect
      .poll(() => main(page).getByRole('img', { name: 'Picture of the deal' }).getAttribute('src'))
      .toMatch(/^\/uploads\//)
    await expect.poll(() => main(page).locator('#deal-category-food').isChecked()).toBe(true)
    await expect.poll(() => main(page).locator('#deal-day-5').isChecked()).toBe(true)
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await page.waitForURL('**/dashboard')
    const deals = (await get(at.app, `/api/deals/business/${cafe.businessId}`, cafe.authToken)).body
    expect(deals).toHaveLength(1)
    expect(deals[0]).toMatchObject({
      deal_name: 'Fondue for two',
      price: '43',
      category: 'food',
      active_days: [5],
      start_time: '18:00',
      end_time: '02:00',
      image_url: expect.stringMatching(/^\/uploads\//),
      status: 'active',
    })
  })

  it('an edited deal that could not be saved keeps the typed text, also after a reload', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { deal_id } = (await post(at.app, '/api/deals', { deal_name: 'Spritz' }, { token: cafe.authToken })).body
    const { page } = await visitAs(cafe, `/deal/${deal_id}/edit`, { expected: /status of (400|404)/ })
    await main(page).getByLabel('Price (optional)').fill('7.50')
    await main(page).getByLabel('Deal Name').fill('')
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    await main(page).getByText('Please fill this in.').waitFor()
    await page.reload()
    await expect.poll(() => main(page).getByLabel('Price (optional)').inputValue()).toBe('7.50')
    await expect.poll(() => main(page).getByLabel('Deal Name').inputValue()).toBe('')
    expect((await get(at.app, `/api/deals/${deal_id}`)).body).toMatchObject({ deal_name: 'Spritz', price: null })
  })

  it('the form explains what the price ordinance does not allow, which values are too large, and the use of a larger plan', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    for (let n = 1; n <= 10; n++)
      await post(at.app, '/api/deals', { deal_name: `Deal ${n}` }, { token: cafe.authToken })
    const { page } = await visitAs(cafe, '/create-deal', { viewport: phone, expected: /status of (400|404)/ })
    await main(page).getByLabel('Deal Name').fill('Raclette')
    await main(page).getByLabel('Price (optional)').fill('20')
    await main(page).getByText('More: usual price, terms, tags, location').click()
    await main(page).getByLabel('Usual price, CHF').fill('30')
    const tenDaysAgo = new Date(Date.now() - 10 * 24 * 3_600_000).toISOString().slice(0, 10)
    await main(page).getByLabel('Usual price since').fill(tenDaysAgo)
    await main(page)
      .getByLabel('Tags')
      .fill(Array.from({ length: 11 }, (_, n) => `tag${n}`).join(', '))
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await main(page).getByText('At most 10, please.').waitFor()
    await main(page).getByLabel('Tags').fill('x'.repeat(41))
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await main(page).getByText('At most 40 characters, please.').waitFor()
    await main(page).getByLabel('Tags').fill('cheese')
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await main(page)
      .getByText(/^The usual price applied for only \d+ days. The Swiss price ordinance then allows/)
      .waitFor()
    await expectAccessible(page)
    await main(page).getByLabel('Usual price since').fill('')
    await main(page).getByLabel('Usual price, CHF').fill('')
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await main(page)
      .getByRole('alert')
      .getByText('Saved as a draft: your FREE tier has room for 10 active deals, and all are in use.')
      .waitFor()
    await expect
      .poll(() => main(page).getByRole('link', { name: 'Compare tiers' }).getAttribute('href'))
      .toBe('/upgrade-subscription')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  it('a save leads to the dashboard after 1.5 seconds', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page } = await visitAs(cafe, '/edit-business', { expected: /status of 404/ })
    await main(page).getByLabel('Short Description').fill('Coffee.')
    await page.clock.install()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByText('Saved. Taking you to the dashboard…').waitFor()
    await page.clock.runFor(1_499)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/edit-business')
    await page.clock.runFor(1)
    await page.waitForURL('**/dashboard')
  })

  it('a business can add, sort and remove six photos for its page, but not a seventh', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page, faults } = await visitAs(cafe, '/edit-business', { viewport: phone, expected: /status of 400/ })
    const photos = main(page).getByRole('img', { name: /^Photo \d$/ })
    const paths = () => photos.evaluateAll((all) => all.map((each) => each.getAttribute('src')))
    for (const [n, colour] of ['#c33', '#3c3', '#33c', '#cc3', '#3cc', '#c3c'].entries()) {
      await addPicture(page, 'Add a photo', colour)
      await expect.poll(() => photos.count()).toBe(n + 1)
    }
    await main(page).getByText('Six photos at most. Remove one to add another.').waitFor()
    await expect.poll(() => main(page).getByRole('button', { name: 'Add a photo' }).count()).toBe(0)
    await expectAccessible(page)
    const [first, second, third, ...rest] = await paths()
    await main(page).getByRole('button', { name: 'Move photo 3 forward' }).click()
    await expect.poll(paths).toEqual([first, third, second, ...rest])
    await expect.poll(() => main(page).getByRole('button', { name: 'Move photo 1 forward' }).count()).toBe(0)

    // the server accepts only six, whatever a page sends
    const address = `**/api/business/${cafe.businessId}`
    await page.route(address, (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const body = route.request().postDataJSON()
      return route.continue({
        postData: JSON.stringify({ ...body, photos: [...body.photos, '/uploads/seventh.webp'] }),
      })
    })
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByText('At most 6, please.').waitFor()
    await page.unroute(address)
    await main(page).getByRole('button', { name: 'Remove photo 1' }).click()
    await main(page).getByRole('button', { name: 'Add a photo' }).waitFor()
    const photosLeft = [third, second, ...rest]
    await expect.poll(() => paths()).toEqual(photosLeft)
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL('**/dashboard')

    const visitor = await at.visit(`/business/${cafe.businessId}`, { viewport: phone })
    const shown = main(visitor.page).getByRole('list', { name: 'Photos' }).getByRole('img')
    await expect.poll(() => shown.evaluateAll((all) => all.map((each) => each.getAttribute('src')))).toEqual(photosLeft)
    for (const each of await shown.all()) {
      await each.scrollIntoViewIfNeeded()
      await expect.poll(() => isLoaded(each)).toBe(true)
    }
    await expectNoSidewaysScroll(visitor.page)
    expect([...faults, ...visitor.faults]).toEqual([])
  })

  it('a business is saved once its photo is uploaded, without removed photos, and the draft is deleted', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page, faults } = await visitAs(cafe, '/edit-business')
    const photos = main(page).getByRole('img', { name: /^Photo \d$/ })
    await addPicture(page, 'Add a photo', '#c33')
    await expect.poll(() => photos.count()).toBe(1)
    const first = await photos.getAttribute('src')
    const comes = await hold(page, '**/api/uploads')
    await main(page).getByLabel('Short Description').fill('By the river.')
    await addPicture(page, 'Add a photo', '#3c3')
    const save = main(page).locator('button[type=submit]')
    await expect.poll(() => save.isDisabled()).toBe(true)
    await expect.poll(() => save.textContent()).toBe('Uploading…')
    await main(page).getByRole('button', { name: 'Remove photo 1' }).click()
    await expect.poll(() => photos.count()).toBe(0)
    comes()
    await expect.poll(() => photos.count()).toBe(1)
    await save.click()
    await page.waitForURL('**/dashboard')
    const { photos: saved, description } = await profileOf(cafe)
    expect(description).toBe('By the river.')
    expect(saved).toEqual([expect.stringMatching(/^\/uploads\//)])
    expect(saved).not.toContain(first)
    await expect
      .poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('typed:'))))
      .toEqual([])
    expect(faults).toEqual([])
  })

  it('a deal is published once its picture is uploaded', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const { page, faults } = await visitAs(cafe, '/create-deal')
    await main(page).getByLabel('Deal Name').fill('Fondue for two')
    const comes = await hold(page, '**/api/uploads')
    await addPicture(page, 'Add a picture', '#c84')
    const publish = main(page).locator('button[type=submit]').first()
    await expect.poll(() => publish.isDisabled()).toBe(true)
    await expect.poll(() => main(page).getByRole('button', { name: 'Save as draft' }).isDisabled()).toBe(true)
    await main(page).getByLabel('Deal Name').press('Enter')
    comes()
    await main(page).getByRole('button', { name: 'Publish' }).click()
    await page.waitForURL('**/dashboard')
    const deals = (await get(at.app, `/api/deals/business/${cafe.businessId}`, cafe.authToken)).body
    expect(deals).toMatchObject([{ image_url: expect.stringMatching(/^\/uploads\//) }])
    expect(faults).toEqual([])
  })

  it('opening hours without a closing time are not sent, and the missing time gets the focus', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    await put(cafe, { business_name: 'Café Rhein', email: cafe.email, open_hours: 'Mo,Tu 11:00-22:00' })
    const { page, faults } = await visitAs(cafe, '/edit-business')
    await main(page).getByLabel('Tue: closes').fill('')
    await page.reload()
    await expect.poll(() => main(page).getByLabel('Tue: closes').inputValue()).toBe('22:00')
    await main(page).getByRole('button', { name: 'Tue: add hours' }).click()
    const [opens, closes] = ['opens', 'closes'].map((what) => main(page).getByLabel(`Tue: ${what}`).last())
    await opens!.fill('23:00')
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await main(page).getByText('Please fill this in.').waitFor()
    await expect.poll(() => closes!.evaluate((input) => input === document.activeElement)).toBe(true)
    await expectAccessible(page)
    expect((await profileOf(cafe)).open_hours).toBe('Mo,Tu 11:00-22:00')
    await closes!.fill('23:30')
    await expect.poll(() => main(page).getByText('Please fill this in.').count()).toBe(0)
    await main(page).getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL('**/dashboard')
    expect((await profileOf(cafe)).open_hours).toBe('Mo 11:00-22:00; Tu 11:00-22:00,23:00-23:30')
    expect(faults).toEqual([])
  })

  it('"Save my version" publishes a draft that was about to be published', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const made = await post(at.app, '/api/deals', { deal_name: 'Spritz', draft: true }, { token: cafe.authToken })
    const { deal_id } = made.body
    const { page } = await visitAs(cafe, `/deal/${deal_id}/edit`, { expected: /status of (404|409)/ })
    await main(page).getByLabel('Deal Name').fill('Mine')
    await post(at.app, `/api/deals/${deal_id}`, { deal_name: 'Theirs' }, { method: 'PUT', token: cafe.authToken })
    await main(page).getByRole('button', { name: 'Save and publish' }).click()
    await main(page).getByRole('button', { name: 'Save my version' }).click()
    await page.waitForURL('**/dashboard')
    const deal = (await get(at.app, `/api/deals/${deal_id}`, cafe.authToken)).body
    expect(deal).toMatchObject({ deal_name: 'Mine', status: 'active' })
  })

  it('"Save and publish" stops at an incomplete time', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const made = await post(at.app, '/api/deals', { deal_name: 'Spritz', draft: true }, { token: cafe.authToken })
    const { page, faults } = await visitAs(cafe, `/deal/${made.body.deal_id}/edit`)
    const ends = main(page).getByLabel('Ends', { exact: true })
    await ends.focus()
    await page.keyboard.type('06202030')
    expect(await ends.evaluate((input: HTMLInputElement) => input.validity.badInput)).toBe(true)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
    await main(page).getByRole('button', { name: 'Save and publish' }).click()
    await main(page).getByText('Please fill this in.').waitFor()
    await expect.poll(() => ends.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(sent).toEqual([])
    expect(faults).toEqual([])
  })

  it('an unsaved edit is named when the form opens again, and can be discarded', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const made = await post(at.app, '/api/deals', { deal_name: 'Spritz', price: '12' }, { token: cafe.authToken })
    const edit = `/deal/${made.body.deal_id}/edit`
    const { page, faults } = await visitAs(cafe, edit)
    const price = main(page).getByLabel('Price (optional)')
    await price.fill('9')
    await page.goto('/dashboard')
    await page.goto(edit)
    await expect.poll(() => price.inputValue()).toBe('9')
    await main(page).getByText('1 unsaved change').waitFor()
    await expectAccessible(page)
    await main(page).getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => price.inputValue()).toBe('12')
    await expect.poll(() => main(page).getByText('unsaved change').count()).toBe(0)
    await page.reload()
    await expect.poll(() => price.inputValue()).toBe('12')
    expect(faults).toEqual([])
  })

  it('the focus stays in the row of a deal that is paused, archived and brought back', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    for (const deal_name of ['Deal 1', 'Deal 2'])
      await post(at.app, '/api/deals', { deal_name }, { token: cafe.authToken })
    const { page } = await visitAs(cafe, '/dashboard', { expected: /status of 404/ })
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await main(page).getByRole('button', { name: 'Pause: Deal 1' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Resume: Deal 1')
    await main(page).getByRole('button', { name: 'Archive: Deal 1' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Undo: archive Deal 1')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Archive: Deal 1')
  })

  it('deals stay on the dashboard if loading them again fails', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    await post(at.app, '/api/deals', { deal_name: 'Deal 1' }, { token: cafe.authToken })
    const { page } = await visitAs(cafe, '/dashboard', { expected: /status of (404|500)/ })
    await main(page).getByRole('button', { name: 'Pause: Deal 1' }).waitFor()
    await page.route('**/api/deals/business/*', (route) => route.fulfill({ status: 500, body: '' }))
    await main(page).getByRole('button', { name: 'Pause: Deal 1' }).click()
    await main(page).getByText('Failed to load deals.').waitFor()
    await main(page)
      .getByRole('row', { name: /^Deal 1/ })
      .waitFor()
    // after hours in the background they are loaded again
    await page.unroute('**/api/deals/business/*')
    await page.clock.setFixedTime(Date.now() + 3_600_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await main(page).getByRole('button', { name: 'Resume: Deal 1' }).waitFor()
  })

  it('deals of last week can be copied to next week together', async () => {
    const cafe = await aMerchant(at.app, newAddress())
    const hour = 3_600_000
    const now = Date.parse((await get(at.app, '/healthz')).headers.get('date')!)
    for (const name of ['Monday soup', 'Tuesday soup', 'Hidden soup'])
      await post(
        at.app,
        '/api/deals',
        {
          deal_name: name,
          starts_at: new Date(Date.now() - 30 * hour).toISOString(),
          ends_at: new Date(Date.now() - 20 * hour).toISOString(),
        },
        { token: cafe.authToken },
      )
    expect(now).toBeGreaterThan(0)
    // a deal hidden by staff stays listed, and cannot be copied
    await at.app.db
      .updateTable('deals')
      .set({ state: 'hidden', hidden_from: 'published' })
      .where('deal_name', '=', 'Hidden soup')
      .execute()
    const { page } = await visitAs(cafe, '/dashboard', { expected: /status of 404/ })
    await main(page).getByRole('button', { name: 'Copy to new dates' }).click()
    await page.getByRole('button', { name: 'Copy 2 deals' }).click()
    await page.getByText('2 deals copied').waitFor()
    await expect.poll(() => main(page).getByText('Scheduled').count()).toBe(2)
  })
})
