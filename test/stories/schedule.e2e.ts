import { beforeAll, expect, it } from 'vitest'
import { addBusiness, addDeal, addEvent, addStage, eastOfBridge, fillTown } from '../cast.ts'
import { newId } from '../../src/kit/server/ids.ts'
import { aVisitor, get, goodPassword, post } from '../people.ts'
import { aModerator } from '../staff.ts'
import { api, saturdayEvening } from '../start-app.ts'
import { formOfPage, loggedIn, main, newAddress } from './account-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, sizes, useBrowser } from './browser.ts'
import { outboxOf } from './stored.ts'

inBrowser('a visitor’s evening', () => {
  const at = useBrowser()
  const titles = ['Wellenprobe Alpha', 'Wellenprobe Beta', 'Wellenprobe Gamma'] as const
  let ids: string[]
  beforeAll(async () => {
    const { db } = at.app
    const west = await addStage(db, 'Westufer')
    const east = await addStage(db, 'Ostufer', eastOfBridge(400))
    ids = [
      await addEvent(db, titles[0], '2026-06-20T18:30:00Z', { stage_id: west }),
      await addEvent(db, titles[1], '2026-06-20T19:00:00Z', { stage_id: west }),
      await addEvent(db, titles[2], '2026-06-20T21:00:00Z', { stage_id: east }),
    ]
    const bar = await addBusiness(db, 'Bar am Weg', { ...eastOfBridge(200), open_hours: 'Mo-Su 08:00-24:00' })
    await addDeal(db, bar, 'Lemonade on the way')
    await fillTown(at.app, saturdayEvening)
  })

  it('begins with picks as a guest, which move into the account, and ends with a plan, a deal, a shared link and a print', async () => {
    const email = newAddress()
    const { page, faults } = await at.visit('/events?q=wellenprobe', { viewport: phone, expected: /ERR_FAILED/ })
    await hydrated(page)
    const save = (title: string) => page.getByRole('button', { name: `Add to My Schedule: ${title}` })
    await save(titles[0]).click()
    await expect.poll(() => save(titles[0]).getAttribute('aria-pressed')).toBe('true')

    // a clash asks first and names the other event
    await save(titles[1]).click()
    const clash = page.getByRole('dialog')
    await expect.poll(() => clash.innerText()).toContain(titles[0])
    await clash.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => save(titles[1]).getAttribute('aria-pressed')).toBe('false')
    await save(titles[1]).click()
    await clash.getByRole('button', { name: 'Replace' }).click()
    await expect.poll(() => save(titles[0]).getAttribute('aria-pressed')).toBe('false')
    await save(titles[0]).click()
    await clash.getByRole('button', { name: 'Keep both' }).click()
    await save(titles[2]).click()

    await page.goto('/events?saved=1')
    await expect.poll(() => page.getByText(`Clashes with “${titles[1]}” for 30 min`).count()).toBe(1)
    await expectAccessible(page)
    // removing an event keeps the others visible without a request, and an undo brings it back
    let asked = 0
    await page.route('**/api/events?ids=*', (route) => (asked++, route.continue()))
    const saved = page.getByRole('main').getByRole('button', { name: 'Add to My Schedule' })
    await save(titles[2]).click()
    await expect.poll(() => saved.count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => saved.count()).toBe(3)
    expect(asked).toBe(0)
    await page.unroute('**/api/events?ids=*')
    await page.getByRole('link', { name: 'Log in to keep your schedule' }).click()
    await page.getByText('3 events on this phone will be added to your schedule').waitFor()
    // a new visitor signs up, and still gets back to this page
    await main(page).getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL(/\/usersignup\?next=/)
    await page.getByLabel('Display name').fill('Lena')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('checkbox').check()
    await main(page).getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL(/\/userlogin\?next=/)
    await formOfPage(page)
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(/\/myschedule/)
    await page.getByText('3 saved events are now in your schedule.').waitFor()
    const headings = () => page.getByRole('article').getByRole('heading').allInnerTexts()
    await expect.poll(headings).toEqual([...titles])
    await expect.poll(() => outboxOf(page, 'guest', 'schedule')).toBe('')

    // each time fits on one line, also on the smallest phone and at 200 % text size
    for (const [width, size] of [
      [390, ''],
      [320, ''],
      [390, '200%'],
      [320, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate((fontSize) => Object.assign(document.documentElement.style, { fontSize }), size)
      const lines = page
        .getByRole('article')
        .locator('time')
        .evaluateAll((times) =>
          times.map((time) => {
            const text = document.createRange()
            text.selectNodeContents(time)
            return text.getClientRects().length
          }),
        )
      expect(await lines, `${width} ${size}`).toEqual([1, 1, 1])
      await expectNoSidewaysScroll(page)
    }
    await page.evaluate(() => Object.assign(document.documentElement.style, { fontSize: '' }))
    await page.setViewportSize(phone)

    // a note and a priority
    await page.getByRole('radio', { name: 'Must' }).nth(1).check()
    await page.getByRole('button', { name: `Note and reminders: ${titles[1]}` }).click()
    await page.getByLabel('Note', { exact: true }).fill('Meet Noah left of the stage')
    await page.getByRole('checkbox', { name: '30 minutes before' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const edited = page.getByRole('button', { name: `Note and reminders: ${titles[1]}` })
    await expect.poll(() => edited.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByText('Meet Noah left of the stage').first().waitFor()
    await page.getByRole('article').getByText('30 min before').waitFor()

    // the plan says which events it leaves out and why, and changes nothing until it is accepted
    await page.getByRole('button', { name: 'Plan my day' }).click()
    const plan = page.getByRole('dialog')
    await plan.getByText(`at the same time as ${titles[1]}`).waitFor()
    // a plan that could not be loaded cannot be accepted, with a message
    await page.route('**/api/schedule/autoplan', (route) => route.abort())
    await plan.getByLabel('What if I leave out …').selectOption({ label: titles[1] })
    const take = plan.getByRole('button', { name: 'Keep this plan and remove 1 event' })
    await plan.getByRole('button', { name: 'Try again' }).waitFor()
    await expect.poll(() => take.isDisabled()).toBe(true)
    await page.unroute('**/api/schedule/autoplan')
    await plan.getByRole('button', { name: 'Try again' }).click()
    await plan.getByText(`You would gain: ${titles[0]}.`).waitFor()
    await plan.getByLabel('What if I leave out …').selectOption('')
    await plan.getByRole('button', { name: 'Keep this plan and remove 1 event' }).click()
    await expect.poll(headings).toEqual([titles[1], titles[2]])
    // if all events fit, none is left out
    await page.getByRole('button', { name: 'Plan my day' }).click()
    await plan.getByText('Everything fits: you can walk to all 2 events in time.').waitFor()
    await expect.poll(() => plan.getByLabel('What if I leave out …').count()).toBe(0)
    await plan.getByRole('button', { name: 'Close' }).click()

    // 400 m are 7 minutes on foot: 22:53 on the clocks of Basel
    await page.getByText('1 h free, about 7 min on foot').waitFor()
    await page.getByText('leave at 22:53').waitFor()
    await page.getByRole('button', { name: 'Deals for this gap' }).click()
    await page.getByRole('link', { name: 'Lemonade on the way' }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    // one sheet of paper
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1)

    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    const link = await page.getByLabel('Link to your schedule').inputValue()

    // a friend reads it without an account and without a script, and no note
    const plain = await at.visit(new URL(link).pathname, { javaScriptEnabled: false })
    await expect.poll(() => plain.page.locator('h1').innerText()).toBe('Lena’s schedule')
    await expect
      .poll(() => plain.page.getByRole('article').getByRole('heading').allInnerTexts())
      .toEqual([titles[1], titles[2]])
    expect(await plain.page.content()).not.toContain('Noah')
    const friend = await at.visit(new URL(link).pathname, { viewport: phone, expected: /404/ })
    await hydrated(friend.page)
    await friend.page.getByRole('button', { name: `Add to My Schedule: ${titles[2]}` }).click()
    await friend.page.getByRole('link', { name: 'Both of us' }).click()
    await friend.page.getByText('1 event in common').waitFor()
    await expectAccessible(friend.page)
    await friend.page.getByRole('button', { name: 'Add all 2 events to my schedule' }).click()
    await friend.page.getByText('1 event saved on this phone.').waitFor()
    // a second tap has nothing left to add
    await friend.page.getByText('You have already saved all of these events on this phone.').waitFor()
    await expect
      .poll(() => friend.page.getByRole('button', { name: 'Add all 2 events to my schedule' }).count())
      .toBe(0)
    await friend.page.getByText('2 events in common').waitFor()

    // a friend lies over one's own timetable
    await friend.page.getByRole('button', { name: 'Show in my timetable' }).click()
    await friend.page.getByRole('button', { name: 'See timetable' }).click()
    await friend.page.waitForURL(/view=grid/)
    const friends = friend.page.getByRole('region', { name: 'Friends in my timetable' })
    await friends.getByText('Lena').waitFor()
    const cell = friend.page.getByRole('table').getByRole('link', { name: titles[2] })
    await expect.poll(() => cell.textContent()).toContain('Also saved by Lena')
    await expectAccessible(friend.page)
    // and over the saved events
    await friend.page.goto('/events?saved=1')
    await friends.getByText('Lena').waitFor()
    await expect.poll(() => friend.page.getByRole('article').last().textContent()).toContain('Also saved by Lena')
    await friend.page.goto(new URL(link).pathname)

    await page.getByRole('button', { name: 'Stop sharing' }).click()
    await page.getByRole('button', { name: 'Create a link' }).waitFor()
    // it stays removed, also after another change
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const changed = page.waitForResponse(
      (response) => response.url().endsWith('/api/schedule') && response.request().method() === 'POST',
    )
    await page.getByRole('radio', { name: 'Must' }).last().check()
    await changed
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Create a link' }).waitFor()
    // a late answer shows the stored page once more
    await expect
      .poll(async () => {
        await friend.page.reload()
        return friend.page.getByText('This schedule is not shared any more.').first().isVisible()
      })
      .toBe(true)
    // the timetable notices it when the copy is stale
    await friend.page.clock.install({ time: Date.now() + 10 * 60_000 })
    await friend.page.goto('/events?view=grid')
    await friend.page.getByText('Lena no longer shares a schedule.').waitFor()
    await expect.poll(() => friends.count()).toBe(0)
    expect(faults).toEqual([])
    expect(friend.faults).toEqual([])
  })

  it('shows a guest which saved events are no longer in the programme, and lets them be removed', async () => {
    const gone = await addEvent(at.app.db, 'Treibsand', '2026-06-20T22:30:00Z')
    const { page, faults } = await at.visit('/events?q=treibsand', { viewport: phone })
    await hydrated(page)
    const save = (title: string) => page.getByRole('button', { name: `Add to My Schedule: ${title}` })
    await save('Treibsand').click()
    await expect.poll(() => save('Treibsand').getAttribute('aria-pressed')).toBe('true')
    await page.goto('/events?q=wellenprobe')
    await hydrated(page)
    await save(titles[2]).click()
    await expect.poll(() => save(titles[2]).getAttribute('aria-pressed')).toBe('true')
    await at.app.db.updateTable('events').set({ state: 'draft' }).where('event_id', '=', gone).execute()
    await page.goto('/events?saved=1')
    await page.getByText('No longer in the programme: Treibsand.').waitFor()
    await page.getByText('1 event is saved on this phone only.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove from this list' }).click()
    await expect.poll(() => page.getByText('No longer in the programme').count()).toBe(0)
    await page.getByRole('heading', { name: titles[2] }).or(page.getByText(titles[2])).first().waitFor()
    expect(await outboxOf(page, 'guest', 'schedule')).not.toContain(gone)
    expect(faults).toEqual([])
  })

  it('is printed on one sheet, however full the schedule is', async () => {
    const { db } = at.app
    const printer = await aVisitor(at.app, 'printer@example.org')
    const { account_id } = await db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', printer.email)
      .executeTakeFirstOrThrow()
    const { page } = await at.visit('/terms')
    await page
      .context()
      .addInitScript(
        `localStorage.setItem('authToken', ${JSON.stringify(printer.authToken)}); localStorage.setItem('userType', 'user')`,
      )
    const long = 'An evening of brass, beats and ballads by the river, with guests from all over'
    const at20 = Temporal.Instant.from('2026-06-19T10:00:00Z')
    let saved = 0
    for (const [events, note] of [
      [3, 'Front row'],
      [15, 'Meet the others at the ferry, left of the stage. '.repeat(5)],
      [40, 'Meet the others at the ferry.'],
      [90, 'Meet the others at the ferry, left of the stage. '.repeat(5)],
      [120, null],
    ] as const) {
      for (; saved < events; saved++) {
        const starts = at20.add({ minutes: 25 * saved }).toString()
        const event_id = await addEvent(db, `${saved} ${long}`, starts)
        const now = new Date()
        const entry = { entry_id: newId(), account_id, event_id, note, created_at: now, updated_at: now }
        await db.insertInto('schedule_entries').values(entry).execute()
      }
      await db.updateTable('schedule_entries').set({ note }).where('account_id', '=', account_id).execute()
      await page.goto('/myschedule')
      const sheet = page.locator('section[class*="print:block"] li')
      await sheet.nth(events - 1).waitFor({ state: 'attached' })
      const pdf = (
        await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } })
      ).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page[^s]/g), `${events} events`).toHaveLength(1)
    }
  })

  it('shows which events staff have moved or cancelled', async () => {
    const noah = await aVisitor(at.app, 'noah@example.org')
    const staff = await aModerator(at.app)
    const changes = [{ status: 'cancelled' }, { starts_at: '2026-06-20T19:30:00Z' }]
    for (const [index, change] of changes.entries()) {
      await post(at.app, '/api/schedule', { event_id: ids[index] }, { token: noah.authToken })
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${staff}` }
      const sent = { method: 'PUT', body: JSON.stringify(change), headers }
      expect((await api(at.app, `/api/events/${ids[index]}`, sent)).status).toBe(200)
    }
    const { page } = await at.visit('/help')
    await page.evaluate(
      ([authToken, refreshToken]) => {
        localStorage.setItem('authToken', authToken!)
        localStorage.setItem('refreshToken', refreshToken!)
        localStorage.setItem('userType', 'user')
      },
      [noah.authToken, noah.refreshToken],
    )
    await page.goto('/myschedule')
    await page.getByRole('article').getByText('Cancelled').waitFor()
    const delayed = page.getByRole('article').filter({ hasText: titles[1] })
    await delayed.getByText('Delayed').waitFor()
    await expect.poll(() => delayed.locator('time').innerText()).toBe('21:30')
    await page.getByRole('button', { name: `Remove ${titles[1]}` }).click()
    // the undo restores the latest answer
    await page.getByText(`${titles[1]} removed.`).waitFor()
    await page.getByRole('button', { name: `Remove ${titles[0]}` }).click()
    await page.getByText('Nothing saved yet').waitFor()
    await page.getByText(`${titles[0]} removed.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: titles[0] }).waitFor()
  })

  it('begins with what is left of the day, and folds what is over', async () => {
    const lea = await aVisitor(at.app, newAddress())
    const { db } = at.app
    const saved = [
      await addEvent(db, 'Wellenprobe Early', '2026-06-20T13:00:00Z', { ends_at: '2026-06-20T14:00:00Z' }),
      await addEvent(db, 'Wellenprobe Late', '2026-06-20T20:00:00Z'),
    ]
    for (const event_id of saved) await post(at.app, '/api/schedule', { event_id }, { token: lea.authToken })
    const { page, context } = await at.visit('/help', { viewport: phone })
    await loggedIn(context, lea)
    await page.goto('/myschedule')
    const shown = () => page.getByRole('article').getByRole('heading').filter({ visible: true }).allInnerTexts()
    await expect.poll(shown).toEqual(['Wellenprobe Late'])
    await page.getByText('Earlier today (1)').click()
    await expect.poll(shown).toEqual(['Wellenprobe Early', 'Wellenprobe Late'])
    await expectAccessible(page)
  })

  it('shows a moved event at its new time on an open page, and saves a reminder beside a note of another device', async () => {
    const title = 'Wellenprobe Delta'
    const mia = await aVisitor(at.app, newAddress())
    const staff = await aModerator(at.app, newAddress())
    const event_id = await addEvent(at.app.db, title, '2026-06-22T18:00:00Z')
    const token = { token: mia.authToken }
    const { entry } = (await post(at.app, '/api/schedule', { event_id }, token)).body as { entry: { entry_id: string } }
    const { page, context } = await at.visit('/help')
    await page.clock.install({ time: Date.now() })
    await loggedIn(context, mia)
    await page.goto('/myschedule')
    const time = page.getByRole('article').filter({ hasText: title }).locator('time')
    await expect.poll(() => time.innerText()).toBe('20:00')
    const to = { starts_at: '2026-06-22T20:30:00Z', ends_at: '2026-06-22T21:30:00Z' }
    expect((await post(at.app, `/api/events/${event_id}`, to, { method: 'PUT', token: staff })).status).toBe(200)

    // navigates within the app, as from a notification
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor()
    await page.clock.fastForward(5000)
    await page.goBack()
    await expect.poll(() => time.innerText()).toBe('22:30')

    // a tap on a push brings the open page to the front, which loads again
    const on = { starts_at: '2026-06-22T21:00:00Z', ends_at: '2026-06-22T22:00:00Z' }
    expect((await post(at.app, `/api/events/${event_id}`, on, { method: 'PUT', token: staff })).status).toBe(200)
    await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'told-anew' })))
    await expect.poll(() => time.innerText()).toBe('23:00')

    const note = 'From my laptop'
    await post(at.app, `/api/schedule/${entry.entry_id}`, { note }, { method: 'PATCH', ...token })
    await page.getByRole('button', { name: `Note and reminders: ${title}` }).click()
    await page.getByRole('checkbox', { name: '30 minutes before' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(note).first().waitFor()
    const onServer = async () => (await get(at.app, '/api/schedule', mia.authToken)).body.entries as object[]
    expect(await onServer()).toMatchObject([{ note, reminders: expect.arrayContaining([30]) }])

    // a change that the busy server refused when the network was back is sent later by itself
    let isBusy = false
    await page.route('**/api/schedule', (route) =>
      isBusy ? route.fulfill({ status: 503, json: { error: 'Very busy.', code: 'busy' } }) : route.continue(),
    )
    await page.route('**/api/schedule', (route) => route.abort(), { times: 1 })
    const line = page.getByRole('complementary', { name: 'Connection' })
    await page.getByRole('radio', { name: 'Must' }).check()
    await line.getByText('1 change will be sent once you are back online.').waitFor()
    isBusy = true
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await line.getByText('Sending 1 change').waitFor()
    isBusy = false
    // a running try is not repeated
    await expect.poll(async () => (await page.clock.fastForward(20_000), line.count()), { interval: 2000 }).toBe(0)
    expect(await onServer()).toMatchObject([{ priority: 'must' }])
  })

  it('takes over a guest’s picks once the server can be reached, and does not look empty until then', async () => {
    const nora = await aVisitor(at.app, newAddress())
    const { page, context, faults } = await at.visit('/events?q=wellenprobe', { expected: /ERR_FAILED/ })
    await hydrated(page)
    await page.getByRole('button', { name: `Add to My Schedule: ${titles[2]}` }).click()
    await expect.poll(() => outboxOf(page, 'guest', 'schedule')).toContain(ids[2])
    let sent = 0
    await page.route('**/api/schedule/import', (route) => (sent++ === 0 ? route.abort() : route.continue()))
    await loggedIn(context, nora)
    await page.goto('/myschedule')
    await page.getByText('1 event on this phone is being added to your schedule.').waitFor()
    await expect.poll(() => sent).toBe(1)
    expect(await page.getByText('Nothing saved yet').count()).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByRole('article').getByRole('heading', { name: titles[2] }).waitFor()
    await page.getByText('1 saved event is now in your schedule.').waitFor()
    expect(sent).toBe(2)
    expect(faults).toEqual([])
  })

  it.each(sizes)('needs a login for My Schedule, on a %s', async (_, viewport) => {
    const { page, faults } = await at.visit('/myschedule', { viewport })
    await page.waitForURL(/\/userlogin\?next=/)
    expect(faults).toEqual([])
  })
})
