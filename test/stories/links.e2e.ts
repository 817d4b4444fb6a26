import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aVisitor } from '../people.ts'
import { loggedIn, newAddress } from './account-pages.ts'
import { desktop, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

/** Whether the page is still the same document as at the first call. */
function sameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const kept = window as unknown as { seen?: boolean }
    const before = kept.seen ?? false
    kept.seen = true
    return before
  })
}

inBrowser('a link', () => {
  const at = useBrowser()
  const begin = async () => {
    const visit = await at.visit('/')
    await hydrated(visit.page)
    await sameDocument(visit.page)
    return visit
  }
  const header = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Deals', exact: true })

  it('to a page of the site opens it in the same document, by mouse, by keyboard and by the back button', async () => {
    const { page, faults } = await begin()
    await header(page).click()
    await page.waitForURL('**/deals')
    const card = page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').first()
    await card.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/deal/*')
    await page.goBack()
    await page.waitForURL('**/deals')
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(() => sameDocument(page)).toBe(true)
    expect(faults).toEqual([])
  })

  it('to the current page adds no step to the history', async () => {
    const { page } = await begin()
    await header(page).click()
    await page.waitForURL('**/deals')
    const steps = () => page.evaluate(() => history.length)
    const before = await steps()
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/deals')
    await header(page).click()
    await asked
    await expect.poll(() => steps()).toBe(before)
    await expect.poll(() => sameDocument(page)).toBe(true)
  })

  it('clicked with a key held, or with the wheel, opens another tab and does not change this one', async () => {
    const { page, context } = await begin()
    const ways: Parameters<Locator['click']>[0][] = [{ modifiers: ['ControlOrMeta'] }, { button: 'middle' }]
    for (const way of ways) {
      const other = context.waitForEvent('page')
      await header(page).click(way)
      await (await other).waitForURL('**/deals')
      await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    }
  })

  it('to anything but a page of the site is followed by the browser', async () => {
    const { page } = await begin()
    const left: string[] = []
    await page.exposeFunction('left', (href: string) => left.push(href))
    await page.evaluate(() => {
      document.addEventListener('click', (event) => {
        if (event.defaultPrevented) return
        event.preventDefault()
        ;(window as unknown as { left(href: string): void }).left((event.target as HTMLAnchorElement).href)
      })
      for (const [href, more] of [
        ['/api/openapi.json'],
        ['/uploads/x.webp'],
        ['/forum/feed.xml'],
        ['https://other.example/deals'],
        ['tel:+41611234567'],
        ['/deals', { target: '_blank' }],
        ['/deals', { download: 'deals' }],
        ['/deals'],
      ] as [string, object?][]) {
        const link = Object.assign(document.createElement('a'), { href, textContent: 'x', ...more })
        document.body.append(link)
        link.click()
      }
    })
    await page.waitForURL('**/deals')
    expect(left.map((href) => href.replace(at.app.url, ''))).toEqual([
      '/api/openapi.json',
      '/uploads/x.webp',
      '/forum/feed.xml',
      'https://other.example/deals',
      'tel:+41611234567',
      '/deals',
      '/deals',
    ])
    await expect.poll(() => sameDocument(page)).toBe(true)
  })

  it('to an anchor scrolls there, and is not followed if a component handles the click', async () => {
    const { page, faults } = await begin()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#main')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.goto('/deals')
    await hydrated(page)
    await sameDocument(page)
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 47.56, longitude: 7.59 })
    await page.getByRole('main').getByRole('link', { name: 'Near me', exact: true }).click()
    await page.waitForURL(/lat=47\.56/)
    await expect.poll(() => sameDocument(page)).toBe(true)
    expect(faults).toEqual([])
  })
  it('leads a guest to saved events and saved deals, with and without JavaScript', async () => {
    for (const [javaScriptEnabled, viewport] of [
      [true, phone],
      [false, phone],
      [true, desktop],
    ] as const) {
      const { page, faults } = await at.visit('/forum', { viewport, javaScriptEnabled })
      if (javaScriptEnabled) await hydrated(page)
      await page.getByRole('banner').getByRole('link', { name: 'Saved', exact: true }).click()
      await page.waitForURL('**/events?saved=1')
      await page.getByRole('navigation', { name: 'What you saved' }).getByRole('link', { name: 'Deals' }).click()
      await page.waitForURL('**/deals?saved=1')
      await page.getByRole('contentinfo').getByRole('link', { name: 'Saved', exact: true }).click()
      await page.waitForURL('**/events?saved=1')
      expect(faults).toEqual([])
    }
  })

  it('leads a visitor from the profile to the codes', async () => {
    const lena = await aVisitor(at.app, newAddress())
    const { page, context, faults } = await at.visit('/contact', { viewport: phone })
    await loggedIn(context, lena)
    await page.goto('/deals')
    await hydrated(page)
    await page.getByRole('button', { name: 'My Profile' }).click()
    await page
      .getByRole('menuitem', { name: 'Settings' })
      .or(page.getByRole('link', { name: 'Settings' }))
      .first()
      .click()
    const codes = page.getByRole('main').getByRole('link', { name: 'Show my codes' })
    // in the first screen
    expect((await codes.boundingBox())!.y).toBeLessThan(phone.height)
    await codes.click()
    await page.waitForURL('**/my-codes')
    expect(faults).toEqual([])
  })
})
