import { sql } from 'kysely'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { addBusiness, addDeal } from '../cast.ts'
import { inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('merchants A–Z, of a whole town', () => {
  const site = useBrowser()

  // 2,400 names, a hundred per letter; none begins with Q or X
  beforeAll(async () => {
    await sql`
      insert into businesses (business_id, business_name, slug, created_at, updated_at)
      select gen_random_uuid(), letter || 'aa ' || lpad(n::text, 3, '0'), 'town-' || letter || n, now(), now()
      from regexp_split_to_table('ABCDEFGHIJKLMNOPRSTUVWYZ', '') letter, generate_series(1, 100) n`.execute(site.app.db)
  })

  beforeAll(async () => {
    for (const name of ['Zwirbelhannes', 'Bar Zwirbelhannes', 'Zwirbelhannes Süd']) await addBusiness(site.app.db, name)
  })

  const ways: [string, BrowserContextOptions][] = [
    ['without JavaScript', { javaScriptEnabled: false }],
    ['on a phone', { viewport: phone }],
  ]
  it.each(ways)('are found by letter and page, in both directions, %s', async (_, how) => {
    const { page, faults } = await site.visit('/business', how)
    const letters = page.getByRole('navigation', { name: 'Letters' })
    await expect.poll(() => letters.getByRole('listitem').allInnerTexts()).toEqual([...'#ABCDEFGHIJKLMNOPQRSTUVWXYZ'])
    await expect.poll(() => letters.getByRole('link', { name: 'Q', exact: true }).count()).toBe(0)
    await letters.getByRole('link', { name: 'V', exact: true }).click()
    await page.waitForURL('**/business?from=v')
    const first = page.getByRole('main').getByRole('heading', { level: 3 }).first()
    await first.filter({ hasText: 'Vaa 001' }).waitFor()
    await expect.poll(() => letters.locator('[aria-current]').innerText()).toBe('V')
    await expect.poll(() => page.getByRole('main').getByRole('heading', { level: 2 }).first().innerText()).toBe('V')
    // the same pages forward and back
    await page.getByRole('link', { name: 'Next' }).click()
    await first.filter({ hasText: 'Vaa 061' }).waitFor()
    await page.getByRole('link', { name: 'Previous' }).click()
    await first.filter({ hasText: 'Vaa 001' }).waitFor()
    // and back into the previous letter
    await page.getByRole('link', { name: 'Previous' }).click()
    await first.filter({ hasText: 'Uaa 041' }).waitFor()
    expect(faults).toEqual([])
  })

  it('page backwards from the twentieth page too', async () => {
    let next = '/api/business?limit=100'
    for (let pageNumber = 1; pageNumber < 20; pageNumber++) {
      const { headers } = await fetch(site.app.url + next)
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')![1]!
    }
    const { page } = await site.visit(`${next.replace('/api', '')}&page=20`, { javaScriptEnabled: false })
    const names = page.getByRole('main').getByRole('heading', { level: 3 })
    const here = await names.allInnerTexts()
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText('Page 19', { exact: true }).waitFor()
    expect((await names.allInnerTexts()).at(-1)! < here[0]!).toBe(true)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 20', { exact: true }).waitFor()
    await expect.poll(() => names.allInnerTexts()).toEqual(here)
  })

  it('have headlines that break no word of their name, on every screen', async () => {
    const names = [
      'Fachbereichsbibliothek Kulturwissenschaft und Europäische Ethnologie',
      'Universitätsbibliothek Religion',
      'Bibliothek Altertumswissenschaften',
      'Kinderspielplatz Roggenburgerstrasse',
      'Feuerwehrmuseum',
      'BUCHHANDLUNG SCHWABENWINKEL',
      'Bäckerei',
    ]
    const { page } = await site.visit('/business')
    for (const name of names) {
      const id = await addBusiness(site.app.db, name)
      await addDeal(site.app.db, id, name)
      const [deal] = (await (await fetch(`${site.app.url}/api/deals/business/${id}`)).json()) as { deal_id: string }[]
      for (const path of [`/business/${id}`, `/deal/${deal!.deal_id}`]) {
        await page.goto(path)
        for (const width of [320, 390, 834, 1024, 1440]) {
          await page.setViewportSize({ width, height: 844 })
          expect(await wordsCut(page), `${name} at ${width} px`).toEqual([])
        }
      }
    }
    // a short name has the full size
    const [short, long] = await page.evaluate(() => {
      const h1 = document.querySelector('h1')!
      const size = Number.parseFloat(getComputedStyle(h1).fontSize)
      h1.className = ''
      return [size, Number.parseFloat(getComputedStyle(h1).fontSize)]
    })
    expect(short).toBe(long)
  })

  it('with the same name and without an address show where they are', async () => {
    const body = await (await fetch(site.app.url)).text()
    const centre = {
      latitude: Number(/data-lat="([\d.]+)"/.exec(body)![1]),
      longitude: Number(/data-lon="([\d.]+)"/.exec(body)![1]),
    }
    const km = 1 / 111.195
    const add = (north: number, east: number, address: string | null = null) =>
      addBusiness(site.app.db, 'Quizbar', {
        latitude: centre.latitude + north * km,
        longitude: centre.longitude + (east * km) / Math.cos((centre.latitude * Math.PI) / 180),
        address,
      })
    await add(2, 0)
    await add(0, -0.3)
    await add(-1, 1)
    await add(1, 0, 'Klybeckstrasse 1')
    const { page } = await site.visit('/business?q=quizbar', { javaScriptEnabled: false })
    const lines = await page.getByRole('main').locator('[data-slot=where]').allInnerTexts()
    expect(lines.toSorted()).toEqual([
      '1.4 km south-east of the festival centre',
      '2.0 km north of the festival centre',
      '300 m west of the festival centre',
      'Klybeckstrasse 1',
    ])
  })

  it('are linked from a search for deals that finds only merchants, with JavaScript and without', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, context, faults } = await site.visit('/deals', { viewport: phone, javaScriptEnabled })
      const search = page.getByRole('main').getByRole('searchbox').first()
      await search.fill('zwirbelhanes')
      await search.press('Enter')
      await page.getByRole('link', { name: '3 matching merchants' }).click()
      await page.waitForURL('**/business?q=zwirbelhanes')
      await page.getByText('3 merchants matching “zwirbelhanes”').waitFor()
      expect(faults).toEqual([])
      await context.close()
    }
  })
})

/** Words of the page's headline that break over lines. */
async function wordsCut(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await document.fonts.ready
    const text = document.querySelector('h1')!.firstChild as Text
    const range = document.createRange()
    return [...text.data.matchAll(/\S+/g)]
      .filter(({ 0: word, index }) => {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
      .map(([word]) => word)
  })
}
