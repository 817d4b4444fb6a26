import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { newId } from '../../src/kit/server/ids.ts'
import { command, record } from '../../src/staff/server/staff.ts'
import { addEvent } from '../cast.ts'
import { aVisitor, get, post } from '../people.ts'
import { aModerator } from '../staff.ts'
import { saturdayEvening } from '../saturday-evening.ts'
import { api } from '../start-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  loseAnswers,
  phone,
  useBrowser,
} from './browser.ts'
import { hold } from './map-pages.ts'

const inSight = async (shown: Locator) => {
  const box = await shown.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= phone.height
}

inBrowser('staff and the programme', () => {
  const at = useBrowser({ demo: true, now: saturdayEvening })

  it('delay an event on a phone, find it in the log and undo it', async () => {
    const token = await aModerator(at.app)
    const { page, context, faults } = await at.visit('/terms', { viewport: phone, expected: /ERR_FAILED/ })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/events?q=hochwasser')
    await hydrated(page)
    await page.getByRole('link', { name: 'Edit Hochwasser', exact: true }).click()
    const start = page.getByLabel('Starts', { exact: true })
    await expect.poll(() => start.inputValue()).toMatch(/T21:15$/)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    // the draft survives a reload
    await page.getByLabel('Reason').fill('The river is high')
    await page.reload()
    await hydrated(page)
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('The river is high')
    await start.fill((await start.inputValue()).replace('21:15', '21:45'))
    // the end of the event moves with its start
    await expect.poll(() => page.getByLabel('Ends').inputValue()).toMatch(/T23:15$/)
    // the save arrives and its answer is lost: the retry is no conflict
    await loseAnswers(page, '**/api/events/**')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('You are offline. What you typed is still here; please try again once you are back online.')
      .waitFor()
    await page.unroute('**/api/events/**')
    await page.getByRole('button', { name: 'Save' }).click()
    // the message stands beside the button
    await expect.poll(() => inSight(page.getByText('Saved.'))).toBe(true)
    // the focus stays there
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe('Saved.')
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('delayed')
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Mo changed the event “Hochwasser”.' })
    await entry.waitFor()
    await entry.getByText(/^Starts: .*, 21:15 → .*, 21:45$/).waitFor()
    await entry.getByText('Status: scheduled → delayed').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await entry.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Hochwasser').waitFor()
    await expect.poll(focused).toBe('Undone: Hochwasser')
    await page.getByText(/^Mo undid “Event changed” of .*: “Hochwasser”\.$/).waitFor()
    // as the operator's command does
    await record(at.app.db, { clock: { now: () => Temporal.Instant.from(saturdayEvening) } }, command, newId(), {
      action: 'add-staff',
      object: { kind: 'account', id: null, name: 'Lea' },
      after: { what: 'moderator' },
    })
    await page.reload()
    await page.getByText('“Lea” was made a moderator from the command line.').waitFor()
    expect(faults).toEqual([])
  })

  it('undo an import on a phone: the log first says how many events and people it concerns, and the undo can be undone', async () => {
    const token = await aModerator(at.app, 'importer@example.org')
    const headers = { authorization: `Bearer ${token}` }
    const form = new FormData()
    const sets = [1, 2, 3].map((n) => `${n},Flaschenpost ${n},2026-06-21T20:00:00Z,Floss`)
    form.set('file', new Blob([`id,title,starts_at,stage\n${sets.join('\n')}\n`]), 'flaschenpost.csv')
    await api(at.app, '/api/admin/events/import', { method: 'POST', body: form, headers })
    const shown = async () => (await get(at.app, '/api/events?q=flaschenpost')).body as { event_id: string }[]
    const noah = await aVisitor(at.app, 'noah@example.org')
    await post(at.app, '/api/schedule', { event_id: (await shown())[0]!.event_id }, { token: noah.authToken })
    const { page, context, faults } = await at.visit('/terms', { viewport: phone })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/log')
    const entry = page.getByRole('listitem').filter({ hasText: 'Mo imported “flaschenpost.csv”.' })
    await entry.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo “flaschenpost.csv”?' })
    await dialog.getByText('3 events disappear from the programme. 1 person has saved this or part of it.').waitFor()
    await dialog.getByText('They are notified once').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Leave as it is' }).click()
    expect(await shown()).toHaveLength(3)
    await entry.getByRole('button', { name: /^Undo/ }).click()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: flaschenpost.csv').waitFor()
    expect(await shown()).toHaveLength(0)
    // the undo is an entry that can be undone
    const undone = page.getByRole('listitem').filter({ hasText: 'Mo undid “Programme imported”' })
    await undone.getByRole('button', { name: /^Undo/ }).click()
    await dialog.getByText('3 events come back.').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Mo brought back “flaschenpost.csv”').waitFor()
    expect(await shown()).toHaveLength(3)
    expect(faults).toEqual([])
  })

  it('read older entries of the log on pages with their own address', async () => {
    const token = await aModerator(at.app, 'historian@example.org')
    for (let n = 0; n < 52; n++) {
      const clock = { now: () => Temporal.Instant.from(saturdayEvening).subtract({ hours: 24 * (n + 1) }) }
      const object = { kind: 'account', id: null, name: `Old ${n}` }
      await record(at.app.db, { clock }, command, newId(), { action: 'remove-staff', object, after: {} })
    }
    const { page, context, faults } = await at.visit('/terms', { viewport: phone })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/log?action=remove-staff')
    const older = page.getByRole('link', { name: 'Older entries' })
    await older.waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await older.click()
    await page.waitForURL('**/admin/log?action=remove-staff&after=*')
    await page.getByText(/“Old 51”/).waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('main')
          .getByText(/“Old \d+”/)
          .count(),
      )
      .toBe(2)
    await expect.poll(() => older.count()).toBe(0)
    // another filter begins with the newest entries again
    await page.getByLabel('Action').selectOption('')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
  })

  it('confirm the deletion of an event with a reason; the list then shows it as deleted and leads to the undo', async () => {
    const token = await aModerator(at.app, 'second@example.org')
    const { page, context, faults } = await at.visit('/terms', {
      viewport: phone,
      expected: /404 \(Not Found\)/,
    })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    // a visitor has it in the schedule, with a note
    const lena = await aVisitor(at.app, 'lena@example.org')
    const [{ event_id }] = (await get(at.app, '/api/events?q=hochwasser')).body
    await post(at.app, '/api/schedule', { event_id, note: 'Left of the stage' }, { token: lena.authToken })
    const visitor = await at.visit('/terms', { viewport: phone })
    await visitor.context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(lena.authToken)}); localStorage.setItem('userType', 'user')`,
    )
    await visitor.page.goto('/myschedule')
    await visitor.page.getByText('Left of the stage').first().waitFor()
    await page.goto('/admin/events?q=hochwasser')
    await hydrated(page)
    await page.getByRole('link', { name: 'Edit Hochwasser', exact: true }).click()
    await page.getByRole('button', { name: 'Delete event' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete “Hochwasser”?' })
    await dialog.getByText('1 person has saved this event and will be notified').waitFor()
    await dialog.getByLabel('Reason').fill('Entered twice')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete event' }).click()
    await page.getByText('“Hochwasser” is deleted.').waitFor()
    await visitor.page.goto('/myschedule')
    await visitor.page.getByText('Nothing saved yet').waitFor()
    // its page says that it is no longer in the programme, with links to other pages
    await page.goto(`/admin/events/${event_id}`)
    await page.getByText('Event not found.').waitFor()
    await expect.poll(() => page.getByText('Please try again').count()).toBe(0)
    await page.getByRole('link', { name: 'Programme', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Mo deleted the event “Hochwasser”.' })
    await entry.getByText('Reason: Entered twice').waitFor()
    await entry.getByRole('button', { name: /^Undo: Event deleted, “Hochwasser”/ }).click()
    await page.getByText('Undone: Hochwasser').waitFor()
    // the visitor's note is there again
    await visitor.page.goto('/myschedule')
    await visitor.page.getByText('Left of the stage').first().waitFor()
    expect(faults).toEqual([])
    expect(visitor.faults).toEqual([])
  })

  it('choose and crop a picture for an event, see it on page and card, and undo it in the log', async () => {
    const token = await aModerator(at.app, 'pictures@example.org')
    const { page, context, faults } = await at.visit('/terms', { viewport: phone })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    const pictureOn = async (path: string, picture: () => Locator) => {
      await page.goto(path)
      return picture().first().getAttribute('src')
    }
    // the first card on the home page
    const cards = () => page.getByRole('region', { name: 'Upcoming Events' }).getByRole('article')
    const card = () => pictureOn('/', () => cards().locator('img'))
    await page.goto('/')
    const link = cards().first().getByRole('link')
    const [title, path] = [await link.innerText(), (await link.getAttribute('href'))!]
    const event_id = path.split('/').at(-1)!
    const ownPage = () => pictureOn(path, () => page.locator('main article img'))
    const poster = await ownPage()
    expect(poster).toMatch(/^\/poster/)
    await page.goto(`/admin/events/${event_id}`)
    await hydrated(page)
    await page.getByText('Without a picture the page and the cards show a drawn poster.').waitFor()
    const photo = { create: { width: 1200, height: 1200, channels: 3, background: '#2060c0' } } as const
    await page.locator('input[type=file]').setInputFiles({
      name: 'stage.png',
      mimeType: 'image/png',
      buffer: await sharp(photo).png().toBuffer(),
    })
    const dialog = page.getByRole('dialog', { name: 'Choose what is shown' })
    await dialog.getByLabel('Zoom').fill('2')
    await expectAccessible(page)
    const comes = await hold(page, '**/api/admin/events/pictures')
    await dialog.getByRole('button', { name: 'Use this picture' }).click()
    await expect.poll(() => page.locator('main button[type=submit]').isDisabled()).toBe(true)
    comes()
    await page.getByRole('img', { name: 'Picture of the event' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await expect.poll(ownPage).toMatch(/^\/uploads\//)
    const shown = await ownPage()
    const { width, height } = await sharp(await (await fetch(at.app.url + shown)).arrayBuffer()).metadata()
    expect(width / height).toBeCloseTo(4 / 3, 1)
    // pages are cached for a second
    await expect.poll(card).toBe(shown)

    await page.goto(`/admin/events/${event_id}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await expect.poll(ownPage).toBe(poster)
    await page.goto('/admin/log')
    const removal = page.getByRole('listitem').filter({ hasText: /Picture: picture \w{4} → empty/ })
    await removal.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`Undone: ${title}`).waitFor()
    await expect.poll(ownPage).toBe(shown)
    await expect.poll(card).toBe(shown)
    expect(faults).toEqual([])
  })

  it('create an event at a new stage, preview and import a file, import it again under another name, and set the place of a venue', async () => {
    const token = await aModerator(at.app, 'third@example.org')
    const { page, context, faults } = await at.visit('/terms', { viewport: phone, expected: /status of 400|net::ERR/ })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin/events/new')
    await hydrated(page)
    await page.getByLabel('Title').fill('Ambossmusik')
    await page.getByLabel('Starts', { exact: true }).fill('2026-06-20T22:00')
    await page.getByLabel('Performers').fill('Hammer, Zange & Co')
    // the error stands at its field, which gets the focus even if it is far up
    await page.getByLabel('Languages').fill('Deutsch')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Please use codes such as de, fr or en.').waitFor()
    expect(await page.getByLabel('Languages').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByLabel('Languages').fill('de')
    await page.getByText('New stage', { exact: true }).click()
    await page.getByLabel('Name of the stage').fill('Schmiede')
    await page.getByLabel('Capacity').fill('80')
    // the first answer is lost; after the retry there is still one of each
    const pressTwice = async (button: string, path: string) => {
      const failed = page.getByText('What you typed is still here')
      await loseAnswers(page, `**${path}`)
      await page.getByRole('button', { name: button }).click()
      await failed.waitFor()
      await page.unroute(`**${path}`)
      await page.getByRole('button', { name: button }).click()
      await failed.waitFor({ state: 'detached' })
    }
    await pressTwice('Create stage', '/api/admin/stages')
    await page.getByText('Stage “Schmiede” created.').waitFor()
    // Enter in the stage's form creates the stage and does not send the event
    await page.getByLabel('Name of the stage').fill('Esse')
    await page.getByLabel('Name of the stage').press('Enter')
    await page.getByText('Stage “Esse” created.').waitFor()
    expect((await get(at.app, '/api/events?q=ambossmusik')).body).toHaveLength(0)
    await pressTwice('Save', '/api/events')
    await page.getByRole('button', { name: 'Delete event' }).waitFor()
    await expect.poll(() => inSight(page.getByText('Saved.'))).toBe(true)
    expect((await get(at.app, '/api/events?q=ambossmusik')).body).toHaveLength(1)
    const stages = (await get(at.app, '/api/admin/stages', token)).body as { stage: string }[]
    expect(stages.filter(({ stage }) => stage === 'Schmiede')).toHaveLength(1)
    await expect.poll(() => page.getByLabel('Performers').inputValue()).toBe('Hammer, Zange & Co')

    // last year's programme does not come first
    await addEvent(at.app.db, 'Vorjahresfinale', '2025-06-21T18:00:00Z')
    await page.goto('/admin/events')
    await hydrated(page)
    await page
      .getByRole('link', { name: /^Edit / })
      .first()
      .waitFor()
    await expect.poll(() => page.getByText('Vorjahresfinale').count()).toBe(0)
    await page.getByRole('link', { name: 'Past events too' }).click()
    await page.getByText('Vorjahresfinale').waitFor()
    await page.getByRole('link', { name: 'From now on' }).click()
    await page.getByText('Vorjahresfinale').waitFor({ state: 'detached' })
    await page.getByText('Import a programme').click()
    const choose = (name: string, title: string) =>
      page.getByLabel('File (Excel, CSV').setInputFiles({
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(`id,title,starts_at,stage\n1,${title},2026-06-20 23:00,Halle\n`),
      })
    await choose('programme.csv', 'Nachtschicht')
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('1 read, 1 new, 0 changed, 0 unchanged, 0 not understood').waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported.').waitFor()
    // the new venue can be chosen at once
    await page.getByRole('option', { name: 'Halle (no location yet)' }).waitFor({ state: 'attached' })
    await page.reload()
    await hydrated(page)
    await page.getByText('Import a programme').click()
    await choose('programme (1).csv', 'Nachtschicht II')
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('1 read, 1 new, 0 changed, 0 unchanged, 0 not understood').waitFor()
    await page.getByText('The last import was “programme”.').waitFor()
    await page.getByRole('button', { name: 'Import as “programme”' }).click()
    await expect.poll(() => page.getByLabel('Name of the list').inputValue()).toBe('programme')
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('1 read, 0 new, 1 changed, 0 unchanged, 0 not understood').waitFor()
    await page.getByText('title Nachtschicht → Nachtschicht II').waitFor()

    // a table whose headings nobody knows
    await page.getByLabel('File (Excel, CSV').setInputFiles({
      name: 'Liste.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Dings;Wenn\nGlockenspiel;03/04/2026 20:00\n'),
    })
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('Say which column holds the title, and which the start or the date.').waitFor()
    await page.getByLabel('Dings').selectOption({ label: 'Title' })
    await page.getByLabel('Wenn').selectOption({ label: 'Start' })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('How is 03/04/2026 20:00 meant?').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByLabel('4 March 2026').check()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('1 read, 1 new, 0 changed, 0 unchanged, 0 not understood').waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported.').waitFor()
    expect((await get(at.app, '/api/events?day=2026-03-04')).body).toMatchObject([{ title: 'Glockenspiel' }])

    await page.getByText('Venues', { exact: true }).click()
    await page.getByLabel('Venue', { exact: true }).selectOption({ label: 'Halle (no location yet)' })
    const position = page.getByLabel('Latitude, longitude')
    await position.fill('here')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await position.fill('47.56, 7.59')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => position.inputValue()).toBe('47.56, 7.59')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    expect(faults).toEqual([])
  })

  it('pages of staff refuse a visitor in plain words', async () => {
    const { authToken } = await aVisitor(at.app)
    const { page, context } = await at.visit('/terms', { expected: /status of 403/ })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(authToken)}); localStorage.setItem('userType', 'user')`,
    )
    await page.goto('/admin/events')
    await page.getByText('This page is for festival staff.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Check file' }).count()).toBe(0)
    await page.goto('/admin/moderation')
    await page.getByText('This page is for festival staff.').waitFor()
    await expect.poll(() => page.getByRole('navigation', { name: 'Staff pages' }).count()).toBe(0)
  })
})
