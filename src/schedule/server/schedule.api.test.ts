import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, addEvent, addStage, eastOfBridge, fillTown } from '../../../test/cast.ts'
import { aMerchant, aVisitor, crowd, get, post, type Person } from '../../../test/people.ts'
import { anotherInstance, api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { entriesMost, picksMost } from '../contract.ts'
import { forgetRemovals } from './schedule.ts'

const patch = (app: { url: string }, id: string, body: unknown, token: string) =>
  api(app, `/api/schedule/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
const remove = (app: { url: string }, path: string, token: string) => get(app, path, token, { method: 'DELETE' })
const add = (app: { url: string }, token: string, body: unknown) => post(app, '/api/schedule', body, { token })
const titles = (entries: { event: { title: string } }[]) => entries.map(({ event }) => event.title)
const unknownId = '01978e94-a0e8-7f8b-8a4a-d23113936317'

describe('my schedule', () => {
  let app: TestApp
  let lena: Person
  let noah: Person
  let ids: Record<'early' | 'clashing' | 'late' | 'draft' | 'cancelled', string>
  const mine = async () => (await get(app, '/api/schedule', lena.authToken)).body

  beforeAll(async () => {
    app = await startTestApp()
    lena = await aVisitor(app)
    noah = await aVisitor(app, 'noah@example.org')
    ids = {
      late: await addEvent(app.db, 'Hochwasser', '2026-06-20T20:00:00Z'),
      early: await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z'),
      clashing: await addEvent(app.db, 'Fanny Lune', '2026-06-20T18:30:00Z'),
      draft: await addEvent(app.db, 'Secret Act', '2026-06-20T20:00:00Z', { state: 'draft' }),
      cancelled: await addEvent(app.db, 'Dorfrock', '2026-06-20T18:15:00Z', { state: 'cancelled' }),
    }
  })
  afterAll(() => app.close())

  it('is empty at first', async () => {
    expect(await mine()).toEqual({
      entries: [],
      feed_url: null,
      share_url: null,
      today: '2026-06-20',
      account_id: expect.any(String) as string,
    })
  })

  it('takes an event with priority, note and reminders, and shows all in order of time', async () => {
    const added = await add(app, lena.authToken, {
      event_id: ids.late,
      priority: 'must',
      note: 'Meet Noah left of the stage',
      reminders: [30, 10, 30],
    })
    expect(added.status).toBe(201)
    expect(added.body.clashes).toEqual([])
    expect(added.body.entry).toMatchObject({
      priority: 'must',
      note: 'Meet Noah left of the stage',
      reminders: [10, 30],
      event: { event_id: ids.late, title: 'Hochwasser' },
    })
    expect((await add(app, lena.authToken, { event_id: ids.early })).body.entry).toMatchObject({
      priority: 'want',
      note: null,
      reminders: [],
    })
    expect(titles((await mine()).entries)).toEqual(['Glasshouse', 'Hochwasser'])
  })

  it('names what clashes and adds it all the same', async () => {
    const { status, body } = await add(app, lena.authToken, { event_id: ids.clashing })
    expect(status).toBe(201)
    expect(body.clashes).toEqual([{ entry_id: expect.any(String), event_id: ids.early, title: 'Glasshouse' }])
    expect(titles((await mine()).entries)).toEqual(['Glasshouse', 'Fanny Lune', 'Hochwasser'])
    // what does not take place clashes with nothing
    expect((await add(app, lena.authToken, { event_id: ids.cancelled })).body.clashes).toEqual([])
  })

  it('puts an event in the place of others in one step', async () => {
    const of = (await mine()).entries.find(({ event }: { event: { event_id: string } }) => event.event_id === ids.early)
    await add(app, lena.authToken, { event_id: ids.clashing, replaces: [of.entry_id, 'x', unknownId] })
    expect(titles((await mine()).entries)).toEqual(['Dorfrock', 'Fanny Lune', 'Hochwasser'])
    await add(app, lena.authToken, { event_id: ids.early })
  })

  it('keeps one entry of an event, and changes of it only what is sent', async () => {
    const first = (await add(app, lena.authToken, { event_id: ids.late })).body.entry
    expect(first).toMatchObject({ priority: 'must', note: 'Meet Noah left of the stage', reminders: [10, 30] })
    const second = (await add(app, lena.authToken, { event_id: ids.late, priority: 'maybe', note: '' })).body.entry
    expect(second).toMatchObject({ entry_id: first.entry_id, priority: 'maybe', note: null, reminders: [10, 30] })
  })

  it('is changed field by field, and an empty note is none', async () => {
    const { entry_id } = (await add(app, lena.authToken, { event_id: ids.late, note: 'x' })).body.entry
    expect((await patch(app, entry_id, { priority: 'want' }, lena.authToken)).body).toMatchObject({
      priority: 'want',
      note: 'x',
    })
    expect((await patch(app, entry_id, { note: '  ', reminders: [] }, lena.authToken)).body).toMatchObject({
      priority: 'want',
      note: null,
      reminders: [],
    })
  })

  it.each([
    [{ note: 'a'.repeat(281) }, 'note'],
    [{ note: 'a\0b' }, 'note'],
    [{ note: 7 }, 'note'],
    [{ priority: 'urgent' }, 'priority'],
    [{ reminders: [7] }, 'reminders'],
    [{ reminders: [0, 5, 10, 15] }, 'reminders'],
    [{ reminders: '10' }, 'reminders'],
  ])('refuses %j with a text beside the field, and loses nothing', async (change, field) => {
    const before = (await add(app, lena.authToken, { event_id: ids.late, note: 'kept' })).body.entry
    for (const answer of [
      await patch(app, before.entry_id, change, lena.authToken),
      await add(app, lena.authToken, { event_id: ids.late, ...change }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', fields: { [field]: expect.any(String) } },
      })
    const after = (await mine()).entries.find(({ entry_id }: { entry_id: string }) => entry_id === before.entry_id)
    expect(after).toMatchObject({ note: 'kept', priority: before.priority, reminders: before.reminders })
  })

  it('takes 280 characters, whatever they are, and gives them back as they are', async () => {
    const text = `<script>alert(1)</script>${'🎸'.repeat(255)}`
    const { entry_id } = (await add(app, lena.authToken, { event_id: ids.late })).body.entry
    expect((await patch(app, entry_id, { note: text }, lena.authToken)).body.note).toBe(text)
  })

  it.each(['draft', 'unknown', 'malformed'])('does not take an event that is %s', async (which) => {
    const event_id = { draft: ids.draft, unknown: unknownId, malformed: 'x' }[which]
    expect(await add(app, lena.authToken, { event_id })).toMatchObject({
      status: 404,
      body: { code: 'event_not_found' },
    })
  })

  it('of somebody else can neither be seen, changed nor emptied', async () => {
    const { entry_id } = (await add(app, lena.authToken, { event_id: ids.late })).body.entry
    expect((await get(app, '/api/schedule', noah.authToken)).body.entries).toEqual([])
    const unknown = { status: 404, body: { code: 'schedule_entry_not_found' } }
    expect(await patch(app, entry_id, { note: 'mine' }, noah.authToken)).toMatchObject(unknown)
    expect(await remove(app, `/api/schedule/${entry_id}`, noah.authToken)).toMatchObject(unknown)
    await add(app, noah.authToken, { event_id: ids.early, replaces: [entry_id] })
    expect(titles((await mine()).entries)).toContain('Hochwasser')
    expect(await remove(app, '/api/schedule/x', lena.authToken)).toMatchObject(unknown)
  })

  it('lets an event go', async () => {
    const { entry_id } = (await add(app, lena.authToken, { event_id: ids.late })).body.entry
    expect((await remove(app, `/api/schedule/${entry_id}`, lena.authToken)).status).toBe(204)
    expect(titles((await mine()).entries)).not.toContain('Hochwasser')
    expect((await remove(app, `/api/schedule/${entry_id}`, lena.authToken)).status).toBe(404)
  })

  it('goes by the last tap, also where the one before it is sent later by another phone', async () => {
    const own = await appForTest()
    const event_id = await addEvent(own.db, 'Hochwasser', '2026-06-20T20:00:00Z')
    const { authToken } = await aVisitor(own)
    const has = async () => (await get(own, '/api/schedule', authToken)).body.entries.length as number
    const late = (seconds_ago: number) => add(own, authToken, { event_id, seconds_ago })
    const gone = (id: string, seconds = 0) =>
      remove(own, `/api/schedule/${id}${seconds ? `?seconds_ago=${seconds}` : ''}`, authToken)
    const at = (minutes: number) =>
      own.setNow(Temporal.Instant.from('2026-06-20T17:30:00Z').add({ minutes }).toString())
    const first = (await add(own, authToken, { event_id })).body.entry.entry_id as string
    at(4)
    expect((await gone(first)).status).toBe(204)
    at(10)
    // added 8 minutes ago, which is before it was removed
    expect(await late(8 * 60)).toMatchObject({ status: 409, body: { code: 'schedule_removed_later' } })
    expect(await has()).toBe(0)
    // added after that, and removed in between by a phone that is late as well
    const second = (await late(4 * 60)).body.entry.entry_id as string
    expect((await gone(second, 5 * 60)).status).toBe(404)
    expect(await has()).toBe(1)
    expect((await gone(second, 2 * 60)).status).toBe(204)
    expect((await late(3 * 60)).status).toBe(409)
    expect((await late(60)).status).toBe(201)
    for (const wrong of [-1, 1.5, 'soon', 4e7])
      expect((await add(own, authToken, { event_id, seconds_ago: wrong })).status).toBe(400)
    await forgetRemovals({ db: own.db, clock: { now: () => Temporal.Instant.from('2026-07-25T17:30:00Z') } })
    expect(await own.db.selectFrom('schedule_removals').selectAll().execute()).toEqual([])
  })

  it('has of each field what was tapped last, whichever phone is sent first, and says which of a late change it did not follow', async () => {
    const own = await appForTest()
    const event_id = await addEvent(own.db, 'Hochwasser', '2026-06-20T20:00:00Z')
    const { authToken } = await aVisitor(own)
    const put = (fields: object) => add(own, authToken, { event_id, ...fields })
    const at = (minutes: number) =>
      own.setNow(Temporal.Instant.from('2026-06-20T17:30:00Z').add({ minutes }).toString())
    await put({ reminders: [15] })
    at(10)
    expect((await put({ note: 'tapped in minute 4', seconds_ago: 6 * 60 })).body.overruled).toEqual([])
    // tapped before that, and sent after it; nobody has said anything of the priority
    const late = (await put({ note: 'tapped in minute 2', priority: 'must', seconds_ago: 8 * 60 })).body
    expect(late).toMatchObject({
      entry: { note: 'tapped in minute 4', priority: 'must', reminders: [15] },
      overruled: ['note'],
    })
    expect((await put({ note: 'tapped in minute 5', seconds_ago: 5 * 60 })).body).toMatchObject({
      entry: { note: 'tapped in minute 5' },
      overruled: [],
    })
    // what is sent at once counts
    await patch(own, late.entry.entry_id, { note: 'now' }, authToken)
    at(11)
    expect((await put({ note: 'before that', seconds_ago: 90 })).body).toMatchObject({
      entry: { note: 'now' },
      overruled: ['note'],
    })
  })

  it('removes an event also where it is not there, which stands in the way of additions tapped before, and says what stays', async () => {
    const own = await appForTest()
    const event_id = await addEvent(own.db, 'Hochwasser', '2026-06-20T20:00:00Z')
    const { authToken } = await aVisitor(own)
    const put = (fields: object) => add(own, authToken, { event_id, ...fields })
    const gone = (seconds = 0) =>
      remove(own, `/api/schedule/events/${event_id}${seconds ? `?seconds_ago=${seconds}` : ''}`, authToken)
    const has = async () => (await get(own, '/api/schedule', authToken)).body.entries.length as number
    const at = (minutes: number) =>
      own.setNow(Temporal.Instant.from('2026-06-20T17:30:00Z').add({ minutes }).toString())
    at(10)
    // removed in minute 6, when it was not there
    expect((await gone(4 * 60)).status).toBe(204)
    expect(await put({ seconds_ago: 5 * 60 })).toMatchObject({ status: 409, body: { code: 'schedule_removed_later' } })
    expect((await put({ note: 'here', seconds_ago: 2 * 60 })).status).toBe(201)
    expect(await gone(3 * 60)).toMatchObject({ status: 409, body: { code: 'schedule_changed_later' } })
    expect(await has()).toBe(1)
    // said of it before it was removed
    const late = await put({ note: 'of the one before', priority: 'must', seconds_ago: 5 * 60 })
    expect(late.body).toMatchObject({ entry: { note: 'here', priority: 'want' }, overruled: ['priority', 'note'] })
    // added once more: a removal tapped before that comes too late
    at(12)
    expect((await put({ seconds_ago: 60 })).status).toBe(201)
    expect((await gone(2 * 60)).status).toBe(409)
    expect((await gone()).status).toBe(204)
    expect(await has()).toBe(0)
    expect((await remove(own, '/api/schedule/events/nonsense', authToken)).status).toBe(204)
  })

  it('is for visitors: merchants and guests are refused', async () => {
    const cafe = await aMerchant(app)
    expect((await get(app, '/api/schedule', cafe.authToken)).status).toBe(403)
    expect((await add(app, cafe.authToken, { event_id: ids.late })).status).toBe(403)
    expect((await get(app, '/api/schedule')).status).toBe(401)
  })

  it('gives a new entry the reminder that the account has chosen', async () => {
    const mia = await aVisitor(app, 'mia@example.org')
    await api(app, '/api/me', {
      method: 'PATCH',
      body: JSON.stringify({ default_reminder_min: 20 }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${mia.authToken}` },
    })
    expect((await add(app, mia.authToken, { event_id: ids.late })).body.entry.reminders).toEqual([20])
    expect((await add(app, mia.authToken, { event_id: ids.early, reminders: [] })).body.entry.reminders).toEqual([])
  })
})

describe('picks of a phone', () => {
  it('are brought in at once: what is there stays, what is unknown is counted, and twice is as once', async () => {
    const app = await appForTest()
    const { authToken: token } = await aVisitor(app)
    const one = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
    const two = await addEvent(app.db, 'Hochwasser', '2026-06-20T20:00:00Z')
    await add(app, token, { event_id: one, note: 'stays', priority: 'must' })
    const event_ids = [one, two, two.toUpperCase(), unknownId, 'x']
    const bring = () => post(app, '/api/schedule/import', { event_ids }, { token })
    expect(await bring()).toMatchObject({ status: 200, body: { added: 1, already: 1, unknown: 2, full: 0 } })
    expect(await bring()).toMatchObject({ body: { added: 0, already: 2, unknown: 2, full: 0 } })
    const { entries } = (await get(app, '/api/schedule', token)).body
    expect(entries).toMatchObject([
      { priority: 'must', note: 'stays' },
      { priority: 'want', note: null },
    ])
  })

  it(`are at most ${picksMost}, and a schedule holds at most ${entriesMost}`, async () => {
    const app = await appForTest()
    const { authToken: token } = await aVisitor(app)
    const all: string[] = []
    for (let n = 0; n < entriesMost + 10; n++) all.push(await addEvent(app.db, `Set ${n}`, '2026-06-20T18:00:00Z'))
    const bring = (event_ids: string[]) => post(app, '/api/schedule/import', { event_ids }, { token })
    expect((await bring(all.slice(0, picksMost + 1))).status).toBe(400)
    for (let from = 0; from < 400; from += 200)
      expect((await bring(all.slice(from, from + 200))).body).toMatchObject({ added: 200, full: 0 })
    expect((await bring(all.slice(350, 510))).body).toEqual({ added: 100, already: 50, unknown: 0, full: 10 })
    const full = await add(app, token, { event_id: all[509] })
    expect(full).toMatchObject({ status: 409, body: { code: 'schedule_full' } })
    expect(full.body.error).toContain('500')
    // one that is there can still be changed
    expect((await add(app, token, { event_id: all[0], note: 'x' })).status).toBe(201)

    // nor does it hold more when all are brought at once
    const { authToken: hasty } = await aVisitor(app, 'hasty@example.org')
    const parts = [0, 170, 340].map((from) => all.slice(from, from + 170))
    const answers = await Promise.all(
      [...parts, ...parts].map((event_ids) => post(app, '/api/schedule/import', { event_ids }, { token: hasty })),
    )
    expect(answers.reduce((sum, { body }) => sum + (body.added as number), 0)).toBe(entriesMost)
  })
})

it('200 changes, many at the same time, on two instances leave one entry for each event, and the right count beside the event', async () => {
  const app = await appForTest()
  const second = await anotherInstance(app)
  const people = await Promise.all(['a', 'b'].map((name) => aVisitor(app, `${name}@example.org`)))
  const events: string[] = []
  for (let n = 0; n < 10; n++) events.push(await addEvent(app.db, `Set ${n}`, '2026-06-20T18:00:00Z'))
  const answers = await crowd(200, async (n) => {
    const on = n % 2 ? app : second
    const { authToken: token } = people[n % 4 < 2 ? 0 : 1]!
    const { status } =
      n % 20 === 7
        ? await post(on, '/api/schedule/import', { event_ids: events.toReversed() }, { token })
        : await add(on, token, { event_id: events[n % 10], note: `note ${n}` })
    return status
  })
  expect(new Set(answers)).toEqual(new Set([200, 201]))
  const rows = await app.db.selectFrom('schedule_entries').select(['account_id', 'event_id']).execute()
  expect(rows).toHaveLength(20)
  expect(new Set(rows.map((row) => `${row.account_id} ${row.event_id}`)).size).toBe(20)
  const saves = await app.db.selectFrom('events').select('saves').execute()
  expect(saves.map((row) => row.saves)).toEqual(Array.from({ length: 10 }, () => 2))
})

it('the count beside an event falls when entries go, also with their account', async () => {
  const app = await appForTest()
  const event_id = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
  const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => aVisitor(app, `v${n}@example.org`)))
  const saves = async () => (await get(app, `/api/events/${event_id}`)).body.saves
  for (const { authToken } of people) await add(app, authToken, { event_id })
  expect(await saves()).toBe(6)
  const [{ entry_id }] = (await get(app, '/api/schedule', people[0]!.authToken)).body.entries
  await remove(app, `/api/schedule/${entry_id}`, people[0]!.authToken)
  expect(await saves()).toBe(5)
  await app.db.deleteFrom('accounts').where('email', '=', 'v2@example.org').execute()
  expect(await saves()).toBeNull()
  await app.db.deleteFrom('events').where('event_id', '=', event_id).execute()
  expect((await get(app, '/api/schedule', people[3]!.authToken)).body.entries).toEqual([])
})

describe('the plan', () => {
  let app: TestApp
  let token: string
  let ids: Record<string, string>
  beforeAll(async () => {
    app = await startTestApp()
    token = (await aVisitor(app)).authToken
    const far = await addStage(app.db, 'Dreispitz', eastOfBridge(1600))
    ids = {
      over: await addEvent(app.db, 'Matinee', '2026-06-20T09:00:00Z'),
      a: await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z'),
      clashing: await addEvent(app.db, 'Fanny Lune', '2026-06-20T18:30:00Z'),
      far: await addEvent(app.db, 'Kopfkino', '2026-06-20T19:10:00Z', { stage_id: far }),
      cancelled: await addEvent(app.db, 'Dorfrock', '2026-06-20T19:00:00Z', { state: 'cancelled' }),
      tomorrow: await addEvent(app.db, 'Brunch', '2026-06-21T09:00:00Z'),
    }
    await post(app, '/api/schedule/import', { event_ids: Object.values(ids) }, { token })
    await add(app, token, { event_id: ids['a'], priority: 'must' })
  })
  afterAll(() => app.close())
  const plan = async (body: unknown = {}) => (await post(app, '/api/schedule/autoplan', body, { token })).body

  it('keeps what fits, and says of the rest what it runs into or is too far from', async () => {
    expect(await plan()).toEqual({
      kept: [ids['a'], ids['tomorrow']],
      dropped: [
        { event_id: ids['clashing'], reason: 'clash', because: [ids['a']] },
        { event_id: ids['cancelled'], reason: 'cancelled', because: [] },
        { event_id: ids['far'], reason: 'walk', because: [ids['a']] },
      ],
      gained: [],
      lost: [],
      beyond: 0,
    })
  })
  it('is asked for one day', async () => {
    expect(await plan({ day: '2026-06-21' })).toMatchObject({ kept: [ids['tomorrow']], dropped: [] })
  })
  it('says what would be gained if an event were left out', async () => {
    expect(await plan({ leave_out: [ids['a']] })).toMatchObject({
      kept: [ids['clashing'], ids['tomorrow']],
      gained: [ids['clashing']],
      lost: [],
    })
  })
  it('changes nothing', async () => {
    expect((await get(app, '/api/schedule', token)).body.entries).toHaveLength(6)
  })
  it.each([{ day: 'today' }, { day: '2026-02-30' }, { leave_out: 'x' }])('refuses %j', async (body) => {
    expect(await post(app, '/api/schedule/autoplan', body, { token })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
  })
})

describe('a gap between two events', () => {
  let app: TestApp
  let token: string
  let from: string
  let to: string
  beforeAll(async () => {
    app = await startTestApp()
    token = (await aVisitor(app)).authToken
    const east = await addStage(app.db, 'Schwarzwaldbrücke', eastOfBridge(400))
    from = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
    to = await addEvent(app.db, 'Hochwasser', '2026-06-20T19:40:00Z', { stage_id: east })
    const deal = async (name: string, metres: number, open_hours: string, more = {}) => {
      const business = await addBusiness(app.db, name, { ...eastOfBridge(metres), open_hours })
      return addDeal(app.db, business, `${name} deal`, more)
    }
    await deal('On the way', 200, 'Mo-Su 08:00-23:00')
    await deal('Small detour', -100, 'Mo-Su 08:00-23:00')
    await deal('Beyond', 560, 'Mo-Su 08:00-23:00')
    await deal('Farther', 650, 'Mo-Su 08:00-23:00')
    await deal('Too far', 1500, 'Mo-Su 08:00-23:00')
    // open now and closed by then, and the other way round
    await deal('Closes early', 210, 'Mo-Su 08:00-20:30')
    // its place is open longer than it can be used
    await deal('Ends early', 215, 'Mo-Su 08:00-23:00', { start_time: '08:00', end_time: '21:05' })
    await deal('Opens late', 220, 'Mo-Su 20:45-23:00')
    await fillTown(app, '2026-06-20T17:30:00Z')
  })
  afterAll(() => app.close())
  const gap = (query: string, who = token) => get(app, `/api/schedule/gap?${query}`, who)

  it('offers up to three deals open then, the smallest detour first, in time for the next event', async () => {
    const { status, body } = await gap(`from_event=${from}&to_event=${to}`)
    expect(status).toBe(200)
    expect(
      body.map((each: { business_name: string; walk_there: number; walk_on: number; detour_minutes: number }) => [
        each.business_name,
        each.walk_there,
        each.walk_on,
        each.detour_minutes,
      ]),
    ).toEqual([
      ['Opens late', 4, 3, 0],
      ['On the way', 4, 4, 1],
      ['Small detour', 2, 9, 4],
    ])
    for (const each of body as { walk_on: number; leave_at: string }[])
      expect(Date.parse('2026-06-20T19:40:00Z') - Date.parse(each.leave_at)).toBe(each.walk_on * 60_000)
  })
  it('that is shorter than 25 minutes offers none', async () => {
    const soon = await addEvent(app.db, 'Soon', '2026-06-20T19:24:00Z')
    expect((await gap(`from_event=${from}&to_event=${soon}`)).body).toEqual([])
    const later = await addEvent(app.db, 'Later', '2026-06-20T19:25:00Z')
    expect((await gap(`from_event=${from}&to_event=${later}`)).body.length).toBeGreaterThan(0)
  })
  it('with an unknown event is refused, and so is a question without events', async () => {
    expect(await gap(`from_event=${from}&to_event=x`)).toMatchObject({ status: 404, body: { code: 'event_not_found' } })
    expect((await gap('')).status).toBe(400)
  })
})

describe('a shared schedule', () => {
  let app: TestApp
  let lena: Person
  let event_id: string
  const tokenIn = (url: string) => url.split('/').at(-1)!
  beforeAll(async () => {
    app = await startTestApp()
    lena = await aVisitor(app)
    event_id = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
    await add(app, lena.authToken, { event_id, note: 'Secret crush plays', reminders: [30], priority: 'must' })
  })
  afterAll(() => app.close())

  it('shows who has the link what and how much, and no note, reminder or id of an entry', async () => {
    const { status, body } = await post(app, '/api/schedule/share', undefined, { token: lena.authToken })
    expect(status).toBe(201)
    expect(body.qr.path).toMatch(/^M/)
    const shared = await get(app, `/api/shared/${tokenIn(body.share_url)}`)
    expect(shared.body).toEqual({
      owner: 'Lena',
      entries: [{ priority: 'must', event: expect.objectContaining({ event_id }) }],
    })
    expect(shared.text).not.toContain('crush')
    expect((await get(app, '/api/schedule', lena.authToken)).body.share_url).toBe(body.share_url)
    // asked again it is the same link
    const again = await post(app, '/api/schedule/share', undefined, { token: lena.authToken })
    expect(again.body.share_url).toBe(body.share_url)
  })

  it('that was taken back shows nothing, and a new link is another', async () => {
    const first = (await post(app, '/api/schedule/share', undefined, { token: lena.authToken })).body.share_url
    expect((await remove(app, '/api/schedule/share', lena.authToken)).status).toBe(204)
    expect((await remove(app, '/api/schedule/share', lena.authToken)).status).toBe(204)
    const gone = { status: 404, body: { code: 'shared_schedule_not_found' } }
    expect(await get(app, `/api/shared/${tokenIn(first)}`)).toMatchObject(gone)
    const next = (await post(app, '/api/schedule/share', undefined, { token: lena.authToken })).body.share_url
    expect(next).not.toBe(first)
    expect(await get(app, `/api/shared/${tokenIn(first)}`)).toMatchObject(gone)
    expect((await get(app, `/api/shared/${tokenIn(next)}`)).status).toBe(200)
  })

  it('cannot be guessed, and no link opens another kind', async () => {
    const { feed_url } = (await post(app, '/api/schedule/feed/rotate', undefined, { token: lena.authToken })).body
    const feedToken = tokenIn(feed_url).replace('.ics', '')
    for (const token of [feedToken, 'x', 'a'.repeat(43), '%00', 'a'.repeat(5000)])
      expect((await get(app, `/api/shared/${token}`)).status, token.slice(0, 50)).toBe(404)
  })

  it('of a blocked account shows nothing', async () => {
    const url = (await post(app, '/api/schedule/share', undefined, { token: lena.authToken })).body.share_url
    await app.db.updateTable('accounts').set({ blocked_at: new Date() }).execute()
    expect((await get(app, `/api/shared/${tokenIn(url)}`)).status).toBe(404)
    await app.db.updateTable('accounts').set({ blocked_at: null }).execute()
  })

  it('leaves its secret in no table and in no line of the log', async () => {
    const log: string[] = []
    const logged = await appForTest({ log, env: { LOG_LEVEL: 'trace' } })
    const mia = await aVisitor(logged, 'mia@example.org')
    const { share_url } = (await post(logged, '/api/schedule/share', undefined, { token: mia.authToken })).body
    const secret = tokenIn(share_url)
    await get(logged, `/api/shared/${secret}`)
    await get(logged, `/api/shared/${secret}x`)
    expect(log.length).toBeGreaterThan(5)
    expect(log.join('\n')).not.toContain(secret)
    const links = await logged.db.selectFrom('schedule_links').selectAll().execute()
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links) + links[0]!.token_hash.toString('base64url')).not.toContain(secret)
  })
})
