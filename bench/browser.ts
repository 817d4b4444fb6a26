import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { chromium, type Browser } from 'playwright-core'
import { freePort } from '../test/free-port.ts'
import { phoneSlowdownNow, slowDown } from './phone.ts'

/** What Lighthouse's mobile preset says of a page: means of the runs (simulated 150 ms RTT, 1.6 Mbit/s, a phone's CPU: `phone.ts`). */
export interface PageFigures {
  /** 0 to 100, each the worst of the runs. */
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  tbtMs: number
  cls: number
  scriptKb: number
  /** Ids of the audits that are not passed. */
  failed: string[]
}

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/**
 * Each run in a fresh browser. `withWorker`: as it opens for who was there before, whose service worker has kept what it
 * needs.
 */
export async function measurePage(
  executablePath: string,
  url: string,
  { withWorker = false, runs = 2, args = [] as string[] } = {},
): Promise<PageFigures> {
  const figures: PageFigures[] = []
  for (let tries = 0; figures.length < runs; tries++) {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-browser-'))
    const context = await chromium.launchPersistentContext(folder, {
      executablePath,
      args: [...flags, ...args, `--remote-debugging-port=${port}`],
    })
    try {
      const slowdown = await phoneSlowdownNow(context)
      if (withWorker) {
        const page = await context.newPage()
        await page.goto(url)
        await page.waitForFunction(() => localStorage.getItem('kept') !== null, undefined, { timeout: 60_000 })
        await page.close()
      }
      figures.push(await run(url, port, slowdown, withWorker))
    } catch (error) {
      // now and then Lighthouse fails to record a page that is well
      if (tries > runs) throw error
    } finally {
      await context.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  const of = (name: Exclude<keyof PageFigures, 'failed'>, choose: (values: number[]) => number) =>
    choose(figures.map((each) => each[name]))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const worst = (values: number[]) => Math.min(...values)
  return {
    performance: of('performance', worst),
    accessibility: of('accessibility', worst),
    bestPractices: of('bestPractices', worst),
    seo: of('seo', worst),
    lcpMs: of('lcpMs', mean),
    tbtMs: of('tbtMs', mean),
    cls: of('cls', mean),
    scriptKb: of('scriptKb', mean),
    failed: [...new Set(figures.flatMap(({ failed }) => failed))],
  }
}

async function run(url: string, port: number, slowdown: number, keeps: boolean): Promise<PageFigures> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier: slowdown },
    disableStorageReset: keeps,
  })
  if (!result || result.lhr.runtimeError)
    throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message ?? 'no answer'}`)
  const { audits, categories } = result.lhr
  const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100)
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const details = audits['network-requests']?.details as
    { items: { resourceType?: string; transferSize?: number }[] } | undefined
  const requests = details?.items ?? []
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script')
  const counted = ['accessibility', 'best-practices', 'seo'].flatMap((id) => categories[id]?.auditRefs ?? [])
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    scriptKb: scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000,
    failed: counted
      .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  }
}

const clicks = 9

/**
 * From a click on a filter of /deals to the painted list, on a phone with its CPU slowed down four times: medians in ms.
 * The end is the frame in which the list is another one and the page waits for nothing any more.
 */
export async function measureFilters(executablePath: string, base: string): Promise<Record<string, number>> {
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    return {
      'a category': await median(browser, base, 'input[name="category"][value="drinks"]'),
      'open now': await median(browser, base, 'input[name="openNow"]'),
      'another order': await median(browser, base, 'select[name="sort"]'),
    }
  } finally {
    await browser.close()
  }
}

async function median(browser: Browser, base: string, selector: string): Promise<number> {
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
              // the frame after the one in which it is there has been painted with it
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
  return times.toSorted((a, b) => a - b)[Math.floor(clicks / 2)]!
}
