import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withBanner } from '../../app/server/banner.ts'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { sendDuePushes } from '../../notifications/server/notifications.ts'
import { notifications } from '../../notifications/room.ts'
import { startPushService } from '../../../test/peers/push.ts'
import { aVisitor, get, post } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openStream } from '../../../test/streams.ts'
import { urgent } from '../room.ts'
import { pushUrgent, withdrawUrgent } from './urgent.ts'

const storm = {
  kind: 'storm',
  text_en: 'Leave the river bank & seek shelter.',
  text_de: 'Verlasst das Rheinufer und sucht Schutz.',
  text_fr: 'Quittez la rive et mettez-vous à l’abri.',
  minutes: 90,
}

describe('an urgent notice', () => {
  let app: TestApp
  let house!: House
  let staff: string
  let service: Awaited<ReturnType<typeof startPushService>>
  beforeAll(async () => {
    service = await startPushService()
    const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
    app = await startTestApp({
      rooms: [...rooms, door],
      outside: { isAllowed: (_, port) => port === service.port },
    })
    staff = await aModerator(app)
  })
  afterAll(async () => {
    await app.close()
    await service.close()
  })

  const send = (body: object, headers: Record<string, string> = {}) =>
    post(app, '/api/admin/urgent', body, { token: staff, headers })
  const shown = async (language = 'en') =>
    (await api(app, '/api/urgent', { headers: { 'accept-language': language } })).body as Record<string, string>[]
  const newest = async () => (await get(app, '/api/admin/log?limit=1', staff)).body[0]
  const undo = (entryId: string) => post(app, `/api/admin/log/${entryId}/undo`, undefined, { token: staff })
  const bannerIn = async (language: string) =>
    (await Promise.all(house.answersTo('pageBanner').map((ask) => ask(language)))).join('')

  it('is shown in each language on top of every page, open ones too, and pushed, once for a key, until it is undone', async () => {
    const stream = await openStream(app, 'urgent')
    const lena = await aVisitor(app)
    await post(app, '/api/me', { language: 'fr' }, { method: 'PATCH', token: lena.authToken })
    const phone = service.newBrowser()
    await post(app, '/api/push/subscriptions', phone.subscription, { token: lena.authToken })
    await post(
      app,
      '/api/notifications/settings',
      { quiet: { from: '18:00', to: '23:00' } },
      { method: 'PATCH', token: lena.authToken },
    )

    const key = { 'idempotency-key': 'storm' }
    const sent = await send(storm, key)
    expect(sent).toMatchObject({ status: 201, body: { is_shown: true, ends_at: '2026-06-20T19:00:00.000Z' } })
    expect((await send(storm, key)).body.notice_id).toBe(sent.body.notice_id)
    expect(await shown()).toMatchObject([{ title: 'Storm warning', text: storm.text_en, until: 'until 21:00' }])
    expect(await shown('de')).toMatchObject([{ title: 'Sturmwarnung', text: storm.text_de, until: 'bis 21:00' }])
    await expect.poll(() => stream.changes()).toMatchObject([{ channel: 'urgent', kind: 'urgent-changed' }])

    const page = String(withBanner('<html><body class="x"><a>Skip</a></body></html>', await bannerIn('en')))
    expect(page).toMatch(/^<html><body class="x"><section/)
    expect(page).toContain('Storm warning: Leave the river bank &amp; seek shelter.')
    // the French space before a colon
    expect(await bannerIn('fr')).toContain(`Alerte tempête\u00a0: `)

    await app.runJobs()
    await sendDuePushes(house.of(notifications))
    expect(phone.received.map(({ content }) => content['body'])).toEqual([storm.text_fr])
    expect(phone.received[0]!.headers).toMatchObject({ urgency: 'high' })

    const entry = await newest()
    expect(entry).toMatchObject({ action: 'send-urgent', object_name: storm.text_en, can_undo: true })
    expect((await undo(entry.entry_id)).body.kept).toEqual([])
    expect(await shown()).toEqual([])
    expect(await bannerIn('en')).toBe('')
    await expect.poll(() => stream.changes()).toHaveLength(2)
  })

  it('ends at its time, or when staff end it, and the end can be undone', async () => {
    const first = await send({ ...storm, kind: 'closure', minutes: 5 })
    const second = await send({ ...storm, kind: 'evacuation' })
    expect((await shown()).map(({ kind }) => kind)).toEqual(['evacuation', 'closure'])
    app.setNow('2026-06-20T17:35:00Z')
    expect((await shown()).map(({ kind }) => kind)).toEqual(['evacuation'])
    const end = (id: string) => post(app, `/api/admin/urgent/${id}/end`, undefined, { token: staff })
    expect(await end(first.body.notice_id)).toMatchObject({ status: 409, body: { code: 'urgent_notice_ended' } })
    expect(await end(second.body.notice_id)).toMatchObject({ status: 200, body: { is_shown: false } })
    expect(await shown()).toEqual([])
    await undo((await newest()).entry_id)
    expect((await shown()).map(({ kind }) => kind)).toEqual(['evacuation'])
    expect((await get(app, '/api/admin/urgent', staff)).body).toHaveLength(3)
    expect((await end('01978e94-a0e8-7f8b-8a4a-d23113936317')).body.code).toBe('urgent_notice_not_found')
  })

  it('that is undone or ended loses its notifications and its queued pushes', async () => {
    const noah = await aVisitor(app, 'late@example.org')
    const phone = service.newBrowser()
    await post(app, '/api/push/subscriptions', phone.subscription, { token: noah.authToken })
    const unread = async () => (await get(app, '/api/notifications/unread', noah.authToken)).body.unread as number
    const { body } = await send({ ...storm, kind: 'evacuation' })
    // the notification is there, its push is still queued
    await pushUrgent(house.of(urgent), body.notice_id)
    expect(await unread()).toBe(1)
    // the notice is still shown, so nothing is withdrawn
    await withdrawUrgent(house.of(urgent), body.notice_id)
    expect(await unread()).toBe(1)
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from push_messages`.execute(app.db)
    await undo((await newest()).entry_id)
    await withdrawUrgent(house.of(urgent), body.notice_id)
    expect(await unread()).toBe(0)
    const left = await sql<{ waiting: number }>`select count(*)::int as waiting from push_messages`.execute(app.db)
    expect(left.rows[0]!.waiting).toBe(0)
    expect(rows[0]!.waiting + phone.received.length).toBeGreaterThan(0)
    // the push job runs late, or a second time
    await pushUrgent(house.of(urgent), body.notice_id)
    expect(await unread()).toBe(0)
  })

  it('sent again with the same key says whether it is still shown', async () => {
    const key = { 'idempotency-key': 'storm of the evening' }
    const first = await send(storm, key)
    expect((await send(storm, key)).body).toMatchObject({ notice_id: first.body.notice_id, is_shown: true })
    await post(app, `/api/admin/urgent/${first.body.notice_id}/end`, undefined, { token: staff })
    const again = await send(storm, key)
    expect(again).toMatchObject({ status: 201, body: { notice_id: first.body.notice_id, is_shown: false } })
    const anew = await send(storm, { 'idempotency-key': 'another key' })
    expect(anew.body).toMatchObject({ is_shown: true })
    expect((await shown())[0]!['notice_id']).toBe(anew.body.notice_id)
    await post(app, `/api/admin/urgent/${anew.body.notice_id}/end`, undefined, { token: staff })
  })

  it.each([
    [{ text_de: '' }, 'text_de'],
    [{ text_fr: 'x'.repeat(301) }, 'text_fr'],
    [{ minutes: 0 }, 'minutes'],
    [{ kind: 'rain' }, 'kind'],
  ])('with %o is refused beside the field', async (wrong, field) => {
    const refused = await send({ ...storm, ...wrong })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.fields)).toEqual([field])
  })

  it('is for staff to send', async () => {
    const noah = await aVisitor(app, 'noah@example.org')
    expect((await post(app, '/api/admin/urgent', storm, { token: noah.authToken })).status).toBe(403)
    expect((await post(app, '/api/admin/urgent', storm)).status).toBe(401)
  })
})
