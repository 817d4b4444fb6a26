import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import { newId } from '../../kit/server/ids.ts'
import { NotFetched } from '../../kit/server/outside.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { startPushService, type PushBrowser } from '../../../test/peers/push.ts'
import { aVisitor, get, logIn, post, type Person } from '../../../test/people.ts'
import { anotherInstance, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { notifications } from '../room.ts'
import { notify, openPushKeys, queueDueMails, sendDuePushes, type Notice } from './notifications.ts'
import { claimPushes } from './store.ts'

describe('web push', () => {
  let app: TestApp
  let house!: House
  let service: Awaited<ReturnType<typeof startPushService>>
  let lena: Person
  let noah: Person
  const ids = new Map<string, string>()
  beforeAll(async () => {
    service = await startPushService()
    const teller: Room<object> = {
      name: 'teller',
      looksInto: ['notifications'],
      open: (given) => ((house = given), {}),
      answers: () => ({
        notificationTypes: {
          deal_published: { roles: ['user'], channels: ['in_app', 'push'], mailAfterMinutes: 5 },
        },
      }),
    }
    app = await startTestApp({
      rooms: [...rooms.filter(({ name }) => name !== 'favorites'), teller],
      outside: { isAllowed: (_, port) => port === service.port },
    })
    lena = await aVisitor(app)
    noah = await aVisitor(app, 'noah@example.org')
    for (const { email } of [lena, noah]) {
      const row = app.db.selectFrom('accounts').select('account_id').where('email', '=', email)
      ids.set(email, (await row.executeTakeFirstOrThrow()).account_id)
    }
  })
  afterAll(async () => {
    await app.close()
    await service.close()
  })

  let told = 0
  const tell = async (person: Person, more: Partial<Notice> = {}) => {
    // Jobs of earlier requests may still run, and would send this push before the test does.
    await app.runJobs()
    await app.db.transaction().execute((trx) =>
      notify(house.of(notifications), trx, {
        type: 'deal_published',
        accountIds: [ids.get(person.email)!],
        once: `push:${told++}`,
        values: { business: 'Café Rhein', deal: 'Coffee and cake' },
        path: '/deal/1',
        ...more,
      }),
    )
  }
  const send = () => sendDuePushes(house.of(notifications))
  const subscribe = (person: Person, browser: PushBrowser) =>
    post(app, '/api/push/subscriptions', browser.subscription, { token: person.authToken })
  const unsubscribe = (person: Person, { subscription: { endpoint } }: PushBrowser) =>
    post(app, '/api/push/subscriptions', { endpoint }, { method: 'DELETE', token: person.authToken })
  const aBrowserOf = async (person: Person) => {
    const browser = service.newBrowser()
    expect((await subscribe(person, browser)).status).toBe(204)
    return browser
  }
  const devices = async (browser: PushBrowser) =>
    (
      await app.db
        .selectFrom('push_subscriptions')
        .select('account_id')
        .where('endpoint', '=', browser.subscription.endpoint)
        .execute()
    ).map(({ account_id }) => account_id)
  const waiting = () => app.db.selectFrom('push_messages').selectAll().execute()

  it('arrives once in each browser of a person, encrypted and signed, without personal data', async () => {
    const [phone, tablet] = [await aBrowserOf(lena), await aBrowserOf(lena)]
    await tell(lena)
    await Promise.all([send(), send(), app.runJobs()])
    expect(service.faults).toEqual([])
    for (const browser of [phone, tablet]) {
      expect(browser.received.map(({ content }) => content)).toEqual([
        {
          title: 'Rheinklang',
          body: 'Café Rhein has a new deal: Coffee and cake',
          path: '/deal/1',
          tag: expect.any(String),
        },
      ])
      expect(browser.received[0]!.headers).toMatchObject({ ttl: '86400', urgency: 'normal' })
      await unsubscribe(lena, browser)
    }
    expect(await waiting()).toEqual([])
  })

  it('is signed with keys that stay the same on every instance and after every start', async () => {
    const again = await openPushKeys(house)
    expect(again).toEqual(house.of(notifications).pushKeys)
    const settings = await get(app, '/api/notifications/settings', lena.authToken)
    expect(settings.body).toMatchObject({ push_key: again.publicKey, offered: ['in_app', 'push', 'email'] })
  })

  it('is not offered where the site has no service worker', async () => {
    const without = await anotherInstance(app, { SERVICE_WORKER: 'off' })
    const settings = await get(without, '/api/notifications/settings', lena.authToken)
    expect(settings.body).toMatchObject({ push_key: '', offered: ['in_app', 'email'] })
  })

  it("is signed with the operator's keys if there are any", async () => {
    const own = { publicKey: 'B-public', privateKey: 'private' }
    const contact = 'https://festival.example'
    const settings = { ...house.settings, notifications: { ...house.settings.notifications, contact, keys: own } }
    expect(await openPushKeys({ ...house, settings })).toEqual({ ...own, subject: contact })
  })

  it.each(['unknown', 'gone'] as const)('a browser that is %s to its push service is forgotten', async (mood) => {
    const browser = await aBrowserOf(lena)
    browser.mood = mood
    await tell(lena)
    await send()
    expect(browser.tries).toBe(1)
    expect(await devices(browser)).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('waits as long as a busy push service asks, and is then sent once', async () => {
    const browser = await aBrowserOf(lena)
    browser.mood = 'busy'
    await tell(lena)
    await send()
    await send()
    expect(browser.tries).toBe(1)
    browser.mood = 'take'
    app.setNow(Temporal.Instant.from(saturdayEvening).add({ seconds: 119 }).toString())
    await send()
    expect(browser.tries).toBe(1)
    app.setNow(Temporal.Instant.from(saturdayEvening).add({ seconds: 120 }).toString())
    await send()
    await send()
    expect(browser.received).toHaveLength(1)
    await unsubscribe(lena, browser)
  })

  it('whose instance was killed while sending is sent later by another one', async () => {
    const browser = await aBrowserOf(lena)
    browser.mood = 'hang'
    await tell(lena)
    const cutOff = send()
    await expect.poll(() => browser.tries).toBe(1)
    browser.mood = 'take'
    await send()
    // The push is still locked, so nobody else sends it yet.
    expect(browser.received).toEqual([])
    service.letGo()
    await cutOff
    const later = Temporal.Instant.from(saturdayEvening).add({ minutes: 4 })
    app.setNow(later.toString())
    await send()
    expect(browser.received).toHaveLength(1)
    await unsubscribe(lena, browser)
  })

  it('is not sent in quiet hours, after it was read, or after it expired', async () => {
    const browser = await aBrowserOf(lena)
    const quiet = (hours: object | null) =>
      post(app, '/api/notifications/settings', { quiet: hours }, { method: 'PATCH', token: lena.authToken })
    await quiet({ from: '19:00', to: '23:00' })
    await tell(lena)
    await send()
    expect(browser.tries).toBe(0)
    await post(app, '/api/notifications/read', {}, { token: lena.authToken })
    await quiet(null)
    await tell(lena, { goodUntil: Temporal.Instant.from(saturdayEvening) })
    await send()
    expect(browser.tries).toBe(0)
    expect(await waiting()).toEqual([])
    await unsubscribe(lena, browser)
  })

  it('waits for the end of quiet hours, also past midnight, and is then sent once', async () => {
    app.setNow(saturdayEvening)
    const browser = await aBrowserOf(lena)
    const quiet = (hours: object | null) =>
      post(app, '/api/notifications/settings', { quiet: hours }, { method: 'PATCH', token: lena.authToken })
    expect((await quiet({ from: '22:00', to: '07:00' })).status).toBe(200)
    // 23:30 in Basel
    app.setNow('2026-06-20T21:30:00Z')
    await tell(lena)
    for (const instant of ['2026-06-20T21:31:00Z', '2026-06-20T22:30:00Z', '2026-06-21T04:59:59Z']) {
      app.setNow(instant)
      await send()
    }
    expect(browser.tries).toBe(0)
    app.setNow('2026-06-21T05:00:00Z')
    await Promise.all([send(), send()])
    expect(browser.received).toHaveLength(1)
    app.setNow(saturdayEvening)
    expect((await quiet(null)).status).toBe(200)
    await unsubscribe(lena, browser)
  })

  it('is retried later when the push service does not answer, and delays no other push', async () => {
    const [silent, other] = [await aBrowserOf(lena), await aBrowserOf(noah)]
    silent.mood = 'hang'
    const own = house.of(notifications)
    const impatient: typeof own = {
      ...own,
      outside: {
        ...own.outside,
        // Times out only after the service has the request, however slow this machine is.
        async post(url, message, limits) {
          const posted = own.outside.post(url, message, limits)
          if (url !== silent.subscription.endpoint) return posted
          posted.catch(() => {})
          await expect.poll(() => silent.tries).toBe(1)
          throw new NotFetched('no answer in time')
        },
      },
    }
    await tell(lena, { accountIds: [ids.get(lena.email)!, ids.get(noah.email)!] })
    await sendDuePushes(impatient)
    expect([silent.tries, other.received.length]).toEqual([1, 1])
    silent.mood = 'take'
    const after = (seconds: number) => Temporal.Instant.from(saturdayEvening).add({ seconds }).toString()
    app.setNow(after(29))
    await send()
    expect(silent.tries).toBe(1)
    app.setNow(after(30))
    await send()
    await send()
    expect([silent.tries, silent.received.length, other.tries]).toEqual([2, 1, 1])
    app.setNow(saturdayEvening)
    service.letGo()
    await unsubscribe(lena, silent)
    await unsubscribe(noah, other)
  })

  it('of an urgent notice is sent before all earlier ones', async () => {
    const browsers = [await aBrowserOf(lena), await aBrowserOf(noah)]
    await tell(lena, { accountIds: [ids.get(lena.email)!, ids.get(noah.email)!] })
    const after = (seconds: number) =>
      new Date(Temporal.Instant.from(saturdayEvening).add({ seconds }).epochMilliseconds)
    await app.db
      .updateTable('push_messages')
      .set({ urgent: true, due_at: after(1) })
      .where('subscription_id', 'in', (from) =>
        from
          .selectFrom('push_subscriptions')
          .select('subscription_id')
          .where('endpoint', '=', browsers[1]!.subscription.endpoint),
      )
      .execute()
    const taken = await claimPushes(app.db, { now: after(2), until: after(62), zone: 'Europe/Zurich' }, 1)
    expect(taken.map(({ account_id, urgent }) => [account_id, urgent])).toEqual([[ids.get(noah.email), true]])
    await unsubscribe(lena, browsers[0]!)
    await unsubscribe(noah, browsers[1]!)
  })

  it('of a type with push alone does not count earlier pushes that were sent', async () => {
    const browser = await aBrowserOf(noah)
    const choose = (channels: string[]) =>
      post(
        app,
        '/api/notifications/settings',
        { type: 'deal_published', channels },
        { method: 'PATCH', token: noah.authToken },
      )
    await choose(['push'])
    for (let n = 0; n < 2; n++) {
      await tell(noah, { group: 'deals-of:1' })
      await send()
    }
    expect(browser.received.map(({ content }) => content.body)).toEqual([
      'Café Rhein has a new deal: Coffee and cake',
      'Café Rhein has a new deal: Coffee and cake',
    ])
    await choose(['in_app', 'push'])
    await unsubscribe(noah, browser)
  })

  it('of a type with push and mail does not stop a mail that is queued', async () => {
    const browser = await aBrowserOf(noah)
    const choose = (channels: string[]) =>
      post(
        app,
        '/api/notifications/settings',
        { type: 'deal_published', channels },
        { method: 'PATCH', token: noah.authToken },
      )
    await choose(['push', 'email'])
    await tell(noah, { group: 'deals-of:2' })
    app.setNow(Temporal.Instant.from(saturdayEvening).add({ minutes: 6 }).toString())
    // The mail is queued; its server is down until the push has arrived.
    await queueDueMails(house.of(notifications))
    await send()
    expect(browser.received).toHaveLength(1)
    const rows = await app.db
      .selectFrom('notifications')
      .select(['read_at'])
      .where('group_key', '=', 'deals-of:2')
      .where('mail_batch', 'is not', null)
      .execute()
    expect(rows).toEqual([{ read_at: null }])
    app.setNow(saturdayEvening)
    await choose(['in_app', 'push'])
    await unsubscribe(noah, browser)
  })

  it('is not sent to a browser whose session has ended', async () => {
    const elsewhere = await logIn(app, '/api/auth/login', lena.email)
    const browser = await aBrowserOf(elsewhere)
    await post(app, '/api/auth/logout', undefined, { token: elsewhere.authToken })
    expect(await devices(browser)).toEqual([])
  })

  it('of another account can be neither ended nor taken over', async () => {
    const browser = await aBrowserOf(lena)
    expect((await unsubscribe(noah, browser)).status).toBe(204)
    const stolen = { ...browser.subscription, keys: service.newBrowser().subscription.keys }
    expect((await post(app, '/api/push/subscriptions', stolen, { token: noah.authToken })).body.code).toBe(
      'push_endpoint_refused',
    )
    expect(await devices(browser)).toEqual([ids.get(lena.email)])
    await tell(lena)
    // Another person logs in on the same browser: queued pushes of the first are not for them.
    expect((await subscribe(noah, browser)).status).toBe(204)
    await send()
    expect(browser.received).toEqual([])
    expect(await devices(browser)).toEqual([ids.get(noah.email)])
    expect((await post(app, '/api/push/subscriptions', browser.subscription)).status).toBe(401)
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.7/push',
    'http://192.0.2.7/push',
    'https://user:secret@203.0.113.9/push',
    'https://[::1]/push',
  ])('%s is no push service', async (endpoint) => {
    const { keys } = service.newBrowser().subscription
    const refused = await post(app, '/api/push/subscriptions', { endpoint, keys }, { token: lena.authToken })
    expect(refused).toMatchObject({ status: 400, body: { code: 'push_endpoint_refused' } })
  })

  it.each([
    { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
    { p256dh: 'x'.repeat(87), auth: 'A'.repeat(22) },
    { p256dh: '', auth: '' },
  ])('keys that are none are refused', async (keys) => {
    const endpoint = `${service.newBrowser().subscription.endpoint}${newId()}`
    const refused = await post(app, '/api/push/subscriptions', { endpoint, keys }, { token: lena.authToken })
    expect(refused.status).toBe(400)
  })
})
