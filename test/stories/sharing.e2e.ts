import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addBusiness, addDeal } from '../cast.ts'
import { hydrated, inBrowser, useBrowser } from './browser.ts'

const name = '</script><script>alert(1)</script> & "🎉"'

inBrowser('the head of a page in a browser', () => {
  const at = useBrowser()

  it('is complete and not doubled after hydration, with valid structured data', async () => {
    const shop = await addBusiness(at.app.db, name, { description: `${name}\r\n `.repeat(9) })
    const deal = await addDeal(at.app.db, shop, name, { price_rappen: 500 })
    const { page, faults } = await at.visit('/')
    for (const path of ['/', '/deals', '/business', '/help', '/contact', `/business/${shop}`, `/deal/${deal}`]) {
      await page.goto(path)
      await hydrated(page)
      const head = await headOf(page)
      expect(head.doubled, path).toEqual([])
      expect(head.canonical, path).toBe(at.app.url + path)
      expect(head.json, path).toHaveLength(1)
      expect(JSON.parse(head.json[0]!)['@graph'].length, path).toBeGreaterThan(0)
    }
    expect(faults).toEqual([])
  })

  it('changes from page to page, with nothing left of the previous page', async () => {
    const { page, faults } = await at.visit('/deals')
    await hydrated(page)
    const before = await headOf(page)
    await page.locator('main h2 a').first().click()
    await page.waitForURL(/\/deal\//)
    await page.waitForFunction((old) => document.title !== old, before.title)
    const deal = await headOf(page)
    expect(deal.doubled).toEqual([])
    expect(deal.canonical).toBe(page.url())
    expect(deal.image).toContain('/og/deal/')
    expect(deal.json).toEqual([])
    await page.locator('article a[href^="/business/"]').first().click()
    await page.waitForFunction(() => document.head.innerHTML.includes('/og/business/'))
    const business = await headOf(page)
    expect(business.doubled).toEqual([])
    expect(business.canonical).toBe(page.url())
    await page.goBack()
    await page.goBack()
    await page.waitForFunction((old) => document.title === old, before.title)
    expect((await headOf(page)).doubled).toEqual([])
    expect(faults).toEqual([])
  })

  it('changes with the filters of a list', async () => {
    const { page, faults } = await at.visit('/deals?category=food')
    await hydrated(page)
    expect((await headOf(page)).json).toHaveLength(1)
    await page.evaluate(() => (document.querySelector('a[href="/deals"]') as HTMLElement).click())
    await page.waitForURL(/\/deals$/)
    await page.waitForFunction(() =>
      document.querySelector('link[rel=canonical]')?.getAttribute('href')?.endsWith('/deals'),
    )
    const head = await headOf(page)
    expect(head.doubled).toEqual([])
    expect(head.json).toEqual([])
    expect(faults).toEqual([])
  })
})

function headOf(page: Page) {
  return page.evaluate(() => {
    const keys = [...document.querySelectorAll('title, meta[name], meta[property], link[rel=canonical]')]
      .filter((tag) => !tag.closest('svg') && tag.getAttribute('name') !== 'theme-color')
      .map((tag) => tag.getAttribute('name') ?? tag.getAttribute('property') ?? tag.tagName)
    return {
      title: document.title,
      doubled: keys.filter((key, index) => keys.indexOf(key) !== index),
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href'),
      image: document.querySelector('meta[property="og:image"]')?.getAttribute('content'),
      json: [...document.querySelectorAll('script[type="application/ld+json"]')].map((script) => script.textContent),
    }
  })
}
