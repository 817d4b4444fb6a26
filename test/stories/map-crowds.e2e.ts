import { expect, it } from 'vitest'
import { addBusiness, addDeal, bridge, eastOfBridge, fillTown } from '../cast.ts'
import { inBrowser, phone, settled, useBrowser } from './browser.ts'
import { here, list, mapAtRest, small, withoutWebGl } from './map-pages.ts'

inBrowser('a place with many deals', () => {
  const at = useBrowser({})

  it('shows the first deals with their price on the map, and all of them in the list', async () => {
    const { db } = at.app
    const hall = await addBusiness(db, 'Markthalle', { subscription_tier: 'PREMIUM', ...bridge })
    for (let n = 1; n <= 55; n++) await addDeal(db, hall, `Stand ${n}`, { price: '14' })
    await addDeal(db, await addBusiness(db, 'Uferbar', eastOfBridge(300)), 'Free water', {
      price: '0',
      discount: 'Free',
    })
    const { page, faults } = await at.visit(`${here}&lat=${bridge.latitude}&lon=${bridge.longitude}&z=17`, {
      viewport: small,
      expected: /ERR_FAILED|What lies at this place/,
    })
    await mapAtRest(page)
    await page.route('**/api/deals/search?*', (route) => route.abort())
    const map = (await page.locator('.maplibregl-canvas').boundingBox())!
    await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2)
    const card = page.getByRole('article')
    await card.getByRole('alert').waitFor()
    await page.unroute('**/api/deals/search?*')
    await card.getByRole('button', { name: 'Try again' }).click()
    await card.getByRole('heading', { name: '55 entries at this place' }).waitFor()
    await card.getByText('Stand').first().waitFor()
    await expect.poll(() => card.getByText('CHF 14.–').count()).toBe(50)
    await card.getByRole('link', { name: 'All 55 in the list' }).click()
    await page.waitForURL(/bbox=/)
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => list(page).getByRole('status').innerText()).toMatch(/^55 deals, 15 shown/)
    // the word "free" appears only once for a free deal
    await page.goto(`${here}&q=water`)
    await mapAtRest(page)
    await expect.poll(() => list(page).getByText('Free', { exact: true }).count()).toBe(1)
    expect(faults).toEqual([])
  })
})

inBrowser('lanterns that cover each other', () => {
  const at = useBrowser({ now: '2026-07-04T18:00:00Z' })

  it('open as a list beside the map, which the back button closes', async () => {
    const { db } = at.app
    for (const [n, name] of ['Rote Gans', 'Blauer Hecht', 'Goldene Traube'].entries()) {
      const house = await addBusiness(db, name, {
        subscription_tier: 'PREMIUM',
        address: `Rheingasse ${n + 1}, Basel`,
        open_hours: n === 0 ? '24/7' : null,
        ...eastOfBridge(100 + n * 4),
      })
      await addDeal(db, house, `Menu ${n + 1}`)
    }
    await fillTown(at.app, '2026-07-04T18:00:00Z')
    const { latitude, longitude } = eastOfBridge(104)
    const view = `${here}&lat=${latitude}&lon=${longitude}&z=17`
    const { page, faults } = await at.visit(view, { viewport: phone, hasTouch: true })
    await mapAtRest(page)
    const map = (await page.locator('.maplibregl-canvas').boundingBox())!
    // the middle of the visible map is above the sheet, which is 176 px high
    await page.mouse.click(map.x + map.width / 2, map.y + (map.height - 176) / 2)
    const card = page.getByRole('article')
    await card.getByRole('heading', { name: '3 entries close together' }).waitFor()
    await expect.poll(() => list(page).getByText('at this place').count()).toBe(0)
    const rows = card.getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(3)
    for (const [row, text] of [
      ['Menu 1', /Rote Gans.*\d+ m/s],
      ['Menu 1', /Now|Until|min left/],
      ['Menu 2', /Blauer Hecht.*\d+ m/s],
      ['Menu 2', /Hours unknown/],
      ['Menu 3', /Goldene Traube.*\d+ m/s],
    ] as const)
      await expect.poll(() => rows.filter({ hasText: row }).innerText()).toMatch(text)
    // the map is still visible
    await settled(list(page))
    expect((await list(page).boundingBox())!.y - map.y).toBeGreaterThan(map.height * 0.35)
    // a reload keeps the list, a row leads to its card and back to the list
    await page.reload()
    await expect.poll(() => rows.count()).toBe(3)
    await mapAtRest(page)
    await rows.filter({ hasText: 'Menu 2' }).getByRole('link').click()
    await page.getByRole('article', { name: 'Menu 2' }).waitFor()
    await page.goBack()
    await card.getByRole('heading', { name: '3 entries close together' }).waitFor()
    await page.goBack()
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dealsmap')
    await expect.poll(() => page.url()).not.toMatch(/[?&]at=/)
    expect(faults).toEqual([])
  })
})

inBrowser('many lanterns', () => {
  const at = useBrowser({})

  it('that cover each other are a number with one lantern on its rim, which leads to them, with and without WebGL', async () => {
    const { db } = at.app
    for (let n = 0; n < 60; n++) {
      const house = await addBusiness(db, `Haus ${n}`, {
        subscription_tier: 'PREMIUM',
        ...eastOfBridge((n % 2 ? 0 : 500) + n * 2),
      })
      await addDeal(db, house, `Golden ${n}`)
    }
    const view = `${here}&lat=${bridge.latitude}&lon=${bridge.longitude}&z=15`
    const { page, faults } = await at.visit(view, { viewport: small })
    expect(await mapAtRest(page)).toBe('drawing')
    const map = (await page.locator('.maplibregl-canvas').boundingBox())!
    // the western lanterns are within 120 m of the middle, at 1.6 m per pixel
    await page.mouse.click(map.x + map.width / 2 + 36, map.y + map.height / 2)
    await page.waitForURL(/z=1[678]/)
    await expect.poll(() => page.getByRole('article').count()).toBe(0)

    await page.addInitScript(withoutWebGl)
    await page.goto(view)
    expect(await mapAtRest(page)).toBe('outline')
    const numbers = page.locator('#map [data-mark]:has([data-icon="notch"])')
    await expect
      .poll(async () => (await numbers.allTextContents()).reduce((sum, text) => sum + Number(text), 0))
      .toBe(60)
    await expect.poll(() => numbers.count()).toBeLessThan(10)
    await numbers.first().click()
    await page.waitForURL(/z=16\.5/)
    expect(faults).toEqual([])
  })
})
