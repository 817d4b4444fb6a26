import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../src/kit/server/ids.ts'
import { addBusiness, addDeal, addEvent, addStage, bridge, eastOfBridge } from '../cast.ts'
import { mapInks } from '../../src/map/inks.ts'
import { expectAccessible, hydrated, inBrowser, useBrowser } from './browser.ts'
import {
  colourAt,
  hasColour,
  hold,
  items,
  list,
  mapAtRest,
  names,
  rgb,
  small,
  spot,
  withoutWebGl,
} from './map-pages.ts'

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
    await mapAtRest(page)
    await press(page, -300)
    await page.getByRole('article', { name: 'Plain beer' }).waitFor()
    await expect.poll(() => page.url()).toContain(`deal=${ids[0]}`)
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

  it('that arrive before the map has drawn a frame, as in a background tab, are drawn later', async () => {
    const { page, faults } = await at.visit('/help', { viewport: small })
    await page.addInitScript(() => {
      const frames: FrameRequestCallback[] = []
      const real = requestAnimationFrame.bind(window)
      let isHeld = true
      window.requestAnimationFrame = (frame) =>
        isHeld && document.querySelector('.maplibregl-canvas') ? frames.push(frame) : real(frame)
      Object.assign(window, {
        goOn() {
          isHeld = false
          for (const frame of frames) real(frame)
        },
      })
    })
    const release = await hold(page, /view=map/)
    const pins = page.waitForResponse(/view=map/)
    await page.goto(here)
    await page.locator('.maplibregl-canvas').waitFor({ state: 'attached' })
    release()
    await (await pins).finished()
    // until the screen has received them
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await page.evaluate(() => (window as unknown as { goOn(): void }).goOn())
    await mapAtRest(page)
    await press(page, -300)
    await page.getByRole('article', { name: 'Plain beer' }).waitFor()
    expect(faults).toEqual([])
  })

  it('at one place open a small list, whose items open their card', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    await mapAtRest(page)
    await press(page, 400)
    await page.getByRole('heading', { name: '2 entries at this place' }).waitFor()
    await page.getByRole('article').getByRole('link', { name: 'Second stand' }).click()
    await page.getByRole('article', { name: 'Second stand' }).waitFor()
    expect(faults).toEqual([])
  })

  it('at one place, opened by their address, follow a filter that is set and removed', async () => {
    const { latitude, longitude } = eastOfBridge(400)
    const box = [longitude - 0.00002, latitude - 0.00002, longitude + 0.00002, latitude + 0.00002]
    const { page, faults } = await at.visit(`${here}&at=${box.map((side) => side.toFixed(5)).join(',')}`, {
      viewport: small,
    })
    await mapAtRest(page)
    const stand = page.getByRole('article').getByRole('link', { name: 'Second stand' })
    await stand.waitFor()
    // their opening hours are unknown
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await stand.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Open Now' }).uncheck()
    await stand.waitFor()
    expect(faults).toEqual([])
  })

  it('of the layers events and useful places are on the map and in the list, with cards that link further', async () => {
    const { db } = at.app
    const stage_id = await addStage(db, 'Rheinbühne', { ...eastOfBridge(-450), step_free: true })
    const running = await addEvent(db, 'Glasshouse', '2026-06-20T17:00:00Z', { stage_id })
    const usefulPlace = (place_name: string, kind: string, metres: number) => {
      const updated_at = new Date('2026-06-01T00:00:00Z')
      return { place_id: newId(), place_name, kind, ...eastOfBridge(metres), updated_at }
    }
    // the second has the name that an import gives to places without one
    const useful = [usefulPlace('WC Brücke', 'toilet', 250), usefulPlace('Trinkwasser', 'water', -100)]
    await db.insertInto('useful_places').values(useful).execute()
    const { page, faults } = await at.visit(`${here}&layers=events,places`, { viewport: small })
    await mapAtRest(page)
    await items(page).filter({ hasText: 'Rheinbühne square' }).getByText('Until 20:00').waitFor()
    await expect.poll(() => list(page).getByText('Plain beer').count()).toBe(0)
    await press(page, 250, 0)
    const card = page.getByRole('article', { name: 'WC Brücke' })
    await card.getByText('Toilet').waitFor()
    await page.keyboard.press('Escape')
    await press(page, -100, 0)
    await page.getByRole('article', { name: 'Drinking water' }).waitFor()
    await page.keyboard.press('Escape')
    await press(page, -450, 0)
    const venue = page.getByRole('article', { name: 'Rheinbühne square' })
    await venue.getByText('Step-free').waitFor()
    await expect
      .poll(() => venue.getByRole('link', { name: 'Glasshouse' }).getAttribute('href'))
      .toBe(`/event/${running}`)
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('and their items in the list highlight each other', async () => {
    const { page } = await at.visit(here, { viewport: small })
    await mapAtRest(page)
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

  it('do not exist for a deal without coordinates, which stays in the list', async () => {
    const { page } = await at.visit(here, { viewport: small })
    await expect.poll(() => names(page)).toContain('Somewhere')
    await expect.poll(() => items(page).filter({ hasText: 'Somewhere' }).innerText()).toContain('no location')
  })

  it('show merchants without deals when their layer is on', async () => {
    const { page } = await at.visit(`${here}&layers=merchants`, { viewport: small })
    await mapAtRest(page)
    await expect.poll(() => names(page)).toContain('Stiller Laden')
    await expect.poll(() => names(page)).not.toContain('Plain beer')
    const { x, y } = await spot(page, { latitude: bridge.latitude + 0.002, longitude: bridge.longitude }, bridge, 15)
    await page.mouse.click(x, y)
    await page.getByRole('article', { name: 'Stiller Laden' }).getByRole('link', { name: 'View page' }).click()
    await page.waitForURL(`**/business/${silent}`)
  })

  it('of a merchant are highlighted, with the card, after "Show on map" on the merchant’s page', async () => {
    const { page, faults } = await at.visit('/', { viewport: small, colorScheme: 'light' })
    // the list does not show all merchants, and the server groups them: this one is shown anyway
    await page.route('**/api/business/search?**view=map**', (route) =>
      route.fulfill({ json: [{ cluster: 1203, ...eastOfBridge(900) }] }),
    )
    await page.goto(`/business/${silent}`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Show on map' }).click()
    const card = page.getByRole('article', { name: 'Stiller Laden' })
    await card.getByRole('link', { name: 'Directions' }).waitFor()
    // a search around the place itself shows no distance
    await expect.poll(() => card.innerText()).not.toMatch(/\d k?m/)
    await expect.poll(() => page.locator('[name="layers"][value="merchants"]').isChecked()).toBe(true)
    await mapAtRest(page)
    const canvas = (await page.locator('.maplibregl-canvas').boundingBox())!
    const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 }
    const { merchant, pinRim } = mapInks.paper
    await expect.poll(() => hasColour(page, middle.x, middle.y, rgb(merchant), 8)).toBe(true)
    await expect.poll(() => hasColour(page, middle.x + 25, middle.y, rgb(pinRim), 6)).toBe(true)
    // a reload shows the same
    await page.reload()
    await card.waitFor()
    await mapAtRest(page)
    await expect.poll(() => hasColour(page, middle.x + 25, middle.y, rgb(pinRim), 6)).toBe(true)
    // closing the card shows the list, with this place first
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('business=')
    await page.goBack()
    await card.waitFor()
    expect(faults).toEqual([])
  })

  it('of a merchant that no longer exists give a card that says so', async () => {
    const { page } = await at.visit(`${here}&business=nobody`, { viewport: small, expected: /404/ })
    await page.getByRole('article').getByText('This merchant is no longer available.').waitFor()
  })

  it('are not linked from pages of merchants and deals outside the map', async () => {
    const { db } = at.app
    const zurich = { latitude: 47.3769, longitude: 8.5417 }
    const far = await addBusiness(db, 'Limmatbar', zurich)
    const deal = await addDeal(db, far, 'Far beer')
    const { page, faults } = await at.visit(`/business/${silent}`)
    const toMap = page.getByRole('main').getByRole('link', { name: 'Show on map' })
    await expect.poll(() => toMap.count()).toBe(1)
    for (const path of [`/business/${far}`, `/deal/${deal}`]) {
      await page.goto(path)
      await hydrated(page)
      await expect.poll(() => page.getByRole('link', { name: 'Directions' }).count(), { message: path }).toBe(1)
      await expect.poll(() => toMap.count(), { message: path }).toBe(0)
    }
    // also by navigation within the app, where the browser asks for data
    await page.getByRole('main').getByRole('link', { name: 'Limmatbar' }).first().click()
    await page.getByRole('heading', { name: 'Limmatbar', level: 1 }).waitFor()
    await expect.poll(() => toMap.count()).toBe(0)
    await db.deleteFrom('deals').where('deal_id', '=', deal).execute()
    await db.deleteFrom('businesses').where('business_id', '=', far).execute()
    expect(faults).toEqual([])
  })

  it('grouped by the server are drawn, also those of merchants, with a lantern on the rim of a disc with premium deals', async () => {
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
    await mapAtRest(page)
    const disc = await spot(page, eastOfBridge(0), bridge, 15)
    const gathered = await spot(page, house, bridge, 15)
    const { cluster, premium, merchant } = mapInks.paper
    await expect.poll(() => hasColour(page, gathered.x, gathered.y, rgb(merchant))).toBe(true)
    // the disc has 33 px around its middle
    await expect.poll(() => hasColour(page, disc.x - 20, disc.y - 14, rgb(cluster), 4)).toBe(true)
    await expect.poll(() => hasColour(page, disc.x + 26, disc.y - 26, rgb(premium), 8)).toBe(true)
  })

  it('leave no empty ring: a cluster of merchants moves aside completely from a pin, with and without WebGL', async () => {
    const { page, faults } = await at.visit('/', { viewport: small, colorScheme: 'light' })
    await page.route('**/api/deals/search?**view=map**', (route) =>
      route.fulfill({ json: [{ deal_id: ids[1], ...bridge, is_premium: true }] }),
    )
    await page.route('**/api/business/search?**view=map**', (route) =>
      route.fulfill({ json: [{ cluster: 12, ...bridge }] }),
    )
    await page.goto(`${here}&layers=deals,merchants`)
    await mapAtRest(page)
    const lantern = await spot(page, bridge, bridge, 15)
    const { merchant, onMerchant } = mapInks.paper
    // above the lantern the cluster, filled and with its edge; below it, where the ring would end, nothing
    await expect.poll(() => hasColour(page, lantern.x, lantern.y - 36, rgb(onMerchant), 10)).toBe(true)
    await expect.poll(() => hasColour(page, lantern.x, lantern.y - 30, rgb(merchant), 10)).toBe(true)
    await expect.poll(() => hasColour(page, lantern.x, lantern.y + 18, rgb(onMerchant), 4)).toBe(false)
    // it can be tapped where it is visible
    await page.mouse.click(lantern.x, lantern.y - 32)
    await page.waitForURL(/z=17/)

    await page.addInitScript(withoutWebGl)
    await page.goto(`${here}&layers=deals,merchants`)
    expect(await mapAtRest(page)).toBe('outline')
    const number = page.locator('#map [data-mark^="merchants"]')
    const pin = page.locator('#map [data-mark]').last()
    await expect
      .poll(async () => {
        const ring = (await number.boundingBox())!
        return ring.y + ring.height / 2 - (await pin.boundingBox())!.y
      })
      .toBeLessThan(0)
    await expect.poll(() => number.textContent()).toBe('12')
    expect(faults).toEqual([])
  })

  it('are left out if their answer has no coordinates, and the others are drawn', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.route('**/api/deals/search?**view=map**', async (route) => {
      const answer = await route.fetch()
      const rows = (await answer.json()) as Record<string, unknown>[]
      rows[0]!['latitude'] = 'abc'
      rows[1]!['longitude'] = null
      await route.fulfill({ response: answer, json: rows })
    })
    await page.goto(here)
    await mapAtRest(page)
    await expect.poll(() => names(page)).toHaveLength(5)
    expect(faults).toEqual([])
  })
})
