import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aVisitor } from '../people.ts'
import { loggedIn } from './account-pages.ts'
import { expectNoSidewaysScroll, hydrated, hydratedFooter, inBrowser, phone, settled, useBrowser } from './browser.ts'
import { here, list, mapAtRest, small, touch, walkEast, withoutWebGl } from './map-pages.ts'

const item = (page: Page, n: number) => list(page).getByRole('listitem').nth(n).getByRole('link')
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

/** Waits until the page stops scrolling after a swipe: while it moves, the next touch would scroll it too. */
async function restOfScroll(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((rests) => {
        let [last, frames] = [scrollY, 0]
        const look = () => {
          frames = scrollY === last ? frames + 1 : 0
          last = scrollY
          if (frames > 10) rests()
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
}

inBrowser('on the map', () => {
  const at = useBrowser()

  it('a list that is older than its filters shows its age, and is loaded again when the network is back', async () => {
    const { page, context, faults } = await at.visit(here, {
      viewport: small,
      expected: /INTERNET_DISCONNECTED|could not be updated/,
    })
    await mapAtRest(page)
    await context.setOffline(true)
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    const since = list(page).getByText(/^Last updated: \d\d:\d\d, before your last change\.$/)
    await since.waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    // a failed retry by hand keeps the list
    await list(page).getByRole('button', { name: 'Update the list' }).click()
    await since.waitFor()
    await context.setOffline(false)
    await since.waitFor({ state: 'detached' })
    await expect.poll(() => list(page).getByRole('status').innerText()).not.toContain('from')
    expect(faults).toEqual([])
  })

  it('a search that guesses says so beside the map, and shows the nearest result', async () => {
    const { page, faults } = await at.visit('/', { viewport: phone, hasTouch: true })
    // the outline moves at once to it
    await page.addInitScript(withoutWebGl)
    await page.goto(here)
    await mapAtRest(page)
    await page.getByRole('searchbox').fill('piza margerita')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.waitForURL(/q=piza/)
    const guessed = 'No exact match for “piza margerita”. Close matches:'
    await expect.poll(() => list(page).getByRole('status').innerText()).toContain(`1 deal, 1 shown. ${guessed}`)
    await expect.poll(() => list(page).getByText(guessed, { exact: true }).isVisible()).toBe(true)
    // the result was above the upper edge; one step closer the zoom is not 14 any more
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const zoom = () => Number(new URL(page.url()).searchParams.get('z'))
    await expect.poll(zoom).toBeGreaterThan(12.5)
    expect(zoom()).toBeLessThan(13.95)
    await page.getByRole('searchbox').fill('')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.searchParams.has('q'))
    await expect.poll(() => list(page).getByText(guessed).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('a map left open for hours is loaded again when the visitor comes back, and without a network shows its age', async () => {
    const { page, context, faults } = await at.visit('/help', {
      viewport: small,
      expected: /INTERNET_DISCONNECTED|could not be updated/,
    })
    const opened = Date.now()
    await page.clock.install({ time: opened })
    await page.goto(here)
    await mapAtRest(page)
    const comeBackAfter = async (hours: number) => {
      await page.clock.setSystemTime(opened + hours * 60 * 60_000)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    }
    const answered = page.waitForResponse('**/api/deals/search?**limit=15**')
    await comeBackAfter(3)
    await answered
    await context.setOffline(true)
    const old = list(page).getByText(/^Last updated: .*\d\d:\d\d\.$/)
    // answers that are still on their way may arrive first
    let hours = 6
    const comeBack = async () => {
      await comeBackAfter(hours++)
      return old.count()
    }
    await expect.poll(comeBack, { interval: 300 }).toBe(1)
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(15)
    await context.setOffline(false)
    await list(page)
      .getByText(/^Last updated/)
      .waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('missing pins have a message and are loaded again by themselves', async () => {
    const { page, faults } = await at.visit('/', { viewport: small, expected: /503|could not be updated/ })
    const pins = '**/api/deals/search?**view=map**'
    let asked = 0
    await page.route(pins, (route) => {
      asked++
      return route.fulfill({ status: 503, json: { error: '', code: 'unavailable' } })
    })
    await page.goto(here)
    await mapAtRest(page)
    const missing = 'The pins could not be loaded, so the map shows none.'
    await list(page).getByText(missing).first().waitFor()
    // the list was part of the page
    await expect
      .poll(() =>
        list(page)
          .getByText(/^\d+ deals$/)
          .count(),
      )
      .toBe(1)
    await expect.poll(() => list(page).getByRole('status').innerText()).toMatch(/ 15 shown\. The pins [^.]+\.$/)
    // a retry by hand fails, one by itself succeeds
    await list(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked).toBeGreaterThan(2)
    await expect.poll(() => list(page).getByText(missing).first().isVisible()).toBe(true)
    const came = page.waitForResponse((answer) => answer.url().includes('view=map') && answer.status() === 200)
    await page.unroute(pins)
    await came
    await list(page).getByText(missing).first().waitFor({ state: 'detached' })
    await expect.poll(() => list(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('opened while deals cannot be loaded it says so, not that there are none, and shows them later', async () => {
    const { page, faults } = await at.visit('/deals', {
      viewport: small,
      expected: /503|could not be (updated|loaded)/,
    })
    await hydrated(page)
    await page.route('**/api/deals/search?**', (route) =>
      route.fulfill({ status: 503, json: { error: '', code: 'unavailable' } }),
    )
    await page.getByRole('banner').getByRole('link', { name: 'Map', exact: true }).click()
    await page.waitForURL('**/dealsmap')
    await list(page).getByText('The deals could not be loaded.').first().waitFor()
    await expect
      .poll(() =>
        list(page)
          .getByText(/^\d+ deals|Nothing here/)
          .count(),
      )
      .toBe(0)
    await page.unroute('**/api/deals/search?**')
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(15)
    await expect.poll(() => list(page).getByText('The deals could not be loaded.').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('a list whose next page cannot be loaded says so, and continues at the next try', async () => {
    const { page, context, faults } = await at.visit(here, {
      viewport: small,
      expected: /INTERNET_DISCONNECTED|could be fetched/,
    })
    await mapAtRest(page)
    await context.setOffline(true)
    const more = list(page).getByRole('button', { name: 'Show more' })
    await more.click()
    const alert = list(page).getByRole('alert')
    await expect.poll(() => alert.innerText()).toBe('Could not load more. Please check your connection and try again.')
    await context.setOffline(false)
    await more.click()
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(30)
    await expect.poll(() => alert.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('the focus is never lost: after closing a card or a list at one place, or when a button disappears', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    await mapAtRest(page)
    // a focused item is completely visible
    await item(page, 0).focus()
    for (let n = 0; n < 8; n++) await page.keyboard.press('Tab')
    const belowSight = () =>
      page.evaluate(() => {
        const at = document.activeElement!.closest('li')!
        return at.getBoundingClientRect().bottom - at.closest('section')!.getBoundingClientRect().bottom
      })
    await expect.poll(belowSight).toBeLessThan(1)
    const name = await item(page, 2).innerText()
    await item(page, 2).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name }).waitFor()
    await page.goBack()
    await expect.poll(() => focused(page)).toBe(name)
    await page.goForward()
    await page.getByRole('article', { name }).waitFor()
    await expect.poll(() => focused(page)).toBe(name)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(name)
    const button = await walkEast(page)
    await button.focus()
    await page.keyboard.press('Enter')
    await button.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Map of the deals')
    await page.getByRole('link', { name: 'Skip the map' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main-end')
    // the next focusable element is after the map
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('footer') !== null)).toBe(true)
    expect(faults).toEqual([])
  })

  it('a moved map still offers to search there after a reload, and the back button moves it back', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    await mapAtRest(page)
    const button = await walkEast(page)
    await page.reload()
    await mapAtRest(page)
    await button.waitFor()
    await button.click()
    await page.waitForURL(/bbox=/)
    await button.waitFor({ state: 'detached' })
    await page.reload()
    await mapAtRest(page)
    await expect.poll(() => button.count()).toBe(0)
    await page.goBack()
    await page.waitForURL(/near=centre/)
    await mapAtRest(page)
    await button.waitFor()
    expect(faults).toEqual([])
  })

  it('another language or theme changes nothing else: address, card, filters, scroll, focus, history stay', async () => {
    const { page, faults } = await at.visit(`${here}&openNow=true`, { viewport: small })
    await mapAtRest(page)
    await item(page, 0).click()
    await page.waitForURL(/deal=/)
    const name = await page.getByRole('article').getAttribute('aria-label')
    const before = await page.evaluate(() => [location.href, history.length])
    for (const [choice, language, theme] of [
      ['Deutsch', 'de', undefined],
      ['Dunkel', 'de', 'river'],
      ['English', 'en', 'river'],
    ] as const) {
      const button = (await hydratedFooter(page)).getByRole('button', { name: choice })
      await button.scrollIntoViewIfNeeded()
      const scrolled = await page.evaluate(() => scrollY)
      await button.click()
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
      await mapAtRest(page)
      await expect.poll(() => focused(page)).toBe(choice)
      await expect.poll(() => page.evaluate(() => [location.href, history.length])).toEqual(before)
      await page.getByRole('article', { name: name! }).waitFor()
      await expect.poll(() => page.locator('[name="openNow"]').isChecked()).toBe(true)
      expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(100)
    }
    expect(faults).toEqual([])
  })

  it('Escape closes a dialog or menu over a card first, and then the card', async () => {
    const { page, context, faults } = await at.visit('/contact', { viewport: small })
    await loggedIn(context, await aVisitor(at.app))
    await page.goto(here)
    await mapAtRest(page)
    await item(page, 0).click()
    const card = page.getByRole('article')
    await card.getByRole('link', { name: 'Directions' }).click()
    const choice = page.getByRole('dialog', { name: 'Directions with' })
    await choice.waitFor()
    await page.keyboard.press('Escape')
    await choice.waitFor({ state: 'detached' })
    const profile = page.getByRole('banner').getByRole('button', { name: 'My Profile' })
    await profile.click()
    await page.keyboard.press('Escape')
    await expect.poll(() => profile.getAttribute('aria-expanded')).toBe('false')
    expect(new URL(page.url()).searchParams.has('deal')).toBe(true)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('a card that opens below a low screen is scrolled into view', async () => {
    const { page, faults } = await at.visit(here, { viewport: { width: 320, height: 568 }, hasTouch: true })
    await mapAtRest(page)
    await item(page, 0).evaluate((link: HTMLElement) => link.click())
    const title = page.getByRole('article').getByRole('heading')
    await title.waitFor()
    const bar = (await page.getByRole('navigation').filter({ visible: true }).last().boundingBox())!
    await expect.poll(async () => ((b) => b.y + b.height)((await title.boundingBox())!)).toBeLessThan(bar.y)
    expect(faults).toEqual([])
  })

  it('the sheet on phones follows the finger to its three heights', async () => {
    const { page, faults } = await at.visit(here, { viewport: phone, hasTouch: true })
    await mapAtRest(page)
    const finger = await touch(page)
    const height = async () => Math.round((await list(page).boundingBox())!.height)
    const low = await height()
    const pull = async (by: number) => {
      await settled(list(page))
      const { x, y } = (await list(page).boundingBox())!
      const path = Array.from({ length: 9 }, (_, n): [number, number][] => [[x + 60, y + 20 - (by * n) / 8]])
      await finger(...path)
    }
    // a quick swipe moves it twice as far
    await pull(70)
    await page.getByRole('button', { name: 'Expand list' }).waitFor()
    await expect.poll(height).toBeGreaterThan(low + 80)
    await pull(120)
    await page.getByRole('button', { name: 'Collapse list' }).waitFor()
    await pull(-450)
    await expect.poll(height).toBe(low)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    expect(faults).toEqual([])
  })

  it('in landscape a phone has the list beside the map, and one finger scrolls the page', async () => {
    const { page, faults } = await at.visit(here, { viewport: { width: 844, height: 390 }, hasTouch: true })
    await mapAtRest(page)
    const rows = (await list(page).boundingBox())!
    const map = (await page.locator('.maplibregl-canvas').boundingBox())!
    expect(map.x).toBeGreaterThanOrEqual(rows.x + rows.width - 3)
    expect(map.width).toBeGreaterThan(400)
    const finger = await touch(page)
    const [x, y] = [map.x + map.width / 2, 370]
    await finger([[x, y]], ...Array.from({ length: 8 }, (_, n): [number, number][] => [[x, y - 20 * (n + 1)]]))
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60)
    await expect.poll(() => page.url()).not.toContain('lat=')
    await expectNoSidewaysScroll(page)
    await restOfScroll(page)
    // upright again it is a sheet, and the map takes the finger
    await page.setViewportSize(phone)
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(async () => (await list(page).boundingBox())!.width).toBe(390)
    await expect.poll(() => page.locator('.maplibregl-cooperative-gestures').count()).toBe(0)
    const upright = (await page.locator('.maplibregl-canvas').boundingBox())!
    const drag = Array.from({ length: 8 }, (_, n): [number, number][] => [[195 - 15 * n, upright.y + 90]])
    await expect.poll(() => finger(...drag).then(() => page.url())).toContain('lat=')
    expect(faults).toEqual([])
  })

  it('an inaccurate position says so', async () => {
    const { page, faults } = await at.visit('/dealsmap', {
      viewport: small,
      geolocation: { latitude: 47.5574, longitude: 7.6, accuracy: 25_000 },
      permissions: ['geolocation'],
    })
    await page.waitForURL(/near=47\.557%2C7\.600/)
    await mapAtRest(page)
    await list(page).getByText('Your location is only known to within 25 km.').first().waitFor()
    expect(faults).toEqual([])
  })

  it('its header fits long words and 200 % text size', async () => {
    for (const locale of ['de-CH', 'fr-CH'])
      for (const [width, size] of [
        [320, '100%'],
        [390, '200%'],
      ] as const) {
        const { page, context } = await at.visit('/', { viewport: { width, height: 844 }, locale })
        await page.addInitScript((fontSize) => {
          document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = fontSize))
        }, size)
        await page.goto(here)
        await hydrated(page)
        const lines = await page
          .locator('h1')
          .evaluate(
            (head) => head.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(head).lineHeight),
          )
        expect(Math.round(lines), `${locale} ${width} ${size}`).toBeLessThanOrEqual(3)
        const field = (await page.locator('[name="category"]').boundingBox())!
        expect(field.width, `${locale} ${width} ${size}`).toBeGreaterThan(100)
        expect(field.x + field.width).toBeLessThanOrEqual(width)
        await context.close()
      }
  })

  it('a print has the whole list without the map, in portrait and landscape', async () => {
    for (const viewport of [
      { width: 794, height: 1123 },
      { width: 1123, height: 794 },
    ]) {
      const { page, context } = await at.visit(here, { viewport })
      await mapAtRest(page)
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => page.locator('#map').isVisible()).toBe(false)
      const printed = await list(page).evaluate((section) => {
        const items = [...section.querySelectorAll('li')].map((each) => each.getBoundingClientRect())
        return {
          items: items.length,
          width: Math.round(items[0]!.width),
          isWhole: items.at(-1)!.bottom + scrollY <= document.documentElement.scrollHeight,
          cut: [...section.querySelectorAll('*')].filter(
            (each) => getComputedStyle(each).overflowY === 'auto' && each.scrollHeight > each.clientHeight,
          ).length,
        }
      })
      expect(printed).toEqual({ items: 15, width: viewport.width, isWhole: true, cut: 0 })
      await context.close()
    }
  })

  it('without JavaScript there are no controls that need it', async () => {
    const { page } = await at.visit(here, { viewport: phone, javaScriptEnabled: false })
    for (const name of ['Hide Filters', 'Expand list', 'Show where I am'])
      await expect.poll(() => page.getByRole('button', { name }).count(), { message: name }).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Search' }).count()).toBeGreaterThan(0)
  })
})

inBrowser('the picture of the map', () => {
  const at = useBrowser()

  it('is shown while the WebGL context is lost, and hidden when it is restored', async () => {
    const { page, faults } = await at.visit(here, { viewport: small })
    expect(await mapAtRest(page)).toBe('drawing')
    const picture = page.locator('#map img[src^="/map/outline"]')
    await picture.waitFor({ state: 'detached' })
    const lose = (how: 'loseContext' | 'restoreContext') =>
      page.evaluate((call) => {
        const kept = window as unknown as { lost?: WEBGL_lose_context }
        kept.lost ??= document
          .querySelector<HTMLCanvasElement>('.maplibregl-canvas')!
          .getContext('webgl2')!
          .getExtension('WEBGL_lose_context')!
        kept.lost[call]()
      }, how)
    await lose('loseContext')
    await picture.waitFor()
    await lose('restoreContext')
    await picture.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-map-ready="drawing"]').count()).toBe(1)
    expect(faults).toEqual([])
  })

  it('replaces the map if the WebGL context is lost for good, and takes its focus', async () => {
    const { page, faults } = await at.visit(`${here}&lat=47.5596&lon=7.6&z=15`, { viewport: small })
    expect(await mapAtRest(page)).toBe('drawing')
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/lon=7\.60[1-9]/)
    const before = new URL(page.url()).searchParams
    await page
      .locator('.maplibregl-canvas')
      .evaluate((canvas: HTMLCanvasElement) =>
        canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!.loseContext(),
      )
    await page.locator('[data-map-ready="outline"]').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForURL(/z=16\.00/)
    const after = new URL(page.url()).searchParams
    for (const side of ['lat', 'lon']) expect(Number(after.get(side))).toBeCloseTo(Number(before.get(side)), 4)
    expect(faults).toEqual([])
  })
})
