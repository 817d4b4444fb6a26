import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { addEvent, addStage } from '../../../test/cast.ts'
import { aVisitor, get, post, type Person } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { schedule } from '../room.ts'
import type { Database } from '../../kit/server/database.ts'
import { publishEventChanges, type EventChange } from '../../events/server/events.ts'
import { groupEventChanges, sendDueReminders, sendEventNotices } from './schedule.ts'

describe('a changed event', () => {
  let app: TestApp
  let house!: House
  let staff: string
  let lena: Person
  let noah: Person
  let seconds = 0
  beforeAll(async () => {
    const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
    app = await startTestApp({ rooms: [...rooms, door] })
    staff = await aModerator(app)
    lena = await aVisitor(app)
    noah = await aVisitor(app, 'noah@example.org')
  })
  afterAll(() => app.close())

  const pass = (more: number) => {
    seconds += more
    app.setNow(Temporal.Instant.from(saturdayEvening).add({ seconds }).toString())
  }
  const save = (person: Person, event_id: string) =>
    post(app, '/api/schedule', { event_id }, { token: person.authToken })
  /** Changes the event as staff. @returns the audit entry */
  const change = async (event_id: string, body: object) => {
    expect((await post(app, `/api/events/${event_id}`, body, { method: 'PUT', token: staff })).status).toBe(200)
    await app.runJobs()
    return (await get(app, '/api/admin/log?limit=1', staff)).body[0].entry_id as string
  }
  const sendNotices = () => sendEventNotices(house.of(schedule))
  /** The unread notifications of a person, newest first, which are read then. */
  const unread = async ({ authToken }: Person) => {
    const list = (await get(app, '/api/notifications', authToken)).body as { text: string; read_at: string | null }[]
    await post(app, '/api/notifications/read', {}, { token: authToken })
    return list.filter(({ read_at }) => read_at === null).map(({ text }) => text)
  }

  it('notifies only people who saved it, after 20 seconds, once, with new clashes', async () => {
    const moving = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
    const other = await addEvent(app.db, 'Hochwasser', '2026-06-20T20:00:00Z')
    for (const event of [moving, other]) await save(lena, event)
    await save(noah, other)
    await change(moving, { starts_at: '2026-06-20T20:30:00Z', ends_at: '2026-06-20T21:30:00Z' })
    pass(19)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
    pass(1)
    await Promise.all([sendNotices(), sendNotices()])
    expect(await unread(lena)).toEqual(['Glasshouse: new time: 22:30. Now clashes with Hochwasser'])
    expect(await unread(noah)).toEqual([])
    // the job runs again
    await groupEventChanges(house.of(schedule), {
      event_id: moving,
      kinds: ['time'],
      before: { title: '', state: 'scheduled', starts_at: '2026-06-20T18:00:00Z', ends_at: null, place: 'Rheinbühne' },
      after: null,
      sequence: 1,
    })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
  })

  it('withdraws reminders that name the old start, and no others', async () => {
    const theo = await aVisitor(app, 'theo@example.org')
    const titles = async () =>
      ((await get(app, '/api/notifications', theo.authToken)).body as { text: string }[]).map(({ text }) => text)
    const inMinutes = (minutes: number) =>
      Temporal.Instant.from(saturdayEvening)
        .add({ seconds: seconds + minutes * 60 })
        .toString()
    const [moved, replaced] = [
      await addEvent(app.db, 'Brass', inMinutes(20)),
      await addEvent(app.db, 'Strings', inMinutes(20)),
    ]
    for (const event_id of [moved, replaced])
      await post(app, '/api/schedule', { event_id, reminders: [15] }, { token: theo.authToken })
    pass(6 * 60)
    await sendDueReminders(house.of(schedule))
    expect((await titles()).toSorted()).toEqual([
      expect.stringMatching(/^Brass starts at/),
      expect.stringMatching(/^Strings starts at/),
    ])
    pass(1)
    const later = { starts_at: inMinutes(90), ends_at: inMinutes(150) }
    await change(moved, later)
    await change(replaced, { stage_id: await addStage(app.db, 'Kaserne') })
    pass(20)
    await sendNotices()
    expect((await titles()).toSorted()).toEqual([
      expect.stringMatching(/^2 changes/),
      expect.stringMatching(/^Strings starts at/),
    ])
  })

  it('says when to leave for its new place', async () => {
    const first = await addEvent(app.db, 'Early', '2026-06-21T10:00:00Z', {
      stage_id: await addStage(app.db, 'Brücke'),
    })
    const second = await addEvent(app.db, 'Matinee', '2026-06-21T12:00:00Z', {
      stage_id: await addStage(app.db, 'Hafen', { latitude: 47.58, longitude: 7.59 }),
    })
    for (const event of [first, second]) await save(lena, event)
    await change(second, { starts_at: '2026-06-21T12:30:00Z', ends_at: null })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([
      expect.stringMatching(/^Matinee: new time: 14:30\. Leave Early at 1[34]:\d\d$/),
    ])
  })

  it('has a transaction of its own: one that waits for a person’s notices does not hold up other changes', async () => {
    const events = await Promise.all(
      ['Before', 'First', 'Second'].map((title, n) => addEvent(app.db, title, `2026-06-23T1${n}:00:00Z`)),
    )
    await save(noah, events[0]!)
    await save(lena, events[1]!)
    await save(noah, events[2]!)
    await change(events[0]!, { status: 'cancelled' })
    pass(20)
    await sendNotices()
    for (const event of events.slice(1)) {
      await change(event, { status: 'cancelled' })
      pass(1)
    }
    pass(20)
    const elsewhere = await app.db.startTransaction().execute()
    await elsewhere
      .selectFrom('notifications')
      .select('notification_id')
      .where('type', '=', 'event_changed')
      .where('read_at', 'is', null)
      .forUpdate()
      .execute()
    const telling = sendNotices()
    try {
      await vi.waitFor(
        async () => expect((await get(app, '/api/notifications/unread', lena.authToken)).body).toEqual({ unread: 1 }),
        10_000,
      )
    } finally {
      await elsewhere.rollback().execute()
      await telling
    }
    expect(await unread(lena)).toEqual(['First: cancelled'])
    expect(await unread(noah)).toHaveLength(1)
  })

  it('sends no notice if staff undo it in time, and one correction if they undo it later', async () => {
    const event = await addEvent(app.db, 'Fanny Lune', '2026-06-22T18:00:00Z')
    await save(lena, event)
    const first = await change(event, { status: 'cancelled' })
    pass(10)
    await post(app, `/api/admin/log/${first}/undo`, undefined, { token: staff })
    await app.runJobs()
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
    const second = await change(event, { status: 'cancelled' })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual(['Fanny Lune: cancelled'])
    await post(app, `/api/admin/log/${second}/undo`, undefined, { token: staff })
    await app.runJobs()
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual(['Fanny Lune: takes place after all, 20:00, Rheinbühne, Rheinbühne square'])
  })

  it('is noticed once as gone 20 seconds after staff deleted it, and once more when it comes back', async () => {
    const event = await addEvent(app.db, 'Irrlicht', '2026-06-27T18:00:00Z')
    const other = await addEvent(app.db, 'Glühwurm', '2026-06-27T18:30:00Z')
    for (const each of [event, other]) await save(lena, each)
    const remove = async () => {
      const path = `/api/events/${event}`
      expect((await post(app, path, {}, { method: 'DELETE', token: staff })).status).toBe(204)
      await app.runJobs()
      return (await get(app, '/api/admin/log?limit=1', staff)).body[0].entry_id as string
    }
    const undo = async (entry: string) => {
      expect((await post(app, `/api/admin/log/${entry}/undo`, {}, { token: staff })).status).toBe(200)
      await app.runJobs()
    }
    const inTime = await remove()
    pass(10)
    await undo(inTime)
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
    const late = await remove()
    pass(19)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
    pass(1)
    await Promise.all([sendNotices(), sendNotices()])
    expect(await unread(lena)).toEqual(['Irrlicht: no longer in the programme'])
    expect(await unread(noah)).toEqual([])
    await undo(late)
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([
      'Irrlicht: takes place after all, 20:00, Rheinbühne, Rheinbühne square. Now clashes with Glühwurm',
    ])
    await change(event, { status: 'draft' })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual(['Irrlicht: no longer in the programme'])
    await change(event, { status: 'scheduled' })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([expect.stringContaining('takes place after all')])
  })

  it('sends no notice of its deletion if it was cancelled or is over', async () => {
    const cancelled = await addEvent(app.db, 'Schall', '2026-06-27T18:00:00Z', { state: 'cancelled' })
    const over = await addEvent(app.db, 'Rauch', '2026-06-01T18:00:00Z')
    for (const each of [cancelled, over]) {
      await save(lena, each)
      await post(app, `/api/events/${each}`, {}, { method: 'DELETE', token: staff })
    }
    await app.runJobs()
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
  })

  it('names its clashes when it takes place after all, also those from before it was cancelled', async () => {
    const event = await addEvent(app.db, 'Sirenen', '2026-06-26T18:00:00Z')
    const other = await addEvent(app.db, 'Nebelhorn', '2026-06-26T18:30:00Z')
    for (const each of [event, other]) await save(lena, each)
    for (const [status, text] of [
      ['cancelled', 'Sirenen: cancelled'],
      ['scheduled', 'Sirenen: takes place after all, 20:00, Rheinbühne, Rheinbühne square. Now clashes with Nebelhorn'],
    ] as const) {
      await change(event, { status })
      pass(20)
      await sendNotices()
      expect(await unread(lena)).toEqual([text])
    }
  })

  it.each([
    ['the second before the first', '2026-06-24', [1, 0]],
    ['the third before the first and the second', '2026-06-25', [2, 0, 1]],
  ])('sends one notice with the new time and place when the jobs of quick changes run %s', async (_, day, order) => {
    const event = await addEvent(app.db, 'Rostrot', `${day}T18:00:00Z`)
    await save(lena, event)
    const steps = [
      { starts_at: `${day}T19:00:00Z`, ends_at: `${day}T20:00:00Z` },
      { stage_id: await addStage(app.db, `Wiese ${order.length}`) },
      { stage_id: await addStage(app.db, `Zelt ${order.length}`) },
    ].slice(0, order.length)
    for (const body of steps)
      expect((await post(app, `/api/events/${event}`, body, { method: 'PUT', token: staff })).status).toBe(200)
    const log = (await get(app, `/api/admin/log?limit=${steps.length}`, staff)).body as { entry_id: string }[]
    const entries = log.map(({ entry_id }) => entry_id).toReversed()
    // the queue has run the jobs in an order of its own: start over
    await app.runJobs()
    await app.db.deleteFrom('schedule_event_changes').where('event_id', '=', event).execute()
    const run = async (place: number) => {
      const facts: EventChange[] = []
      const hear = async (_trx: unknown, _fact: string, data: Record<string, unknown>) => {
        facts.push(data as unknown as EventChange)
      }
      await publishEventChanges({ db: app.db as Database, publishFact: hear }, entries[place]!)
      expect(facts.map(({ sequence }) => sequence)).toEqual([place + 1])
      for (const fact of facts) await groupEventChanges(house.of(schedule), fact)
    }
    for (const place of order) await run(place)
    pass(20)
    await sendNotices()
    const place = order.length === 2 ? 'Wiese 2' : 'Zelt 3'
    expect(await unread(lena)).toEqual([`Rostrot: new time: 21:00, ${place}, ${place} square`])
    // the jobs run again
    for (const place of order.keys()) await run(place)
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
  })

  it('is grouped with others into one notice; a new description sends none', async () => {
    const events = [
      await addEvent(app.db, 'Morning', '2026-06-23T08:00:00Z'),
      await addEvent(app.db, 'Midday', '2026-06-23T12:00:00Z'),
    ]
    for (const event of events) await save(lena, event)
    await change(events[0]!, { description: 'With breakfast' })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual([])
    for (const event of events) await change(event, { status: 'cancelled' })
    pass(20)
    await sendNotices()
    expect(await unread(lena)).toEqual(['2 changes in your schedule'])
  })
})
