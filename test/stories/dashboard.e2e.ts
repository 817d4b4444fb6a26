import { expect, it } from 'vitest'
import { addDeal } from '../cast.ts'
import { aMerchant, type Person } from '../people.ts'
import { loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, inBrowser, useBrowser } from './browser.ts'

inBrowser('the dashboard', () => {
  const at = useBrowser({ demo: true, now: null })
  const asMerchant = { authToken: 'a', refreshToken: 'r', userType: 'business', businessId: '7' } as Person

  it('makes only the four specified calls, with the token', async () => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    const person = await aMerchant(at.app, newAddress())
    await loggedIn(context, person)
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) calls.push(`${request.headers()['authorization']?.slice(0, 7)} ${pathname}`)
    })
    await page.goto('/dashboard')
    await page.getByText('No deals yet. Click').waitFor()
    await page.getByRole('heading', { name: 'Café Rhein' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(calls.sort()).toEqual(
      [
        `/api/business/${person.businessId}/subscription`,
        `/api/deals/business/${person.businessId}`,
        `/api/business/${person.businessId}/stats`,
        '/api/payments/my-subscription',
      ]
        .map((path) => `Bearer  ${path}`)
        .sort(),
    )
    await expectAccessible(page)
  })

  it('tells a merchant why a deal that can never be used is not shown', async () => {
    const { page, context } = await at.visit('/contact', { expected: /401|404/ })
    const person = await aMerchant(at.app, newAddress())
    const id = person.businessId!
    await addDeal(at.app.db, id, 'Sundays only', {
      active_days: 1 << 6,
      ends_at: new Date(Date.now() + 2 * 3_600_000),
    })
    await loggedIn(context, person)
    await page.goto('/dashboard')
    await page.getByText('Not shown: its hours and your opening hours leave no time').first().waitFor()
  })

  it('reads answers tolerantly, and shows the texts of the specification for missing values', async () => {
    const { page, context } = await at.visit('/contact', { expected: /status of (500|403)/ })
    await loggedIn(context, asMerchant)
    const answers: Record<string, { status?: number; json: unknown }> = {
      '/api/business/7/subscription': { json: { subscription_tier: 'PREMIUM' } },
      '/api/deals/business/7': {
        json: [{ deal_id: 12, deal_name: 'Spritz', description: 'Cold', price: '9', more: 1 }],
      },
      '/api/business/7/stats': { json: { profileViews: 3, dealClicks: '4', sales: 12.5 } },
      '/api/payments/my-subscription': {
        json: {
          provider_id: 'sub_1',
          status: 'active',
          current_period_end: '2026-12-24T00:00:00Z',
          cancel_at_period_end: true,
        },
      },
    }
    await context.route('**/api/**', (route) => {
      const { status = 200, json } = answers[new URL(route.request().url()).pathname] ?? { json: null }
      return route.fulfill({ status, json })
    })
    await page.goto('/dashboard')
    await page.getByText('Scheduled to cancel at period end').waitFor()
    await expect.poll(() => main(page).innerText()).toMatch(/PREMIUM[\s\S]*Active[\s\S]*24 December/)
    await expect.poll(() => main(page).innerText()).toContain('CHF 12.50')
    await expect.poll(() => page.getByRole('link', { name: 'View Details' }).getAttribute('href')).toBe('/deal/12')
    await expect.poll(() => page.getByRole('link', { name: 'Edit Deal' }).getAttribute('href')).toBe('/deal/12/edit')
    await expect.poll(() => page.getByText('Price: CHF 9').isVisible()).toBe(true)

    for (const path of Object.keys(answers)) answers[path] = { status: 500, json: { error: { line: 3 } } }
    await page.reload()
    for (const text of ['Failed to load subscription tier.', 'Failed to load deals.', 'Failed to load stats.'])
      await page.getByText(text).waitFor()
    await expect.poll(() => main(page).getByRole('link', { name: 'Upgrade to Premium' }).isVisible()).toBe(true)

    answers['/api/business/7/stats'] = { status: 403, json: { error: 'Your figures rest today.' } }
    answers['/api/business/7/subscription'] = { status: 500, json: { error: 'The till is broken.' } }
    answers['/api/deals/business/7'] = { json: { error: 'Your deals rest today.' } }
    await page.reload()
    await page.getByText('Your figures rest today.').waitFor()
    await page.getByText('Your deals rest today.').waitFor()
    await page.getByText('The till is broken.').waitFor()

    for (const path of Object.keys(answers)) answers[path] = { json: null }
    await page.reload()
    await page.getByText('Failed to load deals.').waitFor()
  })
})
