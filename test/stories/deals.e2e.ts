import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillOpenings } from '../../src/businesses/server/businesses.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { addBusiness, addDeal } from '../cast.ts'
import { get } from '../people.ts'
import { expectAccessible, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('looking for a deal', () => {
  const at = useBrowser()

  it('goes from the home page to a deal without JavaScript', async () => {
    const { page } = await at.visit('/', { javaScriptEnabled: false })
    await expect.poll(() => page.locator('h1').innerText()).toMatch(/Experience\s+the Magic of\s+Music & Deals/)
    await page.getByRole('main').getByRole('searchbox').first().fill('vinil')
    await page.getByRole('button', { name: 'Search' }).first().click()
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/search?q=vinil')
    const first = page.getByRole('article').first()
    await first.getByRole('link').first().click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/deal\//)
    await expect.poll(() => page.locator('h1').innerText()).not.toBe('')
  })

  it('finds four featured deals, the next three events and four categories on the home page', async () => {
    const { page } = await at.visit('/')
    const section = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, level: 2 }) })
    await expect.poll(() => section('Featured Deals').getByRole('article').count()).toBe(4)
    // distances are shown only from the visitor's position
    await expect.poll(() => section('Featured Deals').innerText()).not.toMatch(/\d k?m\b|on foot/)
    await expect.poll(() => section('Upcoming Events').getByRole('article').count()).toBe(3)
    await expect
      .poll(() => section('Upcoming Events').getByRole('link').first().getAttribute('href'))
      .toMatch(/^\/event(s|\/)/)
    // running ones are above, and not upcoming
    for (const text of await section('Upcoming Events').getByRole('article').allInnerTexts())
      expect(text).not.toMatch(/\bnow\b/i)
    for (const [name, href] of [
      ['Food & Dining', '/deals?category=food'],
      ['Events', '/events'],
      ['Nightlife', '/deals?category=nightlife'],
      ['Shopping', '/deals?category=shopping'],
    ] as const)
      await expect
        .poll(() => section('Explore By Category').getByRole('link', { name }).getAttribute('href'))
        .toBe(href)
    await page.evaluate(() => sessionStorage.setItem('here', '47.557,7.589'))
    await page.reload()
    await section('Featured Deals')
      .getByText(/\d+ m, \d+\smin on foot$/)
      .first()
      .waitFor()
  })

  it('sees three acts and two deals of tonight in the first screen of the home page', async () => {
    const { page } = await at.visit('/', { viewport: phone })
    const rows = page.getByRole('region', { name: 'Now and next' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(5)
    const texts = await rows.allInnerTexts()
    for (const text of texts.slice(0, 3)) expect(text).toMatch(/Until|In \d|\d\d:\d\d/)
    for (const text of texts.slice(3)) expect(text).toMatch(/Until|left/)
    const { y, height } = (await rows.last().boundingBox())!
    const bar = (await page.getByRole('banner').getByRole('link', { name: 'Events' }).boundingBox())!
    expect(y + height).toBeLessThanOrEqual(bar.y)
  })

  it('keeps every choice in the address: reload, back and a shared link show the same', async () => {
    const { page, faults } = await at.visit('/deals')
    await hydrated(page)
    await page.getByRole('searchbox').first().fill('bar')
    await page.getByRole('searchbox').first().press('Enter')
    await page.waitForURL(/q=bar/)
    const titles = () => page.getByRole('article').getByRole('heading').allInnerTexts()
    const before = await titles()
    await page.getByRole('combobox').first().selectOption('ending_soon')
    await page.waitForURL(/sort=ending_soon/)
    // first the address changes, then the list: visible cards first, then the others
    await expect.poll(titles).not.toEqual(before)
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(4)
    const chosen = await titles()
    await page.reload()
    await expect.poll(() => titles()).toEqual(chosen)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('sort=ending_soon'))
    await expect.poll(() => page.url()).toContain('q=bar')
    expect(faults).toEqual([])
  })

  it('a position that arrives late changes neither another page nor filters that were chosen meanwhile', async () => {
    const { page, faults } = await at.visit('/deals')
    await page.addInitScript(() => {
      navigator.geolocation.getCurrentPosition = (found) =>
        addEventListener('found', () =>
          found({ coords: { latitude: 47.561, longitude: 7.592 } } as GeolocationPosition),
        )
    })
    await page.reload()
    await hydrated(page)
    const found = () => page.evaluate(() => dispatchEvent(new Event('found')))
    await page.getByRole('link', { name: 'Near me', exact: true }).click()
    await page.getByText('Finding your location').waitFor()
    await page.getByRole('combobox').first().selectOption('ending_soon')
    // first the address changes, then the screen
    await page.locator('a[href*="sort=ending_soon"][href*="near=centre"]').waitFor()
    await found()
    await page.waitForURL(/lat=47.561/)
    await expect.poll(() => page.url()).toContain('sort=ending_soon')
    await page.getByRole('link', { name: 'Near me', exact: true }).click()
    await page.getByText('Finding your location').waitFor()
    await page.getByRole('article').first().getByRole('link').first().click()
    await page.getByText('Finding your location').waitFor({ state: 'detached' })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await found()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await page.waitForURL(/\/help$/)
    expect(asked.filter((url) => url.includes('lat='))).toEqual([])
    expect(faults).toEqual([])
  })

  it('near me also searches for words that were typed but not sent', async () => {
    const { page, faults } = await at.visit('/deals', {
      geolocation: { latitude: 47.556789, longitude: 7.589123 },
      permissions: ['geolocation'],
    })
    await hydrated(page)
    const words = page.getByRole('searchbox').first()
    for (const [typed, link] of [
      ['pizza', 'Near me'],
      ['bar', 'Now, near me'],
    ] as const) {
      await page.goto('/deals')
      await hydrated(page)
      await words.fill(typed)
      await page.getByRole('main').getByRole('link', { name: link, exact: true }).click()
      await page.waitForURL(({ searchParams }) => searchParams.get('q') === typed && searchParams.has('lat'))
      await expect.poll(() => words.inputValue()).toBe(typed)
    }
    // another filter around me keeps the words too
    await words.fill('bar with a view')
    const everywhere = page.getByRole('link', { name: 'Remove filter: Near me' })
    await everywhere.click()
    await everywhere.waitFor({ state: 'detached' })
    await expect.poll(() => words.inputValue()).toBe('bar with a view')
    expect(faults).toEqual([])
  })

  it('highlights the searched words, however they were spelt', async () => {
    const { page, faults } = await at.visit('/deals?q=caffe')
    await hydrated(page)
    const marked = await page.locator('main article mark').allInnerTexts()
    expect(marked.length).toBeGreaterThan(3)
    for (const word of marked) expect(word).toMatch(/^[KC]aff?[eé]/i)
    await expect.poll(() => page.getByText('#Kaffee').count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  it('shows opening hours as a table of days in the language of the visitor', async () => {
    const shop = await addBusiness(at.app.db, 'Laden am Eck', {
      open_hours: 'Mo-Fr 08:00-12:15,13:30-18:30; Sa 08:00-16:00; PH off',
    })
    await fillOpenings({ db: at.app.db, clock: systemClock })
    for (const [locale, days] of [
      ['en-GB', 'Monday–Friday|Saturday|Sunday|Public holidays'],
      ['de-CH', 'Montag–Freitag|Samstag|Sonntag|Feiertage'],
      ['fr-CH', 'lundi–vendredi|samedi|dimanche|Jours fériés'],
    ] as const) {
      const { page, faults } = await at.visit(`/business/${shop}`, { locale })
      await hydrated(page)
      const heads = await page.getByRole('rowheader').allInnerTexts()
      expect(heads.join('|').toLowerCase()).toBe(days.toLowerCase())
      await expect.poll(() => page.getByRole('cell').first().innerText()).toBe('08:00–12:15\n13:30–18:30')
      expect(faults).toEqual([])
    }
  })

  it('near me asks for the position, sends it rounded and shows distances', async () => {
    const sent: string[] = []
    const { page, context, faults } = await at.visit('/deals', {
      viewport: phone,
      geolocation: { latitude: 47.556789, longitude: 7.589123 },
      permissions: ['geolocation'],
    })
    page.on('request', (request) => sent.push(request.url()))
    await hydrated(page)
    await page.getByRole('main').getByText('Near me', { exact: true }).click()
    await page.waitForURL(/lat=47\.557&lon=7\.589/)
    await page
      .getByText(/\d+ m, \d+\smin on foot$/)
      .first()
      .waitFor()
    expect(sent.join(' ')).not.toMatch(/47\.5567|7\.5891/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('near me works before hydration: the position is asked for, and if refused, the centre is taken', async () => {
    const here = { geolocation: { latitude: 47.556789, longitude: 7.589123 }, permissions: ['geolocation'] }
    const { page, context, faults } = await at.visit('/contact', { viewport: phone, ...here })
    // scripts that cannot be loaded
    await page.route('**/assets/*.js', () => {})
    await page.goto('/')
    const early = page.locator('main a[data-near][href*="openNow=true"]').first()
    await early.click()
    await page.waitForURL(/\/deals\?.*lat=47\.557&lon=7\.589/)
    await page
      .getByText(/\d+ m, \d+\smin on foot$/)
      .first()
      .waitFor()
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('here'))).toBe('47.557,7.589')
    await page.goto('/deals')
    await page.locator('main input[name=q]').fill('rösti & co')
    await page.evaluate(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) => refused!({ code: 1 } as GeolocationPositionError)
    })
    await page.locator('main a[data-near]').first().click()
    await page.waitForURL(/near=centre.*q=r%C3%B6sti\+%26\+co/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('near me tapped before hydration waits for a late position, but does not lead back from another page', async () => {
    const { page, faults } = await at.visit('/contact', { viewport: phone })
    await page.addInitScript(() => {
      const [set, clear] = [setTimeout, clearTimeout]
      window.setTimeout = ((run: () => void, ms?: number) => {
        if (ms !== 10_000) return set(run, ms)
        addEventListener('too-slow', run, { once: true })
        return run
      }) as unknown as typeof setTimeout
      window.clearTimeout = (timer?: unknown) => {
        if (typeof timer === 'function') removeEventListener('too-slow', timer as () => void)
        else clear(timer as number)
      }
      navigator.geolocation.getCurrentPosition = (found) =>
        addEventListener('found', () =>
          found({ coords: { latitude: 47.556789, longitude: 7.589123 } } as GeolocationPosition),
        )
    })
    const asked: string[] = []
    // scripts cannot be loaded, and with 204 the browser stays on its page
    await page.route('**/assets/*.js', () => {})
    await page.route('**/deals?*', async (route) => {
      asked.push(route.request().url())
      await route.fulfill({ status: 204 })
    })
    const tap = () => page.locator('main a[data-near][href*="openNow=true"]').first().click()
    const happens = (what: string) => page.evaluate((type) => void dispatchEvent(new Event(type)), what)
    await page.goto('/')
    await tap()
    await happens('found')
    await expect.poll(() => asked.length).toBe(1)
    await happens('too-slow')
    await page.goto('/')
    await tap()
    await page.evaluate(() => history.pushState(null, '', '/help'))
    await happens('found')
    await happens('too-slow')
    expect(asked).toEqual([expect.stringContaining('lat=47.557&lon=7.589')])
    expect(faults).toEqual([])
  })

  it('near me without permission searches around the centre of the festival and says so', async () => {
    const { page } = await at.visit('/deals', { permissions: [] })
    await hydrated(page)
    await page.evaluate(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) =>
        refused!({
          code: 1,
          message: 'no',
          PERMISSION_DENIED: 1,
          POSITION_UNAVAILABLE: 2,
          TIMEOUT: 3,
        } as GeolocationPositionError)
    })
    await page.getByRole('main').getByText('Near me', { exact: true }).click()
    await page.waitForURL(/near=centre|lat=47\.56/)
    await page
      .getByText(/\d+ m from the centre, \d+\smin on foot$/)
      .first()
      .waitFor()
  })

  it('near me without permission says how to allow it; from another town it says how far the festival is', async () => {
    const { page, context } = await at.visit('/deals')
    await hydrated(page)
    await page.evaluate(() => {
      navigator.geolocation.getCurrentPosition = (_, refused) => refused!({ code: 1 } as GeolocationPositionError)
    })
    await page.getByRole('main').getByText('Near me', { exact: true }).click()
    await page.getByText('allow it for this site').waitFor()
    await context.close()
    const zurich = await at.visit('/deals?lat=47.378&lon=8.540&radius=20', { javaScriptEnabled: false })
    await zurich.page.getByText('You are 74 km from the festival.').waitFor()
    // deals without a place are not called near
    await zurich.page.getByText('No deals within 20 km of you. These have no location:').waitFor()
    await zurich.page.getByRole('link', { name: 'Around the festival' }).click()
    await zurich.page.waitForURL('**/deals?near=centre')
    await expect.poll(() => zurich.page.getByText('These have no location').count()).toBe(0)
    // only radii that reach the festival are offered
    await zurich.page.goto('/deals?lat=47.378&lon=8.540&q=quatsch')
    const way = zurich.page.getByRole('main').getByRole('link', { name: 'Around the festival' })
    await expect.poll(() => way.getAttribute('href')).toBe('/deals?q=quatsch&near=centre')
    await expect.poll(() => zurich.page.getByRole('link', { name: /Search within/ }).count()).toBe(0)
    await zurich.page.goto('/deals?near=centre')
    await expect.poll(() => zurich.page.getByText(/^You are .* from the festival/).count()).toBe(0)
  })

  it('a filter chosen without a network is applied when the network is back, by a button, or after a while', async () => {
    const { page, context } = await at.visit('/deals', { viewport: phone, expected: /net::ERR|Failed to fetch|503/ })
    await hydrated(page)
    const chip = (name: string) => page.getByRole('main').getByRole('radio', { name })
    await context.setOffline(true)
    await chip('Drinks').click()
    await page.getByText('could not be updated').waitFor()
    await context.setOffline(false)
    await page.getByText('could not be updated').waitFor({ state: 'hidden' })
    await expect.poll(() => chip('Drinks').isChecked()).toBe(true)
    await expect.poll(() => page.url()).toContain('category=drinks')
    await page.route('**/api/deals?**', (route) => route.fulfill({ status: 503, json: {} }))
    await chip('Shopping').click()
    await page.getByText('could not be updated').waitFor()
    await page.unroute('**/api/deals?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('could not be updated').waitFor({ state: 'hidden' })
    await expect.poll(() => chip('Shopping').isChecked()).toBe(true)
    await page.clock.install()
    await page.route('**/api/deals?**', (route) => route.fulfill({ status: 503, json: {} }))
    await chip('Drinks').click()
    await page.getByText('could not be updated').waitFor()
    await page.unroute('**/api/deals?**')
    await page.clock.fastForward(15_000)
    await page.getByText('could not be updated').waitFor({ state: 'hidden' })
    await expect.poll(() => chip('Drinks').isChecked()).toBe(true)
  })

  it('a list left open for hours is loaded again when the visitor comes back, and without a network shows its age', async () => {
    const { page, context, faults } = await at.visit('/help', { expected: /INTERNET_DISCONNECTED/ })
    const opened = Date.now()
    await page.clock.install({ time: opened })
    await page.goto('/deals?category=drinks')
    await hydrated(page)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/api/deals') && asked.push(request.url()))
    let hours = 3
    const comeBack = async () => {
      await page.clock.setSystemTime(opened + hours++ * 60 * 60_000)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    }
    // the page may be hydrated a moment before it listens
    const answered = page.waitForResponse('**/api/deals?**')
    await expect.poll(async () => (await comeBack(), asked.length)).toBeGreaterThan(0)
    await answered
    await context.setOffline(true)
    // answers that are still on their way may arrive first
    const stale = page.getByText('could not be updated')
    await expect.poll(async () => (await comeBack(), stale.count()), { interval: 300 }).toBe(1)
    await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(3)
    await context.setOffline(false)
    await stale.waitFor({ state: 'hidden' })
    expect(asked.every((url) => url.includes('category=drinks'))).toBe(true)
    // a short look at another tab loads nothing
    const before = asked.length
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect(asked.length).toBe(before)
    expect(faults).toEqual([])
  })

  it('a page that could not be loaded retries in place, by itself when the network is back', async () => {
    const { page, context } = await at.visit('/deals', {
      viewport: phone,
      savesData: false,
      expected: /net::ERR|Failed to fetch|503/,
    })
    await hydrated(page)
    // the screen was loaded in advance; its data were not
    const files = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    await expect.poll(files).toContainEqual(expect.stringMatching(/\/DealScreen-/))
    // with all its imports: a tap on a screen with a missing part would load the whole page
    await page.evaluate(
      "Promise.all([...document.querySelectorAll('link[rel=next-screen]')].map(({ href }) => import(href))).then(() => {})",
    )
    const name = await page.getByRole('article').first().getByRole('link').innerText()
    await context.setOffline(true)
    await page.getByRole('article').first().getByRole('link').click()
    const failed = page.getByRole('heading', { level: 1, name: 'You are offline' })
    await failed.waitFor()
    await page.evaluate(() => Object.assign(window, { same: true }))
    // a retry fails, but never shows the browser's own error page
    await page.getByRole('button', { name: 'Reload Page' }).click()
    await failed.waitFor()
    await expect.poll(() => page.evaluate(() => 'same' in window)).toBe(true)
    await context.setOffline(false)
    await expect.poll(() => page.locator('h1').innerText()).toBe(name)
  })

  it('tells screen readers too that the results are guesses', async () => {
    const { page } = await at.visit('/deals?q=piza+margerita', { javaScriptEnabled: false })
    await expect
      .poll(() => page.getByRole('main').getByRole('status').first().innerText())
      .toMatch(/^1 deal\s*\. No exact match for “piza margerita”\. Close matches:$/)
  })

  it('an unknown sort order in the address has a message in plain words', async () => {
    const { page } = await at.visit('/deals?sort=quatsch', { javaScriptEnabled: false })
    await page.getByText('Part of this link is not valid').waitFor()
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('ending_soon')
  })

  it('further pages show all deals, each once', async () => {
    const { page } = await at.visit('/deals?sort=new', { javaScriptEnabled: false })
    const seen: string[] = []
    for (;;) {
      seen.push(
        ...(await page
          .getByRole('article')
          .locator('a')
          .evaluateAll((links) =>
            links.map((link) => (link as HTMLAnchorElement).href).filter((href) => href.includes('/deal/')),
          )),
      )
      const next = page.getByRole('link', { name: 'Next' })
      if ((await next.count()) === 0) break
      const from = page.url()
      await next.click()
      // wait for the whole page, or its last deals and its next link would be missing
      await page.waitForURL((url) => url.href !== from, { waitUntil: 'load' })
    }
    const total = Number((await fetch(`${at.app.url}/api/deals`)).headers.get('x-total-count'))
    expect(new Set(seen).size).toBe(total)
    expect(seen.length).toBe(total)
  })

  it('a printed list has its address, the time and a QR code, no buttons, and a deal on each page', async () => {
    const { page } = await at.visit('/deals?sort=new', { javaScriptEnabled: false })
    await page.emulateMedia({ media: 'print' })
    const main = page.getByRole('main')
    await main.getByText(`${new URL(at.app.url).origin}/deals?sort=new`).waitFor()
    await expect.poll(() => main.innerText()).toMatch(/As of \d+ \w+, \d\d:\d\d/)
    // a merchant's German text is marked as German, for screen readers too
    await expect.poll(() => main.locator('article [lang="de"]').count()).toBeGreaterThan(3)
    await expect.poll(() => main.locator('article [lang="en"]').count()).toBe(0)
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
    const [deals, pictures] = [main.getByRole('article'), main.locator('article img')]
    const count = await deals.count()
    expect(count).toBeGreaterThan(5)
    await expect.poll(() => pictures.evaluateAll((all) => all.filter((each) => each.checkVisibility()).length)).toBe(0)
    // cards stand below each other, over the whole width
    const lines = await deals.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).map(({ x, width }) => `${x} ${width}`),
    )
    expect(new Set(lines).size).toBe(1)
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1')
    const pages = paper.match(/\/Type\s*\/Page\b/g)!.length
    expect(pages).toBeLessThanOrEqual(Math.ceil((count + 4) / 12))
    await page.goto('/business')
    await main.getByText(`${new URL(at.app.url).origin}/business`).waitFor()
    await expect.poll(() => main.innerText()).toMatch(/As of \d+ \w+, \d\d:\d\d/)
  })

  it('the QR code for paper is loaded on desktops, and not on phones', async () => {
    const codeIn = async (viewport: { width: number; height: number }) => {
      const { page } = await at.visit('/deals', { viewport })
      return { page, code: page.locator('img[src^="/qr.svg"]') }
    }
    const desk = await codeIn({ width: 1440, height: 900 })
    await desk.page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('img[src^="/qr.svg"]')?.naturalWidth ?? 0,
    )
    const hand = await codeIn({ width: 390, height: 844 })
    await hydrated(hand.page)
    await expect.poll(() => hand.code.getAttribute('loading')).toBe('lazy')
    // it is loaded at the latest possible moment
    await hand.page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect.poll(() => hand.code.getAttribute('loading')).toBe('eager')
  })

  it('every bad value in the address still gives a page', async () => {
    for (const query of [
      'radius=abc&lat=1e309',
      'limit=9999',
      'sort=cheapest',
      'category=%00',
      'q=%00',
      'after=x',
      `q=${'x'.repeat(500)}`,
      'lat=47.5',
      'near=mars',
      'openNow=maybe',
      'page=-1',
      'q=a&q=b',
    ]) {
      const answer = await fetch(`${at.app.url}/deals?${query}`)
      expect(answer.status, query).toBe(200)
      expect(await answer.text(), query).toContain('<h1')
    }
  })

  it('an empty result says what to do next', async () => {
    const { page } = await at.visit('/deals?q=xylophonquark')
    await expect.poll(() => page.getByRole('article').count()).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /all deals/i })
      .first()
      .click()
    await page.getByRole('article').first().waitFor()
  })
})

inBrowser('a deal and its merchant', () => {
  const at = useBrowser()

  it('are visible without scrolling on a small phone: one and a half cards of the list; picture, state and price of a deal', async () => {
    const height = 664
    const { page } = await at.visit('/deals', { viewport: { width: 390, height } })
    const bar = (await page.getByRole('navigation').last().boundingBox())!
    const free = bar.y > height / 2 ? bar.y : height
    const box = async (n: number) => (await page.getByRole('main').getByRole('article').nth(n).boundingBox())!
    const second = await box(1)
    expect(second.y + second.height / 2).toBeLessThanOrEqual(free)
    const { db } = at.app
    const shop = await addBusiness(db, 'Kleinladen', { open_hours: '24/7' })
    const deal = await addDeal(db, shop, 'Kleine Sache', { price_rappen: 650 })
    await fillOpenings({ db, clock: systemClock })
    await page.goto(`/deal/${deal}`)
    const main = page.getByRole('main')
    const action = (await main.getByRole('link', { name: 'Show at the counter' }).boundingBox())!
    for (const part of [
      main.locator('img').first(),
      main.getByText(/^(Now|Until|\d+ min left)/).first(),
      main.getByText('6.50').first(),
    ]) {
      const { y, height: tall } = (await part.boundingBox())!
      expect(y + tall).toBeLessThanOrEqual(action.y)
    }
  })

  it('a deal that is over says so on the map, whatever its merchant’s opening hours', async () => {
    const { db } = at.app
    const shop = await addBusiness(db, 'Leerladen', { open_hours: '24/7' })
    const gone = await addDeal(db, shop, 'Weg ist weg', { total_limit: 1, redeemed_count: 1 })
    const paused = await addDeal(db, shop, 'Halt', { state: 'paused' })
    await fillOpenings({ db, clock: systemClock })
    const { page } = await at.visit(`/dealsmap?deal=${gone}`, { javaScriptEnabled: false })
    const card = page.getByRole('article', { name: 'Weg ist weg' })
    await expect.poll(() => card.innerText()).toContain('Sold out')
    await expect.poll(() => card.innerText()).not.toMatch(/Open until|Now|^Until|min left/m)
    await page.goto(`/dealsmap?deal=${paused}`)
    await expect.poll(() => page.getByRole('article', { name: 'Halt' }).innerText()).toContain('Paused')
  })

  it('count a view once, and only from a browser', async () => {
    const [deal] = (await (await fetch(`${at.app.url}/api/deals?limit=1`)).json()) as {
      deal_id: string
      business_id: string
    }[]
    // the demo has views already
    const views = async () => {
      const { rows } = await sql<{ kind: string; views: number }>`
        select kind, sum(views)::int as views from view_hours
        where subject_id in (${deal!.deal_id}, ${deal!.business_id}) group by kind order by kind`.execute(at.app.db)
      return Object.fromEntries(rows.map((row) => [row.kind, row.views])) as { business?: number; deal?: number }
    }
    const before = await views()
    await fetch(`${at.app.url}/deal/${deal!.deal_id}`)
    await fetch(`${at.app.url}/business/${deal!.business_id}`)
    expect(await views()).toEqual(before)
    const { page } = await at.visit('/')
    const put = (path: string) =>
      page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith(path))
    await Promise.all([put(`/api/deals/${deal!.deal_id}/view`), page.goto(`/deal/${deal!.deal_id}`)])
    await Promise.all([put(`/api/business/${deal!.business_id}/view`), page.goto(`/business/${deal!.business_id}`)])
    // views are collected for a second
    await expect
      .poll(views, { timeout: 90_000 })
      .toEqual({ business: (before.business ?? 0) + 1, deal: (before.deal ?? 0) + 1 })
  })

  it('left open for hours are loaded again when the visitor comes back', async () => {
    const { deal_id, deal_name, business_id } = (await get(at.app, '/api/deals?limit=1')).body[0]
    const { page, faults } = await at.visit('/help')
    const opened = Date.now()
    await page.clock.install({ time: opened })
    const rename = (to: string) =>
      at.app.db.updateTable('deals').set({ deal_name: to }).where('deal_id', '=', deal_id).execute()
    const renamed = `${deal_name} anew`
    let hours = 1
    for (const [path, level] of [
      [`/deal/${deal_id}`, 1],
      [`/business/${business_id}`, 3],
    ] as const) {
      await page.goto(path)
      await hydrated(page)
      await rename(renamed)
      const shown = page.getByRole('heading', { level, name: renamed })
      await expect
        .poll(async () => {
          await page.clock.setSystemTime(opened + hours++ * 60 * 60_000)
          await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
          return shown.count()
        })
        .toBe(1)
      // nothing on the page has started again
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
      await rename(deal_name)
    }
    expect(faults).toEqual([])
  })

  it('are shown at the counter with a running clock and terms, also without a network, but never instead of a code', async () => {
    const { db } = at.app
    const kiosk = await addBusiness(db, 'Thekenkiosk', { open_hours: '24/7' })
    const shown = await addDeal(db, kiosk, 'Thekentee', { terms: 'One cup each.', price_rappen: 400 })
    const coded = await addDeal(db, kiosk, 'Codetee', { redemption_mode: 'code' })
    const early = await addDeal(db, kiosk, 'Morgentee', { start_time: '06:00', end_time: '09:00' })
    await fillOpenings({ db, clock: systemClock })
    const { page, context, faults } = await at.visit(`/deal/${shown}`, {
      viewport: { width: 390, height: 664 },
      expected: /ERR_INTERNET_DISCONNECTED/,
    })
    await hydrated(page)
    const show = page.getByRole('link', { name: 'Show at the counter' })
    // it stays visible wherever the page is scrolled
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(async () => (await show.boundingBox())!.y).toBeLessThan(664 - 64)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await show.click()
    await page.getByText('Please show this before you pay.').waitFor()
    await page.getByText('One cup each.').waitFor()
    const clock = page.locator('time.figure')
    const firstTime = await clock.innerText()
    expect(firstTime).toMatch(/^\d\d:\d\d:\d\d$/)
    await expect.poll(() => clock.innerText()).not.toBe(firstTime)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await page.getByRole('link', { name: 'Close' }).click()
    await show.waitFor()
    await context.setOffline(false)
    await page.goto(`/deal/${early}?show=counter`)
    await page.getByText('Not valid now').waitFor()
    await expect.poll(() => page.getByText('Please show this').count()).toBe(0)
    await page.goto(`/deal/${coded}?show=counter`)
    await page.getByRole('heading', { name: 'Codetee', level: 1 }).waitFor()
    await expect.poll(() => page.getByText('Please show this').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('show every text and fallback of the specification', async () => {
    const bare = await addBusiness(at.app.db, 'Nackter Stein', { latitude: null, longitude: null })
    const { page } = await at.visit(`/business/${bare}`)
    const main = await page.locator('main').innerText()
    for (const text of [
      'Nackter Stein',
      'No description provided.',
      'Not provided',
      'Offers & Deals',
      'No current deals found.',
      'Location not available.',
    ])
      expect(main).toContain(text)

    const full = await addBusiness(at.app.db, 'Voller Stein', { description: 'All there.', address: 'Rheinsprung 1' })
    await addDeal(at.app.db, full, 'Stone soup', { description: 'Hot.', price: '9.50', discount: '10 %' })
    await page.goto(`/business/${full}`)
    const text = await page.locator('main').innerText()
    for (const expected of [
      'All there.',
      'Rheinsprung 1',
      'Stone soup',
      'Hot.',
      'Price: CHF 9.50',
      'Discount: 10 %',
      '47.5601',
    ])
      expect(text).toContain(expected)
    // a small map of the place with a link to the large map
    const map = page.getByRole('link', { name: 'Show this place on the map' })
    await expect.poll(() => map.getAttribute('href')).toContain('/dealsmap?')
    await expect.poll(() => map.locator('img').count()).toBe(1)
  })

  it('show a change soon after it was made', async () => {
    const { db, url } = at.app
    const deal = await addDeal(db, await addBusiness(db, 'Wandelbar'), 'Old name')
    const html = async () => (await fetch(`${url}/deal/${deal}`)).text()
    expect(await html()).toContain('Old name')
    await db.updateTable('deals').set({ deal_name: 'New name' }).where('deal_id', '=', deal).execute()
    await expect.poll(html).toContain('New name')
    expect(await html()).not.toContain('Old name')
  })

  it('say "Business not found." and "Deal not found." for unknown ids', async () => {
    const { page } = await at.visit('/business/0190a000-0000-7000-8000-000000000000', { expected: /404/ })
    await expect.poll(() => page.locator('main').innerText()).toContain('Business not found.')
    await page.goto('/deal/nope')
    await expect.poll(() => page.locator('main').innerText()).toContain('Deal not found.')
  })

  it('show the merchant even when its deals cannot be loaded', async () => {
    const { page } = await at.visit('/business', { expected: /500|Failed to load/ })
    await hydrated(page)
    await page.route('**/api/deals/business/**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.locator('main a[href^="/business/0"]').first().click()
    await page.getByText('Failed to load deals.').waitFor()
    await expect.poll(() => page.locator('h1').innerText()).not.toBe('')
  })

  it('fit with long names, two hundred deals and no deal, in German', async () => {
    const long = await addBusiness(
      at.app.db,
      'Donaudampfschifffahrtsgesellschaftskapitänskajütenkombüsenwirtschaft am Rheinknie'.slice(0, 80),
      { description: 'ä'.repeat(2000) },
    )
    for (let n = 0; n < 205; n++) await addDeal(at.app.db, long, `Deal ${n} ${'W'.repeat(70)}`.slice(0, 80))
    const { page, context, faults } = await at.visit('/', { viewport: phone })
    await context.addCookies([{ name: 'lang', value: 'de', url: at.app.url }])
    await page.goto(`/business/${long}`)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
      .toBe(0)
    await expectAccessible(page)
    expect(faults).toEqual([])
  })
})

inBrowser('the eve of the festival', () => {
  const at = useBrowser({ now: null })

  it('has no deal yet: list, map and each search name the next one, also without JavaScript', async () => {
    const { db } = at.app
    const stall = await addBusiness(db, 'Frühstand', { open_hours: '24/7' })
    const starts = (days: number) => ({ starts_at: new Date(Date.now() + days * 24 * 3_600_000) })
    await addDeal(db, stall, 'Frühbrot', starts(1))
    await addDeal(db, stall, 'Spätsuppe', starts(2))
    await fillOpenings({ db, clock: systemClock })
    const plain = await at.visit('/deals', { javaScriptEnabled: false })
    const next = (name: string) => plain.page.getByText('Next:').filter({ hasText: `${name}, Frühstand` })
    await next('Frühbrot').waitFor()
    await expect.poll(() => next('Frühbrot').innerText()).toContain('Tomorrow')
    await plain.page.goto('/deals?q=suppe')
    await next('Spätsuppe').waitFor()
    await plain.page.goto('/dealsmap')
    await next('Frühbrot').waitFor()
    // also if the list has merchants
    await plain.page.goto('/dealsmap?layers=deals,merchants')
    await next('Frühbrot').waitFor()
    const { page, faults } = await at.visit('/dealsmap')
    await hydrated(page)
    await page.getByText('Next:').filter({ hasText: 'Frühbrot' }).waitFor()
    await page.getByRole('checkbox', { name: 'Open Now' }).check()
    await page.waitForURL(/openNow=true/)
    await page.getByText('Next:').filter({ hasText: 'Frühbrot' }).waitFor()
    expect(faults).toEqual([])
  })
})
