import { chromium, type Browser } from 'playwright-core'
import { builtServer, startServer } from '../test/built-server.ts'
import { temporaryFolder } from './folder.ts'
import { browserFlags, chromiumPath } from './pages.ts'
import { slowDown } from './phone.ts'
import { median, plain, type Row } from './report.ts'

const clicks = 9

/**
 * F6: from a click on a filter of /deals to the painted list, with the CPU of a phone; medians in ms. The end is the frame in which the
 * list has changed and the page waits for nothing.
 */
export async function filterRows(): Promise<Row[]> {
  using folder = temporaryFolder()
  await using app = await startServer(builtServer, { DATA_DIR: folder.path, DATABASE_URL: '' }, { probe: '/readyz' })
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserFlags })
  const filters = {
    'a category': 'input[name="category"][value="drinks"]',
    'open now': 'input[name="openNow"]',
    'another order': 'select[name="sort"]',
  }
  const rows: Row[] = []
  try {
    for (const [filter, selector] of Object.entries(filters)) {
      const ms = await untilPainted(browser, app.base, selector)
      rows.push(plain(`F6 from a click on ${filter} to the painted list`, `${ms.toFixed(0)} ms`, '≤ 200 ms', ms <= 200))
    }
  } finally {
    await browser.close()
  }
  return rows
}

async function untilPainted(browser: Browser, base: string, selector: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < clicks; n++) {
    const context = await browser.newContext({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true })
    const page = await context.newPage()
    await page.goto(`${base}/deals`, { waitUntil: 'networkidle' })
    const devtools = await context.newCDPSession(page)
    await slowDown(context, devtools)
    const control = page.locator(selector).first()
    await control.scrollIntoViewIfNeeded()
    times.push(
      await control.evaluate(
        (element) =>
          new Promise<number>((resolve) => {
            const shown = () =>
              [...document.querySelectorAll<HTMLAnchorElement>('main li a')].map((link) => link.href).join()
            const before = shown()
            const began = performance.now()
            const look = () => {
              const isThere = shown() !== before && !document.querySelector('main[aria-busy]')
              // in the next frame the new list is painted
              if (isThere) requestAnimationFrame(() => resolve(performance.now() - began))
              else requestAnimationFrame(look)
            }
            if (element instanceof HTMLSelectElement) {
              element.value = 'ending_soon'
              element.dispatchEvent(new Event('change', { bubbles: true }))
            } else (element as HTMLElement).click()
            requestAnimationFrame(look)
          }),
      ),
    )
    await context.close()
  }
  return median(times)
}
