import { afterEach, expect, it, vi } from 'vitest'
import { addEvent, addStage } from '../cast.ts'
import { aVisitor, get, post } from '../people.ts'
import {
  desktop,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  phone,
  useBrowser,
} from './browser.ts'
import { saturdayEvening } from '../saturday-evening.ts'

inBrowser('the programme', () => {
  const at = useBrowser()
  const idOf = async (q: string) =>
    ((await get(at.app, `/api/events?q=${encodeURIComponent(q)}`)).body as { event_id: string }[])[0]!.event_id

  it('leads from the list of today to an event and its neighbours without JavaScript', async () => {
    const { authToken } = await aVisitor(at.app)
    const question = 'Who goes to see Hochwasser?'
    const linked = { kind: 'event', id: await idOf('hochwasser') }
    const asked = { category: 'line-up', title: question, body: 'We meet at the ferry.', linked }
    expect((await post(at.app, '/api/forum/topics', asked, { token: authToken })).status).toBe(201)
    const { page } = await at.visit('/deals?q=hochwasser', { javaScriptEnabled: false })
    // a search for deals also finds events
    await page.getByRole('link', { name: /^\d+ events? match/ }).click()
    await page.waitForURL(/\/events\?q=hochwasser/, { waitUntil: 'load' })
    await expect
      .poll(() => page.getByRole('article').getByRole('link', { name: 'Hochwasser', exact: true }).count())
      .toBe(1)
    await page.goto('/events')
    await expect.poll(() => page.locator('h1').innerText()).toBe('Events')
    const days = page.getByRole('navigation', { name: 'Festival days' }).getByRole('link')
    await expect.poll(() => days.count()).toBe(3)
    await expect.poll(() => days.nth(1).getAttribute('aria-current')).toBe('true')
    await page.getByRole('article').getByRole('link', { name: 'Hochwasser', exact: true }).click()
    await page.waitForURL(/\/event\//, { waitUntil: 'load' })
    await expect.poll(() => page.locator('h1').innerText()).toBe('Hochwasser')
    await expect.poll(() => page.getByText('Step-free access', { exact: true }).count()).toBe(1)
    // Markdown is shown as elements
    await expect.poll(() => page.locator('em').innerText()).toContain('Stroboskop')
    // to its topics in the forum, and back
    await page.getByRole('region', { name: 'In the forum' }).getByRole('link', { name: question }).click()
    await page.waitForURL(/\/topic\//, { waitUntil: 'load' })
    await page.getByRole('link', { name: 'Hochwasser', exact: true }).click()
    await page.waitForURL(/\/event\//, { waitUntil: 'load' })
    const before = page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').first()
    const path = await before.getAttribute('href')
    await before.click()
    await page.waitForURL(`**${path}`, { waitUntil: 'load' })
    await expect.poll(() => page.locator('h1').innerText()).toBe('Fanny Lune')
  })

  it('has its filters in the address: reload and back show the same', async () => {
    const { page, faults } = await at.visit('/events')
    await hydrated(page)
    await page.getByRole('combobox', { name: 'Category' }).selectOption('family')
    await page.waitForURL(/category=family/)
    await page.getByText('Family-friendly', { exact: true }).click()
    await page.waitForURL(/family=true/)
    // what is over stands in a closed line, and what is out of sight has no inner text
    const titles = () => page.locator('main article h3').allTextContents()
    await expect.poll(titles).toContain('Lampionumzug')
    const found = await titles()
    await page.reload()
    await hydrated(page)
    await expect.poll(() => titles()).toEqual(found)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('family=true'))
    await expect.poll(() => page.getByRole('checkbox', { name: 'Family-friendly' }).isChecked()).toBe(false)
    expect(faults).toEqual([])
  })

  it('begins on a phone with what runs now, then what comes next; what is over folds into one line', async () => {
    interface Listed {
      title: string
      status: string
      starts_at: string
    }
    const { page, faults } = await at.visit('/events', { viewport: phone })
    await hydrated(page)
    const titlesOf = (events: Listed[]) => events.map(({ title }) => title).toSorted()
    const running = (await get(at.app, '/api/events?now=true&upcoming=true')).body as Listed[]
    expect(running.length).toBeGreaterThan(2)
    const titlesIn = (name: string) => page.getByRole('region', { name, exact: true }).locator('h3').allTextContents()
    expect((await titlesIn('Now')).toSorted()).toEqual(titlesOf(running))
    const day = (await get(at.app, '/api/events?day=2026-06-20')).body as Listed[]
    const begun = day.filter(({ starts_at }) => Date.parse(starts_at) <= Date.now())
    expect((await titlesIn('Next')).toSorted()).toEqual(titlesOf(day.filter((each) => !begun.includes(each))))
    // the head, filters, days and the line of what is over leave room for the first event
    const first = page.getByRole('article').first()
    expect((await first.boundingBox())!.y).toBeLessThanOrEqual(420)
    expect(await first.innerText()).toMatch(/Until \d\d:\d\d[^]*from the centre/)
    const head = page.locator('[data-page-head]')
    expect((await head.boundingBox())!.height).toBeLessThanOrEqual(96)
    const form = page.getByRole('main').getByRole('search')
    expect((await form.boundingBox())!.height).toBeLessThanOrEqual(64)
    await page.getByText(`Earlier today (${begun.length - running.length})`, { exact: true }).click()
    const over = page.getByRole('article').filter({ has: page.getByText('Over', { exact: true }) })
    await expect.poll(() => over.count()).toBe(day.filter(({ status }) => status === 'ended').length)
    await expectAccessible(page)
    // back from an event, the list is at the same place
    const last = page.getByRole('main').getByRole('article').getByRole('link').last()
    await page.reload()
    await hydrated(page)
    await last.evaluate((link) => link.scrollIntoView({ block: 'center' }))
    const top = async () => Math.round((await last.boundingBox())!.y)
    const before = await top()
    await last.click()
    await page.waitForURL('**/event/*')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).or(page.getByRole('article')).first().waitFor()
    await page.goBack()
    // the heights of rows that were never drawn are estimates
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(100)
    // a print names its day
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('heading', { level: 2, name: '20 June' }).waitFor()
    await expect.poll(() => page.getByText(/^Earlier today/).isVisible()).toBe(false)
    expect(faults).toEqual([])
  })

  it('measures the way from the phone, and puts a running event last that is over before one gets there', async () => {
    const stage_id = await addStage(at.app.db, 'Far away')
    await at.app.db
      .updateTable('venues')
      .set({ latitude: 47.65, longitude: 7.75 })
      .where('venue_id', '=', (eb) => eb.selectFrom('stages').select('venue_id').where('stage_id', '=', stage_id))
      .execute()
    const begun = new Date(Date.now() - 3 * 60 * 60_000).toISOString()
    const ends_at = new Date(Date.now() + 45 * 60_000).toISOString()
    const id = await addEvent(at.app.db, 'Alphorn on the hill', begun, { stage_id, ends_at })
    const { page, faults } = await at.visit('/events', {
      viewport: phone,
      permissions: ['geolocation'],
      geolocation: { latitude: 47.5601, longitude: 7.5886 },
    })
    await hydrated(page)
    const now = page.getByRole('region', { name: 'Now', exact: true }).getByRole('article')
    await expect.poll(() => now.last().innerText()).toMatch(/Alphorn on the hill[^]*Too far to make it/)
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('from the centre')
    await now.last().getByRole('link').click()
    await page.waitForURL(`**/event/${id}`)
    await page.getByText('Too far to make it').waitFor()
    await at.app.db.deleteFrom('events').where('event_id', '=', id).execute()
    expect(faults).toEqual([])
  })

  it('shows on the page of an event its venue on the map, events at the same time, and other sets of its performers', async () => {
    const id = await idOf('hochwasser')
    const { page } = await at.visit(`/event/${id}`)
    const { parallel, sets } = (await get(at.app, `/api/events/${id}/neighbours`)).body as Record<
      'parallel' | 'sets',
      { title: string; event_id: string }[]
    >
    expect(parallel.length).toBeGreaterThan(0)
    expect(sets.length).toBeGreaterThan(0)
    const linksIn = (name: string) =>
      page
        .getByRole('region', { name })
        .getByRole('article')
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await expect
      .poll(() => linksIn('At the same time'))
      .toEqual(parallel.slice(0, 6).map(({ event_id }) => `/event/${event_id}`))
    await expect
      .poll(() => linksIn('More from these performers'))
      .toEqual(sets.map(({ event_id }) => `/event/${event_id}`))
    const venue = page.getByRole('region', { name: 'Venue' })
    await expect
      .poll(() => venue.getByRole('link', { name: /on the map$/ }).getAttribute('href'))
      .toMatch(/^\/dealsmap\?.*layers=deals%2Cevents/)
    await expect
      .poll(() =>
        venue
          .getByRole('link', { name: /on the map$/ })
          .locator('svg')
          .count(),
      )
      .toBeGreaterThan(0)
    await venue.getByText(/quiet area/i).waitFor()
  })

  it('has further pages if a day is too long for one', async () => {
    const answer = await fetch(`${at.app.url}/api/events?day=2026-06-20&limit=5`)
    const [, after] = /after=([^&>]+)/.exec(answer.headers.get('link') ?? '')!
    const { page } = await at.visit(`/events?day=2026-06-20`)
    // also those in the line of what is over
    const shown = () => page.locator('main article').count()
    const whole = await shown()
    await page.goto(`/events?day=2026-06-20&after=${after}`)
    await expect.poll(() => shown()).toBe(whole - 5)
  })

  it.each([
    ['home', () => '/'],
    ['the page of an event', (id: string) => `/event/${id}`],
  ])('is a fresh one on %s when somebody comes back after hours, and stays without a network', async (_, path) => {
    const [next] = (await get(at.app, '/api/events?upcoming=true&not_begun=true&limit=1')).body as [
      { event_id: string; title: string },
    ]
    const { event_id: id, title } = next
    const { page, context, faults } = await at.visit('/help', { expected: /INTERNET_DISCONNECTED/ })
    const opened = Date.now()
    await page.clock.install({ time: opened })
    await page.goto(path(id))
    await hydrated(page)
    const shown = page.getByText(title).first()
    await shown.waitFor()
    let hours = 1
    const comeBack = async () => {
      await page.clock.setSystemTime(opened + hours++ * 60 * 60_000)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    }
    await context.setOffline(true)
    const failed = page.waitForEvent('requestfailed')
    await comeBack()
    await failed
    await shown.waitFor()
    await context.setOffline(false)
    const renamed = `Ferry ${id}`
    const rename = (to: string) =>
      at.app.db.updateTable('events').set({ title: to }).where('event_id', '=', id).execute()
    await rename(renamed)
    await expect.poll(async () => (await comeBack(), page.getByText(renamed).count())).toBeGreaterThan(0)
    await at.app.db.deleteFrom('events').where('event_id', '=', id).execute()
    expect(faults).toEqual([])
  })

  it('says which events are cancelled or moved, and from where', async () => {
    const { page } = await at.visit(`/event/${await idOf('aurel ravens')}`)
    await expect.poll(() => page.getByText('This event has moved.').count()).toBe(1)
    await expect.poll(() => page.getByText('Originally at Marktbühne, Marktplatz.').count()).toBe(1)
    // a start on another day names the day
    const late = await at.app.db
      .selectFrom('events')
      .selectAll()
      .where('title', '=', 'Hochwasser')
      .executeTakeFirstOrThrow()
    const put = { previous_starts_at: '2026-06-19T18:00:00Z', state: 'moved' } as const
    await at.app.db.updateTable('events').set(put).where('event_id', '=', late.event_id).execute()
    // rendered pages are cached for a second
    const former = page.getByText('Originally Fri 19 June, 20:00.')
    await expect.poll(async () => (await page.goto(`/event/${late.event_id}`), former.count())).toBe(1)
    const { previous_starts_at, state } = late
    await at.app.db
      .updateTable('events')
      .set({ previous_starts_at, state })
      .where('event_id', '=', late.event_id)
      .execute()
    await page.goto('/events?q=dorfrock')
    const cancelled = page.getByRole('article').filter({ hasText: 'Cancelled' })
    await expect.poll(() => cancelled.getByRole('heading', { name: 'Dorfrock' }).count()).toBe(1)
    await expect.poll(() => cancelled.getByRole('button', { name: /^Add to My Schedule/ }).count()).toBe(0)
  })

  it('is also a timetable with arrow keys, a mark for now, and buttons to save events', async () => {
    const { page, faults } = await at.visit('/events?view=grid', { viewport: phone })
    await hydrated(page)
    const grid = page.getByRole('region', { name: /^Timetable/ })
    await expect.poll(() => grid.getByRole('columnheader').allInnerTexts()).toContain('Rheinbühne')
    await expect.poll(() => grid.getByText('Now', { exact: true }).count()).toBe(1)
    // it opens at the present time
    await expect
      .poll(() =>
        grid.evaluate((box) => {
          const [frame, line] = [box, box.querySelector('[data-now]')!].map((each) => each.getBoundingClientRect())
          return box.scrollTop > 0 && line!.top > frame!.top && line!.top < frame!.bottom
        }),
      )
      .toBe(true)
    // wherever the table is scrolled, times stay at the left and stages at the top
    const corner = () =>
      grid.evaluate((box) => {
        const { left, top } = box.getBoundingClientRect()
        const [head, time] = ['thead th:nth-child(2)', 'tbody th'].map((name) => box.querySelector(name)!)
        return [head!.getBoundingClientRect().top - top, time!.getBoundingClientRect().left - left].map(Math.round)
      })
    const atRest = await corner()
    for (const [left, top] of [
      [300, 0],
      [0, 400],
      [300, 700],
    ]) {
      await grid.evaluate((box, [x, y]) => box.scrollTo(x!, y!), [left, top])
      await expect.poll(() => corner()).toEqual([2, 2])
    }
    expect(atRest[1]).toBe(2)
    const first = grid.getByRole('link', { name: /^Hochwasser/ })
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    // the keys work a moment after hydration
    const goUp = async () => {
      await first.focus()
      await page.keyboard.press('ArrowUp')
      return focused()
    }
    await expect.poll(goUp).toMatch(/^Fanny Lune/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused()).not.toMatch(/^Fanny Lune/)
    // visible events have a button
    const save = grid.getByRole('button', { name: /^Add to My Schedule: Hochwasser/ })
    await save.click()
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true')
    expect(faults).toEqual([])
  })

  it('shows eight stages side by side on a desktop, with their names below the bar wherever the page is scrolled', async () => {
    const { page } = await at.visit('/events?view=grid', { viewport: desktop, reducedMotion: 'reduce' })
    await hydrated(page)
    // filters keep the day and the timetable
    await page.getByRole('combobox', { name: 'Category' }).selectOption('music')
    await page.waitForURL(/category=music/)
    await page.getByRole('region', { name: /^Timetable/ }).waitFor()
    await page.goBack()
    await page.waitForURL(/events\?view=grid$/)
    // back from a search, the field has the words from before
    const words = page.getByRole('searchbox')
    for (const each of ['music', 'tango']) {
      await words.fill(each)
      await words.press('Enter')
      await page.waitForURL(new RegExp(`q=${each}`))
    }
    await page.goBack()
    await page.waitForURL(/q=music/)
    await expect.poll(() => words.inputValue()).toBe('music')
    await page.goto('/events?view=grid')
    const grid = page.getByRole('region', { name: /^Timetable/ })
    const hall = grid.getByRole('columnheader', { name: 'Rheinbühne' })
    await expect.poll(() => grid.getByRole('columnheader').count()).toBe(9)
    await expect.poll(() => grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    const bar = (await page.getByRole('banner').boundingBox())!.height
    for (const beyond of [50, 200, 300]) {
      await grid.evaluate((box, by) => scrollBy(0, box.getBoundingClientRect().top + by), beyond)
      await expect.poll(async () => Math.abs((await hall.boundingBox())!.y - bar)).toBeLessThan(1)
    }
  })

  it('shows a long timetable; a search begins on the first day with a result', async () => {
    for (let n = 0; n < 420; n++) {
      const startsAt = Temporal.Instant.from('2026-07-04T08:00:00Z').add({ minutes: Math.floor(n / 10) * 20 })
      const stage_id = await addStage(at.app.db, `Stage ${n % 10}`)
      await addEvent(at.app.db, `A set with a name of its own, number ${n}`, startsAt.toString(), { stage_id })
    }
    const timetable = '/events?view=grid&day=2026-07-04'
    // a search begins on the first day with a result
    const found = await at.visit('/events?view=grid&q=a+set+with+a+name', { javaScriptEnabled: false })
    await found.page.getByRole('table').getByText('A set with a name of its own, number 0').waitFor()
    await found.page.locator('a[aria-current]', { hasText: 'Timetable' }).waitFor()
    const { page, faults } = await at.visit(timetable, { viewport: phone })
    await page.locator('table [aria-pressed]').first().waitFor()
    expect(faults).toEqual([])
  })

  const fits = [
    ['phone, in both themes', phone, expectAccessibleInBothThemes],
    ['desktop', desktop, expectAccessible],
  ] as const
  it.each(fits)('is accessible and fits a %s', async (_name, viewport, expectFit) => {
    const { page, faults } = await at.visit('about:blank', { viewport, reducedMotion: 'reduce' })
    for (const path of [
      '/events',
      '/events?view=grid',
      '/events?q=dorfrock',
      '/events?q=xylophonquark',
      `/event/${await idOf('hochwasser')}`,
    ]) {
      await page.goto(path)
      await hydrated(page)
      await expect.poll(() => page.locator('h1').count(), { message: path }).toBe(1)
      await expectFit(page)
      await expectNoSidewaysScroll(page)
      expect(faults, path).toEqual([])
    }
  })
})

inBrowser('a programme at other hours, without JavaScript', () => {
  const at = useBrowser({ demo: true, now: saturdayEvening })

  afterEach(() => void vi.useRealTimers())
  /** Sets the clock of rules and that by which pages are rendered. */
  const putTime = (instant: string) => {
    at.app.setNow(instant)
    vi.useFakeTimers({ now: Date.parse(instant), toFake: ['Date'] })
  }

  it('opens Sunday as soon as nothing of the night is left, and says of Saturday that it is over', async () => {
    putTime('2026-06-21T03:15:00Z')
    const { page } = await at.visit('/events', { javaScriptEnabled: false, viewport: phone })
    const days = page.getByRole('navigation', { name: 'Festival days' }).getByRole('link')
    await expect.poll(() => days.nth(2).getAttribute('aria-current')).toBe('true')
    const first = page.getByRole('article').first()
    await expect.poll(() => first.innerText()).not.toMatch(/\bOver\b/)
    await days.nth(1).click()
    await page.waitForURL('**/events?day=2026-06-20', { waitUntil: 'load' })
    await expect.poll(() => first.innerText()).toMatch(/\bOver\b/)
    await page.getByText('Sat 20 June is over.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sun 21 June' }).click()
    await page.waitForURL('**/events?day=2026-06-21', { waitUntil: 'load' })
    // the timetable opens on the same day, and says of past events that they are over
    await page.goto('/events?view=grid')
    await expect.poll(() => days.nth(2).getAttribute('aria-current')).toBe('true')
    await page.goto('/events?view=grid&day=2026-06-20')
    const cells = page.getByRole('table').getByRole('link')
    await expect
      .poll(async () => (await cells.allTextContents()).filter((text) => !text.endsWith(', Over')))
      .toEqual([])
  })

  it('shows the last day after the festival, and says that the festival is over', async () => {
    putTime('2026-06-23T10:00:00Z')
    const { page } = await at.visit('/events', { javaScriptEnabled: false, viewport: phone })
    await page.getByText('The festival is over.').waitFor()
    const days = page.getByRole('navigation', { name: 'Festival days' }).getByRole('link')
    expect(await days.last().getAttribute('aria-current')).toBe('true')
    expect(await page.getByRole('article').count()).toBeGreaterThan(3)
    await page.getByRole('article').first().getByRole('link').click()
    await page.waitForURL('**/event/*', { waitUntil: 'load' })
    await page.getByText('This event is over.').waitFor()
  })
})

inBrowser('a programme whose only running event is far away', () => {
  const at = useBrowser({ now: null })

  it('begins with the next event, and shows the running one last', async () => {
    const { db } = at.app
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const stage_id = await addStage(db, 'Hill', { latitude: 47.65, longitude: 7.75 })
    await addEvent(db, 'Alphorn on the hill', inMinutes(-10), { stage_id, ends_at: inMinutes(20) })
    await addEvent(db, 'Brass by the river', inMinutes(30))
    const { page } = await at.visit('/events', {
      viewport: phone,
      permissions: ['geolocation'],
      geolocation: { latitude: 47.5601, longitude: 7.5886 },
    })
    const titles = page.getByRole('article').getByRole('heading')
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Brass by the river', 'Alphorn on the hill'])
    await page.getByRole('article').last().getByText('Too far to make it').waitFor()
  })
})

inBrowser('a programme of two months', () => {
  const at = useBrowser({ now: null })

  it('names its days with the month, and shows the current day on a phone', async () => {
    for (const day of ['2026-11-27', '2026-11-28', '2026-11-29', '2026-12-26', '2026-12-27'])
      await addEvent(at.app.db, `Brass of ${day}`, `${day}T18:00:00Z`)
    const { page, faults } = await at.visit('/events?day=2026-12-27', { viewport: phone })
    await hydrated(page)
    const days = page.getByRole('navigation', { name: 'Festival days' }).getByRole('link')
    await expect
      .poll(() => days.allInnerTexts())
      .toEqual(['Fri 27 November', 'Sat 28 November', 'Sun 29 November', 'Sat 26 December', 'Sun 27 December'])
    await expect
      .poll(() => days.last().evaluate((link) => link.getBoundingClientRect().right))
      .toBeLessThanOrEqual(phone.width)
    await expect.poll(() => days.last().getAttribute('aria-current')).toBe('true')
    expect(faults).toEqual([])
  })
})

inBrowser('a programme of many months', () => {
  const at = useBrowser({ demo: false, now: saturdayEvening })

  it('opens on today without JavaScript; earlier days are a separate list with their year, and some are left out', async () => {
    const today = Temporal.PlainDate.from('2026-06-20')
    const dayBefore = (days: number) => today.subtract({ days }).toString()
    for (let n = 0; n < 240; n++) await addEvent(at.app.db, n % 60 ? 'Bar' : 'Jazz', `${dayBefore(n)}T18:00:00Z`)
    await addEvent(at.app.db, 'Jazz', '2027-01-02T18:00:00Z')
    const { page } = await at.visit('/events', { javaScriptEnabled: false, viewport: phone })
    const days = page.getByRole('navigation', { name: 'Festival days' }).getByRole('link')
    await expect.poll(() => days.allInnerTexts()).toEqual(['Sat 20 June', 'Sat 2 January 2027'])
    expect(await days.first().getAttribute('aria-current')).toBe('true')
    await page.getByText('141 more days are not listed here. Use the search to find their events.').waitFor()
    await page.getByText('98 earlier days').first().click()
    await expectNoSidewaysScroll(page)
    await page.getByRole('link', { name: 'Fri 19 June' }).click()
    await page.waitForURL('**/events?day=2026-06-19', { waitUntil: 'load' })
    await page.getByRole('heading', { name: 'Bar' }).waitFor()
    // an old link still shows its day, with the year
    await page.goto('/events?day=2025-12-22')
    await page.getByRole('heading', { name: 'Jazz' }).waitFor()
    await expect.poll(() => days.first().innerText()).toBe('Mon 22 December 2025')
    // a search lists results from today on, and earlier ones separately
    await page.goto('/events?q=jazz')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect.poll(() => headings.allInnerTexts()).toEqual(['Sat 20 June', 'Sat 2 January 2027'])
    await page.getByRole('link', { name: '3 earlier events' }).click()
    await page.waitForURL('**/events?q=jazz&earlier=true', { waitUntil: 'load' })
    await expect.poll(async () => (await headings.allInnerTexts())[0]).toBe('Mon 22 December 2025')
    expect(await headings.count()).toBe(3)
    await page.getByRole('link', { name: 'Upcoming events' }).click()
    await page.waitForURL('**/events?q=jazz', { waitUntil: 'load' })
  })

  it('shows an all-day event and one of forty hours on each of their days, in the list and above the timetable', async () => {
    const market = { all_day: true, ends_at: '2026-06-22T04:00:00Z', stage_id: null }
    await addEvent(at.app.db, 'Flea market', '2026-06-20T04:00:00Z', market)
    const piano = { ends_at: '2026-06-21T02:00:00Z', stage_id: null }
    await addEvent(at.app.db, 'Endless piano', '2026-06-19T10:00:00Z', piano)
    const { page } = await at.visit('/events?day=2026-06-20', { viewport: phone })
    const item = (title: string) => page.getByRole('article').filter({ hasText: title })
    await expect.poll(() => item('Flea market').innerText()).toMatch(/all day\s+until Sun 21/)
    await expect.poll(() => item('Endless piano').innerText()).toMatch(/Fri 19\s+12:00\s+until Sun 21, 04:00/)
    await expectNoSidewaysScroll(page)
    await page.goto('/events?day=2026-06-19')
    await expect.poll(() => item('Endless piano').count()).toBe(1)
    expect(await item('Flea market').count()).toBe(0)
    await page.goto('/events?day=2026-06-21')
    await expect.poll(() => item('Flea market').count()).toBe(1)
    expect(await item('Endless piano').count()).toBe(0)
    await page.goto('/events?day=2026-06-20&view=grid')
    const above = page.getByRole('list', { name: 'All day and over several days' })
    await expect.poll(() => above.getByRole('link').allInnerTexts()).toHaveLength(2)
    expect(
      await page
        .getByRole('table')
        .getByRole('link', { name: /piano|market/ })
        .count(),
    ).toBe(0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await above.getByRole('link', { name: /Flea market/ }).click()
    await expect.poll(() => page.locator('h1').innerText()).toBe('Flea market')
    await expect.poll(() => page.locator('main').innerText()).toContain('all day, until Sun 21')
  })
})
