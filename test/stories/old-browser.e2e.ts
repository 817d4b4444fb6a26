import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { oldSafari } from '../engines/old-safari.ts'
import type { Person } from '../people.ts'
import { logInBy, loggedIn } from './account-pages.ts'
import { hydrated, inBrowser, phone, useBrowser } from './browser.ts'
import { everyPage, everyRole, isFor, type Role } from './every-page.ts'

const errorScreen = /Something went wrong|This page could not be loaded/

inBrowser('a browser as old as Safari of iOS 16.4', () => {
  const at = useBrowser()
  let people: Record<Role, Person | null>
  let all: string[]
  beforeAll(async () => {
    ;({ people, all } = await everyPage(at.app))
  })

  async function oldVisit(expected?: RegExp) {
    const visit = await at.visit('about:blank', { viewport: phone, expected, bypassCSP: true })
    await visit.context.addInitScript(oldSafari)
    return visit
  }

  it.each(everyRole)('opens and hydrates every page of a %s', async (who) => {
    const { page, context, faults } = await oldVisit(/status of/)
    if (people[who]) await loggedIn(context, people[who])
    const screens = all.filter((path) => isFor(path, who))
    for (const path of [...screens, ...(who === 'guest' ? ['/events?view=grid', '/dealsmap?near=centre'] : [])]) {
      await page.goto(path)
      await hydrated(page)
      const waiting = page.locator('main').locator('[aria-busy="true"], .animate-breathe')
      if (who !== 'guest' && isFor(path, who)) await expect.poll(() => waiting.count(), { message: path }).toBe(0)
      expect(await page.getByRole('main').innerText(), path).not.toMatch(errorScreen)
      expect(await tooOld(page).count(), path).toBe(0)
      expect(faults, path).toEqual([])
    }
  })

  it('logs in, and opens the requested page', async () => {
    const { page, faults } = await oldVisit()
    await page.goto('/userlogin?next=%2Fevents')
    await logInBy(page, 'lena@example.org')
    await page.waitForURL(/\/events$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(errorScreen)
    expect(faults).toEqual([])
  })
})

inBrowser('a page that cannot be hydrated', () => {
  const at = useBrowser()

  async function expectReadable(page: Page) {
    await tooOld(page).waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(errorScreen)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
    await page.waitForURL(/\/help$/)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toMatch(errorScreen)
  }

  it('stays readable in an even older browser, with a message', async () => {
    const { page, context, faults } = await at.visit('about:blank', { fresh: true })
    await context.addInitScript(() => Reflect.deleteProperty(String.prototype, 'isWellFormed'))
    const files: string[] = []
    page.on('request', (request) => void (request.resourceType() === 'script' && files.push(request.url())))
    await page.goto('/deals')
    await expectReadable(page)
    expect(files).toEqual([])
    // its form works without scripts
    await page.goto('/deals')
    await page.getByRole('main').getByRole('searchbox').fill('spritz')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=spritz/)
    await page.goto('/dashboard')
    await tooOld(page).waitFor()
    expect(faults).toEqual([])
  })

  it('stays readable if a script lacks a method while it loads', async () => {
    const { page } = await at.visit('about:blank', { fresh: true })
    await page.route(/\/entry\.client-/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '"".notThere()' }),
    )
    await page.goto('/deals')
    await expectReadable(page)
  })

  it('stays readable if the browser cannot parse a script', async () => {
    const { page } = await at.visit('about:blank', { fresh: true })
    await page.route(/\/entry\.client-/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'const using ??= 1 1' }),
    )
    await page.goto('/deals')
    await expectReadable(page)
  })

  // private pages have no content from the server
  it.each(['/', '/deals', '/events', '/forum'])('stays readable if rendering %s fails', async (path) => {
    const { page, faults } = await at.visit('about:blank', { fresh: true, expected: /planted/ })
    await page.route(/\/(?:Home|Deals|Events|Forum)Screen-/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: failingScreen }),
    )
    await page.goto(path)
    await expectReadable(page)
    expect(faults).toEqual([])
  })

  it('is hydrated even if its text was changed on the way', async () => {
    const { page, faults } = await at.visit('about:blank', { fresh: true, expected: /hydrat|#418|Minified React/ })
    await page.route('**/deals', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(/(<h1[^>]*>)[^<]*/, '$1Other words') })
    })
    await page.goto('/deals')
    await hydrated(page)
    expect(await page.getByRole('main').innerText()).not.toMatch(errorScreen)
    await page.getByRole('heading', { level: 1 }).and(page.getByText('Other words')).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('shows the error screen if a later page fails, with no script refused', async () => {
    const { page, faults } = await at.visit('/deals', { fresh: true, expected: /planted/ })
    await hydrated(page)
    await page.route(/\/EventsScreen-/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: failingScreen }),
    )
    await page.getByRole('banner').getByRole('link', { name: 'Events' }).click()
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    expect(await tooOld(page).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it.each([
    ['does not come', (route: Route) => route.abort()],
    ['comes as a page', (route: Route) => route.fulfill({ contentType: 'text/html', body: '<p>Log in to the Wi-Fi' })],
  ])('says nothing of the browser where a file %s', async (_, answer) => {
    const { page } = await at.visit('about:blank', { fresh: true })
    await page.route(/\/entry\.client-/, answer)
    const failed = page.waitForEvent('pageerror')
    await page.goto('/deals')
    await failed
    expect(await tooOld(page).count()).toBe(0)
  })
})

const tooOld = (page: Page) => page.getByText('This browser is too old for saving and codes')

/** A screen that throws whenever it is rendered. */
const failingScreen = `export const clientLoader = () => null
export default () => { throw new TypeError("planted: undefined is not a function") }`
