import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillOpenings } from '../../src/businesses/server/businesses.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { addBusiness, addDeal, addEvent } from '../cast.ts'
import { aMerchant, aVisitor, post } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessibleInBothThemes, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const smallPhone = { width: 320, height: 640 }

inBrowser('the main button', () => {
  const at = useBrowser({ now: null })
  const kiosk = () => addBusiness(at.app.db, 'Knopfkiosk', { open_hours: '24/7' })
  const filled = () => fillOpenings({ db: at.app.db, clock: systemClock })
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  /** Something of the page is drawn above its lower edge; an empty place for messages is not. */
  const isFixed = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main *')].some(
        (part) => getComputedStyle(part).position === 'fixed' && part.offsetHeight > 0,
      ),
    )

  it('of a deal that cannot be used yet saves it, and says from when it can', async () => {
    const shop = await kiosk()
    const early = await addDeal(at.app.db, shop, 'Morgentee', { start_time: '06:00', end_time: '09:00' })
    await filled()
    const { page, faults } = await at.visit(`/deal/${early}`, { viewport: phone })
    await hydrated(page)
    await main(page).getByText('From Sun 06:00', { exact: true }).waitFor()
    const save = main(page).getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await main(page).getByRole('button', { name: 'Saved', exact: true, pressed: true }).waitFor()
    await expect.poll(() => main(page).getByRole('link', { name: 'Show at the counter' }).count()).toBe(0)
    await expectAccessibleInBothThemes(page)
    expect(faults).toEqual([])
  })

  it('of a deal that is sold out saves it, beside the way to other deals', async () => {
    const shop = await kiosk()
    const more = { redemption_mode: 'code', total_limit: 1, redeemed_count: 1 }
    const sold = await addDeal(at.app.db, shop, 'Letzter Tee', more)
    await filled()
    const { page } = await at.visit(`/deal/${sold}`, { viewport: phone })
    await hydrated(page)
    await main(page).getByText('This deal is sold out.').waitFor()
    await main(page).getByRole('link', { name: 'See the other deals' }).waitFor()
    await main(page).getByText('Save this deal while logged in: we’ll tell you when it is available again.').waitFor()
    await expect.poll(() => main(page).getByText('Get code').count()).toBe(0)
  })

  it('of one’s own deal edits it; another merchant reads that codes are for visitors', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Nord' })
    const other = await aMerchant(at.app, newAddress(), { business_name: 'Bar Süd' })
    const deal = await addDeal(at.app.db, bar.businessId, 'Spritz', { redemption_mode: 'code' })
    for (const person of [bar, other]) {
      const { page, context } = await at.visit('/contact', { viewport: phone })
      await loggedIn(context, person)
      await page.goto(`/deal/${deal}`)
      if (person === bar)
        expect(await main(page).getByRole('link', { name: 'Edit Deal' }).getAttribute('href')).toBe(
          `/deal/${deal}/edit`,
        )
      else await main(page).getByText('Visitors get their code here.').waitFor()
      await expect.poll(() => main(page).getByText('Get code').count()).toBe(0)
    }
  })

  it('of an event stays above the navigation of a phone; one that is over has none', async () => {
    const { db } = at.app
    const later = await addEvent(db, 'Später Ton', inMinutes(90))
    const over = await addEvent(db, 'Früher Ton', inMinutes(-300))
    const { page, faults } = await at.visit(`/event/${later}`, { viewport: phone })
    await hydrated(page)
    const add = main(page).getByRole('button', { name: 'Add to My Schedule', exact: true })
    const { y, height } = (await add.boundingBox())!
    expect(y + height).toBeLessThanOrEqual(phone.height - 64)
    expect(y).toBeGreaterThan(phone.height * 0.75)
    await add.click()
    await main(page).getByRole('button', { name: 'In My Schedule', exact: true, pressed: true }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.goto(`/event/${over}`)
    await hydrated(page)
    await main(page).getByText('This event is over.').waitFor()
    expect(await isFixed(page)).toBe(false)
    expect(faults).toEqual([])
  })

  it('stays in the page where bar and navigation would take more than a third of the height', async () => {
    const shop = await kiosk()
    const deal = await addDeal(at.app.db, shop, 'Knopftee', { redemption_mode: 'code' })
    const event = await addEvent(at.app.db, 'Knopfton', inMinutes(90))
    await filled()
    for (const path of [`/deal/${deal}`, `/event/${event}`]) {
      const { page } = await at.visit(path, { viewport: smallPhone })
      await hydrated(page)
      await expect.poll(() => isFixed(page)).toBe(true)
      await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
      await expect.poll(() => isFixed(page)).toBe(false)
      const fixedHeights = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('body *')]
          .filter((part) => getComputedStyle(part).position === 'fixed' && part.checkVisibility())
          .filter((part) => part.getBoundingClientRect().bottom > 0)
          .reduce((sum, part) => sum + part.offsetHeight, 0),
      )
      expect(fixedHeights).toBeLessThanOrEqual(smallPhone.height / 3)
    }
  })

  it('hides while a form is filled in, so that it covers no button of it', async () => {
    const shop = await kiosk()
    const deal = await addDeal(at.app.db, shop, 'Sternentee')
    await filled()
    const { page } = await at.visit(`/deal/${deal}`, { viewport: phone })
    await hydrated(page)
    const show = main(page).getByRole('link', { name: 'Show at the counter' })
    await show.waitFor()
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.append(document.createElement('input'))
      document.querySelector('main')!.append(form)
      form.querySelector('input')!.focus()
    })
    await show.waitFor({ state: 'hidden' })
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await show.waitFor()
  })
})

inBrowser('the ticket', () => {
  const at = useBrowser({ now: null })

  it('of a code says from when it is valid, and shows no digits before', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Nord' })
    const lena = await aVisitor(at.app, newAddress())
    const times = { redemption_mode: 'code', start_time: '06:00', end_time: '09:00' }
    const deal = await addDeal(at.app.db, bar.businessId, 'Espresso', times)
    const { body } = await post(at.app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    const { page, context, faults } = await at.visit('/contact', { viewport: phone })
    await loggedIn(context, lena)
    await page.goto('/my-codes')
    await main(page).getByText('From Sun 06:00', { exact: true }).waitFor()
    await page.goto(`/my-codes?code=${body.claim_id}`)
    const ticket = page.getByRole('dialog', { name: 'Code for Espresso' })
    await ticket.getByText('From Sun 06:00', { exact: true }).waitFor()
    await ticket.getByText('Your code will appear here then.').waitFor()
    expect(await ticket.innerText()).not.toMatch(/\d{3}\s\d{3}/)
    expect(await ticket.evaluate((part) => part.getAnimations({ subtree: true }).length)).toBe(0)
    await expectAccessibleInBothThemes(page)
    expect(faults).toEqual([])
  })

  it.each(['no-preference', 'reduce'] as const)(
    'moves its wave while it is valid, on white in both themes; motion: %s',
    async (reducedMotion) => {
      const shop = await addBusiness(at.app.db, 'Wellenkiosk', { open_hours: '24/7' })
      const deal = await addDeal(at.app.db, shop, 'Wellentee')
      await fillOpenings({ db: at.app.db, clock: systemClock })
      const options = { viewport: phone, colorScheme: 'dark', reducedMotion } as const
      const { page } = await at.visit(`/deal/${deal}?show=counter`, options)
      const ticket = page.getByRole('dialog')
      await ticket.getByText('Valid now', { exact: true }).waitFor()
      await ticket.locator('time').waitFor()
      expect(await ticket.evaluate((part) => getComputedStyle(part).backgroundColor)).toBe('rgb(255, 255, 255)')
      const moving = () => ticket.evaluate((part) => part.getAnimations({ subtree: true }).length)
      expect(await moving()).toBe(reducedMotion === 'reduce' ? 0 : 1)
      const { width, height } = (await ticket.boundingBox())!
      expect({ width, height }).toEqual(phone)
    },
  )

  it('needs no JavaScript', async () => {
    const shop = await addBusiness(at.app.db, 'Stiller Kiosk', { open_hours: '24/7' })
    const deal = await addDeal(at.app.db, shop, 'Stiller Tee')
    await fillOpenings({ db: at.app.db, clock: systemClock })
    const { page } = await at.visit(`/deal/${deal}?show=counter`, { viewport: phone, javaScriptEnabled: false })
    await page.getByRole('dialog').getByText('Valid now', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Show at the counter' }).waitFor()
  })
})
