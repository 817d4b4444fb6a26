import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvent, addStage } from '../../../test/cast.ts'
import { get, post } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

const titles = async (app: TestApp, path: string) =>
  ((await get(app, path)).body as { title: string }[]).map(({ title }) => title)

describe('a programme with all-day events and events of several days', () => {
  // Saturday evening, 19:30 in Basel
  let app: TestApp
  let market: string
  beforeAll(async () => {
    app = await startTestApp()
    const wholeDay = { all_day: true, ends_at: '2026-06-22T04:00:00Z', stage_id: await addStage(app.db, 'Uferweg') }
    market = await addEvent(app.db, 'Market', '2026-06-20T04:00:00Z', wholeDay)
    await addEvent(app.db, 'Matinee', '2026-06-20T09:00:00Z')
    await addEvent(app.db, '40 hours of piano', '2026-06-19T10:00:00Z', { ends_at: '2026-06-21T02:00:00Z' })
    await addEvent(app.db, 'Long night', '2026-06-20T18:00:00Z', { ends_at: '2026-06-21T05:00:00Z' })
    await addEvent(app.db, 'Brunch', '2026-06-21T08:00:00Z')
    await addEvent(app.db, 'Exhibition', '2026-06-21T04:00:00Z', { all_day: true, ends_at: '2026-07-05T04:00:00Z' })
  })
  afterAll(() => app.close())

  it('has each event on each of its days, those that began before first', async () => {
    expect(await titles(app, '/api/events?day=2026-06-19')).toEqual(['40 hours of piano'])
    expect(await titles(app, '/api/events?day=2026-06-20')).toEqual([
      '40 hours of piano',
      'Market',
      'Matinee',
      'Long night',
    ])
    expect(await titles(app, '/api/events?day=2026-06-21')).toEqual(['Market', 'Exhibition', 'Brunch'])
    expect(await titles(app, '/api/events?day=2026-06-30')).toEqual(['Exhibition'])
    expect(await titles(app, '/api/events?day_from=2026-06-22')).toEqual(['Exhibition'])
  })

  it('counts them on each of their days', async () => {
    const { days } = (await get(app, '/api/events/programme')).body as { days: { day: string; events: number }[] }
    const counts = days.map(({ day, events }) => `${day.slice(5)}: ${events}`)
    expect(counts.slice(0, 4)).toEqual(['06-19: 1', '06-20: 4', '06-21: 3', '06-22: 1'])
    // until 4 July: the exhibition ends at 06:00 of the 5th
    expect(counts.at(-1)).toBe('07-04: 1')
    for (const { day, events } of days) expect(await titles(app, `/api/events?day=${day}`)).toHaveLength(events)
  })

  it('says when the last event of a day is over; all-day events and those of several days have no part in it', async () => {
    const { days } = (await get(app, '/api/events/programme')).body as {
      days: { day: string; over_at: string | null }[]
    }
    expect(days.slice(0, 4).map(({ over_at }) => over_at)).toEqual([
      null,
      '2026-06-21T05:00:00.000Z',
      '2026-06-21T09:00:00.000Z',
      null,
    ])
  })

  it('lists a running all-day event as on, and not as what its stage plays now or beside it', async () => {
    expect(await titles(app, '/api/events?now=true')).toEqual(['40 hours of piano', 'Market'])
    const now = (await get(app, '/api/events/now-next')).body as { now: { title: string } | null }[]
    expect(now.map((stage) => stage.now?.title)).toEqual(['40 hours of piano'])
    const answer = await get(app, `/api/events/${market}`)
    expect(answer.body).toMatchObject({ all_day: true, festival_day: '2026-06-20', last_day: '2026-06-21' })
  })

  it('finds events of several days by their index', async () => {
    const plan = await app.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql`explain select event_id from events e where state <> 'draft'
        and (e.festival_day = '2026-06-20' or (e.last_day > e.festival_day and e.festival_day < '2026-06-20'
          and e.last_day >= '2026-06-20'))`.execute(trx)
      return JSON.stringify(rows)
    })
    expect(plan).toContain('events_of_many_days')
    expect(plan).toContain('events_of_day')
  })
})

describe('calendars', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    await addEvent(app.db, 'Market', '2026-06-20T04:00:00Z', { all_day: true, ends_at: '2026-06-22T04:00:00Z' })
  })
  afterAll(() => app.close())

  it('get an all-day event as days, where the end is the day after the last', async () => {
    const { text } = await get(app, '/api/events.ics')
    expect(text).toContain('DTSTART;VALUE=DATE:20260620\r\n')
    expect(text).toContain('DTEND;VALUE=DATE:20260622\r\n')
  })

  it('of other festivals read it in our schedule files: 06:00 with its length', async () => {
    const { days } = JSON.parse((await get(app, '/api/events.json')).text).schedule.conference
    expect(Object.values(days[0].rooms).flat()).toMatchObject([{ start: '06:00', duration: '48:00' }])
  })
})

describe('an import', () => {
  let app: TestApp
  let token: string
  beforeAll(async () => {
    app = await startTestApp()
    token = await aModerator(app)
  })
  afterAll(() => app.close())

  const calendar = (...lines: string[]) =>
    ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Market', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')
  const wholeDay = calendar('DTSTART;VALUE=DATE:20260620', 'DTEND;VALUE=DATE:20260622')
  async function take(text: string) {
    const form = new FormData()
    form.set('file', new Blob([text]), 'fair.ics')
    const headers = { authorization: `Bearer ${token}` }
    const { status, body } = await api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { counts: object; remarks: { kind: string }[] }
  }

  it('keeps days as days, on each of them; the same file again changes nothing', async () => {
    expect((await take(wholeDay)).counts).toMatchObject({ new: 1, refused: 0 })
    const [event] = (await get(app, '/api/events?day=2026-06-21')).body
    expect(event).toMatchObject({ title: 'Market', all_day: true, festival_day: '2026-06-20', last_day: '2026-06-21' })
    expect((await take(wholeDay)).counts).toMatchObject({ new: 0, changed: 0, same: 1 })
  })

  it('takes an event of the last import that knew no all-day events as one with times', async () => {
    const evening = calendar('DTSTART:20260620T180000Z', 'DTEND:20260620T190000Z')
    await take(evening)
    await sql`update events set source_said = source_said - 'all_day'`.execute(app.db)
    expect((await take(evening)).counts).toMatchObject({ changed: 0, same: 1 })
  })

  it('says that an event has become all day', async () => {
    const { counts, remarks } = await take(wholeDay)
    expect(counts).toMatchObject({ changed: 1 })
    expect(JSON.stringify(remarks.filter(({ kind }) => kind === 'changed'))).toContain('all day')
  })

  it('leaves days and times that staff changed', async () => {
    const [{ event_id }] = (await get(app, '/api/events?day=2026-06-20')).body
    const times = { all_day: false, starts_at: '2026-06-20T10:00', ends_at: '2026-06-20T18:00' }
    await post(app, `/api/events/${event_id}`, times, { method: 'PUT', token })
    await take(calendar('DTSTART;VALUE=DATE:20260620', 'DTEND;VALUE=DATE:20260623'))
    expect((await get(app, `/api/events/${event_id}`)).body).toMatchObject({
      all_day: false,
      starts_at: '2026-06-20T08:00:00.000Z',
      last_day: '2026-06-20',
    })
  })
})

describe('staff', () => {
  let app: TestApp
  let token: string
  beforeAll(async () => {
    app = await startTestApp()
    token = await aModerator(app)
  })
  afterAll(() => app.close())
  const send = (method: string, path: string, body: object) => post(app, path, body, { method, token })

  it('make an event of whole days: it lasts from 06:00 to 06:00, whatever times were sent', async () => {
    const made = await send('POST', '/api/events', {
      title: 'Flea market',
      all_day: true,
      starts_at: '2026-06-20T11:00',
      ends_at: '2026-06-21T17:00',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        all_day: true,
        starts_at: '2026-06-20T04:00:00.000Z',
        ends_at: '2026-06-22T04:00:00.000Z',
        festival_day: '2026-06-20',
        last_day: '2026-06-21',
      },
    })
    const oneDay = await send('POST', '/api/events', { title: 'One day', all_day: true, starts_at: '2026-06-20T11:00' })
    expect(oneDay.body).toMatchObject({ ends_at: '2026-06-21T04:00:00.000Z', last_day: '2026-06-20' })
  })

  it('refuse an all-day event that ends before its first day', async () => {
    const dates = { starts_at: '2026-06-20T06:00', ends_at: '2026-06-20T06:00' }
    expect((await send('POST', '/api/events', { title: 'Backwards', all_day: true, ...dates })).body).toMatchObject({
      code: 'end_before_start',
    })
  })

  it('make an event all day: people hear of another time, and an undo brings its times back', async () => {
    const event_id = await addEvent(app.db, 'Brunch', '2026-06-21T08:00:00Z')
    const changed = await send('PUT', `/api/events/${event_id}`, { all_day: true })
    expect(changed.body).toMatchObject({ all_day: true, starts_at: '2026-06-21T04:00:00.000Z', sequence: 1 })
    const entry = (await get(app, '/api/admin/log?limit=1', token)).body[0]
    expect((await undoConfirmed(app, token, entry.entry_id)).status).toBe(200)
    expect((await get(app, `/api/events/${event_id}`)).body).toMatchObject({
      all_day: false,
      starts_at: '2026-06-21T08:00:00.000Z',
      last_day: '2026-06-21',
    })
  })
})
