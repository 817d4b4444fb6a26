import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillOpenings } from '../../src/businesses/server/businesses.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { addBusiness, addDeal } from '../cast.ts'
import { aMerchant, aVisitor, get, post } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import {
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  phone,
  useBrowser,
} from './browser.ts'

const strip = (page: Page) => page.getByRole('complementary', { name: 'What I need now' }).getByRole('link')

/** Sum of the layout shifts since the page was opened. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const all = list.getEntries() as (PerformanceEntry & { value: number })[]
          resolve(all.reduce((sum, { value }) => sum + value, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 1000)
      }),
  )

inBrowser('what I need now', () => {
  const at = useBrowser()

  it('is, for a visitor, the open code: one tap from any page, in its place from the first paint', async () => {
    const { db } = at.app
    const bar = await addBusiness(db, 'Bar Nord', { open_hours: '24/7' })
    const deal = await addDeal(db, bar, 'Spritz am Fluss mit Blick auf die alte Brücke', {
      redemption_mode: 'code',
      price_rappen: 800,
    })
    await fillOpenings({ db, clock: systemClock })
    const lena = await aVisitor(at.app, newAddress())
    // the line about an unconfirmed address would move the page
    await db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', lena.email).execute()
    const claim = await post(at.app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    expect(claim.status).toBe(201)
    const { page, context, faults } = await at.visit('/contact', { viewport: phone })
    await loggedIn(context, lena)
    await page.goto('/my-codes')
    await main(page).getByText('Spritz am Fluss').waitFor()
    await expect.poll(() => strip(page).count()).toBe(0)
    // what becomes known while a page is read does not move it
    await page.goto('/deals')
    await hydrated(page)
    const noted = () => page.evaluate(() => localStorage.getItem('myNeeded'))
    await expect.poll(noted).toContain('Spritz am Fluss')
    expect(await strip(page).count()).toBe(0)
    for (const path of ['/settings', '/deals', '/events', '/forum', `/deal/${deal}`, '/']) {
      await page.goto(path)
      await expect.poll(() => strip(page).innerText()).toMatch(/^Code: Spritz am Fluss/)
      expect((await strip(page).boundingBox())!.height).toBeGreaterThanOrEqual(44)
      // also where the name is cut
      await expectNoSidewaysScroll(page)
    }
    await page.reload()
    await strip(page).waitFor()
    expect(await shifts(page)).toBeLessThan(0.02)
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
    // a page without the app
    await page.goto('/help')
    await strip(page).click()
    await page.waitForURL(`**/my-codes?code=${claim.body.claim_id}`)
    expect(faults).toEqual([])
  })

  it('is, for a guest, the next saved event, until it is removed', async () => {
    const [next] = (await get(at.app, '/api/events?upcoming=true&not_begun=true&limit=1')).body as [
      { event_id: string; title: string },
    ]
    const { page, faults } = await at.visit(`/event/${next.event_id}`, { viewport: phone })
    await hydrated(page)
    await main(page).getByRole('button', { name: 'Add to My Schedule', exact: true }).first().click()
    await main(page).getByRole('button', { name: 'In My Schedule' }).first().waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('myNeeded'))).toContain(next.title)
    expect(await strip(page).count()).toBe(0)
    // from the next page of the app on
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deals' }).click()
    await page.waitForURL('**/deals')
    await expect.poll(() => strip(page).innerText()).toContain(next.title)
    await page.reload()
    await expect.poll(() => strip(page).innerText()).toContain(next.title)
    await strip(page).click()
    await page.waitForURL(`**/event/${next.event_id}`)
    await hydrated(page)
    await main(page).getByRole('button', { name: 'In My Schedule' }).first().click()
    await expect.poll(() => strip(page).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is, for a merchant, the till, but not on the dashboard and the page of the till, which have it', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Süd' })
    const { page, context, faults } = await at.visit('/contact', { viewport: phone, expected: /my-subscription|404/ })
    await loggedIn(context, bar)
    await page.goto('/dashboard')
    await main(page).getByRole('link', { name: 'Redeem a code' }).waitFor()
    expect(await strip(page).count()).toBe(0)
    const figure = page.waitForResponse('**/api/redemptions/tonight')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deals' }).click()
    await expect.poll(() => strip(page).innerText()).toMatch(/^Redeem/)
    await figure
    await expect.poll(() => strip(page).innerText()).toMatch(/0 redeemed tonight, CHF 0/)
    await strip(page).click()
    await page.waitForURL('**/redeem')
    await expect.poll(() => strip(page).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
