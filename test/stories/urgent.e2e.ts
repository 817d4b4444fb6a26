import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { saturdayEvening } from '../saturday-evening.ts'
import { aModerator } from '../staff.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  loseAnswers,
  phone,
  useBrowser,
} from './browser.ts'

inBrowser('an urgent notice', () => {
  const at = useBrowser({ demo: true, now: saturdayEvening })

  it('appears on open pages and on pages without JavaScript, and disappears when staff end it', async () => {
    const guest = await at.visit('/deals')
    await hydrated(guest.page)
    const token = await aModerator(at.app)
    const { page, context, faults } = await at.visit('/terms', { viewport: phone })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/urgent')
    await hydrated(page)
    await page.getByLabel('Text in English').fill('Leave the\nriver bank.')
    await page.getByLabel('Text in German').fill('Verlasst das Rheinufer.')
    await page.getByLabel('Text in French').fill('Quittez la rive.')
    // as it will look
    await page.getByText('Storm warning: Leave the river bank.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.reload()
    await hydrated(page)
    await page.getByRole('button', { name: 'Send to everybody' }).click()
    const question = page.getByRole('dialog', { name: 'Send this to everybody?' })
    await question.getByText('Verlasst das Rheinufer.').waitFor()
    await expectAccessible(page)
    // a slow network: the cached notices of this phone are shown first
    const cachedAnswer = { json: [], headers: { 'x-kept-at': new Date().toUTCString() } }
    await guest.page.route('**/api/urgent', (route) => route.fulfill(cachedAnswer), { times: 1 })
    await question.getByRole('button', { name: 'Send now' }).dblclick()
    await page.getByText('Sent. It is on every page now.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'End now' }).count()).toBe(1)
    expect((await sql`select 1 from urgent_notices`.execute(at.app.db)).rows).toHaveLength(1)
    // through the stream, without a reload
    await guest.page.getByText('Storm warning: Leave the river bank.').waitFor()
    await expectAccessible(guest.page)

    const plain = await at.visit('/help', { javaScriptEnabled: false, locale: 'de-CH' })
    await plain.page.getByText('Sturmwarnung: Verlasst das Rheinufer.').waitFor()
    // the server's banner stays after hydration
    const later = await at.visit('/deals')
    await hydrated(later.page)
    await later.page.getByText('Storm warning: Leave the river bank.').waitFor()

    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByText('Notice ended and removed from all pages.').waitFor()
    await guest.page.getByText('Leave the river bank.').waitFor({ state: 'detached' })
    expect([...faults, ...guest.faults, ...later.faults]).toEqual([])
  })

  it('whose answer was lost and which has ended meanwhile is sent as a new one', async () => {
    const token = await aModerator(at.app, 'second@example.org')
    const { page, context } = await at.visit('/terms')
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/urgent')
    await hydrated(page)
    await page.getByLabel('Text in English').fill('Seek shelter.')
    await page.getByLabel('Text in German').fill('Sucht Schutz.')
    await page.getByLabel('Text in French').fill('Mettez-vous à l’abri.')
    await page.getByRole('button', { name: 'Send to everybody' }).click()
    const question = page.getByRole('dialog', { name: 'Send this to everybody?' })
    await loseAnswers(page, '**/api/admin/urgent', { times: 1 })
    // the list cannot be loaded either: the form stays with its text
    await page.route('**/api/admin/urgent', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    )
    await question.getByRole('button', { name: 'Send now' }).click()
    const failed = page.getByText('You are offline. Please try again once you are back online.')
    await failed.waitFor()
    await question.getByRole('button', { name: 'Back' }).click()
    // the message is in the place of the list: above the form it would seem to be about sending
    const list = (await page.getByRole('heading', { name: 'Notices so far' }).boundingBox())!
    expect((await failed.boundingBox())!.y).toBeGreaterThan(list.y)
    await expect.poll(() => page.getByLabel('Text in English').inputValue()).toBe('Seek shelter.')
    await page.unroute('**/api/admin/urgent')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'End now', exact: true }).waitFor()
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByText('Notice ended and removed from all pages.').waitFor()

    await page.getByRole('button', { name: 'Send to everybody' }).click()
    await question.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Sent. It is on every page now.').waitFor()
    const shown = await sql`select from urgent_notices where text_en = 'Seek shelter.' and ended_at is null`.execute(
      at.app.db,
    )
    expect(shown.rows).toHaveLength(1)
  })
})
