import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aMerchant, aVisitor, type Person } from '../people.ts'
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleOnDesktop,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  patienceMs,
  phone,
  useBrowser,
  type Visit,
} from './browser.ts'
import { launchOptions } from './chromium.ts'

/** Sets the cookie that says that the result in the address has just happened in this browser. */
const happened = (path: string) => ({
  name: 'happened',
  value: encodeURIComponent(path),
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax' as const,
})

/** The keys that a login stores in the browser. */
const sessionKeys = ['authToken', 'refreshToken', 'userType', 'businessId']

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
  /** Opens one screen after the other, with one browser per person. */
  async function* shown(more: Parameters<typeof at.visit>[1]) {
    const visits = new Map<Person | null, Visit>()
    for (const [path, person] of await screens()) {
      const stored = Object.entries(person ?? {}).filter(([name, value]) => sessionKeys.includes(name) && value)
      const localStorage = stored.map(([name, value]) => ({ name, value: String(value) }))
      const storageState = { cookies: [], origins: [{ origin: at.app.url, localStorage }] }
      const visit =
        visits.get(person) ??
        (await at.visit('about:blank', { reducedMotion: 'reduce', expected: /status of 404/, storageState, ...more }))
      visits.set(person, visit)
      const { page, context } = visit
      await context.addCookies([happened(path)])
      // a new document, even if only the part after "#" differs; of the same process, which has compiled the scripts
      await page.goto('/robots.txt')
      await page.goto(path)
      await hydrated(page)
      if (person) await page.locator('main h2').first().waitFor()
      // private content is loaded in parts
      if (person) await page.waitForLoadState('networkidle')
      yield { path, ...visit }
    }
  }

  it('is accessible on a phone in both themes and on a desktop, without errors in the console', async () => {
    let nth = 0
    for await (const { path, page, faults } of shown({ viewport: phone })) {
      await page.setViewportSize(phone)
      await expect.poll(() => page.locator('h1').count(), { message: path }).toBe(1)
      // most screens share one layout, a narrower column, with the same parts and colours
      await (nth % 3 === 0 ? expectAccessibleInBothThemes : expectAccessible)(page)
      await expectNoSidewaysScroll(page)
      if (nth++ % 5 === 0) await expectAccessibleOnDesktop(page)
      expect(faults, path).toEqual([])
    }
  })

  // German has the longest words
  it.each(['de', 'fr'])(
    'fits phones, in %s, with long words and at 200 % text size: no word sticks out at the side',
    async (locale) => {
      const all = await screens()
      // the browser's font size, as people set it; page zoom and screen density would not test the same
      const folder = await mkdtemp(join(tmpdir(), 'large-type-'))
      await mkdir(join(folder, 'Default'))
      const preferences = { webkit: { webprefs: { default_font_size: 32 } } }
      await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
      const context = await chromium.launchPersistentContext(folder, {
        ...launchOptions,
        viewport: { width: 390, height: 844 },
        baseURL: at.app.url,
        locale,
      })
      context.setDefaultTimeout(patienceMs)
      try {
        const page = context.pages()[0]!
        const faults: string[] = []
        page.on('pageerror', (error) => faults.push(error.message))
        page.on('console', (said) => {
          if (said.type() === 'error' && !/status of 404/.test(said.text())) faults.push(said.text())
        })
        for (const [path, person] of all) {
          await page.goto('/terms')
          await page.evaluate(
            (values) => {
              localStorage.clear()
              for (const [key, value] of Object.entries(values ?? {})) localStorage.setItem(key, String(value))
            },
            person as unknown as Record<string, string> | null,
          )
          await page.goto(path)
          await hydrated(page)
          if (person) {
            await page.locator('main h2').first().waitFor()
            await page.waitForLoadState('networkidle')
          }
          await expect
            .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize), { message: path })
            .toBe('32px')
          for (const width of [320, 390]) {
            await page.setViewportSize({ width, height: 844 })
            await expectNoSidewaysScroll(page)
            expect(await wordsOutside(page), `${path} at ${width} px`).toEqual([])
          }
          // … and at normal text size
          await page.setViewportSize({ width: 320, height: 640 })
          await page.evaluate(() => {
            document.documentElement.style.fontSize = '16px'
          })
          await expectNoSidewaysScroll(page)
          expect(faults, path).toEqual([])
        }
      } finally {
        await context.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

/** Words that reach beyond the left or right edge of the window, also if that part is cut off. */
function wordsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      const around = text.parentElement!
      if (!text.data.trim() || !around.checkVisibility({ visibilityProperty: true }) || isOnlyReadAloud(around))
        continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const isOut = [...range.getClientRects()].some(
        ({ left, right, width }) => width > 1 && (right > innerWidth + 1 || left < -1),
      )
      if (isOut) found.push(text.data.trim().slice(0, 60))
    }
    return found

    /** Words for screen readers only, in a box of one pixel. */
    function isOnlyReadAloud(element: HTMLElement | null): boolean {
      return element !== null && (element.offsetWidth === 1 || isOnlyReadAloud(element.parentElement))
    }
  })
}
