import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { savedDealsPage, savedEventsPage } from '../../src/site-map.ts'
import type { Person } from '../people.ts'
import { saturdayEvening } from '../saturday-evening.ts'
import { loggedIn, main } from './account-pages.ts'
import { desktop, hydrated, inBrowser, phone, useBrowser } from './browser.ts'
import { everyPage, everyRole, isFor, type Role } from './every-page.ts'

/** Without the line below the title, px. */
const highestBand = 170

inBrowser('every screen', () => {
  const at = useBrowser({ demo: true, now: saturdayEvening })
  let people: Record<Role, Person | null>
  let all: string[]

  beforeAll(async () => {
    ;({ people, all } = await everyPage(at.app))
  })

  it.each(everyRole)('is one of five kinds, with the head of its kind, for a %s', async (who) => {
    const { page, context } = await at.visit('about:blank', { viewport: phone, expected: /status of/ })
    if (people[who]) await loggedIn(context, people[who])
    const paths = all.filter((each) => isFor(each, who))
    for (const path of who === 'guest' ? [...paths, savedDealsPage, savedEventsPage] : paths) {
      await page.setViewportSize(phone)
      await page.goto(path)
      await hydrated(page)
      if (who !== 'guest') await expect.poll(() => waiting(page).count(), { message: path }).toBe(0)
      expect(await faultsOf(page, true), `${path} on a phone`).toEqual([])
      await page.setViewportSize(desktop)
      expect(await faultsOf(page, false), `${path} on a desktop`).toEqual([])
    }
  })

  it('of deals shows the first deal on a phone without scrolling', async () => {
    const { page } = await at.visit('/deals', { viewport: phone })
    await hydrated(page)
    expect((await main(page).getByRole('article').first().boundingBox())!.y).toBeLessThanOrEqual(360)
  })

  const states = [
    ['fails', 500, 'This could not be loaded. Please try again.'],
    ['is offline', 0, 'You are offline. Please try again once you are back online.'],
    ['knows no session any more', 401, 'Your session expired. Please log in again.'],
  ] as const

  it.each(
    states.flatMap((state) => (['visitor', 'merchant', 'moderator'] as const).map((who) => [...state, who] as const)),
  )('of an account has one sentence if the server %s (%i): “%s”, for a %s', async (_, status, sentence, who) => {
    const { page, context } = await at.visit('about:blank', { viewport: phone, expected: /status of|net::ERR|Failed/ })
    await loggedIn(context, people[who]!)
    await context.route('**/api/**', (route) => (status === 0 ? route.abort() : route.fulfill({ status, json: {} })))
    for (const path of all.filter((each) => isFor(each, who) && !asksNothing.test(each) && isPrivate(each))) {
      await page.goto(path)
      await hydrated(page)
      await expect.poll(() => waiting(page).count(), { message: path }).toBe(0)
      const specified =
        status === 401 ? undefined : Object.entries(specifiedFor).find(([start]) => path.match(start))?.[1]
      await expect.poll(() => noticesIn(page), { message: path }).toEqual(specified ?? [sentence])
    }
  })
})

const waiting = (page: Page) => main(page).locator('[aria-busy="true"], .animate-breathe')

const isPrivate = (path: string) => !/^\/deal\/[^/]*$/.test(path)

/** These work without an answer of the server. */
const asksNothing = /^\/(create-deal|promote-business|forum\/new|admin\/(merchants|places|events\/))/

/** Sentences of the specification, shown instead. */
const specifiedFor: Record<string, string[]> = {
  '^/dashboard': ['Failed to load deals.', 'Failed to load stats.', 'Failed to load subscription tier.'],
  '^/edit-business': ['Failed to load business info.'],
  '^/deal/': ['Failed to load deal info.'],
  '^/upgrade': ['Error fetching subscription.'],
}

/** The different texts of notices in the page, without their buttons, in order of the alphabet. */
const noticesIn = (page: Page) =>
  main(page)
    .locator('[role="status"], [role="alert"]')
    .evaluateAll((notices) =>
      [
        ...new Set(
          notices.map((notice) => {
            const text = notice.cloneNode(true) as HTMLElement
            for (const button of text.querySelectorAll('a, button')) button.remove()
            return text.textContent.trim()
          }),
        ),
      ].toSorted(),
    )

/** What differs from the rules of the page's kind. */
function faultsOf(page: Page, isPhone: boolean) {
  return page.evaluate(
    ({ isPhone, highestBand }) => {
      const faults: string[] = []
      const inMain = (selector: string) =>
        [...document.querySelectorAll<HTMLElement>(`main ${selector}`)].filter((each) =>
          each.checkVisibility({ visibilityProperty: true }),
        )
      const sizeOf = (variable: string) => {
        const probe = document.body.appendChild(document.createElement('span'))
        probe.style.fontSize = `var(${variable})`
        const size = Number.parseFloat(getComputedStyle(probe).fontSize)
        probe.remove()
        return size
      }
      const usual = sizeOf('--text-3xl')
      /** Least and most, px; headlines of things and posters shrink with long words. */
      const sizes: Record<string, [number, number]> = {
        list: [usual, usual],
        account: [usual, usual],
        form: [usual, usual],
        thing: [18, sizeOf('--text-4xl')],
        poster: [isPhone ? 28 : usual, sizeOf('--text-poster')],
      }
      const isMap = location.pathname === '/dealsmap'
      const kinds = inMain('[data-page]').map((each) => each.dataset['page']!)
      if (kinds.length !== 1 || !sizes[kinds[0]!]) faults.push(`kinds: ${kinds.join(', ')}`)
      const titles = inMain('h1')
      if (titles.length !== 1) faults.push(`${titles.length} titles`)
      const [title] = titles
      const kind = kinds[0] ?? ''
      const [least, most] = sizes[kind] ?? [0, 0]
      const size = title ? Number.parseFloat(getComputedStyle(title).fontSize) : 0
      // the map leaves its height to the map
      if (!isMap && (size < least - 0.5 || size > most + 0.5))
        faults.push(`title of ${size} px, not ${least} to ${most}`)
      const column = document.querySelector('footer .shell')!
      const left = column.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(column).paddingLeft)
      const beside = title ? title.getBoundingClientRect().left - left : 0
      // the map is as wide as the window
      if (['list', 'account', 'form'].includes(kind) && !isMap && Math.abs(beside) > 1)
        faults.push(`title ${beside} px beside the column`)
      const waves = inMain('.wave-line').length
      if (waves > 1) faults.push(`${waves} waves`)
      for (const band of inMain('[data-page-head]')) {
        const lead = band.querySelector('h1 + p')
        const height = band.getBoundingClientRect().height - (lead?.getBoundingClientRect().height ?? 0)
        if (isPhone && !band.querySelector('form') && height > highestBand) faults.push(`band of ${height} px`)
      }
      return faults
    },
    { isPhone, highestBand },
  )
}
