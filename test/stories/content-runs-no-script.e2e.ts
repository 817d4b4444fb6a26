import { expect, it } from 'vitest'
import { addBusiness, addDeal } from '../cast.ts'
import { hydrated, inBrowser, useBrowser } from './browser.ts'

/** Everything a stranger may get into the database, shown on every page that shows it (S8). */
const payloads = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '</title><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<body onload=alert(1)>',
  '<iframe src=javascript:alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<a href=javascript:alert(1)>x</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<style>@import "javascript:alert(1)"</style>',
  '<link rel=stylesheet href=javascript:alert(1)>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href=//evil.example/>',
  '<form action=javascript:alert(1)><button>x',
  '<template><script>alert(1)</script></template>',
  '<!--<script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '\u2028alert(1)\u2029',
  '"]);alert(1);//',
  '</body></html><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\u003cscript\\u003ealert(1)',
  '<x onclick=alert(1) style=position:fixed;inset:0>',
]

inBrowser('what merchants write', () => {
  const at = useBrowser({ now: null })

  it(`runs no script: ${payloads.length} payloads in every stored field on every page that shows them`, async () => {
    const { page, faults } = await at.visit('/', { expected: /404 \(Not Found\)/ })
    for (const payload of payloads) {
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
      for (const path of [`/deal/${deal}`, `/business/${business}`]) {
        await page.goto(path)
        expect(await page.locator('h1').innerText()).not.toBe('')
      }
      await page.goto(`/deals?q=${encodeURIComponent(payload)}&category=${encodeURIComponent(text)}`)
    }
    for (const path of ['/', '/deals', '/deals?lat=47.56&lon=7.59', '/business']) {
      await page.goto(path)
      await hydrated(page)
    }
    expect(faults).toEqual([])
    expect(await page.evaluate(() => document.querySelectorAll('script:not([nonce])').length)).toBe(0)
  }, 180_000)

  it('would still run nothing if escaping failed: the policy stops inline scripts, handlers and DOM sinks', async () => {
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
    expect(await page.evaluate(() => (window as unknown as { ran?: boolean }).ran)).toBeUndefined()
    expect(faults.every((fault) => /CSP|Content Security Policy|Trusted/i.test(fault))).toBe(true)
    expect(faults.length).toBeGreaterThan(0)
  })
})
