import { expect, it } from 'vitest'
import { fillOpenings } from '../../src/businesses/server/businesses.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { addBusiness, addDeal } from '../cast.ts'
import { expectAccessible, inBrowser, useBrowser } from './browser.ts'
import { items, list, mapReady, small, uncovered, withoutWebGl } from './map-pages.ts'

inBrowser('the map without', () => {
  const at = useBrowser()

  it('WebGL is the list and a picture of the city with pins', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(withoutWebGl)
    await page.goto('/dealsmap')
    expect(await mapReady(page)).toBe('outline')
    await expect.poll(() => items(page).count()).toBe(15)
    await page.locator('img[src^="/map/outline"]').waitFor()
    const marks = page.locator('#map [data-mark]')
    await expect.poll(() => marks.count()).toBeGreaterThan(10)
    await list(page)
      .getByText(/map cannot be shown/)
      .first()
      .waitFor()
    await items(page).first().getByRole('link').click()
    await page.getByRole('article').waitFor()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    // a deal in its last hours has a clock icon, as on the live map
    const alone = { latitude: 47.5505, longitude: 7.6105 }
    const bar = await addBusiness(at.app.db, 'Letzte Runde', { ...alone, open_hours: '24/7' })
    await addDeal(at.app.db, bar, 'Bald vorbei', { ends_at: new Date(Date.now() + 3_600_000) })
    await fillOpenings({ db: at.app.db, clock: systemClock })
    await page.goto(`/dealsmap?lat=${alone.latitude}&lon=${alone.longitude}&z=18`)
    await page.locator('#map [data-mark] [data-icon$="ending"]').first().waitFor()
    expect(faults).toEqual([])
  })

  it('WebGL can still be scrolled, and enlarged by its clusters and buttons', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(withoutWebGl)
    await page.goto('/dealsmap')
    expect(await mapReady(page)).toBe('outline')
    const picture = page.locator('#map img[src^="/map/outline"]')
    const width = async () => Math.round((await picture.boundingBox())!.width)
    const number = page.locator('#map [data-mark^="deals"]')
    await number.first().waitFor()
    const free = await uncovered(page, '[data-mark^="deals"]')
    expect(free!.count).toBeGreaterThan(1)
    const wide = await width()
    await page.mouse.click(free!.x, free!.y)
    await expect.poll(width).toBeGreaterThan(wide * 2)
    await page.waitForURL(/z=14\.5/)
    // finer lines and smaller names at a closer zoom
    await expect.poll(() => picture.getAttribute('src')).toBe('/map/outline-near-paper.svg')
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(width).toBeLessThan(wide)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForURL(/z=13\.5/)
    const before = (await picture.boundingBox())!
    const map = (await page.locator('#map').boundingBox())!
    // far enough for another search, wherever the cluster was
    await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2)
    await page.mouse.wheel(400, 50)
    await expect.poll(async () => Math.round((await picture.boundingBox())!.x - before.x)).toBe(-400)
    const here = page.getByRole('button', { name: 'Search this area' })
    await here.click()
    await page.waitForURL(/bbox=7\./)
    await page.getByText('Distances are from the middle of the map.').first().waitFor()
    const pin = await uncovered(page, '[data-mark]:not([data-mark^="deals"])')
    await page.mouse.click(pin!.x, pin!.y)
    await page.getByRole('article').waitFor()
    // scrolled by keys
    await page.keyboard.press('Escape')
    const frame = page.getByRole('region', { name: 'Map of the deals' })
    const left = () => frame.evaluate((element) => element.scrollLeft)
    const from = await left()
    await frame.press('ArrowRight')
    await expect.poll(left).toBeGreaterThan(from)
    expect(faults).toEqual([])
  })

  it('JavaScript has hero, filters, list, card and picture', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small, javaScriptEnabled: false })
    await expect.poll(() => page.locator('h1').innerText()).toBe('Discover Local Deals')
    await expect.poll(() => items(page).count()).toBe(15)
    await expect
      .poll(() =>
        page.locator('img[src^="/map/outline"]').evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0)
    await expect.poll(() => page.getByText('Initializing Map...').count()).toBe(0)
    await page.getByRole('searchbox').fill('fondue')
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByRole('button', { name: 'Search' }).first().click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dealsmap')
    await expect.poll(() => page.url()).toMatch(/q=fondue.*openNow=true/)
    await page.goto('/dealsmap?q=fondue')
    const first = items(page).first().getByRole('link')
    const name = await first.innerText()
    await first.click()
    await page.getByRole('article', { name }).waitFor()
  })

  it('a valid address still shows a map', async () => {
    for (const query of ['lat=abc&lon=1e9', 'bbox=9,9,1,1', 'z=99', 'radius=-1', 'layers=moon', 'deal=nope', 'q=%00']) {
      const answer = await fetch(`${at.app.url}/dealsmap?${query}`)
      expect(answer.status, query).toBe(200)
      expect(await answer.text(), query).toContain('Discover Local Deals')
    }
  })
})
