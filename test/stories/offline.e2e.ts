import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rooms } from '../../src/app/rooms.ts'
import { caching, storageMost } from '../../src/app/offline/bounds.ts'
import { lastCachedKey } from '../../src/kit/browser/offline-caches.ts'
import { newId } from '../../src/kit/server/ids.ts'
import type { House, Room } from '../../src/kit/server/room.ts'
import { schedule } from '../../src/schedule/room.ts'
import { sendDueReminders, sendEventNotices } from '../../src/schedule/server/schedule.ts'
import { posterImage } from '../../src/site-map.ts'
import { clientDir } from '../built-pages.ts'
import { addDeal, addEvent, addStage } from '../cast.ts'
import { startPushService, type PushBrowser } from '../peers/push.ts'
import { aMerchant, aVisitor, get, logIn, post, type Person } from '../people.ts'
import { clockOffsetMs, shifted } from '../saturday-evening.ts'
import { aModerator } from '../staff.ts'
import { api, appForTest } from '../start-app.ts'
import { main } from './account-pages.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  patienceMs,
  phone,
  useBrowser,
} from './browser.ts'
import { launchOptions } from './chromium.ts'
import { inFrontOf } from './next-version.ts'
import { favoritesInCopy } from './stored.ts'

/** An instance whose rooms the stories can call, to run its minutely jobs at the right moment. */
let house: House
const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
let pushService: Awaited<ReturnType<typeof startPushService>>

inBrowser('a phone without a network', () => {
  const at = useBrowser({
    now: null,
    rooms: [...rooms, door],
    outside: { isAllowed: (_, port) => port === pushService.port },
  })
  const titles = ['Wellenprobe Alpha', 'Wellenprobe Beta', 'Wellenprobe Gamma'] as const
  let ids: string[]
  let west: string
  let lena: Person
  beforeAll(async () => {
    const { db } = at.app
    pushService = await startPushService()
    west = await addStage(db, 'Westufer')
    await db
      .insertInto('useful_places')
      .values({
        place_id: newId(),
        place_name: 'WC am Steg',
        kind: 'toilet',
        latitude: 47.5601,
        longitude: 7.5897,
        opening_hours: '24/7',
        updated_at: new Date(),
      })
      .execute()
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

  afterAll(() => pushService.close())

  /** A phone whose storage survives a restart of its browser; it shows notifications. */
  function aPhone(url = at.app.url) {
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
        baseURL: url,
        locale: 'en-GB',
        timezoneId: 'Europe/Zurich',
        permissions: ['notifications'],
        offline: isOffline,
      })
      running = context
      context.setDefaultTimeout(patienceMs)
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
  /** Stops the server; `startListening` starts it again at the same address. */
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
  /** Waits until the phone has stored everything that it must open without a network. */
  const hasStored = (page: Page) =>
    page.waitForFunction(() => localStorage.getItem('kept') !== null, undefined, { timeout: 90_000 })
  const isControlled = (page: Page) =>
    page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 90_000 })
  const aStaffToken = (email: string) => aModerator(at.app, email)
  /** Staff send an urgent notice for an hour. */
  async function sendUrgentNotice() {
    const [storm, text_de, text_fr] = ['Leave the river bank.', 'Verlasst das Rheinufer.', 'Quittez la rive.']
    const notice = { kind: 'storm', text_en: storm, text_de, text_fr, minutes: 60 }
    const sent = await post(at.app, '/api/admin/urgent', notice, { token: await aStaffToken('storm@example.org') })
    expect(sent.status).toBe(201)
    return { storm }
  }
  const line = (page: Page) => page.getByRole('complementary', { name: 'Connection' })
  const faultsOf = (page: Page) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      const text = message.text()
      if (
        message.type() === 'error' &&
        !/ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)|The deals could not be updated|route module|dynamically imported module/.test(
          text,
        )
      )
        faults.push(text)
    })
    return faults
  }

  it('opens programme, schedule, favourites, codes and map after a restart, and sends changes later', async () => {
    const start = aPhone()
    let { page, context } = await start()
    await page.goto('/help')
    await logInHere(page, lena)
    let faults = faultsOf(page)
    await page.goto('/events')
    await hasStored(page)
    const cdp = await context.newCDPSession(page)
    expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    const { estimate } = await page.evaluate(async () => ({ estimate: await navigator.storage.estimate() }))
    expect(estimate.usage).toBeLessThan(15_000_000)
    // urgent notices are stored as well
    const { storm } = await sendUrgentNotice()
    await page.getByText(`Storm warning: ${storm}`).waitFor()
    await page.waitForFunction(
      async (text) => (await (await caches.match('/api/urgent'))?.text())?.includes(text),
      storm,
    )
    // a layer of the map beside the deals
    await page.goto('/dealsmap?layers=deals,places')
    await page.waitForFunction(async () =>
      (await (await caches.open('seen-answers')).keys()).some(({ url }) => new URL(url).pathname === '/api/places'),
    )
    expect(faults).toEqual([])

    // in a tunnel: the browser restarts, and neither pages nor worker have a network
    await stopListening()
    ;({ page, context } = await start(true))
    faults = faultsOf(page)
    await page.goto('/myschedule')
    await main(page).getByRole('heading', { name: titles[0] }).waitFor()
    await line(page)
      .getByText(/^Offline\. As of /)
      .waitFor()
    await page.getByText(`Storm warning: ${storm}`).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await page.goto('/events')
    await main(page).getByRole('heading', { name: titles[1] }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/events')
    await page.goto('/events?day=2026-06-21')
    await main(page).getByRole('heading', { name: titles[2] }).waitFor()

    // a change of each kind
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
    // stored deals are filtered here, also from the search of everything
    await page.goto('/search?q=spritz')
    await page.waitForURL('**/deals?q=spritz')
    await main(page).getByText('These are the deals stored on this phone, as of').waitFor()
    await main(page).getByRole('article').getByRole('link', { name: 'Spritz on the river' }).waitFor()
    const free = main(page).getByRole('checkbox', { name: 'Free' })
    await free.check()
    await main(page).getByText('No deals found').waitFor()
    await free.uncheck()
    await main(page).getByRole('article').waitFor()
    // an order that a phone does not know: filters and list stay together
    const sort = main(page).getByLabel('Sort by')
    await sort.selectOption('new')
    await main(page).getByText('The deals could not be updated.').waitFor()
    await expect.poll(() => sort.inputValue()).toBe('')
    await main(page).getByRole('article').waitFor()
    // stored places answer a need, in any search
    for (const search of ['/deals', '/events']) {
      await page.goto(`${search}?q=toilet`)
      await main(page).getByRole('region', { name: 'Toilets' }).getByText('WC am Steg').waitFor()
    }
    await page.goto('/help')
    await main(page).getByRole('heading', { name: 'When you need help' }).waitFor()
    // the offline page links to the codes
    await page.goto('/offline')
    await main(page).getByRole('link', { name: 'My Codes' }).waitFor()
    expect((await main(page).getByRole('link').allInnerTexts()).at(-1)).toBe('My Codes')
    await page.goto('/my-codes')
    await page.getByRole('button', { name: 'Show code' }).click()
    const code = page.getByRole('dialog', { name: 'Code for Spritz on the river' }).locator('svg[data-payload]')
    await expect.poll(() => code.getAttribute('data-payload')).toMatch(/^RK1:[0-9A-F]{32}:\d{6}$/)
    await page.goto('/dealsmap')
    await main(page).getByRole('link', { name: 'Spritz on the river' }).first().waitFor()
    await page.locator('[data-map-ready]').waitFor()
    // with a cached layer, and with one that is not cached
    for (const layer of ['places', 'events']) {
      await page.goto(`/dealsmap?layers=deals,${layer}`)
      await main(page).getByRole('link', { name: 'Spritz on the river' }).first().waitFor()
      // a map that is left while its worker loads logs a fault
      await page.locator('[data-map-ready]').waitFor()
    }
    await expect.poll(() => page.evaluate(async () => (await fetch('/map/outline-paper.svg')).status)).toBe(200)

    // other documents, such as a calendar to download or a plain form, get our offline page
    const isOffline = main(page).getByRole('heading', { name: 'You are offline' })
    for (const file of ['/api/events.ics', '/forum/feed.xml']) {
      await page.goto(file)
      await isOffline.waitFor()
    }
    await page.goto('/myschedule')
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/contact' })
      document.body.append(form)
      form.submit()
    })
    await isOffline.waitFor()

    // and so does a page that is not cached
    await page.goto('/contact')
    await main(page).getByText('This page will open automatically once you are back online.').waitFor()
    await main(page).getByRole('link', { name: 'My Schedule' }).click()
    await main(page).getByText('Meet Noah left of the stage').first().waitFor()
    expect(faults).toEqual([])

    // another device has written a note on another event meanwhile: both stay
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

    // a logout without a network names unsent changes; once there is a network they are sent, and everything is deleted
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
    await page.waitForURL((url) => url.pathname === '/')
    // her session has ended, on the server too
    expect((await get(at.app, '/api/schedule', lena.authToken)).status).toBe(401)
    lena = await logIn(at.app, '/api/auth/login', lena.email)
    expect((await saved()).map(([title]) => title)).toEqual([titles[0], titles[2]])
    const left = await page.evaluate(async () => ({
      looked: (await caches.match('/api/deals?of=lena')) !== undefined,
      stored: Object.keys(localStorage).filter((key) => /token|my|unsent/i.test(key)),
    }))
    expect(left).toEqual({ looked: false, stored: [] })
  })

  it('stores 15 MB at most, however much is opened, and no list or picture displaces needed pages', async () => {
    const start = aPhone()
    let { page } = await start()
    const mia = await aVisitor(at.app, 'mia@example.org')
    const [{ deal_id }] = (await api(at.app, '/api/deals?limit=1')).body as [{ deal_id: string }]
    await post(at.app, `/api/deals/${deal_id}/claim`, undefined, { token: mia.authToken })
    await post(at.app, '/api/schedule', { event_id: ids[0] }, { token: mia.authToken })
    await get(at.app, `/api/favorites/deal/${deal_id}`, mia.authToken, { method: 'PUT' })
    await page.goto('/help')
    await logInHere(page, mia)
    await page.goto('/events')
    await hasStored(page)
    // more than a story could open
    const fillers = [
      [caching.answers.name, '/api/deals?q=filler'],
      [caching.pictures.name, '/uploads/filler'],
      [caching.files.name, '/assets/filler'],
    ] as const
    await page.evaluate(async (each) => {
      for (const [name, address] of each) {
        const cache = await caches.open(name)
        for (let n = 0; n < 40; n++) await cache.put(`${address}${n}`, new Response(new Uint8Array(250_000)))
      }
    }, fillers)
    /** Bytes of all caches and of local storage, whose letters take two bytes each. */
    const stored = () =>
      page.evaluate(async () => {
        let bytes = 2 * Object.entries(localStorage).join('').length
        for (const name of await caches.keys()) {
          const cache = await caches.open(name)
          for (const request of await cache.keys()) bytes += (await (await cache.match(request))!.blob()).size
        }
        return bytes
      })
    await expect.poll(() => stored()).toBeGreaterThan(30_000_000)
    // opens one more page of each kind
    await page.evaluate(
      async ([poster, file]) => {
        await fetch('/api/deals?q=spritz')
        await fetch(file!)
        const picture = new Image()
        picture.src = poster
        await picture.decode()
      },
      [
        posterImage('deal', { id: deal_id, category: 'drinks', title: 'Spritz on the river' }),
        `/assets/${readdirSync(join(clientDir, 'assets')).find((name) => name.startsWith('SettingsScreen-'))}`,
      ] as const,
    )
    await expect.poll(stored).toBeLessThan(storageMost)
    const usage = () => page.evaluate(async () => (await navigator.storage.estimate()).usage ?? Infinity)
    await expect.poll(usage).toBeLessThan(storageMost)
    // the oldest entry was deleted, the newest is there
    const has = (address: string) => page.evaluate(async (it) => (await caches.match(it)) !== undefined, address)
    for (const [, address] of fillers)
      expect([await has(`${address}0`), await has(`${address}39`)]).toEqual([false, true])
    await expect.poll(() => has('/api/deals?q=spritz')).toBe(true)

    await stopListening()
    ;({ page } = await start(true))
    await page.goto('/events?day=2026-06-20')
    await main(page).getByRole('heading', { name: titles[1] }).waitFor()
    await page.goto('/events?day=2026-06-21')
    await main(page).getByRole('heading', { name: titles[2] }).waitFor()
    await page.goto('/myschedule')
    await main(page).getByRole('heading', { name: titles[0] }).waitFor()
    await page.goto('/favorites')
    await main(page).getByRole('link', { name: 'Spritz on the river' }).waitFor()
    await page.goto('/my-codes')
    await page.getByRole('button', { name: 'Show code' }).waitFor()
    await startListening()
  })

  it('of staff stores no codes and requests none', async () => {
    const token = await aModerator(at.app, 'no-codes@example.org')
    const { page, context } = await aPhone()()
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto(at.app.url)
    await page.waitForFunction((key) => localStorage.getItem(key), lastCachedKey)
    expect(asked).toContain('/api/schedule')
    expect(asked).not.toContain('/api/me/claims')
  })

  it('has all favourites of an account or a guest, however many there are', async () => {
    const vera = await aVisitor(at.app, 'vera@example.org')
    const { account_id } = await at.app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', vera.email)
      .executeTakeFirstOrThrow()
    const bands = Array.from({ length: 500 }, (_, n) => ({
      performer_id: newId(),
      performer_name: `Band ${String(n).padStart(3, '0')}`,
    }))
    await at.app.db.insertInto('performers').values(bands).execute()
    const saved_at = new Date('2026-06-20T12:00:00Z')
    await at.app.db
      .insertInto('favorites')
      .values(bands.map(({ performer_id: subject_id }) => ({ account_id, kind: 'performer', subject_id, saved_at })))
      .execute()
    const start = aPhone()
    let { page } = await start()
    await page.goto('/help')
    await page.evaluate(
      (keys) => localStorage.setItem('rheinklang-saved', JSON.stringify({ keys, unsent: {}, of: 'guest' })),
      bands.slice(0, 120).map(({ performer_id }) => `performer:${performer_id}`),
    )
    await page.goto('/deals?saved=1')
    const cards = main(page).getByRole('article')
    await main(page).getByRole('link', { name: 'Band 049' }).waitFor()
    await expect.poll(() => favoritesInCopy(page)).toBe(120)
    const more = main(page).getByRole('button', { name: 'Show more' })
    await more.click()
    await expect.poll(() => cards.count()).toBe(100)
    await more.click()
    await expect.poll(() => cards.count()).toBe(120)
    await expect.poll(() => more.count()).toBe(0)

    // without a network a guest's list is that of this phone
    await hasStored(page)
    await stopListening()
    ;({ page } = await start(true))
    await page.goto('/offline')
    await main(page).getByRole('link', { name: 'My Favorites' }).click()
    await main(page).getByRole('link', { name: 'Band 119' }).waitFor()
    // late parts are drawn last, so that no link moves under a tap
    await page.goto('/offline')
    await main(page).getByRole('link', { name: 'Map' }).waitFor()
    await expect
      .poll(() => main(page).getByRole('link').allInnerTexts())
      .toEqual(['My Schedule', 'My Favorites', 'Events', 'Map', 'Help Center'])
    await startListening()
    ;({ page } = await start())

    await page.goto('/help')
    await logInHere(page, vera)
    await page.goto('/events')
    // a page stops filling its caches once an answer is late, and the next page goes on
    const inCopy = async () => {
      const there = await favoritesInCopy(page)
      if (there !== 500) await page.goto('/events')
      return there
    }
    await expect.poll(inCopy, { interval: 20_000, timeout: 150_000 }).toBe(500)
    // later changes are stored soon after the next page
    await get(at.app, `/api/favorites/performer/${bands[7]!.performer_id}`, vera.authToken, { method: 'DELETE' })
    await page.goto('/events')
    await expect.poll(() => favoritesInCopy(page)).toBe(499)

    await stopListening()
    ;({ page } = await start(true))
    await page.goto('/favorites')
    const shown = main(page).getByRole('article')
    await expect.poll(() => shown.count()).toBe(499)
    await main(page).getByRole('link', { name: 'Band 499' }).waitFor()
    await startListening()
  })

  it('refreshes its stored pages and sends unsent changes by itself when the server is back', async () => {
    const start = aPhone()
    const { page, context } = await start()
    // a check that runs every 20 s or so runs at once
    await context.addInitScript(() => {
      const later = setTimeout
      const soon = (tell: () => void, ms = 0, ...given: []) =>
        later(tell, ms >= 15_000 && ms <= 100_000 ? 200 : ms, ...given)
      Object.assign(window, { setTimeout: soon })
    })
    const kim = await aVisitor(at.app, 'kim@example.org')
    const day = { stage_id: west }
    const moved = await addEvent(at.app.db, 'Uferprobe Delta', '2026-06-22T18:00:00Z', day)
    await addEvent(at.app.db, 'Uferprobe Epsilon', '2026-06-22T20:00:00Z', day)
    await page.goto('/help')
    await logInHere(page, kim)
    await page.goto('/events?day=2026-06-22')
    await hasStored(page)

    // the phone has its network, so the browser has no event when the server goes or comes back
    await stopListening()
    await page.goto('/events?day=2026-06-22')
    const card = main(page).getByRole('article').filter({ hasText: 'Uferprobe Delta' })
    await card.getByText('20:00').first().waitFor()
    await line(page)
      .getByText(/^Offline\. As of /)
      .waitFor()
    await page.getByRole('button', { name: 'Add to My Schedule: Uferprobe Epsilon' }).click()
    await line(page).getByText('1 change will be sent once you are back online.').waitFor()
    const other = await context.newPage()
    await other.goto('/contact')
    await main(other).getByText('This page will open automatically once you are back online.').waitFor()
    const ends = new Date('2026-06-22T20:15:00Z')
    await at.app.db
      .updateTable('events')
      .set({ starts_at: new Date('2026-06-22T19:15:00Z'), ends_at: ends, over_at: ends })
      .where('event_id', '=', moved)
      .execute()

    await startListening()
    await card.getByText('21:15').first().waitFor()
    await expect.poll(() => line(page).count()).toBe(0)
    await main(other).getByLabel('Your message').waitFor()
    const entries = async () => (await get(at.app, '/api/schedule', kim.authToken)).body.entries.length as number
    await expect.poll(entries).toBe(1)
  })

  it('caches only real answers, shows them while the server is busy, and deletes pages that no longer exist', async () => {
    const front = await inFrontOf(at.app)
    const { page } = await aPhone(front.url)()
    const bar = await aMerchant(at.app, 'gone@example.org', { business_name: 'Bar Ost' })
    const deal = await addDeal(at.app.db, bar.businessId, 'Soup of the day')
    await page.goto('/contact')
    await hydrated(page)
    front.isBusy = true
    await expect.poll(() => front.refused, { timeout: 90_000 }).toBeGreaterThan(0)
    front.isBusy = false
    const isCached = (part: string) =>
      page.evaluate(async (it) => {
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys())
            if (new URL(url).pathname.startsWith('/api/') && url.endsWith(it)) return true
        return false
      }, part)
    // an old search, which reveals where somebody was
    const oldSearch = '/api/deals/search?lat=47.123&lon=7.456'
    await page.evaluate(
      async ([name, address]) => {
        const headers = { date: 'Thu, 01 Jan 2026 12:00:00 GMT' }
        await (await caches.open(name!)).put(address!, new Response('[]', { headers }))
      },
      [caching.answers.name, oldSearch],
    )
    expect(await isCached(oldSearch)).toBe(true)
    // the next page fills the caches again
    await page.goto(`/deal/${deal}`)
    await expect.poll(() => isCached('/api/events/programme'), { timeout: 90_000 }).toBe(true)
    await hasStored(page)
    expect(await isCached(oldSearch)).toBe(false)
    expect(await isCached(`/api/deals/${deal}`)).toBe(true)
    expect(await isCached('/api/urgent')).toBe(true)

    front.isBusy = true
    await page.goto('/events?day=2026-06-20')
    await main(page).getByRole('heading', { name: titles[1] }).waitFor()
    await line(page)
      .getByText(/^Offline\. As of /)
      .waitFor()
    front.isBusy = false

    // HTML in place of JSON neither replaces a cached answer nor counts as the server being back
    front.isPortal = true
    const asked = () =>
      page.evaluate(async (id) => {
        const answer = await fetch(`/api/deals/${id}`)
        return [answer.headers.get('content-type'), answer.headers.has('x-kept-at')]
      }, deal)
    for (let n = 0; n < 2; n++) expect(await asked()).toEqual(['application/json; charset=utf-8', true])
    const health = page.waitForResponse('**/healthz')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await (await health).finished()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await line(page).innerText()).toMatch(/^Offline\. As of /)
    front.isPortal = false

    await at.app.db.deleteFrom('deals').where('deal_id', '=', deal).execute()
    expect(await page.evaluate(async (id) => (await fetch(`/api/deals/${id}`)).status, deal)).toBe(404)
    expect(await isCached(`/api/deals/${deal}`)).toBe(false)
  })

  /** Replaces `subscribe()`, which would call a push service outside; everything else is the browser's own. */
  const takesPushes = (context: BrowserContext, { subscription }: PushBrowser) =>
    context.addInitScript((said) => {
      const key = 'story-subscribed'
      const own = {
        ...said,
        toJSON: () => said,
        unsubscribe: async () => (localStorage.removeItem(key), true),
      }
      Object.assign(PushManager.prototype, {
        subscribe: async () => (localStorage.setItem(key, 'yes'), own),
        getSubscription: async () => (localStorage.getItem(key) ? own : null),
      })
    }, subscription)
  interface Scope {
    registration: ServiceWorkerRegistration
    clients: { openWindow(url: string): Promise<null> }
    NotificationEvent: new (kind: string, given: { notification: Notification }) => Event
    shown: Promise<void>
  }
  const workerOf = (page: Page) => page.context().serviceWorkers()[0]!
  /** Delivers the last push of our server, as the push service would, and waits until it is shown. */
  async function deliverLast(page: Page, { received }: PushBrowser) {
    // reading notifications while one is about to be shown removes it: Chromium does not have it yet
    await workerOf(page).evaluate(() => {
      const scope = globalThis as unknown as Scope
      const { registration } = scope
      const show = registration.showNotification.bind(registration)
      scope.shown = new Promise((resolve, reject) => {
        registration.showNotification = async (...given) => show(...given).then(resolve, reject)
      })
    })
    const cdp = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ isDeleted, scopeURL }) => !isDeleted && scopeURL.startsWith(at.app.url))
        if (own) resolve(own.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    const data = JSON.stringify(received.at(-1)!.content)
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin: at.app.url,
      registrationId: await registered,
      data,
    })
    await workerOf(page).evaluate(() => (globalThis as unknown as Scope).shown)
    await cdp.detach()
  }
  const notificationsOf = (page: Page) =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag, data }) => ({
        title,
        body,
        tag,
        path: (data as { path: string }).path,
      })),
    )
  /** Taps the first notification. @returns the address that the worker opens */
  async function tap(page: Page): Promise<string> {
    return workerOf(page).evaluate(async () => {
      const scope = globalThis as unknown as Scope
      const [notification] = await scope.registration.getNotifications()
      const tapped = new scope.NotificationEvent('notificationclick', { notification: notification! })
      // only a real tap may open a window
      return new Promise<string>((resolve) => {
        Object.assign(scope.clients, { openWindow: async (url: string) => (resolve(url), null) })
        Object.assign(tapped, { waitUntil: () => {} })
        dispatchEvent(tapped)
      })
    })
  }

  it('gets a push as a reminder of a saved event, one when staff move the event, and a new reminder', async () => {
    const noah = await aVisitor(at.app, 'noah@example.org')
    const token = await aStaffToken('programme@example.org')
    const device = pushService.newBrowser()
    const begin = Temporal.Now.instant().round({ smallestUnit: 'minute', roundingMode: 'ceil' })
    const after = (minutes: number) => begin.add({ minutes }).toString()
    const shownTime = (minutes: number) =>
      begin.add({ minutes }).toZonedDateTimeISO('Europe/Zurich').toPlainTime().toString({ smallestUnit: 'minute' })
    const timed = (from: number, to: number) => ({ starts_at: after(from), ends_at: after(to) })
    const add = (title: string, { starts_at, ends_at }: ReturnType<typeof timed>) =>
      addEvent(at.app.db, title, starts_at, { ends_at, stage_id: west })
    const early = await add('Abendprobe Eins', timed(20, 30))
    await add('Abendprobe Zwei', timed(32, 60))

    const { page, context } = await aPhone()()
    await takesPushes(context, device)
    await page.goto('/help')
    await logInHere(page, noah)
    await page.goto('/events?q=abendprobe')
    await hydrated(page)
    for (const title of ['Abendprobe Eins', 'Abendprobe Zwei']) {
      const save = page.getByRole('button', { name: `Add to My Schedule: ${title}` })
      await save.click()
      await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true')
    }
    await page.goto('/myschedule')
    await page.getByRole('button', { name: 'Note and reminders: Abendprobe Eins' }).click()
    await page.getByRole('checkbox', { name: '15 minutes before' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('article').getByText('15 min before').waitFor()

    // the switch in the settings, on this phone
    const push = page.getByRole('checkbox', { name: 'Push notifications on this device' })
    const devices = async () =>
      (await at.app.db.selectFrom('push_subscriptions').select('endpoint').execute()).map(({ endpoint }) => endpoint)
    await page.goto('/settings')
    await push.click()
    await expect.poll(() => push.isChecked()).toBe(true)
    await expect.poll(() => devices()).toEqual([device.subscription.endpoint])
    await isControlled(page)

    const run = async (minutes: number, what: typeof sendDueReminders) => {
      at.app.setNow(after(minutes))
      await what(house.of(schedule))
      await at.app.runJobs()
    }
    const bodies = () => device.received.map(({ content }) => content['body'])
    await run(5, sendDueReminders)
    const first = `Abendprobe Eins starts at ${shownTime(20)}, Westufer`
    await expect.poll(bodies).toEqual([first])
    await deliverLast(page, device)
    await expect.poll(() => notificationsOf(page)).toEqual([device.received[0]!.content])
    expect(await tap(page)).toBe(`${at.app.url}/event/${early}`)
    await expect.poll(() => notificationsOf(page)).toEqual([])

    await page.goto('/notifications')
    await page.getByRole('link', { name: first }).waitFor()
    expect((await post(at.app, `/api/events/${early}`, timed(25, 35), { method: 'PUT', token })).status).toBe(200)
    await at.app.runJobs()
    await run(6, sendEventNotices)
    const moved = `Abendprobe Eins: new time: ${shownTime(25)}. Now clashes with Abendprobe Zwei`
    await expect.poll(bodies).toEqual([first, moved])
    await page.getByRole('link', { name: moved }).waitFor()
    await run(9, sendDueReminders)
    expect(device.received).toHaveLength(2)
    await run(10, sendDueReminders)
    const second = `Abendprobe Eins starts at ${shownTime(25)}, Westufer`
    await expect.poll(bodies).toEqual([first, moved, second])
    await deliverLast(page, device)
    await expect.poll(() => notificationsOf(page)).toEqual([device.received[2]!.content])
    expect(pushService.faults).toEqual([])

    // a subscription that the server has lost, e.g. with a session, is sent again when the switch is shown
    await at.app.db.deleteFrom('push_subscriptions').execute()
    await page.goto('/settings')
    await expect.poll(devices).toEqual([device.subscription.endpoint])

    // off again; and if the browser's settings forbid it, with a message
    await page.goto('/settings')
    await expect.poll(() => push.isChecked()).toBe(true)
    await push.click()
    await expect.poll(() => push.isChecked()).toBe(false)
    await expect.poll(devices).toEqual([])
    await context.clearPermissions()
    await context.grantPermissions([], { origin: at.app.url })
    await page.reload()
    await page.getByText('Your browser blocks notifications from this site.').waitFor()
    await expect.poll(() => push.isDisabled()).toBe(true)
  })

  it('offers pushes as soon as the app is stored, however late that is', async () => {
    const { page, context } = await aPhone()()
    await takesPushes(context, pushService.newBrowser())
    await context.addInitScript(() => {
      const { serviceWorker } = navigator
      const register = serviceWorker.register.bind(serviceWorker)
      const arrives = new Promise<void>((resolve) => Object.assign(window, { arrive: resolve }))
      serviceWorker.register = async (...given) => {
        await arrives
        return register(...given)
      }
    })
    await page.goto('/help')
    await logInHere(page, await aVisitor(at.app, 'late@example.org'))
    await page.goto('/settings')
    await page.getByText('Available as soon as this site is saved on this device').waitFor()
    await page.evaluate(() => (window as unknown as { arrive(): void }).arrive())
    const push = page.getByRole('checkbox', { name: 'Push notifications on this device' })
    await expect.poll(() => push.isEnabled()).toBe(true)
  })

  it('gets a new version on request and keeps typed text, and no worker at all after the kill switch', async () => {
    const front = await inFrontOf(at.app)
    const { page, context } = await aPhone(front.url)()
    await page.goto('/contact')
    await hydrated(page)
    const message = page.getByLabel('Your message')
    await message.fill('My jacket is blue.')
    await hasStored(page)
    const update = () =>
      page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
    const build = (of = page) => of.evaluate(() => document.documentElement.dataset['build'])
    const other = await context.newPage()
    await other.goto('/deals')

    front.isNewer = true
    await update()
    for (const each of [page, other]) await line(each).getByText('A new version of this site is ready.').waitFor()
    await expect.poll(() => message.inputValue()).toBe('My jacket is blue.')
    expect(await build()).not.toContain(front.nextBuild)
    await line(page).getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => build().catch(() => '')).toContain(front.nextBuild)
    await hydrated(page)
    await expect.poll(() => message.inputValue()).toBe('My jacket is blue.')
    // another tab gets it too on request
    expect(await build(other)).not.toContain(front.nextBuild)
    await line(other).getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => build(other).catch(() => '')).toContain(front.nextBuild)
    await other.close()

    const off = await appForTest({ pages: true, env: { SERVICE_WORKER: 'off' } })
    front.worker = await (await fetch(`${off.url}/sw.js`)).text()
    await update()
    const left = () =>
      page.evaluate(async () => ({
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        caches: await caches.keys(),
      }))
    // in Chromium a visit may hang while one worker replaces the other
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const it = await navigator.serviceWorker.getRegistration()
          return !it || (!it.installing && !it.waiting && it.active?.state === 'activated')
        }),
      )
      .toBe(true)
    await page.goto('/deals')
    await expect.poll(async () => (await left()).workers, { timeout: 90_000 }).toBe(0)
    // requests of the old worker may have ended after it was replaced: the next visit deletes their caches
    await page.goto('/contact')
    await expect.poll(left, { timeout: 90_000 }).toEqual({ workers: 0, caches: [] })
    await hydrated(page)
    await expect.poll(() => message.inputValue()).toBe('My jacket is blue.')
  })
})
