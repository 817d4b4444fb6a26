import { expect, it } from 'vitest'
import { addBusiness, addDeal } from '../cast.ts'
import { aMerchant, aVisitor, get, post } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, hydrated, inBrowser, phone, useBrowser } from './browser.ts'
import { hold } from './map-pages.ts'
import { favoritesInCopy } from './stored.ts'

inBrowser('favorites', () => {
  const at = useBrowser({ demo: true, now: null })

  it('a guest saves with one tap, sees the list on this phone, and keeps it by logging in', async () => {
    const { page, context, faults } = await at.visit('/deals', { viewport: phone })
    await hydrated(page)
    await page.waitForLoadState('networkidle')
    const hearts = main(page).getByRole('button', { name: /^Save / })
    // by name: hearts are drawn in steps, so another one may be the first a moment later
    const saved = (await hearts.first().getAttribute('aria-label'))!.replace('Save ', '')
    const heart = main(page).getByRole('button', { name: `Save ${saved}`, exact: true })
    await heart.click()
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true')
    // the tap did not open the card
    await expect.poll(() => new URL(page.url()).pathname).toBe('/deals')
    await page.goto('/deals?saved=1')
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor()
    await main(page).getByRole('link', { name: saved }).waitFor()
    await expectAccessible(page)

    const lena = await aVisitor(at.app, newAddress())
    await loggedIn(context, lena)
    // after the login they are in the account, also at the address for guests
    await page.goto('/deals?saved=1')
    await page.waitForURL(/\/favorites$/)
    await main(page).getByRole('link', { name: saved }).waitFor()
    await expect
      .poll(async () => (await get(at.app, '/api/favorites/keys', lena.authToken)).body.keys as string[])
      .toHaveLength(1)
    await expectAccessible(page)
    // an addition in another tab appears by itself
    const other = await context.newPage()
    await other.goto('/deals')
    await hydrated(other)
    const another = main(other)
      .getByRole('button', { name: /^Save /, pressed: false })
      .first()
    const more = (await another.getAttribute('aria-label'))!.replace('Save ', '')
    await main(other)
      .getByRole('button', { name: `Save ${more}`, exact: true })
      .click()
    await main(page).getByRole('link', { name: more }).waitFor()
    // and a removal there too
    await main(other)
      .getByRole('button', { name: `Save ${more}`, exact: true })
      .click()
    await main(page).getByRole('link', { name: more }).waitFor({ state: 'detached' })
    await other.close()
    await main(page)
      .getByRole('button', { name: `Save ${saved}` })
      .click()
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await expect
      .poll(async () => (await get(at.app, '/api/favorites/keys', lena.authToken)).body.keys as string[])
      .toEqual([])
    expect(faults).toEqual([])
  })

  it('a performer can be saved on the page of the event', async () => {
    const { page, context, faults } = await at.visit('/contact', { viewport: phone })
    const lena = await aVisitor(at.app, newAddress())
    await loggedIn(context, lena)
    const { event_id, performer_id, performer_name } = await at.app.db
      .selectFrom('event_performers')
      .innerJoin('performers', 'performers.performer_id', 'event_performers.performer_id')
      .select(['event_performers.event_id', 'performers.performer_id', 'performers.performer_name'])
      .orderBy('event_performers.event_id')
      .executeTakeFirstOrThrow()
    await page.goto(`/event/${event_id}`)
    const heart = main(page).getByRole('button', { name: `Save ${performer_name}`, exact: true })
    await heart.click()
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true')
    await expect
      .poll(async () => (await get(at.app, '/api/favorites/keys', lena.authToken)).body.keys as string[])
      .toEqual([`performer:${performer_id}`])
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('a change made without a network is sent when the network is back', async () => {
    const { page, context } = await at.visit('/contact', { expected: /ERR_INTERNET_DISCONNECTED/ })
    const lena = await aVisitor(at.app, newAddress())
    await loggedIn(context, lena)
    const [{ business_id }] = (await (await fetch(`${at.app.url}/api/deals?limit=1`)).json()) as [
      { business_id: string },
    ]
    await page.goto(`/business/${business_id}`)
    const heart = main(page)
      .getByRole('button', { name: /^Save / })
      .first()
    await heart.waitFor()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await heart.click()
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true')
    await context.setOffline(false)
    await expect
      .poll(async () => (await get(at.app, '/api/favorites/keys', lena.authToken)).body.keys as string[])
      .toEqual([`business:${business_id}`])
  })

  it('a refused change is named on every page until somebody has read it', async () => {
    const { page, context } = await at.visit('/contact', { viewport: phone, expected: /status of 404/ })
    await loggedIn(context, await aVisitor(at.app, newAddress()))
    await page.route('**/api/favorites/deal/**', (route) =>
      route.fulfill({ status: 404, json: { error: 'This deal is gone.', code: 'favorite_not_found' } }),
    )
    await page.goto('/deals')
    await hydrated(page)
    await page.waitForLoadState('networkidle')
    const name = (await main(page)
      .getByRole('button', { name: /^Save / })
      .first()
      .getAttribute('aria-label'))!
    const heart = main(page).getByRole('button', { name, exact: true })
    await heart.click()
    const refused = page.getByRole('complementary', { name: 'Not saved' })
    await refused.getByText(`“${name.replace('Save ', '')}” could not be saved. This deal is gone.`).waitFor()
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false')
    await expectAccessible(page)
    await page.goto('/favorites')
    await refused.getByRole('button', { name: 'OK' }).click()
    await refused.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await expect.poll(() => refused.count()).toBe(0)
  })

  /** Adds deals to the database. */
  const deals = async (count: number) => {
    const market = await addBusiness(at.app.db, 'Marktstand')
    const ids = []
    for (let n = 1; n <= count; n++) ids.push(await addDeal(at.app.db, market, `Stall ${n}`))
    return ids
  }

  it('a list of more than a hundred has each favorite once, also if a deal no longer exists', async () => {
    const { page, context, faults } = await at.visit('/contact')
    const lena = await aVisitor(at.app, newAddress())
    await loggedIn(context, lena)
    const keys = (await deals(120)).map((id) => `deal:${id}`)
    expect((await post(at.app, '/api/favorites/merge', { keys }, { token: lena.authToken })).body.keys).toHaveLength(
      120,
    )
    const [first] = (await get(at.app, '/api/favorites', lena.authToken)).body as { id: string }[]
    await at.app.db.updateTable('deals').set({ state: 'archived' }).where('deal_id', '=', first!.id).execute()
    await page.goto('/favorites')
    const cards = main(page).getByRole('article')
    await expect.poll(() => cards.count()).toBe(99)
    await main(page).getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => cards.count()).toBe(119)
    expect(new Set(await cards.getByRole('heading').allTextContents()).size).toBe(119)
    await expect.poll(() => main(page).getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('a guest who removes one of many still sees the others, with a button for the rest', async () => {
    const { page, context, faults } = await at.visit('/contact')
    const saved = { keys: (await deals(60)).map((id) => `deal:${id}`), unsent: {}, of: 'guest' }
    await context.addInitScript((text) => localStorage.setItem('rheinklang-saved', text), JSON.stringify(saved))
    await page.goto('/deals?saved=1')
    const cards = main(page).getByRole('article')
    await expect.poll(() => cards.count()).toBe(50)
    // all are in the offline copy
    await expect.poll(() => favoritesInCopy(page)).toBe(60)
    const comes = await hold(page, '**/api/favorites/preview*')
    await main(page).getByRole('button', { name: 'Save Stall 1', exact: true }).click()
    await expect.poll(() => cards.count()).toBe(49)
    comes()
    await main(page).getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => cards.count()).toBe(59)
    await expect.poll(() => main(page).getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('a merchant has no hearts', async () => {
    const { page, context } = await at.visit('/contact')
    await loggedIn(context, await aMerchant(at.app, newAddress()))
    await page.goto('/deals')
    await hydrated(page)
    await page.waitForLoadState('networkidle')
    await expect
      .poll(() =>
        main(page)
          .getByRole('button', { name: /^Save / })
          .count(),
      )
      .toBe(0)
  })
})
