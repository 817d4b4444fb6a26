import { expect, it } from 'vitest'
import { rooms } from '../../src/app/rooms.ts'
import type { House, Room } from '../../src/kit/server/room.ts'
import { notifications } from '../../src/notifications/room.ts'
import { notify } from '../../src/notifications/server/notifications.ts'
import { aVisitor, get, type Person } from '../people.ts'
import { loggedIn, newAddress } from './account-pages.ts'
import { expectAccessible, inBrowser, phone, useBrowser } from './browser.ts'
import { hold } from './map-pages.ts'

let house: House
const teller: Room<object> = {
  name: 'teller',
  looksInto: ['notifications'],
  open: (given) => ((house = given), {}),
  answers: () => ({
    notificationTypes: { deal_published: { roles: ['user'], channels: ['in_app'], mailAfterMinutes: 5 } },
  }),
}

inBrowser('notifications', () => {
  const known = rooms.filter(({ name }) => name !== 'favorites')
  const at = useBrowser({ now: null, rooms: [...known, teller] })
  let sent = 0
  const tell = async ({ email }: Person, deal: string) => {
    const account = await at.app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await at.app.db.transaction().execute((trx) =>
      notify(house.of(notifications), trx, {
        type: 'deal_published',
        accountIds: [account.account_id],
        once: `story:${sent++}`,
        values: { business: 'Café Rhein', deal },
        path: '/contact',
      }),
    )
  }
  const visitAs = async (person: Person, path: string, more: Parameters<typeof at.visit>[1] = {}) => {
    const visit = await at.visit('/contact', more)
    await loggedIn(visit.context, person)
    await visit.page.goto(path)
    return visit
  }

  it('ring the bell while the page is open, and are read by a tap', async () => {
    const lena = await aVisitor(at.app, newAddress())
    await tell(lena, 'Coffee and cake')
    const { page, faults } = await visitAs(lena, '/notifications', { viewport: phone })
    const bell = page.getByRole('link', { name: /^Notifications/ })
    await page.getByRole('link', { name: 'New: Café Rhein has a new deal: Coffee and cake' }).waitFor()
    await expect.poll(() => bell.getAttribute('aria-label'), { timeout: 90_000 }).toBe('Notifications, 1 unread')
    await expectAccessible(page)
    // it appears without a reload
    await tell(lena, 'Spritz')
    const spritz = page.getByRole('link', { name: 'New: Café Rhein has a new deal: Spritz' })
    await spritz.waitFor()
    await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications, 2 unread')
    await spritz.click()
    await page.waitForURL('**/contact')
    await expect.poll(() => bell.getAttribute('aria-label'), { timeout: 90_000 }).toBe('Notifications, 1 unread')
    await bell.click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(() => bell.getAttribute('aria-label'), { timeout: 90_000 }).toBe('Notifications')
    expect(faults).toEqual([])
  })

  it('that arrive between the first count and the start of the stream ring the bell too', async () => {
    const nora = await aVisitor(at.app, newAddress())
    const visit = await at.visit('/contact')
    await loggedIn(visit.context, nora)
    const listens = await hold(visit.page, /\/api\/stream/)
    const looked = visit.page.waitForResponse(/\/api\/notifications\?/)
    await visit.page.goto('/notifications')
    await (await looked).finished()
    await tell(nora, 'Late soup')
    listens()
    await visit.page.getByRole('link', { name: 'New: Café Rhein has a new deal: Late soup' }).waitFor()
    const bell = visit.page.getByRole('link', { name: /^Notifications/ })
    await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications, 1 unread')
    expect(visit.faults).toEqual([])
  })

  it('do not exist for guests: there is no bell, and the page leads to the login', async () => {
    const { page } = await at.visit('/contact')
    await expect.poll(() => page.getByRole('link', { name: /^Notifications/ }).count()).toBe(0)
    await page.goto('/notifications')
    await page.waitForURL('**/userlogin?next=%2Fnotifications')
  })

  it('asked for in the background do not end an expired session', async () => {
    const lena = await aVisitor(at.app, newAddress())
    const { page } = await visitAs({ ...lena, authToken: 'dead', refreshToken: 'dead' }, '/contact', {
      expected: /401|400/,
    })
    await page.waitForResponse((answer) => answer.url().endsWith('/notifications/unread') && answer.status() === 401)
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBe('dead')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/contact')
    // in the place of private content the login is offered, and leads back here
    for (const path of ['/notifications', '/my-codes']) {
      await page.goto(path)
      const login = page.getByRole('main').getByRole('link', { name: 'Log in', exact: true })
      await login.waitFor()
      await expect.poll(() => login.getAttribute('href')).toBe(`/userlogin?next=${encodeURIComponent(path)}`)
    }
  })

  it('that are new appear before older ones that were loaded, which stay', async () => {
    const olga = await aVisitor(at.app, newAddress())
    for (let n = 0; n < 45; n++) await tell(olga, `Deal ${n}`)
    const { page } = await visitAs(olga, '/notifications', { viewport: phone })
    const rows = page.getByRole('main').getByRole('listitem')
    for (const count of [20, 40]) {
      await expect.poll(() => rows.count(), { timeout: 90_000 }).toBe(count)
      await page.getByRole('button', { name: 'Older' }).click()
    }
    await expect.poll(() => rows.count()).toBe(45)
    await tell(olga, 'The newest deal')
    await rows.first().getByText('The newest deal').waitFor()
    await expect.poll(() => rows.count()).toBe(46)
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).count()).toBe(0)
  })

  it('respect both quiet hours, also if the second is set before the first is saved', async () => {
    const nell = await aVisitor(at.app, newAddress())
    const { page } = await visitAs(nell, '/settings')
    const row = page.locator('#notifications')
    await row.getByRole('checkbox', { name: 'Mute at night' }).click()
    await row.getByText('Saved.').waitFor()
    const arrives = await hold(page, /\/api\/notifications\/settings$/)
    await row.getByLabel('From').fill('22:00')
    await row.getByLabel('Until').fill('08:30')
    await row.getByLabel('Until').blur()
    arrives()
    const quietHours = async () =>
      (await get(at.app, '/api/notifications/settings', nell.authToken)).body.quiet as unknown
    await expect.poll(quietHours).toEqual({ from: '22:00', to: '08:30' })
    await page.reload()
    await expect.poll(() => row.getByLabel('From').inputValue(), { timeout: 90_000 }).toBe('22:00')
    await expect.poll(() => row.getByLabel('Until').inputValue()).toBe('08:30')
  })

  it('can be switched in the settings', async () => {
    const lena = await aVisitor(at.app, newAddress())
    const { page, faults } = await visitAs(lena, '/settings')
    const row = page.locator('#notifications')
    await row.getByText('New deals from merchants you saved').waitFor()
    const inApp = row
      .getByRole('group', { name: 'New deals from merchants you saved' })
      .getByRole('checkbox', { name: 'In the app' })
    await expect.poll(() => inApp.isChecked()).toBe(true)
    await inApp.click()
    await row.getByText('Saved.').waitFor()
    await row.getByRole('checkbox', { name: 'Mute at night' }).click()
    await row.getByLabel('From').waitFor()
    await expect.poll(() => row.getByLabel('From').inputValue()).toBe('23:00')
    await expectAccessible(page)
    await tell(lena, 'Not wanted')
    await page.goto('/notifications')
    await page.getByRole('heading', { name: 'Nothing new yet' }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })
})
