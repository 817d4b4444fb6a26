import axe, { type RunOptions } from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest'
import { undocumented } from '../documented.ts'
import { clockOffsetMs, shifted } from '../saturday-evening.ts'
import { startTestApp, type TestApp } from '../start-app.ts'
import { launchOptions } from './chromium.ts'
import { fitsAnyPage, openPage, type UsedPage } from './used-page.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }
export const sizes = [
  ['phone', phone],
  ['desktop', desktop],
] as const

const executablePath = inject('chromium')

/** Skips the stories of a file where there is no browser; npm test says so. */
export const inBrowser = executablePath ? describe : describe.skip

let shared: Promise<Browser> | undefined
/**
 * One Chromium for all files of a worker, in which each visit has a context of its own; it ends with the worker. A browser that all workers
 * shared would cost more: each message would go through one more process.
 */
export const browserOfWorker = () => (shared ??= chromium.launch({ ...launchOptions, executablePath: executablePath! }))

/** Only what hangs reaches it, also on a machine that does something else beside. */
export const patienceMs = 90_000

export interface Visit {
  page: Page
  context: BrowserContext
  /** Everything that must not happen: console errors, CSP reports, exceptions, requests to other hosts. */
  faults: string[]
}

/** A browser and an application for the stories of one file. */
export function useBrowser(options: Parameters<typeof startTestApp>[0] = { demo: true, now: null }) {
  let browser: Browser
  let app: TestApp
  const open: BrowserContext[] = []
  /** The page that stories have one after the other: of this story, or waiting for the next. */
  let used: UsedPage | null = null
  let waiting: UsedPage | null = null
  /** Where faults of the page in use go. */
  let faultOfUsed: (text: string) => void = () => {}

  beforeAll(async () => {
    app = await startTestApp({ pages: true, ...options })
    browser = await browserOfWorker()
  })
  // pages left open go on drawing, and make every story slower than the one before
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close()
    if (used) waiting = (await used.leave()) ? used : null
    used = null
  })
  afterAll(async () => {
    // an application that ends waits for its pages
    await waiting?.context.close()
    await app?.close()
  })

  return {
    get app() {
      return app
    },
    /**
     * A visitor with an empty browser. `expected` faults are those that the story provokes. Visitors save data, so that no visit pays
     * for the screens that are fetched ahead while nothing else is to do, but where a story says `savesData: false`. `fresh`: nothing of
     * the site is in the browser's cache, for stories about what does not come.
     */
    async visit(
      path: string,
      more: BrowserContextOptions & { expected?: RegExp; savesData?: boolean; fresh?: boolean } = {},
    ): Promise<Visit> {
      const { expected, savesData = true, fresh = false, ...contextOptions } = more
      const settings: BrowserContextOptions = {
        viewport: desktop,
        baseURL: app.url,
        locale: 'en-GB',
        timezoneId: 'Europe/Zurich',
        // drawing what moves takes a fifth of a story's CPU; a story about motion asks for it
        reducedMotion: 'reduce',
        // a story may answer in the API's place, which it cannot where a worker asks; offline.e2e.ts has one
        serviceWorkers: 'block',
        ...contextOptions,
      }
      const faults: string[] = []
      const fault = (text: string) => {
        if (!expected?.test(text)) faults.push(text)
      }
      const first = !used && !fresh && fitsAnyPage(contextOptions)
      if (first) {
        const key = `${clockOffsetMs()} ${savesData}`
        if (waiting?.key !== key) await waiting?.context.close()
        used =
          waiting?.key === key
            ? waiting
            : await openPage(browser, {
                settings,
                key,
                prepare: (page) => prepare(page, { savesData, fault: (text) => faultOfUsed(text) }),
              })
        waiting = null
        faultOfUsed = fault
        await used.enter(settings)
      }
      const context = first ? used!.context : await browser.newContext(settings)
      if (!first) open.push(context)
      context.setDefaultTimeout(patienceMs)
      const page = first ? used!.page : await context.newPage()
      if (!first) await prepare(page, { savesData, fault, scripts: contextOptions.javaScriptEnabled !== false })
      page.on('console', (message) => {
        if (message.type() === 'error' || /hydrat|Minified React error/i.test(message.text()))
          fault(`console: ${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => fault(`exception: ${error.message}`))
      page.on('dialog', (dialog) => {
        fault(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(app.url) && !request.url().startsWith('data:'))
          fault(`foreign request: ${request.url()}`)
      })
      page.on('response', (response) => void expectDocumented(response, app.url, fault))
      await page.goto(path, { waitUntil: 'load' })
      if (first) await used!.forgetHistory()
      return { page, context, faults }
    },
  }
}

/** What every document of a visit begins with. */
async function prepare(
  page: Page,
  { savesData, fault, scripts = true }: { savesData: boolean; fault: (text: string) => void; scripts?: boolean },
) {
  const context = page.context()
  await context.addInitScript(`globalThis.Date = (${shifted.toString()})(Date, () => ${clockOffsetMs()})`)
  if (savesData) await context.addInitScript(saveData)
  if (!scripts) return
  await page.exposeFunction('reportViolation', (text: string) => fault(`CSP: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      ;(window as unknown as { reportViolation(text: string): void }).reportViolation(
        `${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      )
    })
  })
}

/** As a browser says it that is set so. The protocol can say it too, but its second session undoes what the first has emulated. */
const saveData = () => {
  const { connection } = navigator as Navigator & { connection?: object }
  if (connection) Object.defineProperty(connection, 'saveData', { value: true })
}

/** What a story answers in the API's place is not looked at: it comes from no server. */
async function expectDocumented(response: Response, url: string, fault: (text: string) => void) {
  const address = new URL(response.url())
  if (!address.pathname.startsWith('/api/') || address.origin !== url) return
  const text = await response.text().catch(() => null)
  if (text === null || !(await response.serverAddr().catch(() => null))) return
  const found = await undocumented(url, {
    method: response.request().method(),
    path: address.pathname,
    status: response.status(),
    contentType: response.headers()['content-type'] ?? null,
    text,
  })
  if (found) fault(found)
}

/** Waits until React has taken over the page, unless it is a plain one, which works as it comes. */
export async function hydrated(page: Page) {
  await page.waitForFunction(
    () =>
      document.querySelector('[data-account]') !== null ||
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  )
}

/** Waits until nothing in it is on its way any more, but what never ends, or goes with scrolling instead of time. */
export async function settled(part: Locator) {
  await expect
    .poll(() =>
      part.evaluate(
        (element) =>
          element
            .getAnimations({ subtree: true })
            .filter(
              ({ playState, timeline, effect }) =>
                playState === 'running' &&
                timeline === document.timeline &&
                effect?.getComputedTiming().endTime !== Infinity,
            ).length,
      ),
    )
    .toBe(0)
}

/** No violation of WCAG 2.2 A and AA, nor of axe's best practices. */
export async function expectAccessible(page: Page) {
  await expectNoViolation(page, { type: 'tag', values: tags })
}

/** The same in the light theme; in the dark one the colours alone are looked at, for the rest does not change. */
export async function expectAccessibleInBothThemes(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast'] })
}

/** The same page on a wide screen, without asking for it again. */
export async function expectAccessibleOnDesktop(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(desktop)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/**
 * Cards get their real height when they come near the screen, and axe itself scrolls from one to the next: all are drawn meanwhile,
 * so that nothing moves while it measures.
 * @returns what undoes that
 */
export async function drawsAll(page: Page): Promise<() => Promise<void>> {
  const sheet = await page.evaluateHandle(() => {
    const all = new CSSStyleSheet()
    all.replaceSync('* { content-visibility: visible !important; }')
    document.adoptedStyleSheets.push(all)
    return all
  })
  await standsStill(page)
  await settled(page.locator('html'))
  return () =>
    sheet.evaluate((all) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== all)
    })
}

async function standsStill(page: Page) {
  await page.waitForFunction(() => {
    const seen = window as unknown as { height?: number; frames?: number }
    const height = document.documentElement.scrollHeight
    seen.frames = seen.height === height ? (seen.frames ?? 0) + 1 : 0
    seen.height = height
    return seen.frames >= 3
  })
}

async function expectNoViolation(page: Page, runOnly: RunOptions['runOnly']) {
  const drawAsBefore = await drawsAll(page)
  // once a document; what is made for frames takes several times as long as the looking, and there are none
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async (only) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: only!,
      resultTypes: ['violations'],
    })
    return violations.map(
      (each) =>
        `${each.id}: ${each.nodes
          .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)
          .slice(0, 3)
          .join(' | ')}`,
    )
  }, runOnly)
  await drawAsBefore()
  expect(found, page.url()).toEqual([])
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Nothing sticks out to the side. */
export async function expectNoSidewaysScroll(page: Page) {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    page.url(),
  ).toBeLessThanOrEqual(0)
}

/** What is written at such addresses arrives, and its answer is lost; what is read comes. Ends with `page.unroute(url)`. */
export const loseAnswers = (page: Page, url: string, options?: { times: number }) =>
  page.route(
    url,
    async (route) => {
      if (route.request().method() === 'GET') return route.fallback()
      await route.fetch()
      await route.abort()
    },
    options,
  )
