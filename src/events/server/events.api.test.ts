import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvent, addPerformers, addStage } from '../../../test/cast.ts'
import { get } from '../../../test/people.ts'
import { appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { eventsByIds } from './events.ts'
import { festivalDayOf } from './festival-day.ts'

const zone = 'Europe/Zurich'
const schedules = new URL('../../../../shared/data/schedules/', import.meta.url).pathname
/** Public schemas of schedule files; not part of this repository. */
const readerOfFormat = new Ajv({ strict: false, allErrors: true })
readerOfFormat.addMetaSchema(
  createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json') as Record<string, unknown>,
)
;(addFormats as unknown as (to: Ajv) => void)(readerOfFormat)
const titles = (answer: { body: { title: string }[] }) => answer.body.map(({ title }) => title)

describe('the programme', () => {
  let app: TestApp
  let ids: Record<string, string>
  beforeAll(async () => {
    // Saturday evening, 19:30 in Basel
    app = await startTestApp()
    const tent = await addStage(app.db, 'Lampionzelt')
    ids = {
      ended: await addEvent(app.db, 'Matinee', '2026-06-20T09:00:00Z'),
      running: await addEvent(app.db, 'Glasshouse', '2026-06-20T17:00:00Z', { price_rappen: 0, family_friendly: true }),
      parallel: await addEvent(app.db, 'Fanny Lune', '2026-06-20T17:15:00Z', { stage_id: tent, category: 'music' }),
      next: await addEvent(app.db, 'Hochwasser', '2026-06-20T19:15:00Z', { price_rappen: 1850 }),
      night: await addEvent(app.db, 'Open End', '2026-06-21T01:00:00Z', { ends_at: null, stage_id: tent }),
      sunday: await addEvent(app.db, 'Brunch', '2026-06-21T08:00:00Z', { category: 'food', stage_id: null }),
      draft: await addEvent(app.db, 'Secret Act', '2026-06-20T20:00:00Z', { state: 'draft' }),
      cancelled: await addEvent(app.db, 'Dorfrock', '2026-06-20T18:30:00Z', { state: 'cancelled', stage_id: tent }),
    }
    await addPerformers(app.db, ids['next']!, 'Hochwasser', 'Brückenbläser')
    await addPerformers(app.db, ids['sunday']!, 'Brückenbläser')
  })
  afterAll(() => app.close())

  it('is in order of time, without drafts and with cancelled events', async () => {
    const answer = await get(app, '/api/events')
    expect(answer.status).toBe(200)
    expect(titles(answer)).toEqual([
      'Matinee',
      'Glasshouse',
      'Fanny Lune',
      'Dorfrock',
      'Hochwasser',
      'Open End',
      'Brunch',
    ])
    expect(answer.headers.get('x-total-count')).toBe('7')
    expect(answer.body.map(({ status }: { status: string }) => status)).toEqual([
      'ended',
      'scheduled',
      'scheduled',
      'cancelled',
      'scheduled',
      'scheduled',
      'scheduled',
    ])
  })
  it('counts an event before 06:00 to the day before', async () => {
    expect(titles(await get(app, '/api/events?day=2026-06-20'))).toContain('Open End')
    expect(titles(await get(app, '/api/events?day=2026-06-21'))).toEqual(['Brunch'])
  })
  it.each([
    ['category=food', ['Brunch']],
    ['free=true', ['Glasshouse']],
    ['family=1', ['Glasshouse']],
    ['upcoming=true', ['Glasshouse', 'Fanny Lune', 'Hochwasser', 'Open End', 'Brunch']],
    ['now=true', ['Glasshouse', 'Fanny Lune']],
    ['not_begun=true', ['Hochwasser', 'Open End', 'Brunch']],
    ['q=hochw', ['Hochwasser']],
    ['q=bruckenblaser', ['Hochwasser', 'Brunch']],
    ['q=bruckenblaser&first_day=true', ['Hochwasser']],
    ['q=%21%21&first_day=true', []],
    ['q=lampionzelt%20fanny', ['Fanny Lune']],
    ['q=%21%21', []],
    ['from=2026-06-20T22:00:00%2B02:00', ['Hochwasser', 'Open End', 'Brunch']],
    ['to=2026-06-20T12:00:00Z', ['Matinee']],
    ['stage=none', []],
    ['day=&category=&q=&limit=2', ['Matinee', 'Glasshouse']],
  ])('with %s holds %j', async (query, expected) => {
    expect(titles(await get(app, `/api/events?${query}`))).toEqual(expected)
  })
  it.each(['day=2026-02-30', 'day=today', 'from=2026-06-20', 'category=jazz', 'after=xx', 'limit=0', 'free=maybe'])(
    'with %s is refused',
    async (query) => {
      expect(await get(app, `/api/events?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    },
  )
  it('is read page by page with a cursor, each event once', async () => {
    const seen: string[] = []
    for (let path: string | null = '/api/events?limit=3'; path;) {
      const answer = await get(app, path)
      seen.push(...titles(answer))
      expect(answer.headers.get('x-total-count')).toBe('7')
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
  })
  it('lists events by id, without drafts and unknown ids', async () => {
    const wanted = [ids['draft'], ids['sunday'], 'x', ids['ended']].join(',')
    expect(titles(await get(app, `/api/events?ids=${wanted}`))).toEqual(['Matinee', 'Brunch'])
    const now = Temporal.Instant.from('2026-06-20T17:30:00Z')
    const found = await eventsByIds(app.db, now, [ids['draft']!, ids['sunday']!, 'x', ids['ended']!])
    expect(found.map(({ title }) => title)).toEqual(['Matinee', 'Brunch'])
  })
  it('lists its days, stages and categories', async () => {
    const { body } = await get(app, '/api/events/programme')
    expect(body.days).toEqual([
      // the cancelled one does not count, the one with an open end lasts an hour
      { day: '2026-06-20', events: 6, is_earlier: false, over_at: '2026-06-21T02:00:00.000Z' },
      { day: '2026-06-21', events: 1, is_earlier: false, over_at: '2026-06-21T09:00:00.000Z' },
    ])
    expect(body.days_left_out).toBe(0)
    expect(body.stages.map(({ stage }: { stage: string }) => stage)).toEqual(['Lampionzelt', 'Rheinbühne'])
    expect(body).toMatchObject({ today: '2026-06-20', now: '2026-06-20T17:30:00.000Z' })
  })
  it('shows what each stage plays now and next, without cancelled events', async () => {
    const { body } = await get(app, '/api/events/now-next')
    expect(
      body.map((each: { stage: { stage: string }; now?: { title: string }; next?: { title: string } }) => [
        each.stage.stage,
        each.now?.title,
        each.next?.title,
      ]),
    ).toEqual([
      ['Lampionzelt', 'Fanny Lune', 'Open End'],
      ['Rheinbühne', 'Glasshouse', 'Hochwasser'],
    ])
  })
  it('shows one event with its venue, performers and price', async () => {
    const { status, body } = await get(app, `/api/events/${ids['next']}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Hochwasser',
      stage: 'Rheinbühne',
      price_chf: 18.5,
      venue: { venue_name: 'Rheinbühne square', latitude: 47.5601 },
      performers: [{ performer_name: 'Hochwasser' }, { performer_name: 'Brückenbläser' }],
      previous: null,
      saves: null,
    })
  })
  it('shows its neighbours on the stage, what runs at the same time, and other sets of its performers', async () => {
    const { body } = await get(app, `/api/events/${ids['next']}/neighbours`)
    expect(body.previous.title).toBe('Glasshouse')
    expect(body.next).toBeNull()
    expect(titles({ body: body.parallel })).toEqual([])
    expect(titles({ body: body.sets })).toEqual(['Brunch'])
    const running = await get(app, `/api/events/${ids['running']}/neighbours`)
    expect(titles({ body: running.body.parallel })).toEqual(['Fanny Lune'])
  })
  it.each(['draft', 'unknown', 'malformed'])('does not know an event that is %s', async (which) => {
    const id = { draft: ids['draft'], unknown: '01978e94-a0e8-7f8b-8a4a-d23113936317', malformed: 'x' }[which]!
    const refused = { status: 404, body: { code: 'event_not_found' } }
    expect(await get(app, `/api/events/${id}`)).toMatchObject(refused)
    expect(await get(app, `/api/events/${id}/neighbours`)).toMatchObject(refused)
  })
  it('shows how many people saved an event from five on', async () => {
    const row = app.db.updateTable('events').where('event_id', '=', ids['sunday']!)
    await row.set({ saves: 4 }).execute()
    expect((await get(app, `/api/events/${ids['sunday']}`)).body.saves).toBeNull()
    await row.set({ saves: 5 }).execute()
    expect((await get(app, `/api/events/${ids['sunday']}`)).body.saves).toBe(5)
  })
})

describe('the feeds of the programme', () => {
  it('hold every demo event at the same times in iCalendar, JSON and XML, and follow the schemas', async () => {
    const app = await appForTest({ demo: true })
    const rows = await app.db
      .selectFrom('events')
      .select(['event_id', 'starts_at', 'over_at', 'state', 'sequence'])
      .execute()
    const text = async (path: string) => (await fetch(`${app.url}${path}`)).text()

    const calendar = new ICAL.Component(ICAL.parse(await text('/api/events.ics')) as never)
    const entries = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
    expect(entries).toHaveLength(rows.length)
    const byId = new Map(entries.map((entry) => [entry.uid.split('@')[0], entry]))
    for (const row of rows) {
      const entry = byId.get(row.event_id)!
      expect(entry.startDate.toJSDate()).toEqual(row.starts_at)
      expect(entry.endDate.toJSDate()).toEqual(row.over_at)
      expect(entry.sequence).toBe(row.sequence)
      expect(entry.component.getFirstPropertyValue('status')).toBe(
        row.state === 'cancelled' ? 'CANCELLED' : 'CONFIRMED',
      )
    }

    const shown = rows.filter(({ state }) => state !== 'cancelled')
    const expected = new Map(shown.map((row) => [row.event_id, row.starts_at.getTime()]))
    const { conference } = (JSON.parse(await text('/api/events.json')) as { schedule: { conference: Conference } })
      .schedule
    const inJson = conference.days.flatMap(({ rooms }) => Object.values(rooms).flat())
    expect(new Map(inJson.map(({ guid, date }) => [guid, Date.parse(date)]))).toEqual(expected)
    const xml = await text('/api/events.xml')
    const inXml = [...xml.matchAll(/guid="([\w-]{36})">\s*<room>[^]*?<date>([^<]+)</g)]
    expect(new Map(inXml.map(([, guid, date]) => [guid, Date.parse(date!)]))).toEqual(expected)

    if (!existsSync(schedules)) return
    const fits = readerOfFormat.compile(
      JSON.parse(readFileSync(`${schedules}schema-c3voc-schedule.schema.json`, 'utf8')) as object,
    )
    fits(JSON.parse(await text('/api/events.json')))
    expect(fits.errors ?? []).toEqual([])
    const schema = `${schedules}schema-c3voc-schedule.xsd`
    const lint = spawnSync('xmllint', ['--noout', '--schema', schema, '-'], { input: xml, encoding: 'utf8' })
    if (!lint.error) expect([lint.status, lint.stderr]).toEqual([0, '- validates\n'])
  })
  it('answer 304 until something changes', async () => {
    const app = await appForTest()
    const event_id = await addEvent(app.db, 'Glasshouse & <Friends>', '2026-06-20T17:00:00Z', {
      description: 'a\u0007b',
    })
    for (const path of ['/api/events.ics', '/api/events.json', '/api/events.xml']) {
      const first = await fetch(`${app.url}${path}`)
      expect(first.status).toBe(200)
      expect(await first.text()).toContain('Glasshouse')
      const headers = { 'if-none-match': first.headers.get('etag')! }
      expect((await fetch(`${app.url}${path}`, { headers })).status).toBe(304)
      await app.db
        .updateTable('events')
        .set((row) => ({ sequence: row('sequence', '+', 1), updated_at: new Date(Date.now() + Math.random() * 1e9) }))
        .where('event_id', '=', event_id)
        .execute()
      expect((await fetch(`${app.url}${path}`, { headers })).status).toBe(200)
    }
  })
  it('have descriptions without Markdown, with the addresses of links', async () => {
    const app = await appForTest()
    const description = '**Loud** brass, see [the band](https://example.org/band).\n\n- first\n- second'
    await addEvent(app.db, 'Glasshouse', '2026-06-20T17:00:00Z', { description })
    // stored before descriptions had elements
    const old = await addEvent(app.db, 'Lune', '2026-06-20T18:00:00Z', { description: '*Quiet*' })
    await app.db.updateTable('events').set({ content: null }).where('event_id', '=', old).execute()
    const plain = 'Loud brass, see the band (https://example.org/band).\n\n• first\n• second'
    const calendar = new ICAL.Component(ICAL.parse((await get(app, '/api/events.ics')).text))
    const inCalendar = calendar.getAllSubcomponents('vevent').map((each) => each.getFirstPropertyValue('description'))
    expect(inCalendar).toEqual([plain, 'Quiet'])
    const { schedule } = JSON.parse((await get(app, '/api/events.json')).text)
    const inJson = Object.values(schedule.conference.days[0].rooms).flat()
    expect(inJson).toMatchObject([{ description: plain }, { description: 'Quiet' }])
    const xml = (await get(app, '/api/events.xml')).text
    expect(xml).toContain(`<description>${plain}</description>`)
    expect(xml).toContain('<description>Quiet</description>')
  })
  it('can be filtered by day, stage and category, and a calendar by event', async () => {
    const app = await appForTest()
    const id = await addEvent(app.db, 'Glasshouse', '2026-06-20T17:00:00Z', { category: 'music' })
    await addEvent(app.db, 'Brunch', '2026-06-21T08:00:00Z', { category: 'food' })
    const count = async (query: string) =>
      (await (await fetch(`${app.url}/api/events.ics?${query}`)).text()).split('BEGIN:VEVENT').length - 1
    expect(await count('')).toBe(2)
    expect(await count('day=2026-06-20')).toBe(1)
    expect(await count('category=food')).toBe(1)
    expect(await count(`event=${id}`)).toBe(1)
    expect(await count('event=none')).toBe(0)
    const tent = await addStage(app.db, 'Lampionzelt')
    await addEvent(app.db, 'Lune', '2026-06-20T18:00:00Z', { category: 'music', stage_id: tent })
    expect(await count(`stage=${tent}`)).toBe(1)
    expect(await count(`stage=${tent}&category=food`)).toBe(0)
    for (const [query, found] of [
      ['', ['Glasshouse', 'Lune', 'Brunch']],
      ['day=2026-06-20', ['Glasshouse', 'Lune']],
      [`stage=${tent}`, ['Lune']],
      ['category=food', ['Brunch']],
      ['stage=none', []],
    ] as const) {
      const { schedule } = (await get(app, `/api/events.json?${query}`)).body as {
        schedule: { conference: { days: { rooms: Record<string, { title: string }[]> }[] } }
      }
      const inJson = schedule.conference.days.flatMap(({ rooms }) => Object.values(rooms).flat())
      expect(inJson.map(({ title }) => title)).toEqual(found)
      const xml = await (await fetch(`${app.url}/api/events.xml?${query}`)).text()
      const inXml = [...xml.matchAll(/<event [^]*?<title>([^<]+)</g)]
      expect(inXml.map(([, title]) => title)).toEqual(found)
    }
    for (const format of ['ics', 'json', 'xml'])
      expect((await get(app, `/api/events.${format}?day=never`)).status).toBe(400)
  })
})

interface Conference {
  days: { rooms: Record<string, { guid: string; date: string }[]> }[]
}

it.each([
  ['2026-06-21T03:59:59Z', '2026-06-20'],
  ['2026-06-21T04:00:00Z', '2026-06-21'],
  // the night in which clocks go forward, and the one in which they go back
  ['2026-03-29T03:59:59Z', '2026-03-28'],
  ['2026-03-29T04:00:00Z', '2026-03-29'],
  ['2025-10-26T04:59:59Z', '2025-10-25'],
  ['2025-10-26T05:00:00Z', '2025-10-26'],
])('the moment %s belongs to the festival day %s', (at, day) => {
  expect(festivalDayOf(Temporal.Instant.from(at), zone)).toBe(day)
})

it('the demo has three days around today, eight stages, a moved, a delayed and a cancelled event, in three languages', async () => {
  const app = await appForTest({ demo: true })
  const { body } = await get(app, '/api/events/programme')
  expect(body.days.map(({ day }: { day: string }) => day)).toHaveLength(3)
  expect(body.stages).toHaveLength(8)
  const events = await app.db.selectFrom('events').selectAll().execute()
  expect(events.length).toBeGreaterThan(110)
  expect(new Set(events.map(({ state }) => state))).toEqual(new Set(['scheduled', 'delayed', 'moved', 'cancelled']))
  expect(new Set(events.flatMap(({ languages }) => languages))).toEqual(new Set(['de', 'en', 'fr']))
})
