import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import { newId } from '../../kit/server/ids.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { aMerchant, aVisitor, get, mailsTo, post, type Person } from '../../../test/people.ts'
import { api, appForTest, type TestApp } from '../../../test/start-app.ts'
import { openStream } from '../../../test/streams.ts'
import { notifications } from '../room.ts'
import { forgetNotifications, notify, queueDueMails, withdraw, type Notice } from './notifications.ts'
import { forgetAccount, takeForMail } from './store.ts'

/** An app with a room that sends notifications. */
async function tellingApp(options: Parameters<typeof appForTest>[0] = {}) {
  let house!: House
  const teller: Room<object> = {
    name: 'teller',
    looksInto: ['notifications'],
    open: (given) => ((house = given), {}),
    answers: () => ({
      notificationTypes: {
        deal_published: { roles: ['user'], channels: ['in_app'], mailAfterMinutes: 5 },
      },
    }),
  }
  const known = rooms.filter(({ name }) => name !== 'favorites')
  const app = await appForTest({ rooms: [...known, teller], ...options })
  const own = () => house.of(notifications)
  const tell = (notice: Partial<Notice> & Pick<Notice, 'accountIds' | 'once'>) =>
    app.db.transaction().execute((trx) =>
      notify(own(), trx, {
        type: 'deal_published',
        values: { business: 'Café Rhein', deal: 'Coffee and cake' },
        path: '/deal/1',
        ...notice,
      }),
    )
  return { app, own, tell }
}

const idOf = async (app: TestApp, { email }: Person) =>
  (await app.db.selectFrom('accounts').select('account_id').where('email', '=', email).executeTakeFirstOrThrow())
    .account_id
const confirm = (app: TestApp) => app.db.updateTable('accounts').set({ verified_at: new Date() }).execute()
const listOf = async (app: TestApp, { authToken }: Person, query = '') =>
  (await get(app, `/api/notifications${query}`, authToken)).body as { text: string; notification_id: string }[]
const unreadOf = async (app: TestApp, { authToken }: Person) =>
  (await get(app, '/api/notifications/unread', authToken)).body.unread as number
const patch = (app: TestApp, { authToken }: Person, body: unknown) =>
  post(app, '/api/notifications/settings', body, { method: 'PATCH', token: authToken })

describe('a notification', () => {
  it('is in the list and the bell of its recipient, in their language, and counts until it is read', async () => {
    const { app, tell } = await tellingApp()
    const [lena, tom] = [await aVisitor(app), await aVisitor(app, 'tom@example.org')]
    await tell({ accountIds: [await idOf(app, lena)], once: 'a' })
    expect(await listOf(app, lena)).toMatchObject([
      { type: 'deal_published', text: 'Café Rhein has a new deal: Coffee and cake', path: '/deal/1', read_at: null },
    ])
    const german = await api(app, '/api/notifications', {
      headers: { authorization: `Bearer ${lena.authToken}`, 'accept-language': 'de' },
    })
    expect(german.body[0].text).toBe('Café Rhein hat einen neuen Deal: Coffee and cake')
    expect(german.headers.get('x-total-count')).toBe('1')
    expect(await unreadOf(app, lena)).toBe(1)
    expect(await listOf(app, tom)).toEqual([])
    const { notification_id } = (await listOf(app, lena))[0]!
    // Nobody can mark the notifications of others.
    await post(app, '/api/notifications/read', { notification_ids: [notification_id] }, { token: tom.authToken })
    expect(await unreadOf(app, lena)).toBe(1)
    const read = await post(
      app,
      '/api/notifications/read',
      { notification_ids: [notification_id] },
      { token: lena.authToken },
    )
    expect(read).toMatchObject({ status: 200, body: { unread: 0 } })
    expect(await listOf(app, lena)).toMatchObject([{ read_at: '2026-06-20T17:30:00.000Z' }])
  })

  it('with the same key arrives once, however often and from however many instances it is sent', async () => {
    const { app, tell } = await tellingApp()
    const lena = await aVisitor(app)
    const accountIds = [await idOf(app, lena)]
    await Promise.all([1, 2, 3].map(() => tell({ accountIds, once: 'a' })))
    expect(await listOf(app, lena)).toMatchObject([{ count: 1 }])
  })

  it('joins the unread one of its group, and is a new one once that is read', async () => {
    const { app, tell } = await tellingApp()
    const lena = await aVisitor(app)
    const accountIds = [await idOf(app, lena)]
    for (const once of ['a', 'b', 'c']) await tell({ accountIds, once, group: 'cafe' })
    expect((await listOf(app, lena)).map(({ text }) => text)).toEqual(['Café Rhein has 3 new deals'])
    expect((await post(app, '/api/notifications/read', {}, { token: lena.authToken })).body).toEqual({ unread: 0 })
    await tell({ accountIds, once: 'd', group: 'cafe' })
    expect((await listOf(app, lena)).map(({ text }) => text)).toEqual([
      'Café Rhein has a new deal: Coffee and cake',
      'Café Rhein has 3 new deals',
    ])
  })

  it('that counts several counts one less when one is withdrawn, and links to the newest that is left', async () => {
    const { app, own, tell } = await tellingApp()
    const [lena, tom] = [await aVisitor(app), await aVisitor(app, 'tom@example.org')]
    const [lenaId, tomId] = [await idOf(app, lena), await idOf(app, tom)]
    const deal = (n: number, accountIds: string[]) =>
      tell({
        accountIds,
        once: `${n}`,
        group: 'bar',
        path: `/deal/${n}`,
        values: { business: 'Bar Nord', deal: `Beer ${n}`, name: 'Tom' },
        about: n === 1 ? tomId : null,
      })
    const withdrawn = (path: string) =>
      app.db.transaction().execute((trx) => withdraw(own(), trx, { group: 'bar', path }))
    for (const n of [1, 2, 3]) await deal(n, [lenaId])
    await deal(2, [tomId])
    await withdrawn('/deal/2')
    expect(await listOf(app, tom)).toEqual([])
    expect(await listOf(app, lena)).toMatchObject([
      { text: 'Bar Nord has 2 new deals', count: 2, path: '/deal/3', read_at: null },
    ])
    await withdrawn('/deal/4')
    await withdrawn('/deal/3')
    expect(await listOf(app, lena)).toMatchObject([
      { text: 'Bar Nord has a new deal: Beer 1', count: 1, path: '/deal/1' },
    ])
    await deal(5, [lenaId])
    // A deleted account's name disappears from the earlier ones of the group too.
    await app.db.transaction().execute((trx) => forgetAccount(trx, tomId))
    await withdrawn('/deal/5')
    const row = await app.db.selectFrom('notifications').select(['values', 'about_account', 'earlier']).execute()
    expect(row).toEqual([
      { values: { business: 'Bar Nord', deal: 'Beer 1', name: '–' }, about_account: null, earlier: [] },
    ])
    await withdrawn('/deal/1')
    expect(await listOf(app, lena)).toEqual([])
  })

  it('arrives on the open stream of its recipient', async () => {
    const { app, tell } = await tellingApp({ now: null })
    const lena = await aVisitor(app)
    const stream = await openStream(app, '', { token: lena.authToken })
    await tell({ accountIds: [await idOf(app, lena)], once: 'a' })
    await expect
      .poll(() => stream.changes())
      .toMatchObject([{ kind: 'notification', data: { type: 'deal_published' } }])
  })

  it('comes in pages of 20, newest first, and is deleted after 90 days', async () => {
    const { app, own, tell } = await tellingApp()
    const lena = await aVisitor(app)
    const accountIds = [await idOf(app, lena)]
    for (let n = 0; n < 25; n++)
      await tell({ accountIds, once: `${n}`, values: { business: `Bar ${n}`, deal: 'Beer' } })
    const first = await get(app, '/api/notifications', lena.authToken)
    expect(first.body).toHaveLength(20)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    const rest = (await get(app, next, lena.authToken)).body as { text: string }[]
    const seen = [...(first.body as { text: string }[]), ...rest].map(({ text }) => text)
    expect(new Set(seen).size).toBe(25)
    expect((await get(app, '/api/notifications?after=x', lena.authToken)).status).toBe(400)
    app.setNow('2026-09-20T17:30:00Z')
    await forgetNotifications(own())
    expect((await app.db.selectFrom('notifications').selectAll().execute()).length).toBe(0)
  })
})

describe('channels', () => {
  it('are chosen for each type; none turns the type off', async () => {
    const { app, tell } = await tellingApp()
    const lena = await aVisitor(app)
    const accountIds = [await idOf(app, lena)]
    const settings = await get(app, '/api/notifications/settings', lena.authToken)
    expect(settings.body).toMatchObject({
      types: expect.arrayContaining([
        {
          type: 'deal_published',
          name: 'New deals from merchants you saved',
          channels: ['in_app'],
          mailed_anyway: false,
        },
      ]),
      quiet: null,
      email_works: false,
    })
    expect((await patch(app, lena, { type: 'deal_published', channels: [] })).status).toBe(200)
    await tell({ accountIds, once: 'a' })
    expect(await listOf(app, lena)).toEqual([])
    expect(await patch(app, lena, { type: 'nothing', channels: [] })).toMatchObject({ status: 400 })
    expect(await patch(app, lena, { quiet: { from: '23:00', to: '23:00' } })).toMatchObject({ status: 400 })
    expect(await patch(app, lena, { quiet: { from: '25:00', to: '07:00' } })).toMatchObject({ status: 400 })
    const cafe = await aMerchant(app)
    const { types } = (await get(app, '/api/notifications/settings', cafe.authToken)).body as {
      types: { type: string }[]
    }
    const offered = types.map(({ type }) => type)
    expect(offered).toContain('urgent')
    // Merchants do not get this type.
    expect(offered).not.toContain('deal_published')
  })

  it('one mail lists everything due that is still unread, and is sent once', async () => {
    const { app, own, tell } = await tellingApp()
    const lena = await aVisitor(app)
    await confirm(app)
    const accountIds = [await idOf(app, lena)]
    await patch(app, lena, { type: 'deal_published', channels: ['in_app', 'email'] })
    await tell({ accountIds, once: 'a', values: { business: 'Bar Nord', deal: 'Beer' } })
    await tell({ accountIds, once: 'b' })
    await queueDueMails(own())
    expect(await newMails(app)).toEqual([])
    app.setNow('2026-06-20T17:36:00Z')
    await Promise.all([queueDueMails(own()), queueDueMails(own())])
    await app.runJobs()
    const [mail, ...others] = await newMails(app)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ subject: '2 notifications from Rheinklang' })
    expect(mail!.text).toContain('Bar Nord has a new deal: Beer')
    expect(mail!.text).toContain('Café Rhein has a new deal: Coffee and cake')
    await tell({ accountIds, once: 'c' })
    await post(app, '/api/notifications/read', {}, { token: lena.authToken })
    app.setNow('2026-06-20T18:00:00Z')
    await queueDueMails(own())
    await app.runJobs()
    expect(await newMails(app)).toHaveLength(1)
  })

  it('the subject of a mail counts all notifications, also when the mail lists only the first', async () => {
    const { app, own, tell } = await tellingApp()
    const lena = await aVisitor(app)
    await confirm(app)
    const accountIds = [await idOf(app, lena)]
    await patch(app, lena, { type: 'deal_published', channels: ['email'] })
    for (let n = 1; n <= 23; n++)
      await tell({ accountIds, once: `${n}`, values: { business: `Bar ${n}`, deal: 'Beer' } })
    app.setNow('2026-06-20T17:36:00Z')
    await queueDueMails(own())
    await app.runJobs()
    const [mail] = await newMails(app)
    expect(mail!.subject).toBe('23 notifications from Rheinklang')
    expect(mail!.text).toContain('Bar 20 has')
    expect(mail!.text).not.toContain('Bar 21 has')
  })

  it('the mail of one person reads only their own rows, however many are due for others', async () => {
    const { app, tell } = await tellingApp()
    const lena = await aVisitor(app)
    const lenaId = await idOf(app, lena)
    await patch(app, lena, { type: 'deal_published', channels: ['email'] })
    await tell({ accountIds: [lenaId], once: 'a' })
    await sql`
      insert into accounts select (jsonb_populate_record(a, jsonb_build_object(
        'account_id', gen_random_uuid(), 'email', n || '@example.org', 'email_folded', n || '@example.org'))).*
      from accounts a, generate_series(1, 500) n where a.account_id = ${lenaId}`.execute(app.db)
    await sql`
      insert into notifications (notification_id, account_id, type, group_key, values, path, in_app, created_at, mail_due_at)
      select gen_random_uuid(), account_id, 'deal_published', 'g' || n, '{}', '/', false, now(), '2026-06-20T17:00:00Z'
      from accounts, generate_series(1, 10) n where account_id <> ${lenaId}`.execute(app.db)
    await sql`analyze notifications`.execute(app.db)
    const looked = await app.db.transaction().execute(async (trx) => {
      const rowsSoFar = async () =>
        (
          await sql<{ rows: number }>`
            select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
            where relname = 'notifications'`.execute(trx)
        ).rows[0]!.rows
      const before = await rowsSoFar()
      expect(await takeForMail(trx, lenaId, newId(), new Date('2026-06-20T18:00:00Z'))).toBe(1)
      return (await rowsSoFar()) - before
    })
    expect(looked).toBeLessThan(100)
  })

  it('names and titles that strangers chose do not become links in a mail', async () => {
    const { app, own, tell } = await tellingApp()
    const lena = await aVisitor(app)
    await confirm(app)
    await patch(app, lena, { type: 'deal_published', channels: ['email'] })
    const values = { business: 'www.tickets.example', deal: 'Refund: https://tickets.example/refund' }
    await tell({ accountIds: [await idOf(app, lena)], once: 'a', values })
    app.setNow('2026-06-20T17:40:00Z')
    await queueDueMails(own())
    await app.runJobs()
    const [mail] = await newMails(app)
    expect(mail!.subject).toBe('www. tickets. example has a new deal: Refund: https: tickets. example/refund')
    expect(mail!.text).not.toContain('tickets.example')
  })

  it('no mail is sent in quiet hours, and none to an unconfirmed address', async () => {
    const { app, own, tell } = await tellingApp()
    const [lena, tom] = [await aVisitor(app), await aVisitor(app, 'tom@example.org')]
    await confirm(app)
    await app.db.updateTable('accounts').set({ verified_at: null }).where('email', '=', tom.email).execute()
    for (const person of [lena, tom]) await patch(app, person, { type: 'deal_published', channels: ['email'] })
    await patch(app, lena, { quiet: { from: '19:00', to: '07:30' } })
    await tell({ accountIds: [await idOf(app, lena), await idOf(app, tom)], once: 'a' })
    // By mail alone: not in the list.
    expect(await listOf(app, lena)).toEqual([])
    // 19:40 in Basel
    app.setNow('2026-06-20T17:40:00Z')
    await queueDueMails(own())
    await app.runJobs()
    expect(await newMails(app)).toEqual([])
    app.setNow('2026-06-21T05:31:00Z')
    await queueDueMails(own())
    await app.runJobs()
    expect(await newMails(app)).toMatchObject([{ subject: 'Café Rhein has a new deal: Coffee and cake' }])
  })
})

const newMails = async (app: TestApp) =>
  [...(await mailsTo(app, 'lena@example.org')), ...(await mailsTo(app, 'tom@example.org'))].filter(({ text }) =>
    text?.includes('because you chose it in your settings'),
  )
