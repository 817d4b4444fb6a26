import { expect, it } from 'vitest'
import { fillOpenings } from '../../src/businesses/server/businesses.ts'
import { newId } from '../../src/kit/server/ids.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { addBusiness, addDeal, eastOfBridge } from '../cast.ts'
import { expectAccessibleInBothThemes, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const smallPhone = { width: 390, height: 664 }
const here = { geolocation: { latitude: 47.5601, longitude: 7.5897 }, permissions: ['geolocation'] }

/** What somebody in need types, in each language. */
const needs = {
  en: {
    toilet: 'toilet',
    water: 'water',
    first_aid: 'first aid',
    step_free: 'step-free',
    help: 'help',
    lost: 'lost',
    tram: 'tram',
    police: 'police',
    quiet: 'quiet',
  },
  de: {
    toilet: 'WC',
    water: 'Wasser',
    first_aid: 'Erste Hilfe',
    step_free: 'stufenlos',
    help: 'Hilfe',
    lost: 'verloren',
    tram: 'letztes Tram',
    police: 'Polizei',
    quiet: 'ruhig',
  },
  fr: {
    toilet: 'toilettes',
    water: 'eau',
    first_aid: 'premiers secours',
    step_free: 'de plain-pied',
    help: 'aide',
    lost: 'perdu',
    tram: 'dernier tram',
    police: 'police',
    quiet: 'calme',
  },
}

inBrowser('now and near', () => {
  const at = useBrowser()

  it.each(['/', '/deals'])(
    'from %s one tap leads to deals that can be used now around me, with minutes on foot',
    async (from) => {
      const { page, faults } = await at.visit(from, { viewport: smallPhone, ...here })
      await hydrated(page)
      await page.locator('main a[data-near][href*="openNow=true"]').first().click()
      await page.waitForURL(/\/deals\?openNow=true&lat=47\.560&lon=7\.590/)
      const cards = page.getByRole('main').getByRole('article')
      await cards
        .getByText(/\d\smin on foot$/)
        .first()
        .waitFor()
      // cards further down are not drawn yet
      const texts = await cards.allTextContents()
      expect(texts.length).toBeGreaterThan(5)
      for (const text of texts) {
        expect(text).toMatch(/Now|min left|Until/)
        // minutes if it is near enough to walk; a deal without a place has no distance
        expect(text).toMatch(/\d (m|km)\b|No location given/)
      }
      // a chosen filter appears once: as its chip
      const main = page.getByRole('main')
      await expect.poll(() => main.getByText('Open now', { exact: true }).count()).toBe(1)
      await expect.poll(() => main.getByText('Near me', { exact: true }).count()).toBe(1)
      await expectAccessibleInBothThemes(page)
      expect(faults).toEqual([])
    },
  )

  it('the distance from me in the list is on the page of a deal too, above its price', async () => {
    const { db } = at.app
    const shop = await addBusiness(db, 'Nahladen', { open_hours: '24/7', ...eastOfBridge(400) })
    const deal = await addDeal(db, shop, 'Nahes Brot', { price_rappen: 650 })
    await fillOpenings({ db, clock: systemClock })
    const { page } = await at.visit(`/deal/${deal}`, { viewport: smallPhone, ...here })
    await hydrated(page)
    const minutes = page.getByRole('main').getByText(/^\d+ m, \d+\smin on foot$/)
    await page.goto('/deals?q=Nahes')
    await hydrated(page)
    await page.getByRole('main').getByText('Near me', { exact: true }).click()
    await page.waitForURL(/lat=/)
    await page.getByRole('article').getByRole('link', { name: 'Nahes Brot' }).click()
    await page.waitForURL(`**/deal/${deal}`)
    await expect.poll(() => minutes.innerText()).toBe('380 m, 7\u00A0min on foot')
    const action = (await page.getByRole('link', { name: 'Show at the counter' }).boundingBox())!
    for (const part of [minutes, page.locator('h1'), page.getByText('6.50').first()]) {
      const { y, height } = (await part.boundingBox())!
      expect(y + height).toBeLessThanOrEqual(action.y)
    }
  })

  it('what ends before one is there comes last in a list near me, and says so on the card and the page', async () => {
    const { db } = at.app
    const soon = Temporal.Now.instant().add({ minutes: 10 }).toZonedDateTimeISO('Europe/Zurich')
    const end = soon.toPlainTime().toString().slice(0, 5)
    const open = { ...eastOfBridge(900), open_hours: `Mo-Su 08:00-${end}` }
    const closing = await addBusiness(db, 'Ladenschluss', open)
    const allNight = await addBusiness(db, 'Nachtladen', { ...eastOfBridge(950), open_hours: '24/7' })
    const late = await addDeal(db, closing, 'Wettlauf mit der Zeit')
    await addDeal(db, allNight, 'Wettlauf ohne Eile')
    await fillOpenings({ db, clock: systemClock })
    const { page } = await at.visit('/deals?q=Wettlauf&openNow=true&lat=47.560&lon=7.590', { viewport: phone, ...here })
    await hydrated(page)
    const cards = page.getByRole('main').getByRole('article')
    await expect.poll(() => cards.count()).toBe(2)
    await expect.poll(() => cards.nth(0).innerText()).toContain('Wettlauf ohne Eile')
    await expect.poll(() => cards.nth(1).innerText()).toMatch(/\d+ min left\s+Too far to make it/)
    await page.goto(`/deal/${late}`)
    await page.getByRole('main').getByText('Too far to make it').waitFor()
  })

  it('an empty list names the next deal with its minutes on foot, and links to it', async () => {
    const { db } = at.app
    const bakery = await addBusiness(db, 'Nachtbackstube', { open_hours: 'Mo-Su 07:30-11:00', ...eastOfBridge(250) })
    const bread = await addDeal(db, bakery, 'Zwetschgenkrapfen')
    await fillOpenings({ db, clock: systemClock })
    const { page, faults } = await at.visit('/deals?q=Zwetschgenkrapfen&openNow=true&lat=47.560&lon=7.590', {
      viewport: phone,
    })
    await hydrated(page)
    const next = page.getByText('Next:').filter({ hasText: 'Zwetschgenkrapfen, Nachtbackstube' })
    await expect.poll(() => next.innerText()).toMatch(/Tomorrow 07:30–11:00, 230 m, 4\smin on foot/)
    await expectAccessibleInBothThemes(page)
    await page.goto('/dealsmap?q=Zwetschgenkrapfen&openNow=true&lat=47.560&lon=7.590')
    await next.waitFor()
    await next.getByRole('link').click()
    await page.waitForURL(`**/deal/${bread}`)
    expect(faults).toEqual([])
  })

  it.each([
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', /^geo:47\.\d+,7\.\d+\?q=/],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', /^https:\/\/maps\.apple\.com\/\?daddr=47/],
  ])('directions on %s open the maps app of the phone', async (userAgent, address) => {
    const { page } = await at.visit(`/deal/${await aDeal()}`, { viewport: phone, userAgent })
    await hydrated(page)
    await expect.poll(() => page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toMatch(address)
  })

  it('directions on a desktop offer several map services', async () => {
    const { page, faults } = await at.visit(`/deal/${await aDeal()}`, {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    })
    await hydrated(page)
    await page.getByRole('link', { name: 'Directions' }).click()
    const choice = page.getByRole('dialog', { name: 'Directions with' })
    await choice.waitFor()
    await expect
      .poll(() => choice.getByRole('link').allInnerTexts())
      .toEqual(['OpenStreetMap', 'Google Maps', 'Apple Maps'])
    expect(faults).toEqual([])
  })

  it('pages of a deal and its merchant show a drawn map without the map engine; only the merchant’s has coordinates', async () => {
    const deal = await aDeal()
    const { page, faults } = await at.visit('/contact', { viewport: phone })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const small = page.getByRole('link', { name: 'Show this place on the map' })
    const numbers = /\d\d\.\d{5}, \d\.\d{5}/
    await page.goto(`/deal/${deal}`)
    await hydrated(page)
    await small.scrollIntoViewIfNeeded()
    await page.waitForFunction(() => {
      const picture = document.querySelector<HTMLImageElement>('foreignObject img')
      return !!picture && picture.complete && picture.naturalWidth > 0
    })
    await expect.poll(() => page.getByRole('main').innerText()).not.toMatch(numbers)
    await page.locator('main a[href^="/business/"]').first().click()
    await page.getByRole('heading', { name: 'Wegladen', level: 1 }).waitFor()
    await small.scrollIntoViewIfNeeded()
    await expect.poll(() => page.getByRole('main').innerText()).toMatch(numbers)
    expect(asked).toContain('/map/outline-near-paper.svg')
    expect(asked.filter((path) => /maplibre|engine|^\/map\/(?!outline)/.test(path))).toEqual([])
    expect(faults).toEqual([])
  })

  it('the page for the counter is accessible, for open deals and for deals that are not valid now', async () => {
    const { db } = at.app
    const kiosk = await addBusiness(db, 'Zugangskiosk', { open_hours: '24/7' })
    const now = await addDeal(db, kiosk, 'Zugangstee', { terms: 'Einer je Person.', price_rappen: 400 })
    const later = await addDeal(db, kiosk, 'Morgenzugang', { start_time: '06:00', end_time: '09:00' })
    const unknown = await addBusiness(db, 'Unbekannt')
    const unsure = await addDeal(db, unknown, 'Ungewisser Tee', { start_time: '18:00', end_time: '23:00' })
    await fillOpenings({ db, clock: systemClock })
    const { page, faults } = await at.visit(`/deal/${now}?show=counter`, { viewport: smallPhone })
    for (const [deal, state] of [
      [now, 'Valid now'],
      [later, 'From Sun 06:00'],
      [unsure, 'Daily 18:00–23:00 · Hours unknown'],
    ]) {
      await page.goto(`/deal/${deal}?show=counter`)
      await hydrated(page)
      await page.getByRole('main').getByText(state!, { exact: true }).waitFor()
      await page.locator('time.figure').waitFor()
      // opening hours are unknown: the people there decide
      await expect.poll(() => page.getByText('Not valid now').count()).toBe(deal === later ? 1 : 0)
      await expectAccessibleInBothThemes(page)
    }
    expect(faults).toEqual([])
  })

  const aDeal = async () => {
    const { db } = at.app
    const shop = await addBusiness(db, 'Wegladen', { open_hours: '24/7', ...eastOfBridge(100) })
    const deal = await addDeal(db, shop, 'Wegzehrung')
    await fillOpenings({ db, clock: systemClock })
    return deal
  }

  it('a word of need leads to the nearest open place, in any search and without JavaScript', async () => {
    const { db } = at.app
    const place = { kind: 'toilet', latitude: 47.5596, longitude: 7.5886, updated_at: new Date() }
    await db
      .insertInto('useful_places')
      .values([
        { ...place, place_id: newId(), place_name: 'WC Steg', opening_hours: '24/7' },
        { ...place, place_id: newId(), place_name: 'WC Turm', opening_hours: 'Mo-Su 03:00-04:00' },
      ])
      .execute()
    const { page, faults } = await at.visit('/', { javaScriptEnabled: false, viewport: smallPhone })
    await page.getByRole('main').getByRole('searchbox').first().fill('tiolet')
    await page.getByRole('main').getByRole('button', { name: 'Search' }).first().click()
    for (const address of [null, '/events?q=Toilette', '/forum/search?q=wc']) {
      if (address) await page.goto(address)
      const answer = page.getByRole('region', { name: 'Toilets' })
      const names = await answer.getByRole('heading', { level: 3 }).allInnerTexts()
      // the other one is closed
      expect(names[0]).toBe('WC Steg')
      expect(names).not.toContain('WC Turm')
      await answer.getByText(/^Open/).first().waitFor()
    }
    await page.goto('/deals?q=bier')
    await page.getByRole('link', { name: 'Search everything for “bier”' }).click()
    await page.waitForURL('**/search?q=bier&first=deals')
    const kinds = () => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
    expect((await kinds())[0]).toBe('Deals')
    await page.goto('/search?q=bar&first=merchants')
    expect((await kinds())[0]).toBe('Merchants')
    await page.goto('/search?q=toilet')
    expect((await kinds())[0]).toBe('Toilets')
    await page.goto('/deals?q=police')
    await expect.poll(() => page.locator('a[href="tel:117"]').count()).toBe(1)
    await page.goto('/dealsmap?q=wc')
    await page.getByRole('main').getByText('WC Steg').first().waitFor()
    expect(faults).toEqual([])
    const scripted = await at.visit('/deals?q=toilet', { viewport: smallPhone, ...here })
    await hydrated(scripted.page)
    await expectAccessibleInBothThemes(scripted.page)
    expect(scripted.faults).toEqual([])
  })

  it('every search answers a word of need in three languages', async () => {
    await at.app.db
      .insertInto('useful_places')
      .values(
        (['toilet', 'water', 'first_aid', 'step_free'] as const).map((kind) => ({
          place_id: newId(),
          place_name: `Ort ${kind}`,
          kind,
          opening_hours: '24/7',
          latitude: 47.5596,
          longitude: 7.5886,
          updated_at: new Date(),
        })),
      )
      .execute()
    for (const [language, words] of Object.entries(needs))
      for (const [need, word] of Object.entries(words))
        for (const path of ['/deals', '/events', '/dealsmap', '/business', '/forum/search', '/search']) {
          const address = `${at.app.url}${path}?q=${encodeURIComponent(word)}`
          const html = await (await fetch(address, { headers: { cookie: `lang=${language}` } })).text()
          const isPlace = ['toilet', 'water', 'step_free'].includes(need)
          expect(html, `${language} ${address}`).toMatch(isPlace ? `Ort ${need}` : 'id="need"')
        }
  })

  it('the search of everything finds answers of the help, and deals that nearly have the word where nothing else is found', async () => {
    const { page, faults } = await at.visit('/search?q=where+does+sponsored+stand', { viewport: smallPhone })
    const main = page.getByRole('main')
    await main.getByText('Nothing found').waitFor()
    await main.getByRole('searchbox').fill('crossed-out')
    await main.getByRole('button', { name: 'Search' }).click()
    await main.getByRole('link', { name: 'May I show a crossed-out price?' }).click()
    await page.waitForURL('**/help#struck-out-prices')
    await main.getByText('The Swiss price ordinance says').waitFor()
    await page.goto('/search?q=sponsored&first=help')
    await expect.poll(() => main.getByRole('heading', { level: 2 }).first().innerText()).toBe('Help')
    await main.getByRole('link', { name: 'What does “Sponsored” mean?' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.goto('/search?q=spritzzer')
    await main.getByText('No exact match for “spritzzer”. Close matches:').waitFor()
    expect(await main.getByRole('article').count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  it('free and cheap deals are one tap away, and the cheapest come first', async () => {
    const { db } = at.app
    const shop = await addBusiness(db, 'Preisladen', { open_hours: '24/7' })
    for (const [name, price_rappen] of [
      ['Preisprobe zehn', 1000],
      ['Preisprobe neun', 900],
      ['Preisprobe null', 0],
      ['Preisprobe Wort', null],
    ] as const)
      await addDeal(db, shop, name, { price_rappen, price: price_rappen === null ? 'free' : null })
    const { page, faults } = await at.visit('/deals?q=Preisprobe&sort=price', { viewport: smallPhone })
    await hydrated(page)
    const names = () => page.getByRole('article').getByRole('heading').allInnerTexts()
    const [free, cheap] = ['Free', 'Under CHF 10'].map((name) => page.getByRole('main').getByRole('checkbox', { name }))
    expect(await names()).toEqual(['Preisprobe null', 'Preisprobe neun', 'Preisprobe zehn', 'Preisprobe Wort'])
    await cheap!.check()
    await expect.poll(names).toEqual(['Preisprobe null', 'Preisprobe neun'])
    await free!.check()
    await expect.poll(names).toEqual(['Preisprobe null'])
    expect(await cheap!.isChecked()).toBe(false)
    await free!.uncheck()
    await expect.poll(async () => (await names()).length).toBe(4)
    expect(faults).toEqual([])
  })
})
