import { expect, it } from 'vitest'
import { inBrowser, useBrowser } from './browser.ts'
import { hasColour, list, mapReady, names, small, walkEast } from './map-pages.ts'

inBrowser('the visitor’s position', () => {
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
    await expect
      .poll(async () => {
        // elements above the map may still appear and disappear
        const box = (await page.locator('.maplibregl-canvas').boundingBox())!
        return hasColour(page, box.x + box.width / 2, box.y + box.height / 2, [22, 104, 201], 8)
      })
      .toBe(true)

    // in another area distances are still from the position
    await (await walkEast(page)).click()
    await page.waitForURL(/bbox=/)
    await expect.poll(() => new URL(page.url()).searchParams.get('near')).toBe('47.554,7.601')
    expect(sent.some((url) => /lat=47\.554&lon=7\.601&.*bbox=/.test(url))).toBe(true)
    expect(faults).toEqual([])
  })

  it('in the address is used, and the browser is not asked', async () => {
    const { page } = await at.visit('/', { viewport: small, geolocation: own })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = () => document.documentElement.setAttribute('data-asked', '')
    })
    await page.goto('/dealsmap?lat=47.57&lon=7.59&z=14')
    await mapReady(page)
    await expect.poll(() => page.getByText('Updating Deals...').count()).toBe(0)
    await expect.poll(() => page.url()).toMatch(/lat=47\.57&lon=7\.59&z=14$/)
    await expect.poll(() => page.locator('html').getAttribute('data-asked')).toBeNull()
  })

  it('if denied leaves the default centre; the button then says what to do', async () => {
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
      .getByText(/Allow it for this site/)
      .first()
      .waitFor()
    await expect.poll(() => page.url()).not.toContain('near=')
    expect(faults).toEqual([])
  })

  it('has a message that the map shows the festival, until somebody has moved the map', async () => {
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

  it('far away is the centre of the search, with a button to show the festival', async () => {
    const { page, faults } = await at.visit('/', {
      viewport: small,
      geolocation: { latitude: 46.948, longitude: 7.447 },
      permissions: ['geolocation'],
    })
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto('/dealsmap')
    await mapReady(page)
    await page.waitForURL(/near=46\.948%2C7\.447/)
    await list(page).getByText('69 km from the festival. The map shows its centre.').first().waitFor()
    // deals in the list are those without a place
    await expect.poll(() => list(page).getByRole('status').textContent()).toMatch(/^No deals\./)
    await expect.poll(() => sent.some((url) => /lat=46\.948&lon=7\.447(&|$)/.test(url))).toBe(true)
    await list(page).getByRole('link', { name: 'Around the festival' }).click()
    await page.waitForURL(/near=centre/)
    await expect.poll(async () => (await names(page)).length).toBeGreaterThan(0)
    await expect
      .poll(() =>
        list(page)
          .getByText(/km from the festival/)
          .count(),
      )
      .toBe(0)
    expect(faults).toEqual([])
  })

  it('with no deals around it says so, and the map zooms out until the festival is visible', async () => {
    const { page, faults } = await at.visit('/', {
      viewport: small,
      geolocation: { latitude: 47.615, longitude: 7.661 },
      permissions: ['geolocation'],
    })
    await page.goto('/dealsmap')
    await page.waitForURL(/near=47\.615%2C7\.661/)
    await mapReady(page)
    await list(page)
      .getByText(/No deals within 5 km of you; these have no location\. You are 8\.\d km from the festival\./)
      .first()
      .waitFor()
    // the drawing of the city instead of an empty map; a move to the side shows the zoom in the address
    await page.locator('.maplibregl-canvas').press('ArrowRight')
    await page.waitForURL(/z=/)
    expect(Number(new URL(page.url()).searchParams.get('z'))).toBeLessThan(12)
    await list(page).getByRole('link', { name: 'Around the festival' }).click()
    await page.waitForURL(/near=centre/)
    await expect.poll(() => list(page).getByText('No deals within').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('in the address but outside the map is the centre of the search too, also without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, faults } = await at.visit('/dealsmap?lat=47.378&lon=8.540&z=15&q=fondue', {
        viewport: small,
        javaScriptEnabled,
      })
      await list(page).getByText('74 km from the festival. The map shows its centre.').first().waitFor()
      await list(page).getByRole('link', { name: 'Around the festival' }).click()
      await page.waitForURL(/near=centre/)
      await expect.poll(async () => (await names(page)).length).toBeGreaterThan(0)
      if (javaScriptEnabled) expect(faults).toEqual([])
    }
  })

  it('that arrives late moves neither a map that was moved nor a visitor who has left the page', async () => {
    const { page, faults } = await at.visit('/', { viewport: small })
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (found) =>
        addEventListener('found', () =>
          found({ coords: { latitude: 47.554321, longitude: 7.601234, accuracy: 20 } } as GeolocationPosition),
        )
    })
    const found = async () => {
      await page.evaluate(() => dispatchEvent(new Event('found')))
      await expect.poll(() => page.evaluate(() => sessionStorage.getItem('here'))).toBe('47.554,7.601')
    }
    await page.goto('/dealsmap')
    await mapReady(page)
    await walkEast(page)
    await found()
    const before = page.url()
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(({ href }) => href !== before)
    expect(new URL(page.url()).searchParams.get('near')).toBe('centre')

    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/dealsmap')
    await mapReady(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await found()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Use' }).click()
    await page.waitForURL(/\/terms$/)
    expect(asked.filter((url) => url.includes('lat='))).toEqual([])
    expect(faults).toEqual([])
  })

  it('that cannot be found leads back to the festival', async () => {
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
    // the story runs the clock itself, so a busy machine does not matter
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (_found, _refused, options) =>
        document.documentElement.setAttribute('data-timeout', String(options?.timeout))
    })
    await page.goto('/dealsmap')
    const asked = async () => {
      await page.clock.runFor(100)
      return page.locator('html').getAttribute('data-timeout')
    }
    await expect.poll(asked).toBe('10000')
    await page.clock.runFor(9_500)
    await expect
      .poll(() =>
        list(page)
          .getByText(/could not be found/)
          .count(),
      )
      .toBe(0)
    await page.clock.runFor(600)
    await list(page)
      .getByText(/could not be found/)
      .first()
      .waitFor()
  })
})
