import { afterEach, expect, it } from 'vitest'
import type { BrowserContextOptions } from 'playwright-core'
import { browserOfWorker, desktop, hydrated, inBrowser, phone, useBrowser } from './browser.ts'
import { openPage, type UsedPage } from './used-page.ts'

inBrowser('a used page', () => {
  const stories = useBrowser()
  let used: UsedPage
  afterEach(() => used.context.close())
  const open = async (more: BrowserContextOptions = {}) => {
    const settings = { baseURL: stories.app.url, viewport: phone, ...more }
    used = await openPage(await browserOfWorker(), { settings, key: '', prepare: async () => {} })
    await used.enter(settings)
    return settings
  }

  it('has nothing of the previous story', async () => {
    const settings = await open({ colorScheme: 'dark' })
    const { context, page } = used
    const heard: string[] = []
    context.on('request', (request) => heard.push(request.url()))
    page.on('response', (response) => heard.push(response.url()))
    page.once('dialog', () => heard.push('dialog'))
    await context.route('**/api/**', (route) => route.abort())
    await page.route('**/help', (route) => route.fulfill({ body: 'not the help' }))
    await page.goto('/help')
    await page.goto('/deals')
    await page.evaluate(async () => {
      document.cookie = 'left=yes'
      localStorage.setItem('left', 'yes')
      sessionStorage.setItem('left', 'yes')
      window.name = 'left'
      await caches.open('left')
      await new Promise((resolve) => (indexedDB.open('left', 1).onsuccess = resolve))
    })
    await page.setViewportSize(desktop)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', media: 'print' })
    await (await context.newPage()).goto('/')
    expect(await used.leave()).toBe(true)
    heard.length = 0

    await used.enter(settings)
    expect(context.pages()).toEqual([page])
    await page.goto('/help')
    await used.forgetHistory()
    await hydrated(page)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(
      await page.evaluate(async () => ({
        cookie: document.cookie,
        local: { ...localStorage },
        session: { ...sessionStorage },
        name: window.name,
        caches: await caches.keys(),
        databases: (await indexedDB.databases()).map(({ name }) => name),
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
        isPrinted: matchMedia('print').matches,
        size: { width: innerWidth, height: innerHeight },
        api: (await fetch('/api/deals?limit=1')).status,
      })),
    ).toEqual({
      cookie: '',
      local: {},
      session: {},
      name: '',
      caches: [],
      databases: [],
      isDark: true,
      isStill: false,
      isPrinted: false,
      size: phone,
      api: 200,
    })
    expect(heard).toEqual([])
    // no history
    expect(await page.goBack()).toBeNull()
    expect(new URL(page.url()).pathname).toBe('/help')
  })

  it.each<[what: string, change: () => Promise<unknown>]>([
    ['the network', () => used.context.setOffline(true)],
    ['what every document begins with', () => used.page.addInitScript(() => {})],
    ['the clock', () => used.page.clock.install()],
    ['what only the protocol can', () => used.context.newCDPSession(used.page)],
  ])('is closed after a story that has changed %s', async (_, change) => {
    await open()
    await used.page.goto('/help')
    await change()
    expect(await used.leave()).toBe(false)
    expect(used.page.isClosed()).toBe(true)
  })
})
