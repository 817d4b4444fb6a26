import { expect, it } from 'vitest'
import { aMerchant, goodPassword, logIn, type Person } from '../people.ts'
import { addDeal } from '../cast.ts'
import { deliver, providerOf, reversalOf, withPaymentRoom } from '../paying.ts'
import { renewTestSubscriptions } from '../../src/payments/server/background.ts'
import { systemClock } from '../../src/kit/server/clock.ts'
import { endExpiredTiers } from '../../src/payments/server/apply-standing.ts'
import { loggedIn, logInBy, main, newAddress } from './account-pages.ts'
import { expectAccessible, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const watched = withPaymentRoom()

inBrowser('payments on the test provider', () => {
  const at = useBrowser({ demo: true, now: null, rooms: watched.rooms, env: { PAYMENTS: 'test' } })

  async function asMerchant(path: string, more: Record<string, string> = {}) {
    const visit = await at.visit('/contact')
    const person = await aMerchant(at.app, newAddress(), { address: 'Rheingasse 1\n4058 Basel', ...more })
    await loggedIn(visit.context, person)
    await visit.page.goto(path)
    return { ...visit, person }
  }

  /** Signs up by the form, up to the dashboard. */
  async function signedUpForPremium() {
    const email = newAddress()
    const { page } = await at.visit('/signup')
    await hydrated(page)
    await page.getByLabel('Business Name').fill('Bar Nord')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('PREMIUM').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL('**/business-login')
    await logInBy(page, email)
    await page.waitForURL('**/dashboard')
    return page
  }

  it('a merchant upgrades, switches to yearly, cancels, keeps the plan, and when the paid time ends loses it, with surplus deals paused', async () => {
    const { page, context, person } = await asMerchant('/upgrade-subscription')
    await main(page).getByText('FREE', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByRole('radio', { name: 'Premium (CHF 49 / month)' }).isChecked()).toBe(true)
    await expect.poll(() => page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).isChecked()).toBe(false)
    await main(page).getByText('You pay CHF 49 today, then the same every month.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText('Subscription upgraded to PREMIUM').waitFor()
    await main(page).getByText('PREMIUM', { exact: true }).first().waitFor()
    await page.waitForURL('**/dashboard')
    const nextBilling = main(page).getByText('Next billing date')
    await nextBilling.waitFor()
    // while a payment is overdue, only its notice shows a date
    await page.route('**/api/payments/my-subscription', async (route) => {
      const response = await route.fetch()
      const overdue = { status: 'past_due', overdue_until: '2026-12-04T12:00:00.000Z' }
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...overdue } })
    })
    await page.reload()
    await main(page)
      .getByText(/Update your payment method by .*4/)
      .waitFor()
    expect(await nextBilling.count()).toBe(0)
    // paid in another tab: this one shows it when it is visible again
    await page.unroute('**/api/payments/my-subscription')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await nextBilling.waitFor()
    const monthly = page.getByRole('button', { name: 'Switch to Monthly' })
    const yearly = page.getByRole('button', { name: 'Switch to Yearly' })
    await expect.poll(() => monthly.isDisabled()).toBe(true)
    await expectAccessible(page)
    await yearly.click()
    const question = page.getByRole('dialog', { name: 'Pay for a whole year?' })
    await question.getByText(/A year costs CHF 490/).waitFor()
    await question.getByText(/You pay about CHF 441(\.\d\d)? today/).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Pay for a year' }).click()
    await main(page).getByText('CHF 490 / year').waitFor()
    await expect.poll(() => yearly.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click()
    await main(page).getByText('Scheduled to cancel at period end').waitFor()
    await page.getByRole('button', { name: 'Keep my plan' }).click()
    await main(page).getByText('Scheduled to cancel at period end').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click()
    await main(page).getByText('Scheduled to cancel at period end').waitFor()

    await page.getByRole('link', { name: 'Invoices' }).click()
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await main(page).getByRole('listitem').nth(1).waitFor()
    await expect.poll(() => main(page).getByRole('listitem').count()).toBe(2)
    await expectAccessible(page)
    const deducted = 'What you had already paid for the rest of your earlier subscription has been deducted.'
    await page.getByRole('link', { name: 'Premium, one year' }).click()
    await main(page).getByText(deducted).waitFor()
    await page.getByRole('link', { name: 'All invoices' }).click()
    await page.getByRole('link', { name: 'Premium, one month' }).click()
    await page.getByRole('heading', { name: /Invoice RK-\d{6}/ }).waitFor()
    await main(page).getByText('CHF 49.00').waitFor()
    await main(page)
      .getByText(/Period of service: .+ to .+/)
      .waitFor()
    await expect.poll(() => main(page).getByText(deducted).count()).toBe(0)
    await main(page).getByText('4058 Basel').waitFor()
    await expectAccessible(page)

    for (let n = 1; n <= 11; n++) await addDeal(at.app.db, person.businessId, `Deal ${n}`)
    const begun = Date.now()
    try {
      at.app.setNow(new Date(begun + 366 * 24 * 3_600_000).toISOString())
      await renewTestSubscriptions(watched.room())
      await endExpiredTiers(watched.room())
      await at.app.runJobs()
      const again = await logIn(at.app, '/api/business/login', person.email)
      await context.clearCookies()
      await page.evaluate(
        (values) => Object.entries(values).forEach(([key, value]) => localStorage.setItem(key, String(value))),
        { authToken: again.authToken, refreshToken: again.refreshToken },
      )
      await page.goto('/dashboard')
      await page.getByRole('link', { name: 'Upgrade to Premium' }).waitFor()
      await main(page).getByText('Paused', { exact: true }).first().waitFor()
      const { paused } = await at.app.db
        .selectFrom('deals')
        .select(({ fn }) => fn.countAll<number>().as('paused'))
        .where('business_id', '=', person.businessId)
        .where('state', '=', 'paused')
        .executeTakeFirstOrThrow()
      expect(Number(paused)).toBe(1)
      await main(page).getByText('1 deal is paused because your tier had no room for it.').waitFor()
      await expectAccessible(page)
      const resume = main(page).getByRole('button', { name: 'Resume 1 deal' })
      expect(await resume.count()).toBe(0)
      // the tier has room again, because another deal ends
      await at.app.db.updateTable('deals').set({ state: 'archived' }).where('deal_name', '=', 'Deal 1').execute()
      await page.reload()
      await resume.press('Enter')
      await page.getByText('1 deal is published again').waitFor()
      const heading = main(page).getByRole('heading', { name: 'Your Deals' })
      await expect.poll(() => heading.evaluate((title) => title === document.activeElement)).toBe(true)
      await expect.poll(() => main(page).getByText('Paused', { exact: true }).count()).toBe(0)
    } finally {
      at.app.setNow(new Date(begun).toISOString())
    }
  })

  it('a merchant promotes the business twice on a clearly marked test page, is featured for 60 days, and no longer after a refund', async () => {
    const { page, person } = await asMerchant('/promote-business')
    await main(page).getByText('200 CHF for 30 days of featured placement').waitFor()
    await main(page).getByText('there is nothing to promote').waitFor()
    await expectAccessible(page)
    for (const days of [30, 60]) {
      await page.getByRole('button', { name: 'Pay & Promote' }).click()
      await page.waitForURL('**/test-checkout/*')
      await main(page).getByText('This is a test payment.').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Have the payment declined' }).click()
      await main(page).getByText('The payment was declined. Please use another card.').waitFor()
      await page.getByRole('button', { name: 'Pay CHF 200 (test)' }).click()
      await main(page).getByText('Thank you. Your business is featured until').waitFor()
      await expect.poll(() => page.url()).not.toContain('paid')
      const { featured_until } = (await (
        await page.request.get('/api/payments/my-subscription', {
          headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('authToken'))}` },
        })
      ).json()) as { featured_until: string }
      const left = (Date.parse(featured_until) - Date.now()) / (24 * 3_600_000)
      expect(Math.round(left)).toBe(days)
      await page.goto('/promote-business')
      await main(page).getByText('Your business is featured until').waitFor()
    }
    await main(page).getByText('What it has brought so far').waitFor()
    const provider = await providerOf(at.app, systemClock)
    const payments = at.app.db.selectFrom('payments').select('payment_id').where('business_id', '=', person.businessId)
    for (const { payment_id } of await payments.execute()) {
      const event = await reversalOf(at.app, payment_id, 'refund', 'done', new Date().toISOString())
      expect((await deliver(at.app, provider, event)).status).toBe(200)
    }
    const subscriptionAnswer = page.waitForResponse('**/api/payments/my-subscription')
    await page.goto('/promote-business')
    expect((await (await subscriptionAnswer).json()).featured_until).toBeNull()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => main(page).getByText('Your business is featured until').count()).toBe(0)
    await page.goto('/invoices')
    await main(page).getByText('CHF 200 refunded').nth(1).waitFor()
  })

  it('PREMIUM chosen at signup is paid on the hosted page if every payment needs one', async () => {
    const { settings } = watched.room()
    settings.testCheckout = true
    try {
      const page = await signedUpForPremium()
      await main(page).getByRole('link', { name: 'Complete your Premium upgrade' }).click()
      await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
      await page.waitForURL('**/test-checkout/*')
      await page.getByRole('button', { name: 'Pay CHF 49 (test)' }).click()
      // after confirming it says so for two seconds, then opens the next page
      await page.waitForURL('**/dashboard')
      await page.getByRole('button', { name: 'Cancel Subscription' }).waitFor()
      // only once: the back button leads to the plans, not to this page
      await page.goBack()
      await page.waitForURL('**/upgrade-subscription')
      await page.getByRole('button', { name: 'Confirm Upgrade' }).waitFor()
      await expect.poll(() => page.getByText('Subscription upgraded to').count()).toBe(0)
    } finally {
      settings.testCheckout = false
    }
  })

  it('PREMIUM chosen at signup is active at the first login', async () => {
    const page = await signedUpForPremium()
    await page.getByRole('button', { name: 'Cancel Subscription' }).waitFor()
    await main(page).getByText('PREMIUM', { exact: true }).waitFor()
  })

  it('a larger plan is active at once, even if its interval changes later', async () => {
    const { page, person } = await asMerchant('/upgrade')
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText('Subscription upgraded to PREMIUM').waitFor()
    await page.waitForURL('**/dashboard')
    await page.getByRole('button', { name: 'Switch to Yearly' }).click()
    await page.getByRole('button', { name: 'Pay for a year' }).click()
    await main(page).getByText('CHF 490 / year').waitFor()
    await page.goto('/upgrade')
    await hydrated(page)
    await page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).check()
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    const due = await main(page)
      .getByText(/You pay about CHF .* Then CHF 99 every month\./)
      .textContent()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText('Subscription upgraded to ULTIMATE').waitFor()
    await page.waitForURL('**/dashboard')
    const payments = await at.app.db
      .selectFrom('payments')
      .select('amount_rappen')
      .where('business_id', '=', person.businessId)
      .orderBy('paid_at')
      .execute()
    // some seconds pass between the quoted price and the payment
    expect(payments.at(-1)!.amount_rappen / 100).toBeCloseTo(Number(/CHF ([\d.]+) today/.exec(due!)![1]), 1)
  })

  it('a smaller plan starts on the day on which the paid time ends', async () => {
    const { page } = await asMerchant('/upgrade')
    await page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).check()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText('Subscription upgraded to ULTIMATE').waitFor()
    await page.waitForURL('**/dashboard')
    await page.goto('/upgrade')
    // their own interval is preselected, so that confirming loses nothing
    await main(page).getByText('You have this subscription. Nothing is charged today.').waitFor()
    await expect.poll(() => page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Premium (CHF 49 / month)' }).check()
    await main(page)
      .getByText(/Nothing is charged today\. The new subscription starts on \d+ \w+/)
      .waitFor()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText(/Your subscription changes to Premium on \d+ \w+/).waitFor()
    await page.goto('/dashboard')
    await main(page)
      .getByText(/Changes to Premium, monthly, on/)
      .waitFor()

    // a merchant who returns sees the planned change, and can keep the larger plan
    await page.goto('/upgrade')
    await main(page)
      .getByText(/^Your subscription changes to Premium, monthly, on \d+ \w+( \d+)?\.\s*$/)
      .waitFor()
    await page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).check()
    await main(page)
      .getByText(/^Your subscription changes to .* If you confirm, you keep your current subscription\.$/)
      .waitFor()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.waitForURL('**/dashboard')
    await expect
      .poll(() =>
        main(page)
          .getByText(/Changes to Premium/)
          .count(),
      )
      .toBe(0)
  })

  it('a merchant who has cancelled reads that confirming keeps and changes the plan, with the paid interval', async () => {
    const { page } = await asMerchant('/upgrade')
    await page.getByRole('radio', { name: 'Ultimate (CHF 99 / month)' }).check()
    await page.getByRole('radio', { name: /^Yearly/ }).check()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.waitForURL('**/dashboard')
    await page.goto('/upgrade')
    await hydrated(page)
    await page.getByRole('radio', { name: 'Premium (CHF 49 / month)' }).check()
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText(/Your subscription changes to Premium on \d+ \w+/).waitFor()
    await page.goto('/dashboard')
    await main(page)
      .getByText(/Changes to Premium, monthly, on/)
      .waitFor()
    await page.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click()
    await main(page).getByText('Scheduled to cancel at period end').waitFor()

    await page.goto('/upgrade')
    await main(page)
      .getByText(/Your subscription is cancelled and ends on \d+ \w+.* If you confirm, you keep it\.$/)
      .waitFor()
    await expect.poll(() => page.getByRole('radio', { name: /^Yearly/ }).isChecked()).toBe(true)
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Premium (CHF 49 / month)' }).check()
    await main(page)
      .getByText(/you keep it and it changes to the tier chosen above\./)
      .waitFor()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.getByText(/Your subscription changes to Premium on \d+ \w+/).waitFor()
    await page.goto('/dashboard')
    await main(page)
      .getByText(/Changes to Premium, yearly, on/)
      .waitFor()
  })

  it('a choice made before the paid plan has loaded stays, and nothing is preselected until then', async () => {
    const { page } = await asMerchant('/upgrade')
    await page.getByRole('radio', { name: /^Yearly/ }).check()
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await page.waitForURL('**/dashboard')
    const answers = Promise.withResolvers<void>()
    await page.route('**/api/payments/my-subscription', async (route) => {
      await answers.promise
      await route.continue()
    })
    await page.goto('/upgrade')
    await hydrated(page)
    const monthly = page.getByRole('radio', { name: /^Monthly/ })
    const yearly = page.getByRole('radio', { name: /^Yearly/ })
    await monthly.waitFor()
    expect([await monthly.isChecked(), await yearly.isChecked()]).toEqual([false, false])
    await monthly.check()
    answers.resolve()
    await page.getByText(/paid until/).waitFor()
    await expect.poll(() => monthly.isChecked()).toBe(true)

    // if it cannot be loaded, the paid interval stays, and no other one is shown as chosen
    await page.unroute('**/api/payments/my-subscription')
    const refused = { status: 500, contentType: 'text/html', body: 'broken' }
    await page.route('**/api/payments/my-subscription', (route) => route.fulfill(refused))
    const answered = page.waitForResponse('**/api/payments/my-subscription')
    await page.reload()
    await answered
    await hydrated(page)
    await monthly.waitFor()
    expect([await monthly.isChecked(), await yearly.isChecked()]).toEqual([false, false])

    // a paying merchant is not shown as FREE if one of two answers is missing
    await page.unroute('**/api/payments/my-subscription')
    await page.route('**/api/business/*/subscription', (route) => route.fulfill(refused))
    await page.reload()
    await page.getByText(/paid until/).waitFor()
    await page.getByText('Error fetching subscription.').waitFor()
    await main(page).getByText('PREMIUM', { exact: true }).waitFor()
    await expect.poll(() => main(page).getByText('FREE', { exact: true }).count()).toBe(0)
    await page.goto('/dashboard')
    await page.getByText('Failed to load subscription tier.').waitFor()
    await main(page).getByText('PREMIUM', { exact: true }).waitFor()
    await expect.poll(() => main(page).getByText('FREE', { exact: true }).count()).toBe(0)

    // if both are missing, no tier is shown as theirs
    await page.route('**/api/payments/my-subscription', (route) => route.fulfill(refused))
    await page.reload()
    await page.getByText('Failed to load subscription tier.').waitFor()
    await expect
      .poll(() =>
        main(page)
          .getByText(/10 active deals/)
          .count(),
      )
      .toBe(0)
    expect(await main(page).getByText('Current tier').count()).toBe(0)
    await page.goto('/upgrade')
    await page.getByText('Error fetching subscription.').waitFor()
    await expect.poll(() => main(page).getByText('Your tier', { exact: true }).count()).toBe(0)
    expect(await main(page).getByText('Current tier').count()).toBe(0)
  })

  it('the test card has a name in each language', async () => {
    const { page, context } = await asMerchant('/dashboard', { subscription_tier: 'PREMIUM' })
    for (const [lang, name] of [
      ['en', 'Test card 4242'],
      ['de', 'Testkarte 4242'],
      ['fr', 'Carte de test 4242'],
    ] as const) {
      await context.addCookies([{ name: 'lang', value: lang, url: at.app.url }])
      await page.goto('/dashboard')
      await main(page).getByText(name, { exact: true }).waitFor()
    }
  })

  it('without a business the specified sentences appear and nothing is requested', async () => {
    const { page, context } = await at.visit('/upgrade-subscription')
    const asked: string[] = []
    context.on('request', (request) => {
      if (/\/api\/(payments|business)/.test(request.url())) asked.push(request.url())
    })
    await main(page).getByText('Not logged in as a business.').waitFor()
    await page.goto('/promote-business')
    await page.getByRole('button', { name: 'Pay & Promote' }).click()
    await main(page).getByText('Please log in first.').waitFor()
    await main(page).getByText('200 CHF for 30 days of featured placement').waitFor()
    expect(asked).toEqual([])
  })

  it('failures have the messages of the specification, and foreign payment addresses are not opened', async () => {
    const { page, context } = await at.visit('/contact', { expected: /status of (5|4)|Failed to load/ })
    const nobody = { authToken: 'a', refreshToken: 'r', userType: 'business', businessId: '7' } as Person
    await loggedIn(context, nobody)
    let promotion: object = { status: 200, json: {} }
    let subscription: object = { status: 500, body: '<html>' }
    const isOver = /^\/api\/(payments\/invoices\/|auth\/refresh$)/
    await context.route('**/api/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/api/payments/create-promo-session') return route.fulfill(promotion)
      if (pathname === '/api/business/7/subscription') return route.fulfill(subscription)
      if (isOver.test(pathname)) return route.fulfill({ status: 401, json: { error: 'Over.' } })
      return route.fulfill({ status: 500, body: '<html>' })
    })
    await page.goto('/upgrade-subscription')
    await main(page).getByText('Error fetching subscription.').waitFor()
    // a purchase in another tab is shown once this tab is refused
    subscription = { status: 200, json: { subscription_tier: 'ULTIMATE' } }
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click()
    await main(page).getByText('Upgrade failed. Try again.').waitFor()
    await main(page).getByText('ULTIMATE', { exact: true }).waitFor()
    await page.goto('/promote-business')
    const pay = page.getByRole('button', { name: 'Pay & Promote' })
    await pay.click()
    await main(page).getByText('Something went wrong: No session URL returned.').waitFor()
    for (const sessionUrl of ['javascript:alert(1)', 'http://evil.example/', 'data:text/html,x']) {
      promotion = { status: 200, json: { sessionUrl } }
      await pay.click()
      await main(page).getByText('Promotion failed. Try again.').waitFor()
    }
    promotion = { status: 200, json: { error: 'Come back tomorrow.' } }
    await pay.click()
    await main(page).getByText('Come back tomorrow.').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/promote-business')
    // an expired session leads to the login, and from there back to the invoice
    await page.goto('/invoice/7')
    const login = main(page).getByRole('link', { name: 'Log in' })
    await expect.poll(() => login.getAttribute('href')).toBe('/business-login?next=%2Finvoice%2F7')
  })

  it('the pages fit a phone', async () => {
    const visit = await at.visit('/contact', { viewport: phone })
    const person = await aMerchant(at.app, newAddress(), { subscription_tier: 'PREMIUM' })
    await loggedIn(visit.context, person)
    for (const path of ['/upgrade-subscription', '/promote-business', '/invoices', '/dashboard']) {
      await visit.page.goto(path)
      await visit.page.waitForLoadState('networkidle')
      const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, path).toBeLessThanOrEqual(0)
    }
  })
})
