import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Person } from '../people.ts'
import { loggedIn } from './account-pages.ts'
import { hydrated, inBrowser, useBrowser } from './browser.ts'
import { everyPage, everyRole, isFor, type Role } from './every-page.ts'

/** The smallest phone that the product supports. */
const smallPhone = { width: 320, height: 640 }

inBrowser('a text size of 200 % on the smallest phone', () => {
  const at = useBrowser()
  let people: Record<Role, Person | null>
  let all: string[]

  beforeAll(async () => {
    ;({ people, all } = await everyPage(at.app))
  })

  /** The font size in the settings of the browser. */
  async function preferType(context: BrowserContext, page: Page, px: number) {
    const cdp = await context.newCDPSession(page)
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: px } })
    await cdp.detach()
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${px}px`)
  }

  it.each(everyRole)(
    'leaves two thirds of each screen for its content, and enlarges all text, for a %s',
    async (who) => {
      const { page, context } = await at.visit('about:blank', { viewport: smallPhone, expected: /status of/ })
      if (people[who]) await loggedIn(context, people[who])
      const screens = all.filter((path) => isFor(path, who))
      expect(screens.length).toBeGreaterThan(5)
      for (const path of screens) {
        await page.goto(path)
        await hydrated(page)
        const waiting = page.locator('main').locator('[aria-busy="true"], .animate-breathe')
        // private content is loaded by script; placeholders on public pages are animated too
        if (who !== 'guest' && isFor(path, who)) await expect.poll(() => waiting.count(), { message: path }).toBe(0)
        const before = await page.evaluate(sizesOfText)
        await preferType(context, page, 32)
        const covered = () => page.evaluate(coveredPart)
        await expect.poll(covered, { message: `${path}, as the browser prefers` }).toBeLessThan(1 / 3)
        await preferType(context, page, 16)
        // as on a page that is enlarged in another way, so that media queries do not change
        await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
        // the main button of a page leaves the lower edge when it has been measured
        await expect.poll(covered, { message: path }).toBeLessThan(1 / 3)
        const after = await page.evaluate(sizesOfText)
        // a headline is large already, and grows only as far as its words fit
        const grown = (px: number) => px * (px < 32 ? 1.25 : 1.02)
        const still = Object.entries(before).filter(([text, px]) => (after[text] ?? Infinity) < grown(px))
        expect(still, path).toEqual([])
      }
    },
  )
})

/** The part of the window's height that fixed and sticky elements cover for most of its width, anywhere on the page. */
function coveredPart(): number {
  scrollTo(0, 400)
  const isFixed = (element: Element | null): boolean =>
    element !== null &&
    (['fixed', 'sticky'].includes(getComputedStyle(element).position) || isFixed(element.parentElement))
  const rows = Array.from({ length: innerHeight / 4 }, (_, row) => row * 4 + 2)
  const columns = Array.from({ length: 9 }, (_, column) => ((column + 0.5) * innerWidth) / 9)
  const covered = rows.filter(
    (y) => columns.filter((x) => isFixed(document.elementFromPoint(x, y))).length > columns.length / 2,
  )
  return covered.length / rows.length
}

/** The size of each visible text, px, without drawings and headlines that shrink to fit a long word. */
function sizesOfText(): Record<string, number> {
  const sizes: Record<string, number> = {}
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement: around } = texts.currentNode as Text
    if (!data.trim() || !around!.checkVisibility({ visibilityProperty: true })) continue
    if (around!.closest('svg, [class*="word-of-"]')) continue
    // a title and a button may say the same
    sizes[`${around!.tagName}: ${data.trim()}`] = Number.parseFloat(getComputedStyle(around!).fontSize)
  }
  return sizes
}
