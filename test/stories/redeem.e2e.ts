import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addDeal } from '../cast.ts'
import { aMerchant, aVisitor, get, logIn, post, type Person } from '../people.ts'
import { shifted } from '../saturday-evening.ts'
import { loggedIn, logInBy, main, newAddress } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'
import { withCamera } from './camera.ts'
import { hold } from './map-pages.ts'

inBrowser('a code', () => {
  const at = useBrowser({ now: null })

  /** A merchant with a deal, and a visitor. */
  async function people() {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Nord' })
    const lena = await aVisitor(at.app, newAddress())
    const deal = await aDeal(bar)
    return { bar, lena, deal }
  }
  const aDeal = (bar: Person) =>
    addDeal(at.app.db, bar.businessId!, 'Spritz on the river', { redemption_mode: 'code', price_rappen: 850 })
  const claim = async (deal: string, by: Person) =>
    (await post(at.app, `/api/deals/${deal}/claim`, undefined, { token: by.authToken })).body

  /** A person's browser with a page open. */
  async function browserOf(person: Person, path: string, options: Parameters<typeof at.visit>[1] = {}) {
    const visit = await at.visit('/contact', options)
    await loggedIn(visit.context, person)
    await visit.page.goto(path)
    await hydrated(visit.page)
    return visit
  }

  const panel = (page: Page) => page.getByRole('dialog', { name: 'Code for Spritz on the river' })
  const shown = async (page: Page) => {
    await panel(page).locator('svg[data-payload]').waitFor()
    return (await panel(page).locator('svg[data-payload]').getAttribute('data-payload'))!
  }
  const codeField = (page: Page) => main(page).getByLabel('Code', { exact: true })
  const typeCode = async (page: Page, code: string) => {
    await codeField(page).fill(code)
    await codeField(page).press('Enter')
  }

  const registered = async (page: Page) => {
    await main(page).getByLabel('Name').fill('Bar phone')
    await main(page).getByRole('button', { name: 'Register', exact: true }).click()
    await main(page).getByText('Bar phone (this device)').waitFor()
  }
  const scanOffline = async (page: Page, payload: string) => {
    await typeCode(page, payload)
    await main(page).getByText('The code cannot be checked now.').waitFor()
    await main(page).getByRole('button', { name: 'Save scan' }).waitFor()
    await main(page).getByLabel('Amount', { exact: true }).fill('7')
    // the line "You are offline" may appear and move the buttons
    await main(page).getByLabel('Amount', { exact: true }).press('Enter')
    await main(page).getByRole('button', { name: 'Next code' }).press('Enter')
  }
  const unsentScans = (page: Page) => page.getByRole('complementary', { name: 'Scans of this till' })

  it('of a deal that starts in some days cannot be claimed yet; the page says from when, also without JavaScript', async () => {
    const bar = await aMerchant(at.app, newAddress())
    const starts = new Date(Date.now() + 3 * 24 * 3_600_000)
    const deal = await addDeal(at.app.db, bar.businessId!, 'Sunday brunch', {
      redemption_mode: 'code',
      active_days: 1 << ((starts.getUTCDay() || 7) - 1),
    })
    const { page } = await at.visit(`/deal/${deal}`, { javaScriptEnabled: false })
    await main(page)
      .getByText(/Codes are available from \w+ 00:00, 24 hours before the deal starts\./)
      .waitFor()
    await main(page)
      .getByText(/^From \w+ 00:00$/)
      .waitFor()
    await expect.poll(() => main(page).getByRole('link', { name: 'Get code' }).count()).toBe(0)
  })

  it('that is refused or arrives late changes nothing on the page of another deal', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Süd' })
    const first = await aDeal(bar)
    await addDeal(at.app.db, bar.businessId!, 'Soup of the day', { redemption_mode: 'code' })
    const lena = await aVisitor(at.app, newAddress())
    const { page } = await browserOf(lena, `/deal/${first}`, { expected: /503/ })
    const claims = '**/api/deals/*/claim'
    const getCode = () => main(page).getByRole('button', { name: 'Get code' }).click()
    const goOn = async (to: string) => {
      await main(page).getByRole('article').getByRole('link', { name: to }).click()
      await main(page).getByRole('heading', { level: 1, name: to }).waitFor()
    }
    await page.route(claims, (route) => route.fulfill({ status: 503, json: { error: 'Very busy.', code: 'busy' } }))
    await getCode()
    await main(page).getByText('Very busy.').waitFor()
    await goOn('Soup of the day')
    await expect.poll(() => main(page).getByText('Very busy.').count()).toBe(0)
    await page.unroute(claims)
    const comes = await hold(page, claims)
    await getCode()
    await goOn('Spritz on the river')
    comes()
    await expect.poll(() => page.evaluate(() => 'myCodes' in localStorage)).toBe(true)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor()
    await page.goBack()
    await main(page).getByRole('heading', { level: 1, name: 'Spritz on the river' }).waitFor()
  })

  it('is claimed by a guest who logs in on the way, shown at the till, redeemed, and undone after a reload', async () => {
    const { bar, lena, deal } = await people()
    const visitor = await at.visit(`/deal/${deal}`, { viewport: phone })
    await hydrated(visitor.page)
    await expectAccessible(visitor.page)
    await main(visitor.page).getByRole('link', { name: 'Get code' }).click()
    await visitor.page.waitForURL(/userlogin/)
    await logInBy(visitor.page, lena.email)
    await visitor.page.waitForURL(`**/deal/${deal}`)
    await main(visitor.page).getByRole('button', { name: 'Get code' }).click()
    const payload = await shown(visitor.page)
    expect(payload).toMatch(/^RK1:[0-9A-F]{32}:\d{6}$/)
    await expectAccessible(visitor.page)
    await expectNoSidewaysScroll(visitor.page)

    const till = await browserOf(bar, '/redeem', { viewport: phone })
    await main(till.page).getByText('Nothing redeemed yet.').waitFor()
    await expectAccessible(till.page)
    await expectNoSidewaysScroll(till.page)
    const code = (await shown(visitor.page)).slice(-6)
    await typeCode(till.page, `${code.slice(0, 3)} ${code.slice(3)}`)
    await main(till.page).getByText('Valid code').waitFor()
    await expect.poll(() => main(till.page).getByLabel('Amount', { exact: true }).inputValue()).toBe('8.50')
    await main(till.page).getByLabel('Amount', { exact: true }).fill('12,5')
    await main(till.page).getByRole('button', { name: 'Redeem', exact: true }).click()
    await main(till.page).getByRole('button', { name: 'Next code' }).waitFor()
    await panel(visitor.page).getByText('Redeemed').waitFor()

    await till.page.reload()
    await main(till.page).getByText('CHF 12.50').waitFor()
    await main(till.page).getByRole('button', { name: /^Undo/ }).click()
    await main(till.page).getByText('Undone').waitFor()
    await expectAccessible(till.page)
    expect([...visitor.faults, ...till.faults]).toEqual([])

    // the deal's page links to the claimed code and offers no second one
    await visitor.page.goto(`/deal/${deal}`)
    await main(visitor.page).getByRole('link', { name: 'Show your code' }).click()
    await expect.poll(() => shown(visitor.page)).toMatch(new RegExp(`^${payload.slice(0, 36)}`))
  })

  it('keeps the screen on while it is shown, and again when its page is visible again', async () => {
    const { lena, deal } = await people()
    const claimed = await claim(deal, lena)
    const visit = await at.visit('/contact', { viewport: phone })
    await visit.context.addInitScript(() => {
      const asked: string[] = []
      let isHidden = false
      const held = new Set<() => void>()
      const request = async (kind: string) => {
        asked.push(kind)
        const release = () => void held.delete(release)
        held.add(release)
        return { release: async () => release() }
      }
      Object.defineProperty(navigator, 'wakeLock', { value: { request } })
      Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') })
      // browsers release the lock while the page is hidden
      const hide = (hidden: boolean) => {
        isHidden = hidden
        if (hidden) for (const release of held) release()
        document.dispatchEvent(new Event('visibilitychange'))
      }
      Object.assign(globalThis, { lamp: { hide, asked, held } })
    })
    const lamp = () => visit.page.evaluate(() => ({ asked: window.lamp.asked.length, lit: window.lamp.held.size }))
    await loggedIn(visit.context, lena)
    await visit.page.goto('/my-codes')
    await main(visit.page).getByRole('button', { name: 'Show code' }).waitFor()
    expect(await lamp()).toEqual({ asked: 0, lit: 0 })
    await visit.page.goto(`/my-codes?code=${claimed.claim_id}`)
    await shown(visit.page)
    await expect.poll(lamp).toEqual({ asked: 1, lit: 1 })
    await expect.poll(() => visit.page.evaluate(() => window.lamp.asked)).toEqual(['screen'])
    await visit.page.evaluate(() => window.lamp.hide(true))
    expect(await lamp()).toEqual({ asked: 1, lit: 0 })
    await visit.page.evaluate(() => window.lamp.hide(false))
    await expect.poll(lamp).toEqual({ asked: 2, lit: 1 })
    await panel(visit.page).getByRole('button', { name: 'Close' }).click()
    await panel(visit.page).waitFor({ state: 'detached' })
    await expect.poll(lamp).toEqual({ asked: 2, lit: 0 })
    expect(visit.faults).toEqual([])
  })

  it.each(['missing', 'refused'])('is shown even if the wake lock is %s', async (how) => {
    const { lena, deal } = await people()
    const claimed = await claim(deal, lena)
    const visit = await at.visit('/contact', { viewport: phone })
    await visit.context.addInitScript((isMissing) => {
      if (isMissing) Reflect.deleteProperty(Navigator.prototype, 'wakeLock')
      else
        Object.defineProperty(navigator, 'wakeLock', {
          value: { request: () => Promise.reject(new DOMException('Battery is low.', 'NotAllowedError')) },
        })
    }, how === 'missing')
    await loggedIn(visit.context, lena)
    await visit.page.goto(`/my-codes?code=${claimed.claim_id}`)
    await shown(visit.page)
    await expect.poll(() => visit.page.evaluate(() => 'wakeLock' in navigator)).toBe(how !== 'missing')
    await panel(visit.page).getByRole('button', { name: 'Close' }).click()
    await panel(visit.page).waitFor({ state: 'detached' })
    expect(visit.faults).toEqual([])
  })

  it('is right on a phone whose clock is ten minutes off, and continues to rotate without a network', async () => {
    const { bar, lena, deal } = await people()
    const claimed = await claim(deal, lena)
    const visit = await at.visit('/contact', { viewport: phone, expected: /ERR_INTERNET_DISCONNECTED/ })
    await visit.context.addInitScript(`globalThis.Date = (${shifted.toString()})(Date, () => 600_000)`)
    await loggedIn(visit.context, lena)
    await visit.page.goto(`/my-codes?code=${claimed.claim_id}`)
    const first = await shown(visit.page)
    await visit.context.setOffline(true)
    await expect.poll(() => shown(visit.page), { timeout: 90_000 }).not.toBe(first)
    const answer = await post(
      at.app,
      '/api/redemptions',
      { payload: await shown(visit.page), amount_chf: 1 },
      { token: bar.authToken },
    )
    expect(answer.status).toBe(201)
  })

  it('that expires while it is shown says so', async () => {
    const { lena, deal } = await people()
    const { claim_id } = await claim(deal, lena)
    const { page } = await browserOf(lena, `/my-codes?code=${claim_id}`, { viewport: phone })
    await shown(page)
    const ended = { usable_from: new Date('2026-06-19T17:00:00Z'), expires_at: new Date('2026-06-20T17:00:00Z') }
    await at.app.db.updateTable('claims').set(ended).where('claim_id', '=', claim_id).execute()
    await panel(page).getByText('Expired', { exact: true }).waitFor()
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await main(page)
      .getByText(/^Expired/)
      .waitFor()
  })

  it('can be given back, and old codes look different from open ones', async () => {
    const { lena, deal } = await people()
    const { claim_id } = (await claim(deal, lena)) as { claim_id: string }
    const { page } = await browserOf(lena, `/my-codes?code=${claim_id}`, { viewport: phone })
    await shown(page)
    const heading = panel(page).getByRole('heading', { name: 'Spritz on the river' })
    expect(await heading.evaluate((title) => title === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'hidden' })
    const show = main(page).getByRole('button', { name: 'Show code' })
    expect(await show.evaluate((button) => button === document.activeElement)).toBe(true)
    await main(page).getByRole('button', { name: 'Give back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
    await main(page).getByText('Given back').waitFor()
    await expect.poll(() => main(page).getByRole('button', { name: 'Show code' }).count()).toBe(0)
    await expectAccessible(page)
  })

  it('is linked from the page of its deal on every device, until it was redeemed', async () => {
    const { bar, lena, deal } = await people()
    const phoneVisit = await browserOf(lena, `/deal/${deal}`, { viewport: phone })
    await main(phoneVisit.page).getByRole('button', { name: 'Get code' }).click()
    const payload = await shown(phoneVisit.page)
    const { page } = await browserOf(lena, `/deal/${deal}`)
    await main(page).getByRole('link', { name: 'Show your code' }).click()
    expect((await shown(page)).slice(0, 36)).toBe(payload.slice(0, 36))

    await phoneVisit.page.goto(`/deal/${deal}`)
    await main(phoneVisit.page).getByRole('link', { name: 'Show your code' }).waitFor()
    const redeemed = { payload: await shown(page), amount_chf: 8 }
    expect((await post(at.app, '/api/redemptions', redeemed, { token: bar.authToken })).status).toBe(201)
    await phoneVisit.page.reload()
    await main(phoneVisit.page).getByText('You have already used this deal.').waitFor()
    expect(await main(phoneVisit.page).getByRole('button', { name: 'Get code' }).count()).toBe(0)
    expect(phoneVisit.faults).toEqual([])
  })

  it('that was redeemed, given back or has expired is not offered without a network', async () => {
    const { bar, lena, deal } = await people()
    const { claim_id } = (await claim(deal, lena)) as { claim_id: string }
    const { page } = await browserOf(lena, `/my-codes?code=${claim_id}`, { viewport: phone, expected: /ERR_FAILED/ })
    const failLists = () =>
      page.route('**/api/me/claims*', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.fallback(),
      )
    const offered = async () => {
      const stored = main(page).getByText('No connection. These are the codes saved on this phone.')
      await page.goto('/my-codes')
      await stored.waitFor()
      return main(page).getByRole('button', { name: 'Show code' }).count()
    }
    const redeemed = { payload: await shown(page), amount_chf: 8 }
    expect((await post(at.app, '/api/redemptions', redeemed, { token: bar.authToken })).status).toBe(201)
    await panel(page).getByText('Redeemed').waitFor()
    await failLists()
    expect(await offered()).toBe(0)
    await main(page)
      .getByText(/^Redeemed/)
      .waitFor()
    await page.goto(`/deal/${deal}`)
    await main(page).getByRole('button', { name: 'Get code' }).waitFor()
    expect(await main(page).getByRole('link', { name: 'Show your code' }).count()).toBe(0)
    await page.unroute('**/api/me/claims*')

    await claim(await aDeal(bar), lena)
    await page.goto('/my-codes')
    await main(page).getByRole('button', { name: 'Give back' }).waitFor()
    await failLists()
    await main(page).getByRole('button', { name: 'Give back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
    await main(page).getByText('Given back').waitFor()
    expect(await offered()).toBe(0)
    await page.unroute('**/api/me/claims*')

    await claim(await aDeal(bar), lena)
    await page.goto('/my-codes')
    await main(page).getByRole('button', { name: 'Show code' }).waitFor()
    await failLists()
    expect(await offered()).toBe(1)
    await page.evaluate(() => {
      const storedCodes = JSON.parse(localStorage.getItem('myCodes')!) as { claims: { expires_at: string }[] }
      for (const each of storedCodes.claims) each.expires_at = '2020-01-01T00:00:00.000Z'
      localStorage.setItem('myCodes', JSON.stringify(storedCodes))
    })
    expect(await offered()).toBe(0)
  })

  it('is deleted from the browser at a logout', async () => {
    const { lena, deal } = await people()
    await claim(deal, lena)
    const { page } = await browserOf(lena, '/my-codes')
    await main(page).getByRole('button', { name: 'Show code' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('myCodes'))).toContain('Spritz')

    // a phone without stored codes does not claim that there are none
    await page.evaluate(() => localStorage.removeItem('myCodes'))
    await page.route('**/api/me/claims*', (route) => route.abort())
    await page.reload()
    await main(page).getByText('You are offline. Please try again once you are back online.').waitFor()
    await page.unroute('**/api/me/claims*')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await main(page).getByRole('button', { name: 'Show code' }).waitFor()

    await page.evaluate(() => localStorage.setItem('other', 'stays'))
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('myCodes'))).toBeNull()
  })

  it('that does not exist is refused beside the field, and a used one says when', async () => {
    const { bar, lena, deal } = await people()
    const { page } = await browserOf(bar, '/redeem', { expected: /status of (404|409)|ERR_FAILED/ })
    await typeCode(page, '12345')
    await main(page).getByText('Enter the six digits of the code.').waitFor()
    await typeCode(page, '000000')
    await main(page).getByText('This code is not valid. Ask for the code that is shown now.').waitFor()
    const { qr_payload } = await claim(deal, lena)
    await post(at.app, '/api/redemptions', { payload: qr_payload, amount_chf: 1 }, { token: bar.authToken })
    // a wired scanner types into the focused field, and presses Enter
    await codeField(page).focus()
    await page.keyboard.type(qr_payload)
    await page.keyboard.press('Enter')
    await main(page)
      .getByText(/This code was already used at \d\d:\d\d\./)
      .waitFor()

    // the answer is lost: the list shows that the code was redeemed, and a retry counts once
    const next = await claim(deal, await aVisitor(at.app, newAddress()))
    await typeCode(page, next.qr_payload)
    await main(page).getByLabel('Amount', { exact: true }).fill('6.50')
    const redeem = main(page).getByRole('button', { name: 'Redeem', exact: true })
    await page.route(/\/api\/redemptions$/, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await redeem.click()
    await main(page).getByText('No answer came, so the code may already be redeemed.').waitFor()
    await main(page).getByRole('region', { name: 'Redemptions' }).getByText('CHF 6.50').waitFor()
    await page.unroute(/\/api\/redemptions$/)
    await redeem.click()
    await main(page).getByRole('button', { name: 'Next code' }).waitFor()
    const { body: redeemed } = await get(at.app, '/api/redemptions', bar.authToken)
    expect(redeemed.map(({ amount_chf }: { amount_chf: number }) => amount_chf)).toEqual([6.5, 1])
  })

  it('is stored by a registered till without a network and sent later, and a double use is shown as a conflict', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await browserOf(bar, '/redeem', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED|status of 409/,
    })
    await registered(page)
    const scan = (payload: string) => scanOffline(page, payload)
    const good = await claim(deal, lena)
    const used = await claim(deal, await aVisitor(at.app, newAddress()))
    await context.setOffline(true)
    await scan(good.qr_payload)
    await typeCode(page, good.qr_payload)
    await main(page)
      .getByText(/This code was already scanned here at \d\d:\d\d\. It counts once\./)
      .waitFor()
    await scan(used.qr_payload)
    await main(page).getByText('2 scans are saved here').waitFor()
    // meanwhile at another till
    const elsewhere = { payload: used.qr_payload, amount_chf: 7 }
    expect((await post(at.app, '/api/redemptions', elsewhere, { token: bar.authToken })).status).toBe(201)
    await context.setOffline(false)
    await main(page)
      .getByText(/Conflict: scan at \d\d:\d\d, CHF 7.00/)
      .waitFor()
    await main(page).getByText('Conflict: the code was already used').waitFor()
    await main(page).getByText('The code was already used.', { exact: true }).waitFor()
    await expectAccessible(page)
    await main(page).getByRole('button', { name: 'Got it' }).click()
    await page.reload()
    await main(page).getByText('Conflict: the code was already used').waitFor()
    await expect.poll(() => main(page).getByText('Conflict: scan at').count()).toBe(0)
    await expect.poll(() => main(page).getByText(', Bar phone').count()).toBe(2)

    // the till is removed on another device while this one has an unsent scan
    const unsent = await claim(deal, await aVisitor(at.app, newAddress()))
    await context.setOffline(true)
    await scan(unsent.qr_payload)
    const devices = `/api/business/${bar.businessId}/devices`
    const [{ device_id }] = (await get(at.app, devices, bar.authToken)).body
    expect((await get(at.app, `${devices}/${device_id}`, bar.authToken, { method: 'DELETE' })).status).toBe(204)
    await context.setOffline(false)
    await page.reload()
    await main(page).getByText('Conflict: the device was removed before it could send').waitFor()
    await main(page).getByText('Conflict: scan at').waitFor()
    await registered(page)

    // the delete button asks first
    await main(page).getByRole('button', { name: 'Remove Bar phone' }).click()
    const asks = page.getByRole('dialog', { name: 'Remove Bar phone?' })
    await expectAccessible(page)
    await asks.getByRole('button', { name: 'Keep it' }).click()
    await main(page).getByText('Bar phone (this device)').waitFor()
    await main(page).getByRole('button', { name: 'Remove Bar phone' }).click()
    await asks.getByRole('button', { name: 'Remove', exact: true }).click()
    await main(page).getByText('Bar phone (this device)').waitFor({ state: 'detached' })
  })

  it('is stored by a registered till while the server is too busy, and sent later', async () => {
    const { bar, lena, deal } = await people()
    const { page } = await browserOf(bar, '/redeem', { viewport: phone, expected: /status of (503|429)/ })
    await registered(page)
    const { qr_payload } = await claim(deal, lena)
    let answer: { status: number; error: string } | null = { status: 429, error: 'Too many attempts.' }
    await page.route(/\/api\/redemptions(\/check)?$/, (route) => {
      if (route.request().method() === 'GET' || !answer) return route.continue()
      return route.fulfill({ status: answer.status, json: { error: answer.error, code: 'busy' } })
    })
    // after a 429 the till waits
    await typeCode(page, qr_payload)
    await main(page).getByText('Too many attempts.').waitFor()
    answer = { status: 503, error: 'Very busy.' }
    await scanOffline(page, qr_payload)
    await main(page).getByText('1 scan is saved here').waitFor()
    answer = null
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await main(page).getByText('1 scan is saved here').waitFor({ state: 'detached' })
    expect((await get(at.app, '/api/redemptions', bar.authToken)).body).toMatchObject([{ amount_chf: 7 }])
  })

  it('that was scanned without a network and cannot count is not shown as sent, and says why in the language of the page', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await browserOf(bar, '/redeem', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED|status of 4\d\d/,
    })
    await registered(page)
    const { qr_payload } = await claim(deal, lena)
    await context.setOffline(true)
    await typeCode(page, `${qr_payload.slice(0, -6)}${qr_payload.endsWith('000000') ? '000001' : '000000'}`)
    await main(page).getByText('The code cannot be checked now.').waitFor()
    await main(page).getByLabel('Amount', { exact: true }).fill('1000.5')
    await main(page).getByRole('button', { name: 'Save scan' }).click()
    await main(page).getByText('Scan saved').waitFor()
    // a scan that could not be stored says why
    const devices = main(page).getByRole('region', { name: 'Devices' })
    await devices.getByRole('button', { name: /^Remove / }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await devices.getByText('No connection. Please try again in a moment.').waitFor()
    await context.setOffline(false)
    await main(page).getByText('The code was not valid when it was scanned.').waitFor()
    await main(page)
      .getByText(/Conflict: scan at .*CHF 1’000.50/)
      .waitFor()
    await expect.poll(() => main(page).getByText('Scan sent').count()).toBe(0)
    await context.addCookies([{ name: 'lang', value: 'de', url: at.app.url }])
    await page.goto('/redeem')
    await main(page).getByText('Der Code war beim Scannen ungültig.').waitFor()
  })

  it('that was scanned without a network is sent once by any page that is opened next, and a conflict links to the till', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await browserOf(bar, '/redeem', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED|status of 4\d\d/,
    })
    await registered(page)
    const good = await claim(deal, lena)
    const used = await claim(deal, await aVisitor(at.app, newAddress()))
    await context.setOffline(true)
    await scanOffline(page, good.qr_payload)
    await scanOffline(page, used.qr_payload)
    await page.close()
    const elsewhere = { payload: used.qr_payload, amount_chf: 7 }
    expect((await post(at.app, '/api/redemptions', elsewhere, { token: bar.authToken })).status).toBe(201)
    await context.setOffline(false)
    const [deals, info] = [await context.newPage(), await context.newPage()]
    await Promise.all([deals.goto('/deals'), info.goto('/contact')])
    for (const each of [deals, info]) await unsentScans(each).getByText('1 scan could not be redeemed.').waitFor()
    await expectAccessible(deals)
    await expectNoSidewaysScroll(deals)
    const all = (await get(at.app, '/api/redemptions', bar.authToken)).body as { state: string }[]
    expect(all.map(({ state }) => state).sort()).toEqual(['conflict', 'redeemed', 'redeemed'])
    await unsentScans(deals).getByRole('link', { name: 'Show in Redeem' }).click()
    await main(deals)
      .getByText(/Conflict: scan at \d\d:\d\d, CHF 7.00/)
      .waitFor()
    await expect.poll(() => unsentScans(deals).count()).toBe(0)
    await main(deals).getByRole('button', { name: 'Got it' }).click()
    await unsentScans(info).waitFor({ state: 'detached' })
    await expect.poll(() => deals.evaluate(() => localStorage.getItem('unsent'))).toBeNull()
  })

  it('that could not be sent is named by a logout, and sent after the next login', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await browserOf(bar, '/redeem', { expected: /ERR_INTERNET_DISCONNECTED|status of 503/ })
    await registered(page)
    const { qr_payload } = await claim(deal, lena)
    await context.route('**/api/redemptions', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { error: 'Busy.', code: 'busy' } })
        : route.continue(),
    )
    await context.setOffline(true)
    await scanOffline(page, qr_payload)
    await context.setOffline(false)
    await page.goto('/dashboard')
    await unsentScans(page).getByText('1 scan is not sent yet.').waitFor()
    await page.getByRole('button', { name: 'Business Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/logout')
    const named = main(page).getByRole('list', { name: 'Not sent yet' })
    await named.getByText('1 scan of this till').waitFor()
    await main(page).getByText('They stay on this device').waitFor()
    await expectAccessible(page)
    await main(page).getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await hydrated(page)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
    await expect.poll(() => unsentScans(page).count()).toBe(0)
    await context.unroute('**/api/redemptions')
    await page.goto('/business-login')
    await logInBy(page, bar.email)
    await page.waitForURL('**/dashboard')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('unsent'))).toBeNull()
    const { authToken } = await logIn(at.app, '/api/business/login', bar.email)
    const [only, ...others] = (await get(at.app, '/api/redemptions', authToken)).body
    expect([only.state, only.amount_chf, others]).toEqual(['redeemed', 7, []])
  })

  it('that staff scanned on a redeem-only device is sent from another page during the shift, and after it waits for the PIN', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await at.visit('/business-login', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED|status of 40[14]/,
    })
    await logInBy(page, bar.email)
    await page.waitForURL('**/dashboard')
    await page.goto('/redeem')
    await main(page).getByLabel('Name').fill('Terrace')
    await main(page).getByLabel('PIN (optional)').fill('4711')
    await main(page).getByRole('button', { name: 'Register for redeeming only' }).click()
    const unlock = async (on: Page) => {
      await main(on).getByText('This device is for redeeming only.').waitFor()
      await main(on).getByLabel('PIN').fill('4711')
      await main(on).getByRole('button', { name: 'Unlock' }).click()
    }
    await unlock(page)
    await main(page).getByText('Bar Nord · Terrace').waitFor()
    const { authToken } = await logIn(at.app, '/api/business/login', bar.email)
    const redeemed = async () => (await get(at.app, '/api/redemptions', authToken)).body.length as number
    // a scan that is sent later is in this till's list, with an undo
    await context.setOffline(true)
    await typeCode(page, (await claim(deal, await aVisitor(at.app, newAddress()))).qr_payload)
    await main(page).getByText('The code cannot be checked now.').waitFor()
    await main(page).getByLabel('Amount', { exact: true }).fill('7')
    await main(page).getByRole('button', { name: 'Save scan' }).click()
    await main(page).getByText('Scan saved').waitFor()
    await context.setOffline(false)
    await main(page).getByText('Scan sent').waitFor()
    await main(page).getByRole('button', { name: /^Undo/ }).click()
    await expect
      .poll(async () => (await get(at.app, '/api/redemptions', authToken)).body[0].state as string)
      .toBe('undone')
    await main(page).getByRole('button', { name: 'Next code' }).click()
    const before = await redeemed()
    const scanned = async (on: Page, payload: string) => {
      await context.setOffline(true)
      await scanOffline(on, payload)
      await on.close()
      await context.setOffline(false)
      return context.newPage()
    }
    const deals = await scanned(page, (await claim(deal, lena)).qr_payload)
    await deals.goto('/deals')
    await expect.poll(redeemed).toBe(before + 1)

    await deals.goto('/redeem')
    await main(deals).getByText('Bar Nord · Terrace').waitFor()
    const later = await scanned(deals, (await claim(deal, await aVisitor(at.app, newAddress()))).qr_payload)
    await later.goto('/help')
    await later.evaluate(() => {
      const shift = JSON.parse(localStorage.getItem('redeemShift')!)
      localStorage.setItem('redeemShift', JSON.stringify({ ...shift, till_token: 'over' }))
    })
    await later.goto('/deals')
    await unsentScans(later).getByText('1 scan is not sent yet.').waitFor()
    await unsentScans(later).getByRole('link', { name: 'Show in Redeem' }).click()
    await main(later).getByText('1 scan is saved here and will be sent once the device is unlocked.').waitFor()
    await unlock(later)
    await expect.poll(redeemed).toBe(before + 2)
    await later.goto('/deals')
    await hydrated(later)
    await expect.poll(() => unsentScans(later).count()).toBe(0)
  })

  it('counts for the time of its scan on a till whose clock is ten minutes off and that was opened without a network', async () => {
    const { bar, lena, deal } = await people()
    const visit = await at.visit('/contact', { viewport: phone, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
    await visit.context.addInitScript(`globalThis.Date = (${shifted.toString()})(Date, () => 600_000)`)
    // the till does not get the server's time before the scan
    await visit.page.route('**/api/till/clock', (route) => route.abort())
    await loggedIn(visit.context, bar)
    await visit.page.goto('/redeem')
    const { page, context } = visit
    await main(page).getByLabel('Name').fill('Bar phone')
    await main(page).getByRole('button', { name: 'Register', exact: true }).click()
    await main(page).getByText('Bar phone (this device)').waitFor()
    const good = await claim(deal, lena)
    await context.setOffline(true)
    await typeCode(page, good.qr_payload)
    await main(page).getByText('The code cannot be checked now.').waitFor()
    await main(page).getByLabel('Amount', { exact: true }).fill('7')
    await main(page).getByRole('button', { name: 'Save scan' }).click()
    await main(page).getByText('1 scan is saved here').waitFor()
    await page.unroute('**/api/till/clock')
    await context.setOffline(false)
    await main(page).getByText('Spritz on the river').waitFor()
    await expect.poll(() => main(page).getByText('Conflict').count()).toBe(0)
    const offset = await page.evaluate(() => localStorage.getItem('redeemClock'))
    expect(Math.abs(JSON.parse(offset!).offset_ms + 600_000)).toBeLessThan(30_000)
  })

  it('is redeemed by staff with a PIN on a redeem-only device', async () => {
    const { bar, lena, deal } = await people()
    const { page, context } = await browserOf(bar, '/redeem', {
      viewport: phone,
      expected: /ERR_INTERNET_DISCONNECTED|status of 40[14]/,
    })
    // the button is far down on a wide page
    await page.setViewportSize({ width: 1440, height: 600 })
    await main(page).getByLabel('Name').fill('Terrace')
    await main(page).getByLabel('PIN (optional)').fill('4711')
    await main(page).getByRole('button', { name: 'Register for redeeming only' }).click()
    await main(page).getByText('This device is for redeeming only.').waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.setViewportSize(phone)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
    await main(page).getByLabel('PIN').fill('0000')
    await main(page).getByRole('button', { name: 'Unlock' }).click()
    await main(page).getByText('Wrong PIN.').waitFor()
    await context.setOffline(true)
    await main(page).getByLabel('PIN').fill('4711')
    await main(page).getByRole('button', { name: 'Unlock' }).click()
    const isAway = main(page).getByText('No connection. The PIN is checked online.')
    await isAway.waitFor()
    await context.setOffline(false)
    await isAway.waitFor({ state: 'detached' })
    await main(page).getByLabel('PIN').fill('4711')
    await main(page).getByRole('button', { name: 'Unlock' }).click()
    await main(page).getByText('Bar Nord · Terrace').waitFor()
    await expectAccessible(page)
    await typeCode(page, (await claim(deal, lena)).code)
    await main(page).getByRole('button', { name: 'Redeem', exact: true }).click()
    await main(page).getByRole('button', { name: 'Next code' }).waitFor()
    await page.reload()
    await main(page).getByRole('button', { name: /^Undo/ }).click()
    await main(page).getByText('Undone').waitFor()
    // the shift ends while a code is read: after the PIN the till continues with that code
    await page.evaluate(() => {
      const shift = JSON.parse(localStorage.getItem('redeemShift')!)
      localStorage.setItem('redeemShift', JSON.stringify({ ...shift, till_token: 'over' }))
    })
    await page.reload()
    await typeCode(page, (await claim(deal, await aVisitor(at.app, newAddress()))).qr_payload)
    await main(page).getByLabel('PIN').fill('4711')
    await main(page).getByRole('button', { name: 'Unlock' }).click()
    await main(page).getByText('Valid code').waitFor()
    await main(page).getByRole('button', { name: 'Redeem', exact: true }).click()
    await main(page).getByRole('button', { name: 'Next code' }).waitFor()
    await main(page).getByRole('button', { name: 'Lock' }).click()
    await main(page).getByLabel('PIN').waitFor()
    // removed on another device: no PIN opens the till, so it says what to do
    const { authToken } = await logIn(at.app, '/api/business/login', bar.email)
    const devices = `/api/business/${bar.businessId}/devices`
    const [{ device_id }] = (await get(at.app, devices, authToken)).body
    await get(at.app, `${devices}/${device_id}`, authToken, { method: 'DELETE' })
    await main(page).getByLabel('PIN').fill('4711')
    await main(page).getByRole('button', { name: 'Unlock' }).click()
    await main(page).getByText('This device was removed.').waitFor()
    await main(page).getByRole('link', { name: 'Business Login' }).waitFor()
  })

  it('must be typed if the page has no secure connection, and the page says so', async () => {
    const { bar } = await people()
    const visit = await at.visit('/contact')
    await visit.context.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await loggedIn(visit.context, bar)
    await visit.page.goto('/redeem')
    await main(visit.page).getByText('The camera works only on a secure connection (https).').waitFor()
    await expect.poll(() => codeField(visit.page).isVisible()).toBe(true)
    expect(visit.faults).toEqual([])
  })

  it('must be typed if the camera does not open, with the reason and the fix for each browser', async () => {
    const { bar } = await people()
    const visit = await at.visit('/contact')
    await visit.context.addInitScript(() => {
      // WebKit's own errors are no DOMException
      const getUserMedia = async () => {
        const name = sessionStorage.getItem('fault')!
        throw name === 'OverconstrainedError' ? { name, message: 'Invalid constraint' } : new DOMException('No', name)
      }
      Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: getUserMedia })
    })
    await loggedIn(visit.context, bar)
    await visit.page.goto('/redeem')
    for (const [name, text] of [
      ['NotFoundError', 'No camera found on this device.'],
      ['NotAllowedError', 'The camera was not allowed. Try again and allow it.'],
      ['OverconstrainedError', 'No camera found on this device.'],
      ['NotReadableError', 'The camera could not be started. Another app may be using it'],
    ] as const) {
      await visit.page.evaluate((fault) => sessionStorage.setItem('fault', fault), name)
      await main(visit.page).getByRole('button', { name: 'Scan with the camera' }).click()
      const advice = main(visit.page).getByText(text)
      await advice.waitFor()
      expect(await advice.textContent(), name).toMatch(/type the code( instead)?\./i)
      expect(await codeField(visit.page).isVisible()).toBe(true)
    }
    expect(visit.faults).toEqual([])
  })

  it('must be typed if the browser has no access to a camera, and the page says so', async () => {
    const { bar } = await people()
    const visit = await at.visit('/contact')
    await visit.context.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }))
    await loggedIn(visit.context, bar)
    await visit.page.goto('/redeem')
    await main(visit.page).getByText('Open this page in Safari, Chrome or Firefox, or type the code.').waitFor()
    await expect.poll(() => codeField(visit.page).isVisible()).toBe(true)
    expect(visit.faults).toEqual([])
  })

  it('must be typed if the reader cannot be loaded, and the message blames no other app', async () => {
    const { bar } = await people()
    const context = await withCamera('RK1', { baseURL: at.app.url, viewport: phone, serviceWorkers: 'block' })
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BarcodeDetector'))
    await context.route('**/assets/decode-*.js', (route) => route.abort())
    await loggedIn(context, bar)
    const page = await context.newPage()
    await page.goto('/redeem')
    await main(page).getByRole('button', { name: 'Scan with the camera' }).click()
    await main(page).getByText('The code reader could not be loaded.').waitFor()
    await expect.poll(() => main(page).getByText('Another app').count()).toBe(0)
    await main(page).getByRole('button', { name: 'Scan with the camera' }).waitFor()
  })

  it('needs JavaScript, and says so on the pages of visitor and till', async () => {
    for (const [path, text] of [
      ['/my-codes', 'To see your codes, please turn on JavaScript'],
      ['/redeem', 'To redeem codes, please turn on JavaScript'],
    ] as const) {
      const { page } = await at.visit(path, { javaScriptEnabled: false })
      await expect.poll(() => main(page).innerText()).toContain(text)
    }
  })

  it('cannot be redeemed by a guest: the page asks for a business login', async () => {
    const { page } = await at.visit('/redeem')
    await main(page).getByText('No business is logged in.').waitFor()
    await expect
      .poll(() => main(page).getByRole('link', { name: 'Business Login' }).getAttribute('href'))
      .toBe('/business-login?next=%2Fredeem')
  })

  it('is read by the camera with the browser’s own detector', async () => {
    const { bar, lena, deal } = await people()
    const payload = (await claim(deal, lena)).qr_payload
    const context = await withCamera(payload, { baseURL: at.app.url, viewport: phone })
    await withDetector(context, payload)
    await loggedIn(context, bar)
    const page = await context.newPage()
    await page.goto('/redeem')
    await main(page).getByRole('button', { name: 'Scan with the camera' }).click()
    await main(page).getByText('Valid code').waitFor()
    await main(page).getByRole('button', { name: 'Redeem', exact: true }).click()
    await main(page).getByRole('button', { name: 'Next code' }).waitFor()
  })
})

/** A fake detector that finds the code once the camera has a picture. */
const withDetector = (context: BrowserContext, payload: string) =>
  context.addInitScript((rawValue) => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ['qr_code']
      detect = async (video: HTMLVideoElement) => (video.videoWidth > 0 ? [{ rawValue }] : [])
    }
    Object.assign(globalThis, { BarcodeDetector })
  }, payload)

declare global {
  interface Window {
    /** A fake wake lock. */
    lamp: { hide: (hidden: boolean) => void; asked: string[]; held: Set<() => void> }
  }
}
