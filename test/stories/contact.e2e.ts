import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('writing to the organisers', () => {
  const at = useBrowser({ now: null })
  const fill = async (page: Page, message: string) => {
    await page.getByLabel('Your name').fill('Lena')
    await page.locator('main').getByLabel('Email').fill('lena@example.org')
    await page.getByLabel('Your message').fill(message)
  }

  it.each([true, false])(
    'gives a ticket number, and a reload sends nothing again (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page } = await at.visit('/contact', { javaScriptEnabled })
      if (javaScriptEnabled) await hydrated(page)
      await fill(page, 'Where is the lost and found?')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.waitForURL(/ticket=RK-/)
      const ticket = new URL(page.url()).searchParams.get('ticket')!
      await page.locator('main').getByText(ticket).first().waitFor()
      const count = async () => (await at.app.db.selectFrom('contact_messages').select('ticket').execute()).length
      const before = await count()
      await page.reload()
      expect(await count()).toBe(before)
    },
  )

  it.each([true, false])(
    'keeps the typed text and shows errors beside the field (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page } = await at.visit('/contact', { javaScriptEnabled, expected: /400/ })
      if (javaScriptEnabled) await hydrated(page)
      await fill(page, 'short')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByText('At least 10 characters, please.').waitFor()
      await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Lena')
      await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('short')
      await expect.poll(() => page.getByLabel('Your message').getAttribute('aria-invalid')).toBe('true')
      if (!javaScriptEnabled) return
      // the server's message and the summary disappear with the next letter
      await page.getByLabel('Your message').fill('Not as short as before.')
      await page.getByText('At least 10 characters, please.').waitFor({ state: 'detached' })
      await expect.poll(() => page.getByLabel('Your message').getAttribute('aria-invalid')).toBeNull()
      await expect.poll(() => page.locator('.while-faulty').isVisible()).toBe(false)
    },
  )

  it('keeps the typed message while there is no network', async () => {
    const { page } = await at.visit('/contact', { expected: /net::ERR|Failed to fetch/ })
    await hydrated(page)
    await page.route('**/api/contact', (route) => route.abort('connectionfailed'))
    await fill(page, 'Where is the lost and found?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\w/ }).first().waitFor()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('Where is the lost and found?')
  })

  it.each(['pressed again', 'reloaded and pressed again'])(
    'with an answer of 503, although the message was stored, gives one ticket when it is %s',
    async (how) => {
      const { page } = await at.visit('/contact', { expected: /503/ })
      await hydrated(page)
      const message = `Where is the lost and found? (${how})`
      await fill(page, message)
      await page.route('**/api/contact', async (route) => {
        await route.fetch()
        await route.fulfill({ status: 503, json: {} })
      })
      const press = () => page.getByRole('button', { name: 'Send message' }).click()
      await press()
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await page.unroute('**/api/contact')
      if (how.startsWith('reloaded')) {
        await page.reload()
        await hydrated(page)
      }
      await press()
      await page.waitForURL(/ticket=RK-/)
      const stored = await at.app.db
        .selectFrom('contact_messages')
        .select('ticket')
        .where('message', '=', message)
        .execute()
      expect(stored).toEqual([{ ticket: new URL(page.url()).searchParams.get('ticket') }])
    },
  )

  it('shows on a phone, within the screen, that nothing was sent, at every try', async () => {
    const { page } = await at.visit('/contact', { viewport: phone, expected: /net::ERR|Failed to fetch|503/ })
    await hydrated(page)
    await fill(page, 'Where is the lost and found?')
    const failed = page.getByRole('alert').filter({ hasText: /\w/ })
    const isSeen = () =>
      failed.evaluate((notice) => {
        const { top, bottom, left } = notice.getBoundingClientRect()
        return (
          document.activeElement?.contains(notice) &&
          document.activeElement !== document.body &&
          notice.contains(document.elementFromPoint(left + 20, (top + bottom) / 2))
        )
      })
    await page.route('**/api/contact', (route) => route.abort('connectionfailed'))
    await page.getByRole('button', { name: 'Send message' }).click()
    await failed.waitFor()
    await expect.poll(isSeen).toBe(true)
    await page.unroute('**/api/contact')
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, json: {} }))
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByRole('button', { name: 'Send message' }).click()
    await failed.filter({ hasNotText: 'connection' }).waitFor()
    await expect.poll(isSeen).toBe(true)
  })
})
