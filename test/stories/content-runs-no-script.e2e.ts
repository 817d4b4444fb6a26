import { expect, it } from 'vitest'
import { addBusiness, addDeal } from '../cast.ts'
import { inBrowser, useBrowser } from './browser.ts'
import { payloads, walkToTheEnd } from './payloads.ts'

/** All texts that a merchant can store, on every page that shows them (S8). */
inBrowser('a text by a merchant', () => {
  const at = useBrowser({ now: null })

  it(`runs no script: ${payloads.length} payloads in every stored field on every page that shows them`, async () => {
    const { page, faults } = await at.visit('/', { expected: /404 \(Not Found\)/ })
    for (const [index, payload] of payloads.entries()) {
      const text = payload.slice(0, 60)
      const business = await addBusiness(at.app.db, text, {
        description: payload,
        address: payload,
        open_hours: payload,
        phone: payload,
        website: payload,
        logo_url: payload,
        category: 'food',
      })
      const deal = await addDeal(at.app.db, business, text, {
        description: payload,
        price: text,
        discount: text,
        terms: payload,
        tags: [text, 'ok'],
        image_url: payload,
      })
      // lists show all payloads; a page for each deal would take long
      if (index % 6 > 0) continue
      for (const path of [`/deal/${deal}`, `/business/${business}`]) {
        await page.goto(path)
        await expect.poll(() => page.locator('h1').innerText()).not.toBe('')
      }
      await page.goto(`/deals?q=${encodeURIComponent(payload)}&category=${encodeURIComponent(text)}`)
    }
    await walkToTheEnd(page, ['/', '/deals', '/deals?lat=47.56&lon=7.59', '/business'])
    expect(faults).toEqual([])
    await expect.poll(() => page.evaluate(() => document.querySelectorAll('script:not([nonce])').length)).toBe(0)
  })

  it('would run no script even if escaping failed: the policy stops inline scripts, handlers and DOM sinks', async () => {
    const { page, faults } = await at.visit('/')
    const stopped = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<img src=x onerror=alert(1)>'
        return false
      } catch {
        return true
      }
    })
    expect(stopped).toBe(true)
    await page
      .evaluate(() => {
        const script = document.createElement('script')
        script.append('window.ran = true')
        document.body.append(script)
      })
      .catch(() => {})
    await expect.poll(() => page.evaluate(() => (window as unknown as { ran?: boolean }).ran)).toBeUndefined()
    expect(faults.every((fault) => /CSP|Content Security Policy|Trusted/i.test(fault))).toBe(true)
    expect(faults.length).toBeGreaterThan(0)
  })
})
