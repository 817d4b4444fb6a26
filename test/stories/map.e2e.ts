import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { addBusiness, addDeal, bridge, eastOfBridge } from '../cast.ts'
import { mapInks } from '../../src/map/inks.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, settled, useBrowser } from './browser.ts'

const small = { width: 1100, height: 720 }

/** Waits until the map has been seen to show something, and says which basemap it is. */
async function mapReady(page: Page): Promise<string | null> {
  await page.locator('[data-map-ready]').waitFor()
  return page.locator('[data-map-ready]').getAttribute('data-map-ready')
}

const list = (page: Page) => page.getByRole('region', { name: 'Deals and places on the map' })
const items = (page: Page) => list(page).getByRole('listitem')
const names = (page: Page) => items(page).getByRole('heading').allInnerTexts()
const searches = (page: Page) => {
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/deals/search') asked.push(url)
  })
  return asked
}

/** Lets requests to an address wait, until what it answers is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Mean colour of a square of 8 × 8 pixels of the page. */
async function colourAt(page: Page, x: number, y: number): Promise<[number, number, number]> {
  const png = (await page.screenshot({ clip: { x: x - 4, y: y - 4, width: 8, height: 8 } })).toString('base64')
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const pen = new OffscreenCanvas(8, 8).getContext('2d')!
    pen.drawImage(picture, 0, 0)
    const { data } = pen.getImageData(0, 0, 8, 8)
    const sum = [0, 0, 0]
    for (let at = 0; at < data.length; at++) if (at % 4 < 3) sum[at % 4]! += data[at]!
    return sum.map((each) => Math.round(each / 64)) as [number, number, number]
  }, png)
}

const rgb = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]

/** Whether a colour stands in the square of that half side around a spot. */
async function hasColour(page: Page, x: number, y: number, [r, g, b]: [number, number, number], reach = 14) {
  const clip = { x: x - reach, y: y - reach, width: reach * 2, height: reach * 2 }
  const png = (await page.screenshot({ clip })).toString('base64')
  return page.evaluate(
    async ({ base64, wanted }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!
      pen.drawImage(picture, 0, 0)
      const { data } = pen.getImageData(0, 0, picture.width, picture.height)
      let found = 0
      for (let at = 0; at < data.length; at += 4)
        if (wanted.every((value, channel) => Math.abs(value - data[at + channel]!) < 12)) found++
      return found > 20
    },
    { base64: png, wanted: [r, g, b] },
  )
}

/** Where a place lies on the page while the map stands at `centre` with `zoom`. */
async function spot(
  page: Page,
  place: { latitude: number; longitude: number },
  centre: typeof place,
  zoom: number,
  within?: { x: number; y: number; width: number; height: number },
) {
  const box = within ?? (await page.locator('.maplibregl-canvas').boundingBox())!
  const world = 512 * 2 ** zoom
  const x = (longitude: number) => ((longitude + 180) / 360) * world
  const y = (latitude: number) =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI)) * world
  return {
    x: box.x + box.width / 2 + x(place.longitude) - x(centre.longitude),
    y: box.y + box.height / 2 + y(place.latitude) - y(centre.latitude),
  }
}

/** The middle of the first mark of a still map that nothing lies on, and the number in it. */
const uncovered = (page: Page, selector: string) =>
  page.locator(`#map ${selector}`).evaluateAll((all) => {
    const spots = all.map((each) => ({ each, box: each.getBoundingClientRect() }))
    const middles = spots.map(({ each, box }) => ({ each, x: box.x + box.width / 2, y: box.y + box.height / 2 }))
    const found = middles.find(({ each, x, y }) => each.contains(document.elementFromPoint(x, y)))
    return found && { x: found.x, y: found.y, count: Number(found.each.textContent) }
  })

inBrowser('the deals map', () => {
  const at = useBrowser()

  it('shows the city, the deals and their list, with nothing foreign loaded', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small })
    expect(await mapReady(page)).toBe('drawing')
    expect(await page.locator('h1').innerText()).toBe('Discover Local Deals')
    expect(await items(page).count()).toBe(20)
    await expect.poll(() => list(page).getByRole('status').textContent()).toMatch(/\d+ deals in this area, 20 shown/)
    for (const name of ['Zoom in', 'Zoom out', 'Show where I am'])
      expect(await page.getByRole('button', { name }).isVisible()).toBe(true)
    expect(await page.getByText('Initializing Map...').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Map data' }).isVisible()).toBe(true)
    expect(await page.getByRole('region', { name: 'Map of the deals' }).first().isVisible()).toBe(true)
    expect(faults).toEqual([])
  })

  it('has the Rhine where the Rhine is, by day and by night', async () => {
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
    expect(await hasColour(page, land.x, land.y, day)).toBe(false)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => hasColour(page, water.x, water.y, night)).toBe(true)
    expect(await hasColour(page, land.x, land.y, night)).toBe(false)
    expect(faults).toEqual([])
  })

  it('asks with the six filters, at the default centre exactly', async () => {
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
    expect(await page.getByRole('textbox', { name: 'Category' }).inputValue()).toBe('Essen')
    expect(page.url()).toBe(before)
    for (const gone of [/category=/, /radius=/, /layers=/]) {
      await page.goBack()
      await page.waitForURL((url) => !gone.test(url.search))
    }
    await expect.poll(() => names(page)).toEqual(fondue)
    expect(await page.getByRole('searchbox').inputValue()).toBe('fondue')
    expect(faults).toEqual([])
  })

  it('hides and shows the filters, which are there from the start', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small })
    await hydrated(page)
    expect(await page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Hide Filters' }).click()
    expect(await page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show Filters' }).click()
    expect(await page.getByRole('checkbox', { name: 'Open Now' }).isVisible()).toBe(true)
  })

  it('closes its further options by Escape and by a press elsewhere, and says what is chosen in them', async () => {
    const { page, faults } = await at.visit('/dealsmap?near=centre&sponsored=true&radius=2&sort=rating', {
      viewport: phone,
      hasTouch: true,
    })
    await mapReady(page)
    const filters = page.locator('search form')
    const told = filters.getByText('within 2 km · Best rated · Premium deals only')
    expect(await told.isVisible()).toBe(true)
    const options = filters.locator('details')
    const isOpen = () => options.evaluate((details: HTMLDetailsElement) => details.open)
    await options.locator('summary').click()
    await page.locator('[name="radius"]').focus()
    await page.keyboard.press('Escape')
    expect(await isOpen()).toBe(false)
    expect(await options.locator('summary').evaluate((summary) => summary === document.activeElement)).toBe(true)
    await options.locator('summary').click()
    await page.locator('[name="sponsored"]').uncheck()
    await filters.getByText('within 2 km · Best rated', { exact: true }).waitFor()
    expect(await isOpen()).toBe(true)
    await page.getByRole('heading', { level: 1 }).click()
    expect(await isOpen()).toBe(false)
    // what is hidden with the panel is told too
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByRole('button', { name: 'Hide Filters' }).click()
    await filters.getByText('Open Now · within 2 km · Best rated', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('always has a layer: who takes the last one away gets the other one', async () => {
    const { page, faults } = await at.visit('/dealsmap?near=centre', { viewport: small })
    await mapReady(page)
    await page.getByText('Advanced options').click()
    const box = (layer: string) => page.locator(`[name="layers"][value="${layer}"]`)
    await box('deals').uncheck()
    await page.waitForURL(/layers=merchants/)
    expect(await box('merchants').isChecked()).toBe(true)
    await page.locator('search form').getByText('Restaurants & merchants').last().waitFor()
    await box('merchants').uncheck()
    await expect.poll(() => page.url()).not.toContain('layers=')
    expect([await box('deals').isChecked(), await box('merchants').isChecked()]).toEqual([true, false])
    expect(faults).toEqual([])
  })

  it('goes by keyboard from the list to the card and back to the item', async () => {
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
    expect(await card.getByRole('link', { name: 'Directions' }).getAttribute('href')).toMatch(/openstreetmap.*route=/)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    expect(page.url()).not.toContain('deal=')
    await page.goBack()
    await card.waitFor()
    expect(faults).toEqual([])
  })

  it('offers to search an area after the map has moved, and keeps the filters', async () => {
    const { page, faults } = await at.visit('/dealsmap?openNow=false&sort=distance', { viewport: small })
    await mapReady(page)
    const here = page.getByRole('button', { name: 'Search this area' })
    expect(await here.count()).toBe(0)
    await page.locator('.maplibregl-canvas').focus()
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight')
    await here.waitFor()
    const asked = searches(page)
    await here.click()
    await page.waitForURL(/bbox=/)
    expect(page.url()).toContain('sort=distance')
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
    expect(await names(page)).toEqual(before)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('says that it updates while a search is on its way', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small })
    await mapReady(page)
    const go = await hold(page, '**/api/deals/search?**')
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByText('Updating Deals...').waitFor()
    go()
    await page.getByText('Updating Deals...').waitFor({ state: 'detached' })
  })

  it('says what it waits for before the map has loaded', async () => {
    const { page } = await at.visit('/', { viewport: small })
    const go = await hold(page, '**/assets/engine-*.js')
    await page.goto('/dealsmap')
    await page.getByText('Initializing Map...').waitFor()
    expect(await items(page).count()).toBe(20)
    go()
    await mapReady(page)
    await page.getByText('Initializing Map...').waitFor({ state: 'detached' })
  })

  it('has built its shaders and drawn the common letters before its tiles come', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      const count = ((globalThis as unknown as { made: object }).made = { programs: 0, letters: 0 })
      const tell = (prototype: object, name: string, noted: () => void) => {
        const own = Object.getOwnPropertyDescriptor(prototype, name)!
        const apply = (method: () => unknown, on: unknown, args: unknown[]) => {
          noted()
          return Reflect.apply(method, on, args) as unknown
        }
        Object.defineProperty(prototype, name, { ...own, value: new Proxy(own.value as () => unknown, { apply }) })
      }
      tell(WebGL2RenderingContext.prototype, 'linkProgram', () => count.programs++)
      tell(OffscreenCanvasRenderingContext2D.prototype, 'fillText', () => count.letters++)
    })
    const made = () =>
      page.evaluate(() => ({ ...(globalThis as unknown as { made: { programs: number; letters: number } }).made }))
    const go = await hold(page, '**/map/drawing.json')
    await page.goto('/dealsmap')
    // the last letter is the last thing to be made ahead
    await expect.poll(async () => (await made()).letters).toBeGreaterThan(130)
    const before = await made()
    go()
    expect(await mapReady(page)).toBe('drawing')
    const after = await made()
    expect(after.programs).toBe(before.programs)
    expect(after.letters - before.letters).toBeLessThan(40)
    expect(faults).toEqual([])
  })

  it('has a picture of the city at its place until it is there', async () => {
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
      expect(await hasColour(page, still.x, still.y, rgb(mapInks.paper.river), 10)).toBe(true)
      expect(await page.locator('[data-map-ready]').count()).toBe(0)
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
      await page.getByRole('button', { name: 'Larger' }).click()
      await expect.poll(height).toBeGreaterThan(before + 50)
    }
    await page.getByRole('button', { name: 'Smaller' }).click()
    await expect.poll(height).toBe(low)
    expect(faults).toEqual([])
  })

  it('has room on phones for all options, the button of a card and, folded away, the credits', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: phone, hasTouch: true })
    await mapReady(page)
    const credit = page.getByRole('link', { name: '© OpenStreetMap contributors' })
    expect(await credit.count()).toBe(0)
    await page.getByRole('button', { name: 'Map credits' }).click()
    await credit.waitFor()
    await page.getByText('Advanced options').click()
    // would not be reached under the sheet
    await page.getByLabel('Restaurants & merchants').click({ timeout: 5000 })
    await expect.poll(() => page.url()).toContain('layers=')
    await page.getByText('Advanced options').click()
    await items(page).first().getByRole('link').first().click()
    const open = page.getByRole('link', { name: 'Open deal' })
    await open.waitFor()
    const bar = (await page.getByRole('navigation').filter({ visible: true }).last().boundingBox())!
    const box = (await open.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y)
    expect(faults).toEqual([])
  })

  it('is accessible, with the list and with a card, by day and by night', async () => {
    for (const [viewport, colorScheme] of [
      [small, 'light'],
      [phone, 'dark'],
    ] as const) {
      const { page } = await at.visit('/dealsmap?layers=deals,merchants', { viewport, colorScheme })
      await mapReady(page)
      await expectAccessible(page)
      await items(page).first().getByRole('link').click()
      await page.getByRole('article').waitFor()
      // the card may have opened under the pointer; colours on their way are nobody's
      await page.mouse.move(1, 1)
      await settled(page.getByRole('article'))
      await expectAccessible(page)
    }
  })
})

inBrowser('pins', () => {
  const at = useBrowser({})
  const here = `/dealsmap?lat=${bridge.latitude}&lon=${bridge.longitude}&z=15`
  let ids: string[] = []
  let silent: string

  beforeAll(async () => {
    const { db } = at.app
    const plain = await addBusiness(db, 'Uferbar', eastOfBridge(-300))
    const golden = await addBusiness(db, 'Goldener Hahn', { subscription_tier: 'PREMIUM', ...eastOfBridge(200) })
    const house = await addBusiness(db, 'Markthalle', eastOfBridge(400))
    silent = await addBusiness(db, 'Stiller Laden', { latitude: bridge.latitude + 0.002, longitude: bridge.longitude })
    ids = [
      await addDeal(db, plain, 'Plain beer'),
      await addDeal(db, golden, 'Golden egg'),
      await addDeal(db, house, 'First stand'),
      await addDeal(db, house, 'Second stand'),
      await addDeal(db, plain, 'Somewhere', { latitude: null, longitude: null }),
    ]
  })

  const press = async (page: Page, metresEast: number, rise = 12) => {
    const { x, y } = await spot(page, eastOfBridge(metresEast), bridge, 15)
    await page.mouse.click(x, y - rise)
  }

  it('open the card of their deal, also after the theme has changed', async () => {
    const { page, faults } = await at.visit(here, { viewport: small, colorScheme: 'light' })
    await mapReady(page)
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    await press(page, -300)
    await page.getByRole('article', { name: 'Plain beer' }).waitFor()
    expect(page.url()).toContain(`deal=${ids[0]}`)
    await page.keyboard.press('Escape')
    await press(page, 200, 0)
    await page.getByRole('article', { name: 'Golden egg' }).waitFor()
    await page.keyboard.press('Escape')
    const { x, y } = await spot(page, eastOfBridge(200), bridge, 15)
    const isLantern = () => hasColour(page, x, y, [255, 194, 71])
    await page.mouse.move(10, 10)
    await expect.poll(isLantern).toBe(true)
    await page.emulateMedia({ colorScheme: 'dark' })
    const land = await spot(page, { latitude: 47.5638, longitude: 7.5925 }, bridge, 15)
    await expect.poll(async () => (await colourAt(page, land.x, land.y))[0]).toBeLessThan(120)
    await expect.poll(isLantern).toBe(true)
    expect(faults).toEqual([])
  })

  it('at one place open a small list, and a choice of it its card', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    await mapReady(page)
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    await press(page, 400)
    await page.getByRole('heading', { name: '2 entries at this place' }).waitFor()
    await page.getByRole('article').getByRole('link', { name: 'Second stand' }).click()
    await page.getByRole('article', { name: 'Second stand' }).waitFor()
    expect(faults).toEqual([])
  })

  it('and the list mark each other', async () => {
    const { page } = await at.visit(here, { viewport: small })
    await mapReady(page)
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    const { x, y } = await spot(page, eastOfBridge(200), bridge, 15)
    await page.mouse.move(x, y)
    await expect.poll(() => list(page).locator('[data-marked]').innerText()).toContain('Golden egg')
    await page.mouse.move(x, y + 120)
    await expect.poll(() => list(page).locator('[data-marked]').count()).toBe(0)
    const around = await spot(page, eastOfBridge(-300), bridge, 15)
    const plain = await colourAt(page, around.x + 21, around.y)
    await items(page).filter({ hasText: 'Plain beer' }).hover()
    await expect.poll(() => colourAt(page, around.x + 21, around.y)).not.toEqual(plain)
  })

  it('are not there for a deal without coordinates, which stays in the list', async () => {
    const { page } = await at.visit(here, { viewport: small })
    await expect.poll(() => names(page)).toContain('Somewhere')
    expect(await items(page).filter({ hasText: 'Somewhere' }).innerText()).toContain('no location')
  })

  it('show merchants without deals when their layer is on', async () => {
    const { page } = await at.visit(`${here}&layers=merchants`, { viewport: small })
    await mapReady(page)
    expect(await names(page)).toContain('Stiller Laden')
    expect(await names(page)).not.toContain('Plain beer')
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    const { x, y } = await spot(page, { latitude: bridge.latitude + 0.002, longitude: bridge.longitude }, bridge, 15)
    await page.mouse.click(x, y)
    await page.getByRole('article', { name: 'Stiller Laden' }).getByRole('link', { name: 'Open page' }).click()
    await page.waitForURL(`**/business/${silent}`)
  })

  it('of a merchant is marked, with its card, for who comes from its page by "Show on map"', async () => {
    const { page, faults } = await at.visit('/', { viewport: small, colorScheme: 'light' })
    // more merchants than the list shows, and gathered by the server: it is there all the same
    await page.route('**/api/business/search?**view=map**', (route) =>
      route.fulfill({ json: [{ cluster: 1203, ...eastOfBridge(900) }] }),
    )
    await page.goto(`/business/${silent}`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Show on map' }).click()
    const card = page.getByRole('article', { name: 'Stiller Laden' })
    await card.getByRole('link', { name: 'Directions' }).waitFor()
    // a search around the very place tells no distance
    expect(await card.innerText()).not.toMatch(/\d k?m/)
    expect(await page.locator('[name="layers"][value="merchants"]').isChecked()).toBe(true)
    await mapReady(page)
    const canvas = (await page.locator('.maplibregl-canvas').boundingBox())!
    const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 }
    const { merchant, pinRim } = mapInks.paper
    await expect.poll(() => hasColour(page, middle.x, middle.y, rgb(merchant), 8)).toBe(true)
    await expect.poll(() => hasColour(page, middle.x + 25, middle.y, rgb(pinRim), 6)).toBe(true)
    // a reload shows the same
    await page.reload()
    await card.waitFor()
    await mapReady(page)
    await expect.poll(() => hasColour(page, middle.x + 25, middle.y, rgb(pinRim), 6)).toBe(true)
    // it closes into the list, where the place comes first
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('business=')
    await page.goBack()
    await card.waitFor()
    expect(faults).toEqual([])
  })

  it('of a merchant that is no more is a card that says so', async () => {
    const { page } = await at.visit(`${here}&business=nobody`, { viewport: small, expected: /404/ })
    await page.getByRole('article').getByText('This merchant cannot be shown any more.').waitFor()
  })

  it('have no way from the pages of merchants and deals that lie beyond the map', async () => {
    const { db } = at.app
    const zurich = { latitude: 47.3769, longitude: 8.5417 }
    const far = await addBusiness(db, 'Limmatbar', zurich)
    const deal = await addDeal(db, far, 'Far beer')
    const { page, faults } = await at.visit(`/business/${silent}`)
    const toMap = page.getByRole('main').getByRole('link', { name: 'Show on map' })
    expect(await toMap.count()).toBe(1)
    for (const path of [`/business/${far}`, `/deal/${deal}`]) {
      await page.goto(path)
      await hydrated(page)
      expect(await page.getByRole('link', { name: 'Directions' }).count(), path).toBe(1)
      expect(await toMap.count(), path).toBe(0)
    }
    // by a link as well, where the browser asks
    await page.getByRole('main').getByRole('link', { name: 'Limmatbar' }).first().click()
    await page.getByRole('heading', { name: 'Limmatbar', level: 1 }).waitFor()
    expect(await toMap.count()).toBe(0)
    await db.deleteFrom('deals').where('deal_id', '=', deal).execute()
    await db.deleteFrom('businesses').where('business_id', '=', far).execute()
    expect(faults).toEqual([])
  })

  it('gathered by the server are drawn, of merchants too, and a star hides no number', async () => {
    const { page } = await at.visit('/', { viewport: small, colorScheme: 'light' })
    const house = eastOfBridge(300)
    const deals = [
      { deal_id: ids[1], ...eastOfBridge(0), is_premium: true },
      { cluster: 2500, ...eastOfBridge(0), premium: 0 },
    ]
    await page.route('**/api/deals/search?**view=map**', (route) => route.fulfill({ json: deals }))
    await page.route('**/api/business/search?**view=map**', (route) =>
      route.fulfill({
        json: [
          { cluster: 1203, ...house },
          { cluster: 1000, ...eastOfBridge(320) },
        ],
      }),
    )
    await page.goto(`${here}&layers=deals,merchants`)
    await mapReady(page)
    const star = await spot(page, eastOfBridge(0), bridge, 15)
    const gathered = await spot(page, house, bridge, 15)
    const { cluster, merchant } = mapInks.paper
    await expect.poll(() => hasColour(page, gathered.x, gathered.y, rgb(merchant))).toBe(true)
    // the circle ends 36 px above its middle
    await expect.poll(() => hasColour(page, star.x, star.y - 44, rgb(cluster), 8)).toBe(true)
  })

  it('leave no empty ring: a number of merchants steps aside as a whole from a pin, with and without WebGL', async () => {
    const { page, faults } = await at.visit('/', { viewport: small, colorScheme: 'light' })
    await page.route('**/api/deals/search?**view=map**', (route) =>
      route.fulfill({ json: [{ deal_id: ids[1], ...bridge, is_premium: true }] }),
    )
    await page.route('**/api/business/search?**view=map**', (route) =>
      route.fulfill({ json: [{ cluster: 12, ...bridge }] }),
    )
    await page.goto(`${here}&layers=deals,merchants`)
    await mapReady(page)
    const star = await spot(page, bridge, bridge, 15)
    const { merchant, onMerchant } = mapInks.paper
    // above the star: the number, filled and with its rim; below it, where the ring would end, nothing
    await expect.poll(() => hasColour(page, star.x, star.y - 36, rgb(onMerchant), 10)).toBe(true)
    expect(await hasColour(page, star.x, star.y - 30, rgb(merchant), 10)).toBe(true)
    expect(await hasColour(page, star.x, star.y + 18, rgb(onMerchant), 4)).toBe(false)
    // it is pressed where it is seen
    await page.mouse.click(star.x, star.y - 32)
    await page.waitForURL(/z=17/)

    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = (() => null) as never
    })
    await page.goto(`${here}&layers=deals,merchants`)
    expect(await mapReady(page)).toBe('outline')
    const number = page.locator('#map [data-mark^="merchants"]')
    const pin = page.locator('#map [data-mark]').last()
    await expect
      .poll(async () => {
        const ring = (await number.boundingBox())!
        return ring.y + ring.height / 2 - (await pin.boundingBox())!.y
      })
      .toBeLessThan(0)
    expect(await number.textContent()).toBe('12')
    expect(faults).toEqual([])
  })

  it('that are missing because the answer holds no numbers do no harm', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.route('**/api/deals/search?**view=map**', async (route) => {
      const answer = await route.fetch()
      const rows = (await answer.json()) as Record<string, unknown>[]
      rows[0]!['latitude'] = 'abc'
      rows[1]!['longitude'] = null
      await route.fulfill({ response: answer, json: rows })
    })
    await page.goto(here)
    await mapReady(page)
    await expect.poll(() => names(page)).toHaveLength(5)
    expect(faults).toEqual([])
  })
})

inBrowser('the own position', () => {
  const at = useBrowser()
  const own = { latitude: 47.554321, longitude: 7.601234 }

  it('is asked for on opening, sent rounded, and drawn as a blue circle in the middle', async () => {
    const { page, faults } = await at.visit('/', {
      viewport: small,
      geolocation: own,
      permissions: ['geolocation'],
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto('/dealsmap')
    await page.waitForURL(/near=47\.554%2C7\.601/)
    await mapReady(page)
    await expect.poll(() => sent.some((url) => /lat=47\.554&lon=7\.601(&|$)/.test(url))).toBe(true)
    expect(sent.join(' ')).not.toMatch(/47\.55432|7\.60123/)
    await page.locator('.maplibregl-canvas').waitFor()
    const box = (await page.locator('.maplibregl-canvas').boundingBox())!
    await expect
      .poll(async () => {
        return hasColour(page, box.x + box.width / 2, box.y + box.height / 2, [22, 104, 201], 8)
      })
      .toBe(true)
    expect(faults).toEqual([])
  })

  it('in the address wins and nothing is asked', async () => {
    const { page } = await at.visit('/', { viewport: small, geolocation: own, permissions: ['geolocation'] })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = () => document.documentElement.setAttribute('data-asked', '')
    })
    await page.goto('/dealsmap?lat=47.57&lon=7.59&z=14')
    await mapReady(page)
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    expect(page.url()).toMatch(/lat=47\.57&lon=7\.59&z=14$/)
    expect(await page.locator('html').getAttribute('data-asked')).toBeNull()
  })

  it('denied leaves the default centre; the button then says what to do', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) =>
        refused!({ code: 1, message: '', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 })
    })
    await page.goto('/dealsmap')
    await mapReady(page)
    await list(page).getByText('The map shows the festival centre.').first().waitFor()
    await page.getByRole('button', { name: 'Show where I am' }).click()
    await list(page)
      .getByText(/Allow the location for this site/)
      .first()
      .waitFor()
    expect(page.url()).not.toContain('near=')
    expect(faults).toEqual([])
  })

  it('that the map shows the festival is said until somebody has moved it', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) =>
        refused!({ code: 1, message: '', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 })
    })
    await page.goto('/dealsmap')
    await mapReady(page)
    const note = list(page).getByText('The map shows the festival centre.')
    await note.first().waitFor()
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => note.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('far away leaves the map where it is and says so, on opening and when asked', async () => {
    const { page, faults } = await at.visit('/', {
      viewport: small,
      geolocation: { latitude: 46.948, longitude: 7.447 },
      permissions: ['geolocation'],
    })
    await page.goto('/dealsmap')
    await mapReady(page)
    await list(page).getByText('You are 69 km from the festival, so the map shows its centre.').first().waitFor()
    const url = page.url()
    const all = await names(page)
    await page.getByRole('button', { name: 'Show where I am' }).click()
    await list(page)
      .getByText(/You are 69 km from the festival, beyond the edge of this map/)
      .first()
      .waitFor()
    expect(page.url()).toBe(url)
    expect(await names(page)).toEqual(all)
    expect(faults).toEqual([])
  })

  it('in the address and beyond the map gives way to the festival centre, without scripts too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, faults } = await at.visit('/dealsmap?near=46.948,7.447&lat=46.948&lon=7.447&z=15&q=fondue', {
        viewport: small,
        javaScriptEnabled,
      })
      await list(page)
        .getByText(/lies beyond the map, so it shows the festival centre/)
        .first()
        .waitFor()
      expect((await names(page)).length).toBeGreaterThan(0)
      if (!javaScriptEnabled) continue
      await mapReady(page)
      await page.locator('.maplibregl-canvas').focus()
      for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
      await page.waitForURL(/lat=47\./)
      await expect
        .poll(() =>
          list(page)
            .getByText(/lies beyond the map/)
            .count(),
        )
        .toBe(0)
      expect(faults).toEqual([])
    }
  })

  it('that is not found brings who asked for it back to the festival', async () => {
    const { page } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) =>
        refused!({ code: 3, message: '', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 })
    })
    await page.goto('/dealsmap?lat=47.57&lon=7.61&z=15')
    await mapReady(page)
    await page.getByRole('button', { name: 'Show where I am' }).click()
    await list(page)
      .getByText(/could not be found. The map shows the festival centre/)
      .first()
      .waitFor()
    await page.waitForURL((url) => url.search === '')
  })

  it('that never comes is given up after ten seconds', async () => {
    const { page } = await at.visit('/', { viewport: small })
    await page.clock.install()
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (_found, _refused, options) =>
        document.documentElement.setAttribute('data-timeout', String(options?.timeout))
    })
    await page.goto('/dealsmap')
    await hydrated(page)
    await expect.poll(() => page.locator('html').getAttribute('data-timeout')).toBe('10000')
    // beside what is run here the clock goes on by itself, so a busy machine has two seconds
    await page.clock.runFor(8_000)
    expect(
      await list(page)
        .getByText(/could not be found/)
        .count(),
    ).toBe(0)
    await page.clock.runFor(2_100)
    await list(page)
      .getByText(/could not be found/)
      .first()
      .waitFor()
  })
})

inBrowser('the map without', () => {
  const at = useBrowser()

  it('WebGL is the list and a picture of the city with pins', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = (() => null) as never
    })
    await page.goto('/dealsmap')
    expect(await mapReady(page)).toBe('outline')
    expect(await items(page).count()).toBe(20)
    await page.locator('img[src^="/map/outline"]').waitFor()
    const marks = page.locator('#map [data-mark]')
    await expect.poll(() => marks.count()).toBeGreaterThan(10)
    await list(page)
      .getByText(/cannot draw the map/)
      .first()
      .waitFor()
    await items(page).first().getByRole('link').click()
    await page.getByRole('article').waitFor()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('WebGL can be moved and enlarged all the same: by its numbers, by hand, by keys and by its buttons', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = (() => null) as never
    })
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
    // finer lines and smaller names for a nearer look
    expect(await picture.getAttribute('src')).toBe('/map/outline-near-paper.svg')
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(width).toBeLessThan(wide)
    await page.getByRole('application', { name: 'Map of the deals' }).focus()
    await page.keyboard.press('+')
    await expect.poll(width).toBeGreaterThan(wide)
    const before = (await picture.boundingBox())!
    const map = (await page.locator('#map').boundingBox())!
    await page.mouse.move(map.x + 300, map.y + 300)
    await page.mouse.down()
    await page.mouse.move(map.x + 100, map.y + 250, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await picture.boundingBox())!.x - before.x)).toBe(-200)
    const here = page.getByRole('button', { name: 'Search this area' })
    await here.click()
    await page.waitForURL(/bbox=7\./)
    const pin = await uncovered(page, '[data-mark]:not([data-mark^="deals"])')
    await page.mouse.click(pin!.x, pin!.y)
    await page.getByRole('article').waitFor()
    expect(faults).toEqual([])
  })

  it('JavaScript is hero, filters, list, card and picture', async () => {
    const { page } = await at.visit('/dealsmap', { viewport: small, javaScriptEnabled: false })
    expect(await page.locator('h1').innerText()).toBe('Discover Local Deals')
    expect(await items(page).count()).toBe(20)
    expect(
      await page.locator('img[src^="/map/outline"]').evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(0)
    expect(await page.getByText('Initializing Map...').count()).toBe(0)
    await page.getByRole('searchbox').fill('fondue')
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.getByRole('button', { name: 'Search' }).first().click()
    expect(new URL(page.url()).pathname).toBe('/dealsmap')
    expect(page.url()).toMatch(/q=fondue.*openNow=true/)
    await page.goto('/dealsmap?q=fondue')
    const first = items(page).first().getByRole('link')
    const name = await first.innerText()
    await first.click()
    await page.getByRole('article', { name }).waitFor()
  })

  it('a good address still shows a map', async () => {
    for (const query of ['lat=abc&lon=1e9', 'bbox=9,9,1,1', 'z=99', 'radius=-1', 'layers=moon', 'deal=nope', 'q=%00']) {
      const answer = await fetch(`${at.app.url}/dealsmap?${query}`)
      expect(answer.status, query).toBe(200)
      expect(await answer.text(), query).toContain('Discover Local Deals')
    }
  })
})
