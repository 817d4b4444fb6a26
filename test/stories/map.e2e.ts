import { expect, it } from 'vitest'
import { mapInks } from '../../src/map/inks.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, settled, useBrowser } from './browser.ts'
import {
  hasColour,
  here,
  hold,
  items,
  list,
  mapAtRest,
  mapReady,
  names,
  rgb,
  searches,
  small,
  spot,
  walkEast,
} from './map-pages.ts'

inBrowser('the deals map', () => {
  const at = useBrowser()

  it('shows the city, the deals and their list, and loads nothing from other hosts', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small })
    expect(await mapReady(page)).toBe('drawing')
    await expect.poll(() => page.locator('h1').innerText()).toBe('Discover Local Deals')
    await expect.poll(() => items(page).count()).toBe(15)
    await expect.poll(() => list(page).getByRole('status').textContent()).toMatch(/\d+ deals, 15 shown/)
    for (const name of ['Zoom in', 'Zoom out', 'Show where I am'])
      await expect.poll(() => page.getByRole('button', { name }).isVisible()).toBe(true)
    await expect.poll(() => page.getByText('Initializing Map...').count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Map data' }).isVisible()).toBe(true)
    await expect.poll(() => page.getByRole('region', { name: 'Map of the deals' }).first().isVisible()).toBe(true)
    expect(faults).toEqual([])
  })

  it('has the Rhine in the right place, in both themes', async () => {
    const { page, faults } = await at.visit(`/dealsmap?lat=47.5613&lon=7.5866&z=15&q=nothing-at-all`, {
      viewport: small,
      colorScheme: 'light',
    })
    await mapReady(page)
    const centre = { latitude: 47.5613, longitude: 7.5866 }
    // halfway between the Johanniterbrücke and the Mittlere Brücke
    const water = await spot(page, { latitude: 47.5636, longitude: 7.5866 }, centre, 15)
    const land = await spot(page, { latitude: 47.5638, longitude: 7.5925 }, centre, 15)
    const day = [62, 143, 196] as [number, number, number]
    const night = [33, 104, 162] as [number, number, number]
    await expect.poll(() => hasColour(page, water.x, water.y, day)).toBe(true)
    await expect.poll(() => hasColour(page, land.x, land.y, day)).toBe(false)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => hasColour(page, water.x, water.y, night)).toBe(true)
    await expect.poll(() => hasColour(page, land.x, land.y, night)).toBe(false)
    expect(faults).toEqual([])
  })

  it('searches with the six filters, exactly at the default centre', async () => {
    const { page } = await at.visit('/', { viewport: small })
    const asked = searches(page)
    await page.goto('/dealsmap')
    await mapReady(page)
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    const query = Object.fromEntries(asked[0]!.searchParams)
    expect(query).toMatchObject({
      category: '',
      openNow: 'false',
      sponsored: 'false',
      radius: '5',
      lat: '47.5596',
      lon: '7.5886',
      view: 'map',
    })
  })

  it('keeps filters, words and layers in the address, for reload, back and sharing', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small })
    await mapReady(page)
    const all = await names(page)
    await page.getByRole('searchbox').fill('fondue')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/q=fondue/)
    await expect.poll(() => names(page)).not.toEqual(all)
    const fondue = await names(page)
    await page.getByText('Advanced options').click()
    await page.getByRole('checkbox', { name: 'Restaurants & merchants' }).check()
    await page.waitForURL(/layers=deals%2Cmerchants/)
    await page.getByRole('combobox', { name: 'Radius' }).selectOption('2')
    await page.waitForURL(/radius=2/)
    await page.getByRole('textbox', { name: 'Category' }).fill('Essen')
    await page.getByRole('textbox', { name: 'Category' }).press('Enter')
    await page.waitForURL(/category=Essen/)
    const before = page.url()
    await page.reload()
    await hydrated(page)
    await expect.poll(() => page.getByRole('textbox', { name: 'Category' }).inputValue()).toBe('Essen')
    await expect.poll(() => page.url()).toBe(before)
    for (const gone of [/category=/, /radius=/, /layers=/]) {
      await page.goBack()
      await page.waitForURL((url) => !gone.test(url.search))
    }
    await expect.poll(() => names(page)).toEqual(fondue)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('fondue')
    expect(faults).toEqual([])
  })

  it('keeps words that were typed but not sent while the map is moved and a card is opened', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    await mapAtRest(page)
    await page.getByRole('searchbox').fill('fondue')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForURL(/z=/)
    await items(page).first().getByRole('link').click()
    await page.waitForURL(/deal=/)
    await page.getByRole('article').getByRole('link', { name: 'Directions' }).waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('fondue')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/q=fondue/)
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('q'))
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    expect(faults).toEqual([])
  })

  it('hides and shows the filters, which are visible at first', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small })
    await hydrated(page)
    await expect.poll(() => page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Hide Filters' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show Filters' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(true)
  })

  it('on a phone closes the filters when the map is first moved, and leaves the most needed ones in a row', async () => {
    const { page, faults } = await at.visit(here, { viewport: phone, hasTouch: true })
    await mapAtRest(page)
    const field = page.getByLabel('Category')
    await expect.poll(() => field.isVisible()).toBe(true)
    const before = (await page.locator('#map').boundingBox())!.height
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(() => field.isVisible()).toBe(false)
    await expect.poll(async () => (await page.locator('#map').boundingBox())!.height).toBeGreaterThan(before + 80)
    await page.getByRole('button', { name: 'Events', exact: true }).click()
    await page.waitForURL(/layers=deals%2Cevents/)
    await page.getByRole('button', { name: 'Open Now' }).click()
    await page.waitForURL(/openNow=true/)
    // opened again, the panel stays open while the map moves
    await page.getByRole('button', { name: 'Show Filters' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(() => field.isVisible()).toBe(true)
    await expectNoSidewaysScroll(page)
    expect(faults).toEqual([])
  })

  it('closes its further options on Escape or a tap elsewhere, and names the chosen ones', async () => {
    const { page, faults } = await at.visit('/dealsmap?near=centre&sponsored=true&radius=2&sort=rating', {
      viewport: phone,
      hasTouch: true,
    })
    await mapReady(page)
    const filters = page.locator('search form')
    const chosenFilters = filters.getByText('within 2 km · Best rated · Premium deals only')
    await expect.poll(() => chosenFilters.isVisible()).toBe(true)
    const options = filters.locator('details')
    const isOpen = () => options.evaluate((details: HTMLDetailsElement) => details.open)
    await options.locator('summary').click()
    await page.locator('[name="radius"]').focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => isOpen()).toBe(false)
    await expect
      .poll(() => options.locator('summary').evaluate((summary) => summary === document.activeElement))
      .toBe(true)
    await options.locator('summary').click()
    await page.locator('[name="sponsored"]').uncheck()
    await filters.getByText('within 2 km · Best rated', { exact: true }).waitFor()
    await expect.poll(() => isOpen()).toBe(true)
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(() => isOpen()).toBe(false)
    // chosen options in the hidden panel are named too
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByRole('button', { name: 'Hide Filters' }).click()
    await filters.getByText('Open Now · within 2 km · Best rated', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('always has a layer: switching the last one off switches the other one on', async () => {
    const { page, faults } = await at.visit('/dealsmap?near=centre', { viewport: small })
    await mapReady(page)
    await page.getByText('Advanced options').click()
    const box = (layer: string) => page.locator(`[name="layers"][value="${layer}"]`)
    await box('deals').uncheck()
    await page.waitForURL(/layers=merchants/)
    await expect.poll(() => box('merchants').isChecked()).toBe(true)
    await page.locator('search form').getByText('Restaurants & merchants').last().waitFor()
    await box('merchants').uncheck()
    await expect.poll(() => page.url()).not.toContain('layers=')
    expect([await box('deals').isChecked(), await box('merchants').isChecked()]).toEqual([true, false])
    expect(faults).toEqual([])
  })

  it('leads by keyboard from the list to the card and back to the item', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small })
    await mapReady(page)
    const second = items(page).nth(1).getByRole('link')
    const name = await second.innerText()
    await second.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/deal=/)
    const card = page.getByRole('article', { name })
    await card.waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    await expect
      .poll(() => card.getByRole('link', { name: 'Directions' }).getAttribute('href'))
      .toMatch(/openstreetmap.*route=/)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    await expect.poll(() => page.url()).not.toContain('deal=')
    await page.goBack()
    await card.waitFor()
    expect(faults).toEqual([])
  })

  it('offers to search an area after the map has moved, and keeps the filters', async () => {
    const { page, faults } = await at.visit('/dealsmap?openNow=false&sort=distance', { viewport: small })
    await mapReady(page)
    await expect.poll(() => page.getByRole('button', { name: 'Search this area' }).count()).toBe(0)
    const here = await walkEast(page)
    const asked = searches(page)
    await here.click()
    await page.waitForURL(/bbox=/)
    await expect.poll(() => page.url()).toContain('sort=distance')
    await expect.poll(() => asked.length).toBe(2)
    for (const url of asked) expect(url.searchParams.get('bbox')).toMatch(/^7\.\d+,47\.\d+,7\.\d+,47\.\d+$/)
    expect(asked.map((url) => url.searchParams.get('view'))).toContain('map')
    await here.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('keeps the list and only logs when a search fails', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small, expected: /500|could not be updated/ })
    await mapReady(page)
    const before = await names(page)
    const logged = page.waitForEvent('console', { predicate: (message) => /could not be updated/.test(message.text()) })
    await page.route('**/api/deals/search?**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await logged
    await expect.poll(() => names(page)).toEqual(before)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('says that it updates while a search is running', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small })
    await mapReady(page)
    const go = await hold(page, '**/api/deals/search?**')
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByText('Updating Deals...').waitFor()
    go()
    await page.getByText('Updating Deals...').waitFor({ state: 'detached' })
  })

  it('says that it is loading before the map is there', async () => {
    const { page } = await at.visit('/', { viewport: small })
    const go = await hold(page, '**/assets/engine-*.js')
    await page.goto('/dealsmap')
    await page.getByText('Initializing Map...').waitFor()
    await expect.poll(() => items(page).count()).toBe(15)
    go()
    await mapReady(page)
    await page.getByText('Initializing Map...').waitFor({ state: 'detached' })
  })

  it('has a picture of the city in its place while it loads', async () => {
    for (const viewport of [small, phone]) {
      const { page, faults } = await at.visit('/', { viewport, colorScheme: 'light' })
      const go = await hold(page, '**/assets/engine-*.js')
      await page.goto('/dealsmap?q=nothing-at-all')
      const picture = page.locator('#map img[src^="/map/outline"]')
      await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
      const centre = { latitude: 47.5596, longitude: 7.5886 }
      // halfway between the Johanniterbrücke and the Mittlere Brücke
      const rhine = { latitude: 47.5636, longitude: 7.5866 }
      const map = (await page.locator('#map').boundingBox())!
      const covered = viewport === phone ? (await list(page).boundingBox())!.height : 0
      const still = await spot(page, rhine, centre, 13, { ...map, height: map.height - covered })
      await expect.poll(() => hasColour(page, still.x, still.y, rgb(mapInks.paper.river), 10)).toBe(true)
      await expect.poll(() => page.locator('[data-map-ready]').count()).toBe(0)
      go()
      await mapReady(page)
      await picture.waitFor({ state: 'detached' })
      await expect.poll(() => hasColour(page, still.x, still.y, rgb(mapInks.paper.river), 10)).toBe(true)
      expect(faults).toEqual([])
    }
  })

  it('is a sheet over the map on phones', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: phone, hasTouch: true })
    await mapReady(page)
    await expectNoSidewaysScroll(page)
    const height = async () => (await list(page).boundingBox())!.height
    const low = await height()
    for (let n = 0; n < 2; n++) {
      const before = await height()
      await page.getByRole('button', { name: 'Expand list' }).click()
      await expect.poll(height).toBeGreaterThan(before + 50)
    }
    await page.getByRole('button', { name: 'Collapse list' }).click()
    await expect.poll(height).toBe(low)
    expect(faults).toEqual([])
  })

  it('has room on phones for all options, the button of a card and the folded credits', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: phone, hasTouch: true })
    await mapReady(page)
    const credit = page.getByRole('link', { name: '© OpenStreetMap contributors' })
    await expect.poll(() => credit.count()).toBe(0)
    await page.getByRole('button', { name: 'Map credits' }).click()
    await credit.waitFor()
    await page.getByText('Advanced options').click()
    // under the sheet they could not be reached
    await page.getByLabel('Restaurants & merchants').click()
    await expect.poll(() => page.url()).toContain('layers=')
    await page.getByText('Advanced options').click()
    await items(page).first().getByRole('link').first().click()
    const open = page.getByRole('link', { name: 'View deal' })
    await open.waitFor()
    const bar = (await page.getByRole('navigation').filter({ visible: true }).last().boundingBox())!
    const box = (await open.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y)
    expect(faults).toEqual([])
  })

  it('is accessible, with the list and with a card, in both themes', async () => {
    for (const [viewport, colorScheme] of [
      [phone, 'dark'],
      [small, 'light'],
    ] as const) {
      const { page } = await at.visit('/dealsmap?layers=deals,merchants', { viewport, colorScheme })
      await mapReady(page)
      await expectAccessible(page)
      await items(page).first().getByRole('link').click()
      await page.getByRole('article').waitFor()
      // the card may have opened under the pointer: wait until its colour transition ends
      await page.mouse.move(1, 1)
      await settled(page.getByRole('article'))
      await expectAccessible(page)
    }
  })
})
