import type { Locator, Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  desktop,
  drawsAll,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleOnDesktop,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  phone,
  useBrowser,
} from './browser.ts'

/** Words that break over two lines, except at a hyphen. */
const brokenWords = (text: Locator) =>
  text.evaluate((element) => {
    const broken: string[] = []
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (nodes.nextNode()) {
      const node = nodes.currentNode as Text
      for (const { 0: word, index } of node.data.matchAll(/[^\s\u00ad–-]+/g)) {
        const lineOf = (letter: number) => {
          const range = document.createRange()
          range.setStart(node, letter)
          range.setEnd(node, letter + 1)
          return range.getBoundingClientRect().bottom
        }
        if (Math.abs(lineOf(index) - lineOf(index + word.length - 1)) > 8) broken.push(word)
      }
    }
    return broken
  })

const setTypeSize = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize
  }, size)

/** Visits without animations. One of the pages does not exist and answers 404. */
const calm = { reducedMotion: 'reduce', expected: /status of 404/ } as const

inBrowser('every public page', () => {
  const at = useBrowser()
  const paths = async () => {
    const deals = (await (await fetch(`${at.app.url}/api/deals?limit=1`)).json()) as {
      deal_id: string
      business_id: string
    }[]
    return [
      '/',
      '/deals',
      '/deals?q=kaffe&openNow=true',
      '/deals?q=xylophonquark',
      `/deal/${deals[0]!.deal_id}`,
      `/business/${deals[0]!.business_id}`,
      '/business',
      '/terms',
      '/privacy',
      '/help',
      '/learn-more',
      '/contact',
      '/events',
      '/signup',
      '/nope',
      '/business/0190a000-0000-7000-8000-000000000000',
      '/deals?q=caffe',
    ]
  }

  it('is accessible and fits phones in both themes, at 320 px and at 200 % text size too, and desktops', async () => {
    const { page, faults } = await at.visit('about:blank', { ...calm, viewport: phone })
    // another page of the same kind is checked in every way
    const alike = /^\/(privacy|learn-more|nope|deals\?q=caffe)/
    // their desktop layout differs from the phone's not only in width
    const wide = /^\/($|deals$|deal\/|events$)/
    for (const path of await paths()) {
      await page.setViewportSize(phone)
      await page.goto(path)
      await hydrated(page)
      await expect.poll(() => page.locator('h1').count(), { message: path }).toBe(1)
      await (alike.test(path) ? expectAccessible : expectAccessibleInBothThemes)(page)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(phone)
      await setTypeSize(page, '200%')
      await expectNoSidewaysScroll(page)
      await setTypeSize(page, '')
      if (!alike.test(path) && wide.test(path)) await expectAccessibleOnDesktop(page)
      expect(faults, path).toEqual([])
    }
  })

  it.each(['en-GB', 'de-CH', 'fr-CH'])('has a complete header on every tablet, in %s', async (locale) => {
    const { page } = await at.visit('/contact', { locale })
    for (const width of [768, 834, 1000, 1024, 1072, 1112, 1180, 1279, 1280]) {
      await page.setViewportSize({ width, height: 768 })
      await expectNoSidewaysScroll(page)
      const lines = await page.evaluate(() =>
        [...document.querySelectorAll('header nav a')]
          .filter((link) => link.checkVisibility())
          .map((link) => link.getBoundingClientRect())
          .every(({ left, right, height }) => left >= 0 && right <= innerWidth && height < 60),
      )
      expect(lines, String(width)).toBe(true)
    }
  })

  // German has the longest words; English is checked at 200 % text size above
  it.each(['de-CH', 'fr-CH'])(
    'breaks no word and cuts nothing off on the smallest phone at 200 % text size, in %s',
    async (locale) => {
      const { page } = await at.visit('/', { locale, expected: /404/ })
      const all = await paths()
      const ofMerchant = all.find((path) => path.startsWith('/business/'))!
      const ourWords = ['/', '/deals', ofMerchant, '/business', '/terms', '/privacy', '/map-data', '/contact']
      for (const path of [
        ...(locale === 'de-CH' ? all : ourWords),
        '/dealsmap',
        '/map-data',
        '/userlogin',
        '/deals?near=centre&sort=ending_soon',
        '/edit-business',
        '/business-login',
        '/newsletter/unsubscribe?token=x',
      ]) {
        await page.goto(path)
        await hydrated(page)
        for (const width of locale === 'de-CH' ? [320, 1440] : []) {
          await page.setViewportSize({ width, height: 800 })
          expect(await brokenWords(page.locator('h1')), `${path} at ${width}`).toEqual([])
        }
        for (const [width, fontSize] of [
          [390, '150%'],
          [320, '200%'],
        ] as const) {
          const where = `${path} ${fontSize}`
          await page.setViewportSize({ width, height: 844 })
          await page.evaluate((size) => {
            document.documentElement.style.fontSize = size
          }, fontSize)
          await expectNoSidewaysScroll(page)
          // other pages show texts of merchants, which may have any length
          if (ourWords.includes(path)) expect(await wordsCut(page), where).toEqual([])
          expect(await narrowSearches(page), where).toEqual([])
        }
        await page.evaluate(() => {
          for (const folded of document.querySelectorAll('main details')) (folded as HTMLDetailsElement).open = true
        })
        await expectNoSidewaysScroll(page)
        expect(await textsCutOff(page), path).toEqual([])
      }
    },
  )

  it.for(['en-GB', 'de-CH', 'fr-CH'])(
    'has headlines that do not move when their font arrives, in %s',
    async (locale, story) => {
      // the server's text is shown before any script runs
      const { page, context } = await at.visit('/contact', { locale, javaScriptEnabled: false })
      if (!(await hasArial(page))) return story.skip('There is no Arial and no Liberation Sans on this machine.')
      const heightsOf = async () => {
        const heights: Record<string, number> = {}
        for (const path of ['/', '/help', '/terms', '/learn-more', '/deals', '/dealsmap?near=centre']) {
          await page.goto(path)
          await page.evaluate(() => document.fonts.ready.then(() => null))
          for (const width of [360, 390, 412, 1440]) {
            await page.setViewportSize({ width, height: 844 })
            const { height } = (await page.locator('h1').boundingBox())!
            heights[`${path} at ${width} px`] = Math.round(height / 3)
          }
        }
        return heights
      }
      const withType = await heightsOf()
      await context.route('**/*.woff2', (route) => route.abort())
      await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
      await page.goto('/robots.txt')
      expect(await heightsOf()).toEqual(withType)
      await expect
        .poll(() =>
          page.evaluate(() =>
            [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
          ),
        )
        .not.toContain('Bricolage Display')
    },
  )

  it.each(['en-GB', 'de-CH', 'fr-CH'])(
    'shows complete placeholders on a phone of 360 px, and complete names in the bar on every phone, in %s',
    async (locale) => {
      const { page } = await at.visit('/robots.txt', { viewport: { width: 360, height: 780 }, locale })
      for (const path of ['/', '/deals', '/dealsmap']) {
        await page.goto(path)
        await hydrated(page)
        const examples = await examplesOf(page)
        expect(examples.length, path).toBeGreaterThan(1)
        expect(
          examples.filter(({ isCut }) => isCut),
          path,
        ).toEqual([])
        for (const width of [360, 375, 376, 390, 412, 430]) {
          await page.setViewportSize({ width, height: 780 })
          const tight = await page.evaluate(() => {
            const range = document.createRange()
            return [...document.querySelectorAll('header nav li > a')]
              .filter((link) => link.checkVisibility())
              .map((link) => {
                range.selectNode(link.lastChild!)
                const lines = range.getClientRects().length
                // a tenth is left for the fonts of other phones
                return {
                  name: link.textContent,
                  lines,
                  isTight: range.getBoundingClientRect().width > 0.9 * link.clientWidth,
                }
              })
              .filter(({ lines, isTight }) => lines !== 1 || isTight)
          })
          expect(tight, `${path} at ${width}`).toEqual([])
        }
        await page.setViewportSize({ width: 360, height: 780 })
      }
      await page.goto('/')
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await brokenWords(page.locator('section[aria-labelledby=explore]'))).toEqual([])
    },
  )

  it.each(['en-GB', 'de-CH', 'fr-CH'])(
    'has a headline on the home page with room for wider fonts, in %s',
    async (locale) => {
      for (const width of [390, 375, 360]) {
        const { page } = await at.visit('/', { viewport: { width, height: 844 }, locale })
        await page.evaluate(() => document.fonts.ready)
        const lines = (letterSpacing: string) =>
          page.locator('h1').evaluate((headline, spacing) => {
            headline.style.letterSpacing = spacing
            const range = document.createRange()
            range.selectNodeContents(headline)
            return new Set([...range.getClientRects()].map(({ top }) => top)).size
          }, letterSpacing)
        // letter widths differ by up to 6 % on a line of 18 letters
        expect(await lines('0em'), `${width} px`).toBe(await lines(''))
      }
    },
  )

  it('shows its heading, navigation and footer without JavaScript', async () => {
    const { page } = await at.visit('about:blank', { javaScriptEnabled: false })
    for (const path of [...(await paths()), '/deals?saved=1', '/events?saved=1', '/favorites', '/myschedule']) {
      await page.goto(path)
      await expect.poll(() => page.locator('h1').innerText(), { message: path }).not.toBe('')
      for (const name of ['Events', 'Deals', 'Map', 'Forum'])
        await expect
          .poll(() => page.getByRole('banner').getByRole('link', { name, exact: true }).count(), {
            message: `${path} ${name}`,
          })
          .toBeGreaterThan(0)
      await expect
        .poll(() => page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Use' }).isVisible())
        .toBe(true)
    }
  })

  it.each([
    '/settings',
    '/myschedule',
    '/events?saved=1',
    '/favorites',
    '/deals?saved=1',
    '/notifications',
    '/my-codes',
    '/redeem',
    '/forum/new',
    '/dashboard',
    '/edit-business',
    '/create-deal',
    '/deal/1/edit',
    '/deal-analytics',
    '/upgrade-subscription',
    '/promote-business',
    '/invoices',
    '/admin',
    '/admin/log',
    '/admin/events',
    '/admin/events/new',
    '/admin/reports',
    '/admin/urgent',
    '/admin/moderation',
    '/logout',
  ])('that belongs to one person, %s, says when its script is late and when there is none', async (path) => {
    const html = await (await fetch(at.app.url + path)).text()
    expect(html).toContain('when-script-is-late')
    expect(/<noscript>(?!<(link|style))[^]*?JavaScript[^]*?<\/noscript>/.exec(html)?.[0] ?? '').toContain('JavaScript')
  })

  it('has no link to a 404', async () => {
    const links = new Set<string>()
    for (const path of (await paths()).slice(0, 14)) {
      const html = await (await fetch(at.app.url + path)).text()
      for (const [, href] of html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g))
        if (href!.startsWith('/')) links.add(href!.replaceAll('&amp;', '&').split('#')[0]!)
    }
    for (const account of [
      '/dashboard',
      '/edit-business',
      '/settings',
      '/myschedule',
      '/favorites',
      '/userlogin',
      '/business-login',
      '/maps',
      '/upgrade',
      '/socialLogin',
      '/upgrade-subscription',
      '/promote-business',
      '/create-deal',
      '/deal-analytics',
      '/forgot-password',
      '/reset-password',
      '/googlelogin',
      '/usersignup',
      '/signup',
      '/redeem',
    ])
      links.add(account)
    expect(links.size).toBeGreaterThan(30)
    for (const link of links) expect((await fetch(at.app.url + link)).status, link).toBe(200)
  })
})

inBrowser('the navigation bar', () => {
  const at = useBrowser()
  const logIn = (userType: string) =>
    `localStorage.setItem('authToken', 'any'); localStorage.setItem('refreshToken', 'r'); localStorage.setItem('userType', '${userType}'); localStorage.setItem('businessId', 'b')`

  it('offers both logins to a guest', async () => {
    const { page } = await at.visit('/')
    const banner = page.getByRole('banner')
    await expect.poll(() => banner.getByRole('link', { name: 'User Login' }).getAttribute('href')).toBe('/userlogin')
    await expect
      .poll(() => banner.getByRole('link', { name: 'Business Login' }).getAttribute('href'))
      .toBe('/business-login')
    await expect.poll(() => banner.getByRole('link', { name: 'Map' }).getAttribute('href')).toBe('/dealsmap')
  })

  it('marks Deals on the page of a deal, and nothing on the pages where a merchant edits one', async () => {
    const { page } = await at.visit('/create-deal')
    const current = page.getByRole('banner').locator('[aria-current]')
    for (const [path, marked] of [
      ['/create-deal', []],
      ['/deal/0190a000-0000-7000-8000-000000000000/edit', []],
      ['/deals', ['Deals']],
    ] as const) {
      await page.goto(path)
      expect(await current.allInnerTexts()).toEqual(marked)
    }
  })

  it.each([
    [
      'business',
      'Business Account',
      [
        ['Dashboard', '/dashboard'],
        ['Edit Profile', '/edit-business'],
        ['Settings', '/settings'],
      ],
    ],
    [
      'user',
      'My Profile',
      [
        ['My Schedule', '/myschedule'],
        ['My Favorites', '/favorites'],
        ['Settings', '/settings'],
      ],
    ],
  ] as const)(
    'has the dropdown of a %s, which closes on a click outside and on Escape',
    async (userType, label, entries) => {
      // the token is invalid, which the bell ignores silently
      const { page, context, faults } = await at.visit('/', { expected: /status of 401/ })
      await context.addInitScript(logIn(userType))
      await page.reload()
      const button = page.getByRole('button', { name: label })
      await button.click()
      for (const [name, href] of entries) {
        const link = page.getByRole('banner').getByRole('link', { name, exact: true })
        await expect.poll(() => link.isVisible()).toBe(true)
        await expect.poll(() => link.getAttribute('href')).toBe(href)
      }
      const first = page.getByRole('banner').getByRole('link', { name: entries[0][0], exact: true })
      await expect.poll(() => page.getByRole('button', { name: 'Logout' }).isVisible()).toBe(true)
      await expect.poll(() => button.locator('xpath=../..').locator('li').count()).toBe(4)
      await page.locator('h1').click()
      await first.waitFor({ state: 'hidden' })
      await button.press('Enter')
      await first.waitFor()
      await page.keyboard.press('Escape')
      await first.waitFor({ state: 'hidden' })
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
      await expect.poll(() => page.getByRole('link', { name: 'User Login' }).count()).toBe(0)
      expect(faults).toEqual([])
    },
  )

  it('logs out: the four keys are deleted and the home page opens', async () => {
    const { page } = await at.visit('/deals')
    await page.evaluate(logIn('business'))
    await page.reload()
    await page.getByRole('button', { name: 'Business Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await expect
      .poll(() =>
        page.evaluate(() =>
          ['authToken', 'refreshToken', 'userType', 'businessId'].map((key) => localStorage.getItem(key)),
        ),
      )
      .toEqual([null, null, null, null])
    await page.getByRole('link', { name: 'User Login' }).waitFor()
  })

  it('follows a logout in another tab', async () => {
    const { page, context } = await at.visit('/')
    await page.evaluate(logIn('user'))
    await page.reload()
    await page.getByRole('button', { name: 'My Profile' }).waitFor()
    const other = await context.newPage()
    await other.goto('/deals')
    await other.evaluate(() => localStorage.removeItem('authToken'))
    await page.getByRole('link', { name: 'User Login' }).waitFor()
  })

  it('follows a theme chosen in another tab, also on a page without the app', async () => {
    const { page, context } = await at.visit('/deals')
    // its listener is loaded when the page is idle
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('follow-theme')),
    )
    const plain = await context.newPage()
    await plain.goto('/help')
    const ofMerchant = await context.newPage()
    const deals = (await (await fetch(`${at.app.url}/api/deals?limit=1`)).json()) as { business_id: string }[]
    await ofMerchant.goto(`/business/${deals[0]!.business_id}`)
    await ofMerchant.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('follow-theme')),
    )
    const map = ofMerchant.getByRole('link', { name: 'Show this place on the map' }).locator('img')
    expect(await map.getAttribute('src')).toContain('paper')
    const theme = (of: Page) => of.evaluate(() => document.documentElement.dataset['theme'])
    const colour = (of: Page) => of.locator('meta[name="theme-color"]').first().getAttribute('content')
    const pressed = (of: Page, name: string) =>
      of.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
    await plain.getByRole('button', { name: 'Dark', exact: true }).click()
    await expect.poll(() => theme(page)).toBe('river')
    expect(await pressed(page, 'Dark')).toBe('true')
    expect(await colour(page)).toBe('rgb(12, 25, 40)')
    await expect.poll(() => map.getAttribute('src')).toContain('river')
    await plain.waitForFunction(() => document.documentElement.dataset['theme'] === 'river')
    await page.getByRole('button', { name: 'Auto', exact: true }).click()
    await expect.poll(() => theme(plain)).toBeUndefined()
    expect(await pressed(plain, 'Auto')).toBe('true')
  })

  it('ends the logout page once another tab has sent the unsent changes', async () => {
    const { page, context } = await at.visit('/help', { expected: /status of 503/ })
    await context.route('**/api/favorites/**', (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy.', code: 'busy' } }),
    )
    const left = { keys: ['deal:1'], unsent: { 'deal:1': 'add' }, of: 'user' }
    await page.evaluate(logIn('user'))
    await page.evaluate((text) => {
      localStorage.setItem('rheinklang-saved', text)
      localStorage.setItem('unsent', '{"favorites":1}')
    }, JSON.stringify(left))
    await page.goto('/logout')
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem').waitFor()
    const other = await context.newPage()
    await other.goto('/help')
    await other.evaluate(() => {
      for (const name of Object.keys(localStorage)) if (name.startsWith('outbox:')) localStorage.removeItem(name)
    })
    await page.waitForURL(`${at.app.url}/`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  })

  it('is the same on an information page, which has no app', async () => {
    const { page, context, faults } = await at.visit('/help')
    await page.getByRole('link', { name: 'User Login' }).waitFor()
    expect(await page.locator('script[type=module], script[src]').count()).toBe(0)

    // a login in another tab is visible here at once
    const other = await context.newPage()
    await other.goto('/deals')
    await other.evaluate(logIn('user'))
    const profile = page.getByRole('button', { name: 'My Profile' })
    await profile.click()
    await expect.poll(() => profile.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('link', { name: 'My Favorites' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'My Favorites' }).waitFor({ state: 'hidden' })
    await expect.poll(() => profile.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('My Schedule')
    await page.locator('h1').click()
    await page.getByRole('link', { name: 'My Favorites' }).waitFor({ state: 'hidden' })

    await profile.click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
    expect(faults).toEqual([])
  })

  it('loads its scripts after the first paint, or earlier on a touch', async () => {
    const { page } = await at.visit('/deals', { viewport: phone })
    await hydrated(page)
    const [painted, first] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
      Math.min(
        ...performance
          .getEntriesByType('resource')
          .flatMap((each) => (each.name.endsWith('.js') ? [each.startTime] : [])),
      ),
    ])
    expect(first).toBeGreaterThan(painted!)

    const slow = await at.visit('/contact')
    await slow.page.route('**/*.woff2', () => {})
    // the page's timer never fires
    await slow.page.addInitScript(() => {
      const wait = setTimeout
      window.setTimeout = ((run: () => void, ms?: number) => (ms === 3000 ? 0 : wait(run, ms))) as typeof setTimeout
    })
    await slow.page.goto('/deals', { waitUntil: 'commit' })
    const script = slow.page.waitForRequest(/\.js$/)
    await slow.page.locator('h1').click()
    await script
    // a font is still loading, so the page has not loaded
    await expect.poll(() => slow.page.evaluate(() => document.readyState)).not.toBe('complete')
  })

  it('is at the bottom of the screen on a phone', async () => {
    const { page } = await at.visit('/deals', { viewport: phone })
    for (const name of ['Events', 'Deals', 'Map', 'Forum']) {
      const box = (await page.getByRole('banner').getByRole('link', { name, exact: true }).boundingBox())!
      expect(box.y).toBeGreaterThan(phone.height - 100)
      expect(box.height).toBeGreaterThanOrEqual(44)
    }
  })

  it.each(['en-GB', 'de-CH', 'fr-CH'])('has each of its words on one line on a small phone, in %s', async (locale) => {
    const visit = { viewport: { width: 360, height: 780 }, locale, expected: /status of 401/ }
    const { page, context } = await at.visit('/', visit)
    await context.addInitScript(logIn('business'))
    await page.reload()
    const words = page.getByRole('banner').locator('li > a, [data-menu] > button').filter({ visible: true })
    await expect.poll(() => words.count()).toBe(5)
    await page.evaluate(() => document.fonts.ready)
    const sizes = await words.evaluateAll((all) =>
      all.map((element) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) if (texts.currentNode.parentElement!.checkVisibility()) break
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const { width, height } = range.getBoundingClientRect()
        return { text: range.toString(), width, height }
      }),
    )
    for (const { text, width, height } of sizes) {
      expect(height, text).toBeLessThan(20)
      // other browsers draw letters up to 4 % wider
      expect(width * 1.04, text).toBeLessThan(360 / 5)
    }
  })

  it('shows both logins below the header on a phone after a tap', async () => {
    const { page, faults } = await at.visit('/deals', { viewport: phone })
    const banner = page.getByRole('banner')
    const way = banner.getByRole('link', { name: 'User Login' })
    await expect.poll(() => way.isVisible()).toBe(false)
    await banner.getByRole('button', { name: 'Log in' }).click()
    const box = (await way.boundingBox())!
    expect(box.height).toBeGreaterThanOrEqual(44)
    expect(box.y + box.height).toBeLessThan(phone.height - 64)
    await way.click()
    await page.waitForURL(`${at.app.url}/userlogin`)
    await way.waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
  })

  it.each([true, false])(
    'has both logins in the bar where a browser has no popovers, JavaScript: %s',
    async (script) => {
      const { page, faults } = await at.visit('/contact', { viewport: phone, javaScriptEnabled: script })
      await page.addInitScript(() => delete (HTMLElement.prototype as Partial<HTMLElement>).hidePopover)
      await page.route(/\/deals$|\.css$/, async (route) => {
        const response = await route.fetch()
        const body = (await response.text())
          .replaceAll(':popover-open', ':unknown')
          .replaceAll(/ (popover(?:target)?=")/gi, ' data-$1')
        await route.fulfill({ response, body })
      })
      await page.goto('/deals')
      if (script) await hydrated(page)
      const banner = page.getByRole('banner')
      await expect.poll(() => banner.getByRole('button', { name: 'Log in' }).count()).toBe(0)
      const boxes = []
      for (const name of ['User Login', 'Business Login']) {
        const box = (await banner.getByRole('link', { name }).boundingBox())!
        expect(box.y, name).toBeGreaterThanOrEqual(phone.height - 64)
        expect(box.height, name).toBeGreaterThanOrEqual(30)
        boxes.push(box)
      }
      expect(boxes[0]!.y + boxes[0]!.height).toBeLessThanOrEqual(boxes[1]!.y)
      await banner.getByRole('link', { name: 'Business Login' }).click()
      await page.waitForURL(`${at.app.url}/business-login`)
      expect(faults).toEqual([])
    },
  )

  it('can be skipped by keyboard', async () => {
    const { page } = await at.visit('/deals', { viewport: desktop })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName))
      .toMatch(/main|MAIN/i)
  })
})

inBrowser('when something breaks', () => {
  const at = useBrowser()

  it('an address with invalid escapes is a page that does not exist', async () => {
    for (const path of ['/%ff', '/nope/100%', '/%zz?x=%ff']) {
      const { page, faults } = await at.visit(path, { expected: /404|decoded/ })
      await expect.poll(() => page.locator('h1').innerText()).toBe('Page Not Found')
      expect(faults).toEqual([])
    }
  })
  it('an unknown address says so, with a link home', async () => {
    const { page } = await at.visit('/no/such/page', { expected: /404/ })
    await expect.poll(() => page.locator('h1').innerText()).toBe('Page Not Found')
    await page.getByRole('main').getByRole('link', { name: /home/i }).click()
    await page.waitForURL(`${at.app.url}/`)
  })

  it.each([
    [
      'a 500',
      (route: Route) =>
        route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"The river is too high"}' }),
      'Try again',
      'The river is too high',
    ],
    [
      'an unreadable answer',
      (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<html>' }),
      'Try again',
      'This page could not be loaded',
    ],
    ['no network', (route: Route) => route.abort('connectionfailed'), 'Reload Page', 'You are offline'],
  ])('%s shows an honest screen whose button brings the page back (R23)', async (_name, answer, button, text) => {
    const { page, faults } = await at.visit('/', {
      expected: /Failed to load resource|net::ERR|boom|CallRefused|ErrorResponse|status of 500/,
    })
    await hydrated(page)
    await page.route('**/api/**', answer)
    await page.getByRole('banner').getByRole('link', { name: 'Deals', exact: true }).click()
    await page.getByRole('button', { name: button }).waitFor()
    await expect.poll(() => page.locator('main').innerText()).toContain(text)
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: button }).click()
    await page.locator('article').first().waitFor()
    expect(faults).toEqual([])
  })

  it('a screen whose file is gone after an update opens after a reload', async () => {
    const { page, faults } = await at.visit('/deals', { expected: /404|route module|dynamically imported/ })
    await hydrated(page)
    // the new document names the file of its own version, which exists
    let isOld = true
    page.on('request', (request) => (isOld &&= !request.isNavigationRequest()))
    await page.route('**/assets/ContactScreen-*.js', (route) =>
      isOld ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contact', exact: true })
    // a link may have an anchor, such as one post of a topic
    await link.evaluate((element) => ((element as HTMLAnchorElement).href = '/contact#main'))
    await link.click()
    await page.waitForURL('**/contact#main', { waitUntil: 'load' })
    await hydrated(page)
    await expect.poll(() => page.getByRole('main').getByRole('textbox').first().isVisible()).toBe(true)
    expect(faults).toEqual([])
  })

  it('the likely next screens are loaded while the page is idle, but not with the data saver on', async () => {
    const next = (page: Page) =>
      page.evaluate(() => [
        ...new Set(
          performance
            .getEntriesByType('resource')
            .map(({ name }) => /\/((?:Business|NotFound)Screen)-/.exec(name)?.[1])
            .filter((name) => name !== undefined)
            .sort(),
        ),
      ])
    const { page } = await at.visit('/deals', { savesData: false })
    await expect.poll(() => next(page)).toEqual(['BusinessScreen', 'NotFoundScreen'])
    const { page: saving, context } = await at.visit('/deals', { expected: /INTERNET_DISCONNECTED/ })
    await hydrated(saving)
    // earlier idle tasks run first
    await saving.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await saving.waitForLoadState('networkidle')
    expect(await next(saving)).toEqual([])
    // the offline message is loaded as well, because without a network it could not be
    await context.setOffline(true)
    await saving.getByRole('complementary', { name: 'Connection' }).waitFor()
  })

  it('a slow network shows "Loading..." and then the page', async () => {
    const { page } = await at.visit('/')
    await hydrated(page)
    let release!: () => void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/**', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('banner').getByRole('link', { name: 'Deals', exact: true }).click()
    await page.getByText('Loading...').first().waitFor()
    release()
    await page.waitForURL('**/deals')
    await page.getByText('Loading...').first().waitFor({ state: 'hidden' })
  })
})

/** Words of headlines, buttons and links that break without a hyphen, or stick out to the side. */
async function wordsCut(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready.then(() => null))
  return page.evaluate(() => {
    const cut: string[] = []
    const range = document.createRange()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      const parent = text.parentElement!
      const isFurniture = parent.closest('h1, h2, button, a.select-none, header nav a, footer')
      if (
        !isFurniture ||
        !parent.checkVisibility({ visibilityProperty: true }) ||
        parent.closest('.sr-only, option, article h2')
      )
        continue
      for (const { 0: word, index } of text.data.matchAll(/[^\s\u00ad\u2011\u2013\u2019/-]{2,}/g)) {
        if (/[@.:]\w/.test(word)) continue
        // not at its first letter, which may follow a hyphen
        range.setStart(text, index + 1)
        range.setEnd(text, index + word.length)
        const places = [...range.getClientRects()].filter(({ width }) => width > 0)
        const lines = new Set(places.map(({ top }) => Math.round(top))).size
        if (lines > 1 || places.some(({ left, right }) => left < 0 || right > innerWidth + 1)) cut.push(word)
      }
    }
    return cut
  })
}

/** Whether this machine has the fallback fonts that our fonts are compared with. */
const hasArial = (page: Page) =>
  page.evaluate(() =>
    new FontFace('any', "local('Arial Bold'), local('LiberationSans-Bold'), local('Liberation Sans Bold')").load().then(
      () => true,
      () => false,
    ),
  )

/** The widths of search fields that are too narrow for their placeholder, px. */
function narrowSearches(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=search]')]
      .filter((field) => field.checkVisibility())
      .map((field) => field.clientWidth - Number.parseFloat(getComputedStyle(field).paddingLeft))
      .filter((room) => room < 120),
  )
}

/** Texts beyond the screen or clipped, and buttons and fields that stick out or are narrower than a finger. */
async function textsCutOff(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready.then(() => null))
  // a card that is not drawn yet has boxes for the previous width
  const drawAsBefore = await drawsAll(page)
  const cutOff = await page.evaluate(() => {
    /** The visible range, px; null if one can scroll to the rest. */
    const roomOf = (element: Element): [number, number] | null => {
      let [left, right] = [0, innerWidth]
      for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around)
        const box = around.getBoundingClientRect()
        if (/auto|scroll/.test(overflowX) && around.scrollWidth > around.clientWidth) return null
        if (/hidden|clip/.test(overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
      }
      return [left - 1.5, right + 1.5]
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('[class*="sr-only"], option, svg, script, canvas, [class*="translate-y-24"]')
    const cut: string[] = []
    const look = (element: Element, boxes: DOMRectList, name: string, least = 1) => {
      const room = roomOf(element)
      for (const { left, right, width } of room ? boxes : [])
        if (width > 1 && (left < room![0] || right > room![1] || width < least))
          cut.push(`${name.trim().slice(0, 40)}: ${Math.round(left)} to ${Math.round(right)} px`)
    }
    const range = document.createRange()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      if (!text.data.trim() || !isSeen(text.parentElement!)) continue
      range.selectNodeContents(text)
      look(text.parentElement!, range.getClientRects(), text.data)
    }
    for (const control of document.querySelectorAll('main :is(a, button, select, summary, input:not([type=hidden]))'))
      if (isSeen(control))
        look(
          control,
          control.getClientRects(),
          control.textContent || control.getAttribute('name') || control.tagName,
          control.matches('[type=file]') ? 120 : 1,
        )
    return cut
  })
  await drawAsBefore()
  return cutOff
}

/** The visible placeholders of empty fields. They are in a shadow root of the browser, which only the DevTools protocol can read. */
async function examplesOf(page: Page) {
  await page.evaluate(() => document.fonts.ready.then(() => null))
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('DOM.enable')
  const { nodes } = await inspector.send('DOM.getFlattenedDocument', { depth: -1, pierce: true })
  const examples: { text: string; isCut: boolean }[] = []
  for (const { backendNodeId, attributes = [] } of nodes) {
    if (!attributes.includes('-webkit-input-placeholder')) continue
    const { object } = await inspector.send('DOM.resolveNode', { backendNodeId })
    const { result } = await inspector.send('Runtime.callFunctionOn', {
      objectId: object.objectId!,
      functionDeclaration: `function () {
        return this.checkVisibility() ? { text: this.textContent, isCut: this.scrollWidth > this.clientWidth } : null
      }`,
      returnByValue: true,
    })
    if (result.value) examples.push(result.value as { text: string; isCut: boolean })
  }
  return examples
}
