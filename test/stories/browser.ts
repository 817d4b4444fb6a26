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

/** Skips the stories of a file if there is no browser; npm test says so. */
export const inBrowser = executablePath ? describe : describe.skip

let shared: Promise<Browser> | undefined
/**
 * One Chromium for all files of a worker, with a context for each visit; it ends with the worker. In a browser that all workers
 * shared, each message would go through one more process.
 */
export const browserOfWorker = () => (shared ??= chromium.launch({ ...launchOptions, executablePath: executablePath! }))

/** So long that only a hanging step reaches it, even on a busy machine. */
export const patienceMs = 90_000

export interface Visit {
  page: Page
  context: BrowserContext
  /** Unexpected faults: console errors, CSP reports, exceptions, requests to other hosts. */
  faults: string[]
}

/** A browser and an application for the stories of one file. */
export function useBrowser(options: Parameters<typeof startTestApp>[0] = { demo: true, now: null }) {
  let browser: Browser
  let app: TestApp
  const open: BrowserContext[] = []
  /** The page that the stories use one after the other. */
  let used: UsedPage | null = null
  let waiting: UsedPage | null = null
  /** Takes the faults of the page in use. */
  let faultOfUsed: (text: string) => void = () => {}

  beforeAll(async () => {
    app = await startTestApp({ pages: true, ...options })
    browser = await browserOfWorker()
  })
  // open pages continue to draw, and would make every story slower than the previous one
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close()
    if (used) waiting = (await used.leave()) ? used : null
    used = null
  })
  afterAll(async () => {
    // a stopping application waits for its pages
    await waiting?.context.close()
    await app?.close()
  })

  return {
    get app() {
      return app
    },
    /**
     * A visitor with an empty browser. `expected` matches the faults that the story provokes. The browser's data saver is on, so that no
     * visit loads screens in advance; `savesData: false` turns it off. `fresh`: the browser's cache has nothing of the site, for stories
     * about files that cannot be loaded.
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
        // animations take a fifth of a story's CPU; a story about motion turns them on
        reducedMotion: 'reduce',
        // a story can intercept requests of a page, but not of a service worker; offline.e2e.ts has a worker
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

/** The script at the beginning of every document of a visit. */
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

/** As in a browser with the data saver on. The protocol can set it too, but its second session would reset the emulation of the first. */
const saveData = () => {
  const { connection } = navigator as Navigator & { connection?: object }
  if (connection) Object.defineProperty(connection, 'saveData', { value: true })
}

/** Answers that a story gives in place of the API are not checked: no server made them. */
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

/** Waits for the hydration of the page; a plain page needs none. */
export async function hydrated(page: Page) {
  await page.waitForFunction(
    () =>
      document.querySelector('[data-account]') !== null ||
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  )
}

/** The footer, once it is hydrated, which is after the rest of the page. */
export async function hydratedFooter(page: Page): Promise<Locator> {
  const footer = page.getByRole('contentinfo')
  await expect
    .poll(() => footer.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react'))))
    .toBe(true)
  return footer
}

/** Waits until no animation in it runs, except endless ones and those that follow scrolling. */
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

/** The same in the light theme; in the dark theme only the colours are checked, because nothing else changes. */
export async function expectAccessibleInBothThemes(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast'] })
}

/** The same page on a wide screen, without loading it again. */
export async function expectAccessibleOnDesktop(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(desktop)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/**
 * Cards get their real height when they come near the screen, and axe scrolls from one to the next. So all cards are drawn,
 * and nothing moves while axe measures.
 * @returns a function that undoes it
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
  // once per document; without axe's support for frames, which takes longer than the check and which no page needs
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

/** Expects that nothing sticks out to the side. */
export async function expectNoSidewaysScroll(page: Page) {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    page.url(),
  ).toBeLessThanOrEqual(0)
}

/** Writes to such addresses arrive and their answers are lost; reads are answered. Ends with `page.unroute(url)`. */
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
