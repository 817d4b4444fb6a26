import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { addDeal, addEvent, addStage } from '../cast.ts'
import { aMerchant, aVisitor, get, logIn, post, type Person } from '../people.ts'
import { clockOffsetMs, shifted } from '../saturday-evening.ts'
import { main } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, inBrowser, phone, useBrowser } from './browser.ts'
import { launchOptions } from './chromium.ts'

inBrowser('a phone without a network', () => {
  const at = useBrowser({ now: null })
  const titles = ['Wellenprobe Alpha', 'Wellenprobe Beta', 'Wellenprobe Gamma'] as const
  let ids: string[]
  let lena: Person
  beforeAll(async () => {
    const { db } = at.app
    const west = await addStage(db, 'Westufer')
    const day = { stage_id: west }
    ids = [
      await addEvent(db, titles[0], '2026-06-20T18:30:00Z', day),
      await addEvent(db, titles[1], '2026-06-20T20:00:00Z', day),
      await addEvent(db, titles[2], '2026-06-21T18:00:00Z', day),
    ]
    const bar = await aMerchant(at.app, 'bar@example.org', { business_name: 'Bar Nord' })
    const deal = await addDeal(db, bar.businessId, 'Spritz on the river', { redemption_mode: 'code' })
    lena = await aVisitor(at.app)
    const token = { token: lena.authToken }
    await post(at.app, `/api/deals/${deal}/claim`, undefined, token)
    await post(at.app, '/api/schedule', { event_id: ids[0] }, token)
    await get(at.app, `/api/favorites/deal/${deal}`, lena.authToken, { method: 'PUT' })
  })

  /** A phone whose storage outlives a restart of its browser. */
  function aPhone() {
    const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-phone-'))
    let running: BrowserContext | null = null
    onTestFinished(async () => {
      await running?.close()
      rmSync(dataDir, { recursive: true, force: true })
    })
    return async function start(isOffline = false): Promise<{ page: Page; context: BrowserContext }> {
      await running?.close()
      const context = await chromium.launchPersistentContext(dataDir, {
        ...launchOptions,
        viewport: phone,
        baseURL: at.app.url,
        locale: 'en-GB',
        timezoneId: 'Europe/Zurich',
        offline: isOffline,
      })
      running = context
      await context.addInitScript(`globalThis.Date = (${shifted.toString()})(Date, () => ${clockOffsetMs()})`)
      return { context, page: context.pages()[0] ?? (await context.newPage()) }
    }
  }

  const logInHere = (page: Page, person: Person) =>
    page.evaluate(
      ([authToken, refreshToken]) => {
        localStorage.setItem('authToken', authToken!)
        localStorage.setItem('refreshToken', refreshToken!)
        localStorage.setItem('userType', 'user')
      },
      [person.authToken, person.refreshToken],
    )
  /** The server is gone, and comes back at the same place. */
  const stopListening = () =>
    new Promise((resolve) => {
      at.app.app.server.close(resolve)
      at.app.app.server.closeAllConnections()
    })
  const startListening = () =>
    new Promise<void>((resolve) => {
      const { port, hostname } = new URL(at.app.url)
      at.app.app.server.listen(Number(port), hostname, resolve)
    })
  /** Until the phone holds all that it is to open without a network. */
  const hasKept = (page: Page) =>
    page.waitForFunction(() => localStorage.getItem('kept') !== null, undefined, { timeout: 30_000 })
  const line = (page: Page) => page.getByRole('complementary', { name: 'Connection' })
  const faultsOf = (page: Page) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      const text = message.text()
      if (
        message.type() === 'error' &&
        !/ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)|The deals could not be updated/.test(text)
      )
        faults.push(text)
    })
    return faults
  }

  it('opens programme, schedule, favourites, codes and map after a restart, and sends later what was changed', async () => {
    const start = aPhone()
    let { page, context } = await start()
    await page.goto('/help')
    await logInHere(page, lena)
    let faults = faultsOf(page)
    await page.goto('/events')
    await hasKept(page)
    const cdp = await context.newCDPSession(page)
    expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    const { estimate } = await page.evaluate(async () => ({ estimate: await navigator.storage.estimate() }))
    expect(estimate.usage).toBeLessThan(15_000_000)
    expect(faults).toEqual([])

    // cold, in a tunnel: the browser starts anew and reaches nothing, neither from its pages nor from the worker
    await stopListening()
    ;({ page, context } = await start(true))
    faults = faultsOf(page)
    await page.goto('/myschedule')
    await main(page).getByRole('heading', { name: titles[0] }).waitFor()
    await line(page)
      .getByText(/^Offline\. As of /)
      .waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await page.goto('/events')
    await main(page).getByRole('heading', { name: titles[1] }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/events')
    await page.goto('/events?day=2026-06-21')
    await main(page).getByRole('heading', { name: titles[2] }).waitFor()

    // a change in each way
    await page.getByRole('button', { name: `Add to My Schedule: ${titles[2]}` }).click()
    await line(page).getByText('1 change will be sent once you are back online.').waitFor()
    await page.goto('/myschedule')
    await main(page).getByRole('heading', { name: titles[0] }).waitFor()
    await page.getByRole('button', { name: `Note and reminders: ${titles[0]}` }).click()
    await page.getByLabel('Note', { exact: true }).fill('Meet Noah left of the stage')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await main(page).getByText('Meet Noah left of the stage').first().waitFor()

    await page.goto('/favorites')
    await main(page).getByRole('link', { name: 'Spritz on the river' }).waitFor()
    await page.goto('/my-codes')
    await page.getByRole('button', { name: 'Show code' }).click()
    const code = page.getByRole('dialog', { name: 'Code for Spritz on the river' }).locator('svg[data-payload]')
    expect(await code.getAttribute('data-payload')).toMatch(/^RK1:[0-9A-F]{32}:\d{6}$/)
    await page.goto('/dealsmap')
    await main(page).getByRole('link', { name: 'Spritz on the river' }).first().waitFor()
    expect(await page.evaluate(async () => (await fetch('/map/outline-paper.svg')).status)).toBe(200)

    // what is not kept gets a page of our own
    await page.goto('/contact')
    await page.getByText('You are offline. Please try again once you are back online.').waitFor()
    await main(page).getByRole('link', { name: 'My Schedule' }).click()
    await main(page).getByText('Meet Noah left of the stage').first().waitFor()
    expect(faults).toEqual([])

    // another device has noted something meanwhile, of another event: both stay
    await startListening()
    await post(at.app, '/api/schedule', { event_id: ids[1], note: 'From my laptop' }, { token: lena.authToken })
    await context.setOffline(false)
    const saved = async () =>
      (
        (await get(at.app, '/api/schedule', lena.authToken)).body.entries as {
          event: { title: string }
          note: string
        }[]
      ).map(({ event, note }) => [event.title, note] as const)
    await expect.poll(saved).toEqual([
      [titles[0], 'Meet Noah left of the stage'],
      [titles[1], 'From my laptop'],
      [titles[2], null],
    ])
    await main(page).getByRole('heading', { name: titles[1] }).waitFor()
    await expect.poll(() => line(page).count()).toBe(0)

    // who leaves without a network is told what would be lost; with one it is sent first, and nothing stays
    await stopListening()
    await context.setOffline(true)
    await page.getByRole('button', { name: `Remove ${titles[1]}` }).click()
    await line(page).getByText('1 change will be sent once you are back online.').waitFor()
    await page.evaluate(async () => (await caches.open('seen-answers')).put('/api/deals?of=lena', new Response('[]')))
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await main(page).getByText(`Remove ${titles[1]}`).waitFor()
    await expectAccessible(page)
    await startListening()
    await context.setOffline(false)
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    // her session is over, on the server too
    expect((await get(at.app, '/api/schedule', lena.authToken)).status).toBe(401)
    lena = await logIn(at.app, '/api/auth/login', lena.email)
    expect((await saved()).map(([title]) => title)).toEqual([titles[0], titles[2]])
    const left = await page.evaluate(async () => ({
      looked: (await caches.match('/api/deals?of=lena')) !== undefined,
      stored: Object.keys(localStorage).filter((key) => /token|my|unsent/i.test(key)),
    }))
    expect(left).toEqual({ looked: false, stored: [] })
  })
})
