import { expect, it } from 'vitest'
import { addDeal } from '../cast.ts'
import { aMerchant, aVisitor, post } from '../people.ts'
import { aModerator } from '../staff.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('a rating', () => {
  const at = useBrowser({ now: null })

  it('stays in its dialog when text is selected beyond the edge, and a click outside closes the dialog', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar West' })
    const deal = await addDeal(at.app.db, bar.businessId, 'Evening spritz')
    const { page, context, faults } = await at.visit('/contact', { expected: /status of 404|ERR_FAILED/ })
    await loggedIn(context, await aVisitor(at.app, newAddress()))
    // the first load of the ratings fails and is retried
    const lost = new Set<string>()
    await page.route(/assets\/(BelowDeal|BesideDeals)-/, (route) => {
      const url = route.request().url()
      return lost.has(url) ? route.continue() : (lost.add(url), route.abort())
    })
    await page.goto(`/deal/${deal}`)
    await main(page).getByRole('button', { name: 'Save Evening spritz' }).waitFor()
    expect(lost.size).toBeGreaterThan(1)
    await main(page).getByRole('button', { name: 'Report this deal' }).click()
    const dialog = page.getByRole('dialog')
    const details = dialog.getByLabel('Details (optional)')
    await details.fill('It is raclette.')
    const { x, y, width, height } = (await details.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x - 200, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => details.inputValue()).toBe('It is raclette.')
    await page.mouse.click(x - 200, y + height / 2)
    await dialog.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('is written by a visitor who has redeemed the deal, answered by the merchant, read and reported by others', async () => {
    const bar = await aMerchant(at.app, newAddress(), { business_name: 'Bar Nord' })
    const lena = await aVisitor(at.app, newAddress())
    const deal = await addDeal(at.app.db, bar.businessId, 'Spritz on the river', { redemption_mode: 'code' })
    const claim = await post(at.app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    const redeem = { payload: claim.body.qr_payload, amount_chf: 8 }
    expect((await post(at.app, '/api/redemptions', redeem, { token: bar.authToken })).status).toBe(201)

    const visitor = await at.visit('/contact', { viewport: phone, expected: /ERR_FAILED/ })
    await loggedIn(visitor.context, lena)
    await visitor.page.goto(`/deal/${deal}`)
    await hydrated(visitor.page)
    await main(visitor.page).getByText('No ratings yet.').waitFor()
    await main(visitor.page).getByRole('button', { name: 'Rate this deal' }).click()
    await main(visitor.page).getByRole('button', { name: 'Save rating' }).click()
    await main(visitor.page).getByText('Choose one to five stars.').waitFor()
    const stars = main(visitor.page).getByRole('radiogroup', { name: 'Your rating' })
    await expect.poll(() => stars.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => stars.evaluate((group) => group.contains(document.activeElement))).toBe(true)
    await expectAccessible(visitor.page)
    await main(visitor.page).getByRole('radio', { name: '4 stars' }).check()
    await main(visitor.page).getByLabel('Comment (optional)').fill('Cold and fair.')
    await expectAccessible(visitor.page)
    // the draft survives a reload
    await visitor.page.reload()
    const comment = main(visitor.page).getByLabel('Comment (optional)')
    await expect.poll(() => comment.inputValue()).toBe('Cold and fair.')
    await expect.poll(() => main(visitor.page).getByRole('radio', { name: '4 stars' }).isChecked()).toBe(true)
    // the answer is lost: the rating is saved once, and the form says what to do
    await visitor.page.route('**/rating', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await main(visitor.page).getByRole('button', { name: 'Save rating' }).click()
    await main(visitor.page).getByText('What you typed is still here').waitFor()
    await visitor.page.unroute('**/rating')
    await main(visitor.page).getByRole('button', { name: 'Save rating' }).click()
    await comment.waitFor({ state: 'detached' })
    await main(visitor.page).getByText('Cold and fair.').waitFor()
    await main(visitor.page).getByText('Has used this deal', { exact: true }).waitFor()
    const mean = main(visitor.page).getByText('4.0 out of 5 stars from 1 rating')
    await mean.first().waitFor()
    await expectNoSidewaysScroll(visitor.page)

    const merchant = await at.visit('/contact')
    await loggedIn(merchant.context, bar)
    await merchant.page.goto(`/business/${bar.businessId}`)
    await hydrated(merchant.page)
    await main(merchant.page).getByText('Cold and fair.').waitFor()
    await main(merchant.page).getByRole('button', { name: 'Reply' }).click()
    await main(merchant.page).getByLabel('Your reply').fill('Cheers.')
    // the draft survives a reload
    await merchant.page.reload()
    await main(merchant.page).getByRole('button', { name: 'Reply' }).click()
    await expect.poll(() => main(merchant.page).getByLabel('Your reply').inputValue()).toBe('Cheers.')
    await main(merchant.page).getByRole('button', { name: 'Save reply' }).click()
    await main(merchant.page).getByText('Reply from the merchant').waitFor()
    await main(merchant.page).getByRole('button', { name: 'Change reply' }).click()
    await main(merchant.page).getByLabel('Your reply').fill('Cheers, Lena.')
    await main(merchant.page).getByRole('button', { name: 'Save reply' }).click()
    await main(merchant.page).getByText('Cheers, Lena.').waitFor()
    await expectAccessible(merchant.page)

    // also without JavaScript
    const reader = await at.visit(`/deal/${deal}`, { javaScriptEnabled: false })
    await main(reader.page).getByText('Cheers, Lena.').waitFor()

    const max = await aVisitor(at.app, newAddress())
    const other = await at.visit('/contact', { viewport: phone })
    await loggedIn(other.context, max)
    await other.page.goto(`/deal/${deal}`)
    await hydrated(other.page)
    await main(other.page).getByRole('button', { name: 'Report', exact: true }).click()
    const dialog = other.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await dialog.getByText('Choose a reason.').waitFor()
    await expectAccessible(other.page)
    await dialog.getByLabel('Reason').selectOption('Offensive')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await main(other.page).getByText('Thank you. The festival will look at it.').waitFor()

    await visitor.page.reload()
    await hydrated(visitor.page)
    await main(visitor.page).getByRole('button', { name: 'Change your rating' }).click()
    await main(visitor.page).getByRole('button', { name: 'Delete rating' }).click()
    await main(visitor.page).getByText('No ratings yet.').waitFor()
    await expect.poll(() => mean.count()).toBe(0)

    // edited, deleted, and written once more
    const rate = async (comment: string) => {
      await main(visitor.page).getByRole('button', { name: 'Rate this deal' }).click()
      await main(visitor.page).getByRole('radio', { name: '5 stars' }).check()
      await main(visitor.page).getByLabel('Comment (optional)').fill(comment)
      await main(visitor.page).getByRole('button', { name: 'Save rating' }).click()
      await main(visitor.page).getByText(comment).waitFor()
    }
    await rate('Warm by now.')
    await main(visitor.page).getByRole('button', { name: 'Change your rating' }).click()
    await main(visitor.page).getByRole('button', { name: 'Delete rating' }).click()
    await main(visitor.page).getByText('No ratings yet.').waitFor()
    await rate('Cold again.')
    await expect.poll(() => main(visitor.page).getByText('Warm by now.').count()).toBe(0)

    // staff cannot rate or claim codes, but can report
    const staff = await at.visit('/contact')
    const authToken = await aModerator(at.app)
    await loggedIn(staff.context, { ...lena, authToken, userType: 'moderator' })
    await staff.page.goto(`/deal/${deal}`)
    await main(staff.page).getByRole('button', { name: 'Report this deal' }).click()
    const report = staff.page.getByRole('dialog')
    const heading = report.getByRole('heading', { name: 'What is wrong with this deal?' })
    await expect.poll(() => heading.evaluate((title) => title === document.activeElement)).toBe(true)
    expect(await heading.evaluate((title) => getComputedStyle(title).outlineStyle)).toBe('none')
    await report.getByLabel('Reason').selectOption('Offensive')
    await report.getByRole('button', { name: 'Send report' }).click()
    await main(staff.page).getByText('Thank you. The festival will look at it.').waitFor()
    await expect.poll(() => main(staff.page).getByRole('button', { name: 'Rate this deal' }).count()).toBe(0)
    expect([...visitor.faults, ...merchant.faults, ...other.faults, ...staff.faults]).toEqual([])
  })
})
