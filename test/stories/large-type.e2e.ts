import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import routes from '../../src/app/routes.ts'
import { addDeal } from '../cast.ts'
import { aMerchant, aVisitor, get, type Person } from '../people.ts'
import { aModerator } from '../staff.ts'
import { reach } from '../whole.ts'
import { loggedIn } from './account-pages.ts'
import { hydrated, inBrowser, useBrowser } from './browser.ts'

/** The smallest phone that the product promises to fit. */
const smallPhone = { width: 320, height: 640 }

/** Every address of the route list, as a pattern. */
const patterns = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, children }) => [...(path ? [`/${path}`] : []), ...patterns(children ?? [])])

/** Who has a screen for themselves; all others are everybody's. */
const merchants =
  /^\/(dashboard|edit-business|create-deal|deal-analytics|upgrade|promote|invoice|redeem|deal\/.*\/edit)/
const visitors = /^\/(myschedule|favorites|my-codes|notifications|settings|forum\/new)/
const staff = /^\/admin/

inBrowser('type of twice the size on the smallest phone', () => {
  const at = useBrowser()
  const people: Record<string, Person | null> = { guest: null }
  let all: string[]

  beforeAll(async () => {
    const bar = await aMerchant(at.app, 'nord@example.org', { business_name: 'Bar Nord' })
    people['merchant'] = bar
    people['visitor'] = await aVisitor(at.app)
    people['moderator'] = { authToken: await aModerator(at.app), userType: 'moderator' } as Person
    const firstOf = async (path: string) => ((await get(at.app, path)).body as Record<string, string>[])[0]!
    const deal = await addDeal(at.app.db, bar.businessId, 'Spritz', { redemption_mode: 'code' })
    const { topic_id } = await firstOf('/api/forum/topics?limit=1')
    const { event_id } = await firstOf('/api/events?limit=1')
    const { author } = (await get(at.app, `/api/forum/topics/${topic_id}`)).body as { author: { handle: string } }
    const filled: Record<string, string> = {
      deal_id: deal,
      business_id: bar.businessId,
      event_id: event_id!,
      topic_id: topic_id!,
      handle: author.handle,
      category: 'help',
    }
    all = ['/', ...patterns(routes)].map((pattern) =>
      // an address that names nothing has its screen too, which says so
      pattern.replace('/*', '/no-such-page').replace(/:(\w+)\??/g, (_, name: string) => filled[name] ?? 'unknown'),
    )
  })

  const isFor = (path: string, who: string) =>
    who === 'merchant'
      ? merchants.test(path)
      : who === 'visitor'
        ? visitors.test(path) || /^\/deal\/[^/]*$/.test(path)
        : who === 'moderator'
          ? staff.test(path)
          : !merchants.test(path) && !visitors.test(path) && !staff.test(path)

  /** As people set it, in the settings of the browser. */
  async function preferType(context: BrowserContext, page: Page, px: number) {
    const cdp = await context.newCDPSession(page)
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: px } })
    await cdp.detach()
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${px}px`)
  }

  it.each(['guest', 'visitor', 'merchant', 'moderator'])(
    'leaves two thirds of each screen for its content, and grows all text, for a %s',
    async (who) => {
      const { page, context } = await at.visit('about:blank', { viewport: smallPhone, expected: /status of/ })
      if (people[who]) await loggedIn(context, people[who])
      const screens = reach(
        all.filter((path) => isFor(path, who)),
        // a guest is sent on from what is a visitor's or staff's
        all.filter((path) => who !== 'guest' || !(visitors.test(path) || staff.test(path))),
      )
      expect(screens.length).toBeGreaterThan(5)
      for (const path of screens) {
        await page.goto(path)
        await hydrated(page)
        const waiting = page.locator('main').locator('[aria-busy="true"], .animate-breathe')
        // what is private comes by script; on public pages empty places breathe too
        if (who !== 'guest' && isFor(path, who)) await expect.poll(() => waiting.count(), { message: path }).toBe(0)
        const before = await page.evaluate(sizesOfText)
        await preferType(context, page, 32)
        expect(await page.evaluate(coveredPart), `${path}, as the browser prefers`).toBeLessThan(1 / 3)
        await preferType(context, page, 16)
        // as of a page that somebody enlarges otherwise: media queries do not follow
        await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
        expect(await page.evaluate(coveredPart), path).toBeLessThan(1 / 3)
        const after = await page.evaluate(sizesOfText)
        // a headline is of twice the size already, and grows as far as its words find room
        const grown = (px: number) => px * (px < 32 ? 1.25 : 1.02)
        const still = Object.entries(before).filter(([text, px]) => (after[text] ?? Infinity) < grown(px))
        expect(still, path).toEqual([])
      }
    },
  )
})

/** The part of the window's height in which what is fixed or sticky covers most of the width, somewhere down the page. */
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

/** The size of each text that is seen, px, but of drawings, and of headlines that are made to hold a long word whole. */
function sizesOfText(): Record<string, number> {
  const sizes: Record<string, number> = {}
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement: around } = texts.currentNode as Text
    if (!data.trim() || !around!.checkVisibility({ visibilityProperty: true })) continue
    if (around!.closest('svg, [class*="word-of-"]')) continue
    sizes[data.trim()] = Number.parseFloat(getComputedStyle(around!).fontSize)
  }
  return sizes
}
