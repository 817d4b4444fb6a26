import { expect, it } from 'vitest'
import { aMerchant, aVisitor, type Person } from '../people.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, sizes, useBrowser } from './browser.ts'

const open = [
  '/userlogin?next=%2Fmyschedule',
  '/usersignup',
  '/business-login',
  '/signup',
  '/googlelogin',
  '/forgot-password',
  '/forgot-password?sent=yes',
  '/reset-password?token=x',
  '/verify-email?token=x',
  '/verify-email',
  '/newsletter',
  '/newsletter/confirm?token=x',
  '/newsletter/unsubscribe?token=x',
  '/dashboard',
  '/promote-business',
]

inBrowser('every screen of accounts', () => {
  const at = useBrowser({ now: null })
  let visitor: Person
  let merchant: Person
  const screens = async () => {
    visitor ??= await aVisitor(at.app)
    merchant ??= await aMerchant(at.app, 'cafe@example.org', {
      business_name: 'Vereinigung der Basler Rheinuferbuvettenbetreiberinnen und -betreiber',
      subscription_tier: 'PREMIUM',
    })
    return [
      ...open.map((path) => [path, null] as const),
      ['/settings', visitor] as const,
      ['/settings#delete', visitor] as const,
      ['/settings', merchant] as const,
      ['/dashboard', merchant] as const,
    ]
  }
  const visit = async (path: string, person: Person | null, more: Parameters<typeof at.visit>[1]) => {
    const visited = await at.visit('/terms', { reducedMotion: 'reduce', expected: /status of 404/, ...more })
    if (person)
      await visited.page.evaluate(
        (values) => {
          for (const key of ['authToken', 'refreshToken', 'userType', 'businessId'])
            if (values[key]) localStorage.setItem(key, values[key])
        },
        person as unknown as Record<string, string>,
      )
    await visited.page.goto(path)
    await hydrated(visited.page)
    if (person) await visited.page.locator('main h2').first().waitFor()
    await visited.page.waitForLoadState('networkidle')
    return visited
  }

  it.each(sizes)(
    'is accessible on a %s, in both themes, and does nothing it should not',
    async (_name, viewport) => {
      for (const [path, person] of await screens())
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page, context, faults } = await visit(path, person, { viewport, colorScheme })
          expect(await page.locator('h1').count(), path).toBe(1)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          expect(faults, path).toEqual([])
          await context.close()
        }
    },
    300_000,
  )

  it.each(['de', 'fr'])(
    'fits 320 px, in %s, with long words',
    async (locale) => {
      for (const [path, person] of await screens()) {
        const { page, context, faults } = await visit(path, person, { viewport: { width: 320, height: 640 }, locale })
        await expectNoSidewaysScroll(page)
        expect(faults, path).toEqual([])
        await context.close()
      }
    },
    240_000,
  )
})
