import { expect, it } from 'vitest'
import { aMerchant, get, post, type Person } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, inBrowser, useBrowser } from './browser.ts'

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
    expect(await main(page).getByRole('link', { name: 'Business Login' }).getAttribute('href')).toBe(
      `/business-login?next=${encodeURIComponent(path)}`,
    )
    expect(calls).toEqual([])
    expect(faults).toEqual([])
  })

  it('a save that fails keeps what was typed, also after a reload', async () => {
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
    // what was sent stays until the page goes on, and a second tap sends nothing
    const shown = await page.waitForFunction(() => {
      if (!document.body.textContent.includes('Saved. Taking you to the dashboard')) return null
      document.querySelector<HTMLElement>('main form [type=submit]')!.click()
      return document.querySelector<HTMLTextAreaElement>('main textarea')!.value
    })
    expect(await shown.jsonValue()).toBe('Typed on a tram.')
    await page.waitForURL('**/dashboard')
    expect((await get(at.app, `/api/business/${cafe.businessId}`)).body.description).toBe('Typed on a tram.')
  })

  it('the texts of the specification are said where the server has no words', async () => {
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

  it('who saves over a version that was changed meanwhile is asked', async () => {
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
    expect(await main(page).getByLabel('Deal Name').inputValue()).toBe('Spritz, mine')
    await main(page).getByRole('button', { name: 'Save Deal' }).click()
    await page.waitForURL('**/dashboard')
    expect((await get(at.app, `/api/deals/${made.body.deal_id}`)).body).toMatchObject({
      deal_name: 'Spritz, mine',
      price: '7',
    })
  })

  it('the week of another version is shown with the rest of it', async () => {
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
    expect(await main(page).getByRole('row').count()).toBe(8)
    await main(page).getByText('6 of 10 active deals in use.').waitFor()
    await expectAccessible(page)
    const row = (name: string) => main(page).getByRole('row', { name: new RegExp(`^${name}`) })
    await row('Deal 3').getByRole('button', { name: 'Pause: Deal 3' }).click()
    await row('Deal 3').getByText('Paused').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Deal 3').getByText('Live').waitFor()
    await row('Deal 7').getByRole('button', { name: 'Archive: Deal 7' }).click()
    await row('Deal 7').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Deal 7').getByRole('button', { name: 'Publish: Deal 7' }).click()
    await row('Deal 7').getByText('Live').waitFor()
    await row('Deal 1').getByRole('button', { name: 'Archive: Deal 1' }).click()
    await row('Deal 1').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Deal 1').getByText('Live').waitFor()
    await row('Deal 2').getByRole('button', { name: 'Copy: Deal 2' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Edit Deal' }).waitFor()
    expect(await main(page).getByLabel('Deal Name').inputValue()).toBe('Deal 2')
    expect(faults).toEqual([])
  })

  it('deals of last week are copied to the next one together', async () => {
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
    // by staff: it stays listed, and cannot be copied
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
