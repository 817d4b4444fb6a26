import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ScreensBundle } from '../../src/app/server/pages.ts'
import type { Call } from '../../src/kit/shared/endpoint.ts'
import { CallRefused } from '../../src/kit/shared/refusal.ts'
import { hydrated, inBrowser, useBrowser } from './browser.ts'
import { business, deal, event, specifiedAnswer, unreadable, variantsOf } from './strange-answers.ts'
import { outboxOf } from './stored.ts'

/** Every screen that loads data from the API. The id in an address names the variant of the answer. */
const lists = [
  '/',
  '/deals',
  '/deals?near=centre',
  '/deals?q=beer',
  '/dealsmap',
  '/dealsmap?layers=merchants',
  '/business',
  '/events',
  '/events?view=grid',
  '/dealsmap?layers=events,places',
]
const things = [
  ...Object.keys(variantsOf(deal)).map((name) => `/deal/${name}`),
  ...Object.keys(variantsOf(business)).map((name) => `/business/${name}`),
]
/** Screens with the same code in the browser, where two of them are enough. */
const events = Object.keys(variantsOf(event)).map((name) => `/event/${name}`)
const others = ['/privacy', '/userlogin', '/usersignup', '/signup', '/googlelogin', '/contact', '/help']
const cards = ['/dealsmap?deal=texts', '/dealsmap?business=texts']

const crash = 'Something went wrong'
const holes = /\bNaN\b|\bundefined\b|\[object|Invalid Date/

describe('a server-rendered page with an API that answers', () => {
  let screens: ScreensBundle
  beforeAll(async () => {
    const file = join(process.cwd(), 'build', 'server', 'index.js')
    const build = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      entry: { module: { screensOf(build: unknown): ScreensBundle } }
    }
    screens = build.entry.module.screensOf(build)
  })

  async function render(path: string, answer: (path: string) => unknown) {
    const errors: unknown[] = []
    const call = (async (operation: string, input?: { params?: Record<string, string> }) => {
      const asked = operation.split(' ')[1]!.replace(/\{(\w+)\}/g, (_, name: string) => input?.params?.[name] ?? '')
      return { body: answer(asked), total: null, totalCapped: false, guessed: false, next: null, prev: null }
    }) as unknown as Call
    const document = await screens.handle(new Request(`http://deals.example${path}`), {
      call,
      nonce: 'n',
      known: null,
      onError: (error) => errors.push(error),
      locale: 'en',
      theme: 'auto',
      origin: 'http://deals.example',
      festival: { name: 'F', edition: '2025', zone: 'Europe/Zurich', latitude: 47.5596, longitude: 7.5886, days: null },
    })
    if (document === 'unchanged') throw new Error('It is asked for once')
    // the rendered page, without the loader data in it
    return { ...document, html: document.html.replace(/<script(?![^>]*ld\+json)[^>]*>[^]*?<\/script>/g, ''), errors }
  }

  it('as specified, with less or with more shows the data that there are', async () => {
    for (const path of [...lists, ...things, ...events, ...others, ...cards]) {
      const { html, status, errors } = await render(path, specifiedAnswer)
      expect([path, status, errors]).toEqual([path, 200, []])
      expect(html, path).not.toContain(crash)
      expect(holes.exec(html)?.[0] ?? null, path).toBeNull()
    }
    expect((await render('/deals?near=centre', specifiedAnswer)).html).toContain('km')
    // Home shows events instead of the text for no events
    const home = (await render('/', specifiedAnswer)).html
    expect(home.split('Hochwasser').length).toBeGreaterThan(3)
  })

  it.each(Object.entries(unreadable))('%s: no screen breaks, and a readable error is shown', async (_, strange) => {
    const answer = () => {
      if (strange.status < 400) return parsed(strange.body)
      const { error } = parsed(strange.body) as { error: unknown }
      throw new CallRefused({ status: strange.status, code: 'x', error: typeof error === 'string' ? error : '' })
    }
    for (const path of [...lists, '/deal/1', '/business/1', ...others]) {
      const { html, errors } = await render(path, answer)
      // faults while rendering; a refused answer is logged as an answer
      expect(
        errors.filter((error) => error instanceof Error),
        path,
      ).toEqual([])
      expect(html, path).not.toContain(crash)
      expect(holes.exec(html)?.[0] ?? null, path).toBeNull()
      if (strange.says && /^\/(deal|business)\/1|^\/deals(\?|$)|^\/business$/.test(path))
        expect(html, path).toContain(strange.says)
    }
  })
})

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

inBrowser('a screen opened in the app with an API that answers', () => {
  const at = useBrowser()
  const owners = [
    '/dashboard',
    '/settings',
    '/edit-business',
    '/deal/1/edit',
    '/upgrade-subscription',
    '/promote-business',
  ]

  /** Navigates within the app, as a link does, and waits until nothing is loading. */
  async function goTo(page: Page, path: string) {
    await page.evaluate((href) => {
      const link = document.createElement('a')
      link.href = href
      document.body.append(link)
      link.click()
      link.remove()
    }, path)
    await page.waitForURL((url) => url.pathname + url.search === path || path.startsWith(url.pathname))
    // the router has set the address; the screen is drawn with the next frame
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const main = document.querySelector('main')!
            const isBusy = [...document.querySelectorAll('[aria-busy="true"], .animate-breathe')].length > 0
            return main.querySelector('h1, h2') && !isBusy && !/Loading/.test(main.textContent)
              ? 'settled'
              : main.textContent
          }),
        { message: path },
      )
      .toBe('settled')
    return page.locator('main').innerText()
  }

  async function arrive(answer: (path: string) => { status: number; body: string }) {
    const { page, faults } = await at.visit('/contact', {
      expected: /status of|my-subscription|could not be (loaded|updated)/,
    })
    await hydrated(page)
    await page.evaluate(() => {
      for (const [key, value] of Object.entries({ authToken: 't', userType: 'business', businessId: 'b1' }))
        localStorage.setItem(key, value)
    })
    await page.route('**/api/**', (route) => route.fulfill(answer(new URL(route.request().url()).pathname)))
    return { page, faults }
  }

  it('as specified, with less or with more shows the data that there are', async () => {
    const { page, faults } = await arrive((path) => ({ status: 200, body: JSON.stringify(specifiedAnswer(path)) }))
    const some = ['/event/specified', '/event/nonsense']
    for (const path of [...lists, ...things, ...some, ...others, ...owners, ...cards]) {
      const text = await goTo(page, path)
      expect(text, path).not.toContain(crash)
      expect(holes.exec(text)?.[0] ?? null, path).toBeNull()
    }
    expect(faults).toEqual([])
  })

  const asking = ['/', '/deals', '/dealsmap', '/business', '/deal/1', '/business/1', '/signup', ...owners]
  // each screen gets every fifth kind of answer, and each kind goes to every fifth screen
  it.each(
    Object.entries(unreadable).map(
      ([name, strange], kind) => [name, strange, asking.filter((_, n) => (n + kind) % 5 === 0)] as const,
    ),
  )('%s: no screen breaks or waits for ever', async (_, strange, screens) => {
    const { page, faults } = await arrive(() => strange)
    for (const path of screens) {
      const text = await goTo(page, path)
      expect(text, path).not.toContain(crash)
      expect(holes.exec(text)?.[0] ?? null, path).toBeNull()
      if (strange.says && /^\/(deal|business)\/1|^\/business$|^\/dashboard|^\/settings/.test(path))
        await expect.poll(() => page.locator('main').innerText(), { message: path }).toContain(strange.says)
    }
    expect(faults).toEqual([])
  })

  it('to a login without a token says that it failed and stores nothing', async () => {
    const { page } = await at.visit('/userlogin', { expected: /status of/ })
    await hydrated(page)
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 200, body: '{"authToken":""}' }))
    await page.locator('main').getByLabel('Email').fill('lena@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a good long password')
    await page.getByRole('button', { name: 'Log In' }).click()
    await page.getByText('Login failed').waitFor()
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  /** Only the status of a signup is specified. */
  const empty = ['', '{}', 'null']
  const texts = ['<p>Created</p>', 'OK']

  async function signUp(path: string, api: string, body: string) {
    const { page } = await at.visit(path)
    await hydrated(page)
    await page.route(`**${api}`, (route) => route.fulfill({ status: 201, body }))
    const name = page.getByLabel(path === '/signup' ? 'Business Name' : 'Display name')
    await name.fill('Bar Nord')
    await page.locator('main').getByLabel('Email').fill('nord@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a good long password')
    if (path === '/usersignup') await page.getByRole('checkbox').check()
    await page.locator('main').getByRole('button', { name: 'Create Account' }).click()
    return { page, name }
  }
  const signups = [
    ['/usersignup', '/api/auth/signup'],
    ['/signup', '/api/business/signup'],
  ] as const

  it.each(signups.flatMap(([path, api]) => empty.map((body) => [path, body, api])))(
    '%s answered with 201 and %j is a success',
    async (path, body, api) => {
      const { page } = await signUp(path, api, body)
      if (path === '/signup') await page.waitForURL('**/business-login')
      else await page.getByText('Account created! Please check your email for verification.').waitFor()
    },
  )

  it.each(signups.flatMap(([path, api]) => texts.map((body) => [path, body, api])))(
    '%s answered with 201 and %j counts as failed and keeps the typed text',
    async (path, body, api) => {
      const { page, name } = await signUp(path, api, body)
      await page.getByText('Registration failed. Please try again.').waitFor()
      expect(await name.inputValue()).toBe('Bar Nord')
    },
  )

  /** Forms of a merchant, the call that saves them, and the message if it fails. */
  const saves = [
    ['/deal/1/edit', 'Deal Name', 'Save Deal', 'Error updating deal.'],
    ['/edit-business', 'Business Name', 'Save Changes', 'Error updating profile.'],
    ['/create-deal', 'Deal Name', 'Publish', 'The deal could not be saved. Please try again.'],
  ] as const

  /** Answers reads as specified, and saves with `saved`. */
  async function typeAndSave([path, field, button]: (typeof saves)[number], saved: { status: number; body: string }) {
    const { page } = await arrive((asked) => ({ status: 200, body: JSON.stringify(specifiedAnswer(asked)) }))
    const isWrite = (method: string) => ['POST', 'PUT'].includes(method)
    await page.route(/\/api\/(deals|business)(\/\w+)?$/, (route) =>
      isWrite(route.request().method()) ? route.fulfill(saved) : route.fallback(),
    )
    await goTo(page, path)
    const input = page.locator('main').getByLabel(field)
    await input.fill('Typed on a tram')
    await page.locator('main').getByRole('button', { name: button, exact: true }).click()
    return { page, input }
  }

  const portal = '<!DOCTYPE html><h1>Log in to this Wi-Fi</h1>'
  it.each(saves.flatMap((save) => [portal, 'OK'].map((body) => [save[0], body, save] as const)))(
    '%s saved with 200 and %j says that it failed and keeps the typed text',
    async (path, body, save) => {
      const { page, input } = await typeAndSave(save, { status: 200, body })
      await page.locator('main').getByRole('alert').getByText(save[3]).waitFor()
      expect(await input.inputValue()).toBe('Typed on a tram')
      await goTo(page, '/contact')
      await goTo(page, path)
      expect(await input.inputValue()).toBe('Typed on a tram')
    },
  )

  it.each(saves.flatMap((save) => ['', '{}'].map((body) => [save[0], body, save] as const)))(
    '%s saved with 200 and %j is saved',
    async (_, body, save) => {
      const { page } = await typeAndSave(save, { status: 200, body })
      await page.getByText('Saved. Taking you to the dashboard').waitFor()
      await page.waitForURL('**/dashboard')
    },
  )

  it('with the login page of a Wi-Fi keeps unsent changes, and the logout names them', async () => {
    const { page } = await at.visit('/contact', { expected: /status of/ })
    await hydrated(page)
    const waiting = { keys: ['deal:1'], unsent: { 'deal:1': 'add' }, of: 'user' }
    await page.evaluate((saved) => {
      const stored = { authToken: 't', userType: 'user', unsent: '{"favorites":1}', 'rheinklang-saved': saved }
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
    }, JSON.stringify(waiting))
    let isSent = false
    await page.route('**/api/**', (route) => {
      isSent ||= route.request().method() === 'PUT' && route.request().url().includes('/api/favorites/deal/1')
      return route.fulfill({ status: 200, contentType: 'text/html', body: portal })
    })
    await page.goto('/logout')
    await page.locator('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByText('1 change in My Favorites').waitFor()
    expect(isSent).toBe(true)
    expect(await outboxOf(page, 'user-', 'favorites')).toContain('"subject":"deal:1","data":{"what":"add"')
  })

  it('nothing says so on the page of a merchant and asks again', async () => {
    const { page } = await arrive(() => ({ status: 200, body: '{' }))
    await goTo(page, '/business/1')
    await page.getByRole('heading', { level: 1, name: 'Failed to load business info.' }).waitFor()
    await page.unroute('**/api/**')
    await page.route('**/api/**', (route) => route.abort())
    await goTo(page, '/contact')
    const text = await goTo(page, '/business/2')
    expect(text).not.toContain(crash)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })
})
