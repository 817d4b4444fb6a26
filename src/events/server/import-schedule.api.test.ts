import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../kit/server/clock.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import { aVisitor, get, post } from '../../../test/people.ts'
import { appForTest, type TestApp } from '../../../test/start-app.ts'
import { command } from '../../staff/server/staff.ts'
import { texts } from '../../app/server/texts.ts'
import { remarkInWords } from '../../staff/server/import-report.ts'
import { importSchedule } from './import-schedule.ts'
import { speaker } from '../../kit/server/import-text.ts'
import { lockEvents, markDeleted } from './store.ts'
import { parseSchedule, read as readSchedule } from './import/schedule-file.ts'

const folder = new URL('../../../../shared/data/schedules/', import.meta.url).pathname
const london = 'Europe/London'
const english = speaker(texts, 'en')

async function take(
  app: TestApp,
  bytes: Uint8Array | string,
  more: { name?: string; dryRun?: boolean; zone?: string } = {},
) {
  const { name = 'file', dryRun = false, zone = london } = more
  const file = await readSchedule(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { zone, name })
  const room = { db: app.db, clock: systemClock, zone: 'Europe/Zurich', jobs: { enqueue: async () => {} } }
  const report = await importSchedule(room, { file, fileName: name, dryRun, actor: command })
  return { ...report, remarks: report.remarks.map((remark) => remarkInWords(english, remark)) }
}

const rowsOf = (app: TestApp) =>
  app.db.selectFrom('events').select(['source_id', 'title', 'starts_at', 'ends_at', 'festival_day']).execute()

/** Reads events without our parsers: id -> start and end in ms. */
const independent: Record<string, (text: string) => Map<string, [number, number]>> = {
  json: (text) =>
    new Map(
      (JSON.parse(text) as { id: number; start_date: string; end_date: string }[]).map((each) => [
        String(each.id),
        // British summer time at both camps
        [
          Date.parse(`${each.start_date.replace(' ', 'T')}+01:00`),
          Date.parse(`${each.end_date.replace(' ', 'T')}+01:00`),
        ],
      ]),
    ),
  xml: (text) =>
    new Map(
      text
        .split('<event ')
        .slice(1)
        .map((event) => {
          const said = (pattern: RegExp) => pattern.exec(event)![1]!
          const start = Date.parse(said(/<date>([^<]+)</))
          const [hours = 0, minutes = 0] = said(/<duration>([^<]+)</)
            .split(':')
            .map(Number)
          return [said(/guid="([^"]+)"/), [start, start + (hours * 60 + minutes) * 60_000]]
        }),
    ),
  ics: (text) =>
    new Map(
      text
        .replace(/\r\n /g, '')
        .split('BEGIN:VEVENT')
        .slice(1)
        .map((event) => {
          const at = (name: string) => {
            const [, y, mo, d, h, mi] = new RegExp(`${name};[^:]*:(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)`).exec(
              event,
            )!
            return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:00+01:00`)
          }
          return [/UID:(\S+)/.exec(event)![1]!, [at('DTSTART'), at('DTEND')]]
        }),
    ),
}

describe.runIf(existsSync(folder))('a real schedule', () => {
  it.each([
    ['emf-2024.schedule.json', 482],
    ['emf-2012.schedule.json', 81],
    ['emf-2024.frab.xml', 482],
    ['emf-2024.ics', 482],
    ['38c3-2024.schedule.xml', 1007],
  ])(
    '%s is taken whole, with every instant as an independent parse has it, and a second time changes nothing',
    async (file, count) => {
      const app = await appForTest()
      const bytes = readFileSync(folder + file)
      const first = await take(app, bytes, { name: basename(file) })
      expect(first.counts).toEqual({ read: count, new: count, changed: 0, same: 0, refused: 0 })
      const rows = await rowsOf(app)
      const expected = independent[file.split('.').at(-1)!]!(bytes.toString('utf8'))
      expect(new Map(rows.map((row) => [row.source_id, [row.starts_at.getTime(), row.ends_at?.getTime()]]))).toEqual(
        expected,
      )
      for (const row of rows) {
        const early = new Date(row.starts_at.getTime() - 6 * 3_600_000)
        const day = Temporal.Instant.from(early.toISOString())
          .toZonedDateTimeISO('Europe/Zurich')
          .toPlainDate()
          .toString()
        expect(row.festival_day).toBe(day)
      }
      // character references are decoded
      const { rows: texts } = await sql<{ text: string }>`
        select title || coalesce(description, '') as text from events
        union all select stage_name from stages union all select performer_name from performers`.execute(app.db)
      expect(texts.filter(({ text }) => /&#/.test(text))).toEqual([])
      const second = await take(app, bytes, { name: basename(file) })
      expect(second.counts).toEqual({ read: count, new: 0, changed: 0, same: count, refused: 0 })
      expect(second.entryId).toBeNull()
    },
  )
})

/** The file with one title changed, one event an hour later, and one event removed. */
type Edit = { retitled: string; later: string; gone: string }
const edited: Record<string, (text: string, ids: Edit) => string> = {
  json: (text, { retitled, later, gone }) =>
    JSON.stringify(
      (JSON.parse(text) as { id: number; title: string; start_date: string; end_date: string }[])
        .filter(({ id }) => String(id) !== gone)
        .map((each) => {
          if (String(each.id) === retitled) return { ...each, title: 'Another title' }
          if (String(each.id) !== later) return each
          const [start_date, end_date] = [each.start_date, each.end_date].map((at) =>
            new Date(Date.parse(`${at.replace(' ', 'T')}Z`) + 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
          )
          return { ...each, start_date, end_date }
        }),
    ),
  xml: (text, { retitled, later, gone }) =>
    text.replace(/<event .*?<\/event>\s*/gs, (event) => {
      const id = /guid="([^"]+)"/.exec(event)![1]
      if (id === gone) return ''
      if (id === retitled) return event.replace(/<title>.*?<\/title>/s, '<title>Another title</title>')
      const [, date] = /<date>([^<]+)</.exec(event)!
      // an hour later, with the offset of the file
      const [, offset = ''] = /([+-]\d\d:\d\d|Z)$/.exec(date!) ?? []
      const wall = Date.parse(`${date!.slice(0, 19)}Z`)
      const moved = new Date(wall + 3_600_000).toISOString().slice(0, 19) + offset
      return id === later ? event.replace(`<date>${date}`, `<date>${moved}`) : event
    }),
  ics: (text, { retitled, later, gone }) =>
    text.replace(/BEGIN:VEVENT.*?END:VEVENT\r?\n/gs, (event) => {
      const id = /UID:(\S+)/.exec(event.replace(/\r\n /g, ''))![1]
      if (id === gone) return ''
      if (id === retitled) return event.replace(/SUMMARY:.*(\r\n .*)*/, 'SUMMARY:Another title\r')
      if (id !== later) return event
      return event.replace(/^(DT(?:START|END)[^:]*:)(\d{4})(\d\d)(\d\d)T(\d\d)/gm, (_, name, ...parts) => {
        const [y, mo, d, h] = parts.slice(0, 4).map(Number)
        const at = new Date(Date.UTC(y!, mo! - 1, d, h! + 1)).toISOString()
        return `${name}${at.slice(0, 13).replace(/-/g, '')}`
      })
    }),
}

describe.runIf(existsSync(folder))('an edited real schedule', () => {
  it.each([
    'emf-2024.schedule.json',
    'emf-2012.schedule.json',
    'emf-2024.frab.xml',
    'emf-2024.ics',
    '38c3-2024.schedule.xml',
  ])('%s shows exactly the edits, and keeps what people saved', async (file) => {
    const app = await appForTest()
    const text = readFileSync(folder + file, 'utf8')
    await take(app, text, { name: file })
    const before = await app.db.selectFrom('events').selectAll().orderBy('starts_at').orderBy('event_id').execute()
    // away from the edges of days and file; an id that is no part of another id
    const [retitled, later, gone] = [10, 30, 50].map((n) => before[n]!)
    const { authToken: token } = await aVisitor(app)
    for (const { event_id } of [retitled!, later!, gone!])
      await post(app, '/api/schedule', { event_id, note: 'Bring Noah', reminders: [15] }, { token })
    const ids = { retitled: retitled!.source_id!, later: later!.source_id!, gone: gone!.source_id! }
    const report = await take(app, edited[file.split('.').at(-1)!]!(text, ids), { name: file })
    expect(report.counts).toEqual({
      read: before.length - 1,
      new: 0,
      changed: 2,
      same: before.length - 3,
      refused: 0,
    })
    const remarks = report.remarks.filter(({ kind }) => kind !== 'note')
    expect(remarks.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual(
      ['changed Another title', `changed ${later!.title}`, `missing ${gone!.title}`].toSorted(),
    )
    const after = await app.db.selectFrom('events').selectAll().orderBy('event_id').execute()
    const differ = after.filter((row) => {
      const was = before.find(({ event_id }) => event_id === row.event_id)!
      return row.title !== was.title || row.starts_at.getTime() !== was.starts_at.getTime() || row.state !== was.state
    })
    expect(differ.map(({ event_id }) => event_id).toSorted()).toEqual([retitled!.event_id, later!.event_id].toSorted())
    const moved = after.find(({ event_id }) => event_id === later!.event_id)!
    expect(moved.starts_at.getTime() - later!.starts_at.getTime()).toBe(3_600_000)
    expect(moved.ends_at!.getTime() - later!.ends_at!.getTime()).toBe(3_600_000)
    const entries = (await get(app, '/api/schedule', token)).body.entries as { note: string; reminders: number[] }[]
    expect(entries.map(({ note, reminders }) => [note, reminders])).toEqual(Array(3).fill(['Bring Noah', [15]]))
  })
})

const item = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  title: `Set ${id}`,
  start_date: '2026-06-20 20:00:00',
  end_date: '2026-06-20 21:00:00',
  venue: 'Stage A',
  speaker: 'Glasshouse',
  type: 'concert',
  ...more,
})
const list = (...items: unknown[]) => JSON.stringify(items)

describe('a schedule that has changed', () => {
  it('counts as the same where another machine encodes its letters differently', async () => {
    const app = await appForTest()
    const text = list(item(1, { title: 'Zürich', venue: 'Café', speaker: 'Jörg', description: 'Öffnet früh' }))
    await take(app, text.normalize('NFC'))
    const again = await take(app, text.normalize('NFD'))
    expect(again.counts).toMatchObject({ new: 0, changed: 0, same: 1 })
    expect(again.remarks).toEqual([])
  })

  it('reports too many performers and long names, and loses marks that reverse text', async () => {
    const app = await appForTest()
    const people = [...Array.from({ length: 41 }, (_, n) => `Band ${n}`), ' \u200b ', 'L'.repeat(130)]
    const table = `id;title;starts_at;stage;performers\n1;\u202eSet;2026-06-20 20:00;\u2067Stage\u2069;"${people.join(';')}"\n2;Two;2026-06-20 20:00;;${'L'.repeat(130)}\n`
    const { remarks } = await take(app, table)
    expect(remarks.filter(({ kind }) => kind === 'note').map(({ text }) => text)).toEqual([
      'it has 42 performers: the first 40 are used',
      'the name of a performer has 130 characters and was cut to 120',
    ])
    const rows = await app.db
      .selectFrom('events')
      .leftJoin('stages', 'stages.stage_id', 'events.stage_id')
      .select(['title', 'stage_name'])
      .orderBy('events.source_id')
      .execute()
    expect(rows).toEqual([
      { title: 'Set', stage_name: 'Stage' },
      { title: 'Two', stage_name: null },
    ])
  })

  it('changes only fields that differ, keeps ids and saves, and reports missing events', async () => {
    const app = await appForTest()
    await take(app, list(item(1), item(2), item(3)))
    await app.db.updateTable('events').set({ saves: 7 }).execute()
    const before = await app.db.selectFrom('events').select(['event_id', 'source_id']).orderBy('source_id').execute()
    const moved = item(2, { start_date: '2026-06-20 20:30:00', end_date: '2026-06-20 21:30:00', venue: 'Stage B' })
    const dry = await take(app, list(item(1), moved), { dryRun: true })
    expect(dry.counts).toMatchObject({ new: 0, changed: 1, same: 1 })
    expect((await take(app, list(item(1), item(2), item(3)), { dryRun: true })).counts).toMatchObject({ same: 3 })
    const report = await take(app, list(item(1), moved))
    expect(report.counts).toEqual({ read: 2, new: 0, changed: 1, same: 1, refused: 0 })
    expect(report.remarks.map(({ kind }) => kind).sort()).toEqual(['changed', 'missing'])
    // London time in the file, the festival's clocks in the report
    const changed = report.remarks.find(({ kind }) => kind === 'changed')!
    expect(changed.text).toContain('start 2026-06-20 21:00 → 2026-06-20 21:30')
    const after = await app.db.selectFrom('events').selectAll().orderBy('source_id').execute()
    expect(after.map(({ event_id, source_id }) => ({ event_id, source_id }))).toEqual(before)
    expect(after.map(({ saves }) => saves)).toEqual([7, 7, 7])
    expect(after[1]).toMatchObject({ state: 'moved', sequence: 1, previous_place: 'Stage A' })
    expect(after[1]!.previous_starts_at?.toISOString()).toBe('2026-06-20T19:00:00.000Z')
    expect(after[0]).toMatchObject({ state: 'scheduled', sequence: 0 })
  })
  it('keeps fields that staff edited since', async () => {
    const app = await appForTest()
    await take(app, list(item(1)))
    await app.db.updateTable('events').set({ title: 'Set 1 (acoustic)' }).execute()
    const report = await take(app, list(item(1, { title: 'Set One', type: 'workshop' })))
    expect(report.remarks[0]!.text).toContain('title was edited by staff and stays')
    expect(await app.db.selectFrom('events').select(['title', 'category']).executeTakeFirst()).toEqual({
      title: 'Set 1 (acoustic)',
      category: 'workshop',
    })
  })
  it('keeps start and end where staff edited one of them', async () => {
    const app = await appForTest()
    await take(app, list(item(1)))
    await app.db
      .updateTable('events')
      .set({ ends_at: '2026-06-20T20:30:00Z', over_at: '2026-06-20T20:30:00Z' })
      .execute()
    const later = item(1, { title: 'Set One', start_date: '2026-06-20 22:00:00', end_date: '2026-06-20 23:00:00' })
    const report = await take(app, list(later))
    expect(report.remarks[0]!.text).toBe('title Set 1 → Set One; time was edited by staff and stays')
    const [row] = await rowsOf(app)
    expect([row!.title, row!.starts_at.toISOString(), row!.ends_at?.toISOString()]).toEqual([
      'Set One',
      '2026-06-20T19:00:00.000Z',
      '2026-06-20T20:30:00.000Z',
    ])
  })
})

describe('an event that staff delete while an import runs', () => {
  /** Imports the event while its deletion runs. @returns the report */
  async function takeMeanwhile(app: TestApp, file: string) {
    const { event_id } = await app.db.selectFrom('events').select('event_id').executeTakeFirstOrThrow()
    const importing = await app.db.transaction().execute(async (trx) => {
      await lockEvents(trx, [event_id])
      await markDeleted(trx, [{ event_id, sequence: 1 }], new Date())
      const report = take(app, file)
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
        expect(rows).toHaveLength(1)
      }, 30_000)
      return { report }
    })
    return importing.report
  }
  const later = list(item(1, { start_date: '2026-06-20 22:00:00', end_date: '2026-06-20 23:00:00' }))

  it('stays deleted, and the report says so', async () => {
    const app = await appForTest()
    await take(app, list(item(1)))
    const report = await takeMeanwhile(app, later)
    expect(report.counts).toEqual({ read: 1, new: 0, changed: 0, same: 1, refused: 0 })
    expect(report.remarks.map(({ kind, text }) => [kind, text])).toEqual([
      ['note', 'was deleted by staff and stays deleted; undo it in the log to bring it back'],
    ])
    const event = () =>
      app.db.selectFrom('events').select(['state', 'deleted_at', 'starts_at', 'source_said']).executeTakeFirstOrThrow()
    const row = await event()
    expect(row).toMatchObject({ state: 'draft', deleted_at: expect.any(Date) as Date })
    expect(row.starts_at.toISOString()).toBe('2026-06-20T19:00:00.000Z')
    // once restored, the next import changes it
    await app.db.updateTable('events').set({ state: 'scheduled' }).execute()
    expect((await take(app, later)).counts).toMatchObject({ changed: 1 })
    expect((await event()).starts_at.toISOString()).toBe('2026-06-20T21:00:00.000Z')
  })
})

const cycle = '<!DOCTYPE s [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]><schedule>&a;</schedule>'

const cutOff = 'The file ends too early: its XML is incomplete. Export it again.'

describe('bad input', () => {
  it.each([
    ['no title', { title: ' ' }, 'it has no title'],
    ['a start that is none', { start_date: 'soon' }, 'its start “soon” is not a time'],
    ['no start', { start_date: '' }, 'its start is missing'],
    ['neither start nor end', { start_date: 'soon', end_date: 'late' }, 'its start “soon” is not a time'],
    ['a NUL in its title', { title: 'Set \0' }, 'it contains characters that cannot be saved'],
    ['half a letter in a name', { speaker: 'Set \ud83c' }, 'it contains characters that cannot be saved'],
  ])('an event with %s is refused with a line, and the others are taken', async (_, more, text) => {
    const app = await appForTest()
    const report = await take(app, list(item(1), item(2, more), item(3)))
    expect(report.counts).toMatchObject({ new: 2, refused: 1 })
    expect(report.remarks.find(({ kind }) => kind === 'refused')!.text).toBe(text)
  })
  it.each([
    ['before the start', '2026-06-20 19:00:00', null, 'it ends before it begins: imported without an end'],
    ['as the start', '2026-06-20 20:00:00', null, 'it ends when it begins: imported without an end'],
    ['that is none', '31.12.', null, 'its end “31.12.” was not understood: imported without an end'],
    [
      'in a month',
      '2026-07-20 19:00:00',
      '2026-07-20T18:00:00.000Z',
      'it lasts more than a week: shown on each of its days',
    ],
  ])('an event with an end %s is taken with a note', async (_, end_date, ends_at, text) => {
    const app = await appForTest()
    const report = await take(app, list(item(2, { end_date })))
    expect(report.counts).toMatchObject({ new: 1, refused: 0 })
    expect(report.remarks.filter(({ kind }) => kind === 'note').map((remark) => remark.text)).toEqual([text])
    expect((await rowsOf(app))[0]!.ends_at?.toISOString() ?? null).toBe(ends_at)
  })
  it('events with one id are told apart by start and stage, equal ones are taken once, a missing end is an open end', async () => {
    const app = await appForTest()
    const file = list(item(1, { end_date: undefined }), item(1, { end_date: undefined }), item(1, { venue: 'Stage B' }))
    const report = await take(app, file)
    expect(report.counts).toEqual({ read: 2, new: 2, changed: 0, same: 0, refused: 0 })
    expect((await rowsOf(app)).map(({ ends_at }) => ends_at?.toISOString() ?? '').toSorted()).toEqual([
      '',
      '2026-06-20T20:00:00.000Z',
    ])
    expect((await take(app, file)).counts).toMatchObject({ read: 2, same: 2 })
  })
  it('an invalid position is dropped with a remark, and a long language is cut between letters', async () => {
    const app = await appForTest()
    const table = `id,title,starts_at,stage,languages,latitude,longitude
1,First,2026-06-20 20:00,North,de,95,7.5
2,Second,2026-06-20 21:00,East,${'🎷'.repeat(21)},47.5,7.5
`
    const report = await take(app, table)
    expect(report.counts).toMatchObject({ new: 2, refused: 0 })
    expect(report.remarks.filter(({ kind }) => kind === 'note')).toMatchObject([
      { title: 'First', text: 'its position is not a latitude and longitude and was left out' },
    ])
    const venues = await app.db.selectFrom('venues').select(['venue_name', 'latitude']).orderBy('venue_name').execute()
    expect(venues).toEqual([
      { venue_name: 'East', latitude: 47.5 },
      { venue_name: 'North', latitude: null },
    ])
    const [, second] = (await get(app, '/api/events')).body as { languages: string[] }[]
    expect([...second!.languages[0]!]).toHaveLength(20)
  })
  it('a calendar event with an unknown zone, a repetition or a day is taken', async () => {
    const app = await appForTest()
    const event = (uid: string, start: string, more = '') =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Set\r\nDTSTART${start}\r\n${more}END:VEVENT\r\n`
    const calendar =
      'BEGIN:VCALENDAR\r\n' +
      event('a', ';TZID=Mars/Olympus:20260620T200000') +
      event('b', ':20260620T200000Z', 'RRULE:FREQ=DAILY;COUNT=3\r\n') +
      event('c', ';VALUE=DATE:20260620') +
      event('d', ';TZID=Europe/Zurich:20260620T200000', 'DURATION:PT90M\r\n') +
      'END:VCALENDAR\r\n'
    const report = await take(app, calendar)
    expect(report.counts).toEqual({ read: 6, new: 6, changed: 0, same: 0, refused: 0 })
    const rows = await rowsOf(app)
    expect(rows.map((row) => `${row.source_id} at ${row.starts_at.toISOString().slice(5, 16)}`).toSorted()).toEqual([
      'a at 06-20T19:00',
      'b 2026-06-21T20:00:00Z at 06-21T20:00',
      'b 2026-06-22T20:00:00Z at 06-22T20:00',
      'b at 06-20T20:00',
      'c at 06-20T05:00',
      'd at 06-20T18:00',
    ])
    expect((await take(app, calendar)).counts).toMatchObject({ new: 0, changed: 0, same: 6 })
  })
  const xml = (...events: string[]) =>
    `<schedule><conference><time_zone_name>Mars/Olympus</time_zone_name></conference><day><room name="A">${events.join('')}</room></day></schedule>`
  const inXml = (guid: string, date: string, duration: string) =>
    `<event guid="${guid}"><title>Set</title><date>${date}</date><duration>${duration}</duration></event>`
  const said = '2026-06-20T20:00:00+02:00'
  it('events of schedule XML and JSON with a bad zone, duration or id are imported with notes', async () => {
    const app = await appForTest()
    const inTwoFormats = [
      xml(
        inXml('a', said, '01:30'),
        inXml('b', '2026-06-20T20:00:00', '01:30'),
        inXml('c', said, '-00:30'),
        inXml('d', said, '00:00'),
        inXml('e', said, 'long'),
        inXml('a', said, '01:30'),
      ),
      JSON.stringify({
        schedule: {
          conference: {
            time_zone_name: 'Mars/Olympus',
            days: [
              {
                rooms: {
                  A: [
                    { guid: 'a', title: 'Set', date: said, duration: '01:30' },
                    { guid: 'b', title: 'Set', date: '2026-06-20T20:00:00', duration: '01:30' },
                    { guid: 'c', title: 'Set', date: said, duration: '-00:30' },
                    { guid: 'd', title: 'Set', date: said, duration: '00:00' },
                    { guid: 'e', title: 'Set', date: said, duration: 'long' },
                    { guid: 'a', title: 'Set', date: said, duration: '01:30' },
                  ],
                },
              },
            ],
          },
        },
      }),
    ]
    for (const [index, content] of inTwoFormats.entries()) {
      const report = await take(app, content, { name: `file${index}` })
      expect(report.counts).toMatchObject({ read: 5, new: 5, refused: 0 })
      expect(report.remarks.filter(({ kind }) => kind === 'note').map(({ text }) => text)).toEqual([
        'it is in the file 2 times: imported once',
        'it ends before it begins: imported without an end',
        'it ends when it begins: imported without an end',
        'its duration “long” is invalid: imported without an end',
      ])
    }
  })
  it.each([
    ['nothing', '', 'The file is empty.'],
    ['XML with entities', '<!DOCTYPE s [<!ENTITY a "b">]><schedule>&a;</schedule>', 'DOCTYPE'],
    ['XML with entities that hold each other', cycle, 'DOCTYPE'],
    ['XML nested 100,000 deep', `<schedule>${'<a>'.repeat(1e5)}${'</a>'.repeat(1e5)}</schedule>`, ''],
    ['JSON nested 100,000 deep', `{"schedule":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'not a schedule'],
    ['XML cut off after an element', '<schedule><day><room>', cutOff],
    ['XML cut off in a text', '<schedule><day><room><event><title>Se', cutOff],
    ['XML cut off in an opening tag', '<schedule><day index="1', cutOff],
    ['XML cut off in a closing tag', '<schedule><day></day></sched', cutOff],
    ['XML cut off in a comment', '<schedule><!-- day', cutOff],
    ['XML cut off before its first element', '<?xml version="1.0"', cutOff],
    ['XML with a wrong closing tag', '<schedule><day></room></schedule>', 'not valid XML: line 1 has a mistake'],
    ['XML with words after its end', '<schedule></schedule>x', 'not valid XML: line 1 has a mistake'],
    ['other XML', '<rss></rss>', 'not a schedule'],
    ['JSON that ends too early', '[{"id": 1', 'its JSON is incomplete'],
    ['broken JSON', '[\n{"id" 1}]', 'not valid JSON: line 2 has a mistake'],
    ['something like JSON', '[x]', 'not valid JSON.'],
    ['brackets', '['.repeat(3_000_000), 'takes too much memory'],
    ['other JSON', '{"type": "FeatureCollection"}', 'not a schedule'],
    ['a list without events', '[]', 'no events'],
    ['a table without the columns', 'what;why\nx;y', 'title'],
    ['bytes that are no text', Buffer.from([0x01, 0x00, 0x02, 0x00]), 'not a text file'],
    ['a PDF', '%PDF-1.4 programme', 'The file is a PDF. Export the programme as'],
    ['a picture', Buffer.from('\u0089PNG\r\n', 'latin1'), 'is a picture'],
    ['a web page', '<!doctype HTML><title>Programme</title>', 'is a web page'],
    ['25 MB', Buffer.alloc(25 * 2 ** 20, 0x20), 'the maximum is 24 MB'],
  ])('a file of %s is refused as a whole, with a sentence', (_, content, text) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    let refused: unknown
    try {
      parseSchedule(bytes, { zone: london, name: 'x' })
    } catch (error) {
      refused = error
    }
    if (!(refused instanceof UnreadableFile)) throw new Error('it was read')
    expect(refused.message).toContain(text)
    // screens show the same in each language
    const said = (['en', 'de', 'fr'] as const).map((locale) => speaker(texts, locale)(refused.text!))
    expect(said[0]).toBe(refused.message)
    expect(new Set(said).size).toBe(3)
  })
  it.each([
    ['27.11.2026 23:30', '2026-11-27T22:30:00Z'],
    ['7.6.2026 9:05', '2026-06-07T07:05:00Z'],
    ['27.11.26 23:30', '2026-11-27T22:30:00Z'],
    ['27.11.2026 23.30', '2026-11-27T22:30:00Z'],
    ['27.11.2026, 23:30:00', '2026-11-27T22:30:00Z'],
    ['27. 11. 2026 23h30', '2026-11-27T22:30:00Z'],
  ])('a table with the Swiss time %s is read as the clocks of the festival show it', (starts_at, instant) => {
    const table = Buffer.from(`id;title;starts_at\n1;Set;${starts_at}\n`)
    const [read] = parseSchedule(table, { zone: 'Europe/Zurich', name: 'x' }).items
    expect([read!.starts?.toString(), read!.fault]).toEqual([instant, undefined])
  })
  it.each([
    ['', '', 'its start is missing'],
    ['', 'soon', 'its start is missing'],
    ['soon', '', 'its start “soon” is not a time'],
    ['31.2.2026 20:00', '32.2.2026 20:00', 'its start “31.2.2026 20:00” is not a time'],
    ['20:00', '27.11.2026 23:30', 'its start “20:00” has no date'],
  ])('a row from “%s” to “%s” is refused: %s', async (starts_at, ends_at, text) => {
    const table = Buffer.from(`id;title;starts_at;ends_at\n1;Set;${starts_at};${ends_at}\n`)
    const [item] = parseSchedule(table, { zone: 'Europe/Zurich', name: 'x' }).items
    expect(english(item!.fault!)).toBe(text)
  })
  it('usual words for cancelled are understood, a draft is refused, and an unknown status is reported once', async () => {
    const app = await appForTest()
    const words = [
      'Cancelled',
      'canceled',
      'ABGESAGT',
      'annulée',
      'entfällt',
      'confirmed',
      '',
      'verschoben',
      'verschoben',
    ]
    const rows = [...words, 'Draft'].map((status, index) => `${index};Set ${index};2026-06-20 20:00;${status}`)
    const report = await take(app, `id;title;starts_at;status\n${rows.join('\n')}\n`)
    expect(report.counts).toMatchObject({ new: 9, refused: 1 })
    expect(report.remarks.filter(({ kind }) => kind !== 'new').map(({ title, text }) => `${title}: ${text}`)).toEqual([
      'Set 7: its status “verschoben” is unknown: treated as scheduled (and 1 more event)',
      'Set 9: its status is draft: it is not published yet',
    ])
    const events = await app.db.selectFrom('events').select('state').orderBy('source_id').execute()
    expect(events.map(({ state }) => state)).toEqual([...Array(5).fill('cancelled'), ...Array(4).fill('scheduled')])
  })
  it('a calendar is imported with its understandable events', async () => {
    const app = await appForTest()
    const values = ['DTSTART:20260620', 'DTSTART:20260620T2000', 'DTSTART:20260620T200000\r\nDURATION:1h']
    const events = ['DTSTART:20260620T200000', ...values].map(
      (value, index) => `BEGIN:VEVENT\r\nUID:${index}\r\nSUMMARY:Set\r\n${value}\r\nEND:VEVENT\r\n`,
    )
    const report = await take(app, `BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`)
    expect(report.counts).toMatchObject({ read: 4, new: 4, refused: 0 })
  })
  it('an unknown category is reported once, however many events have it', async () => {
    const app = await appForTest()
    const rows = ['Konzert', 'Zirkus', 'other', 'Zirkus', '', 'Zirkus', 'Lesung', 'Basar']
    const table = rows.map((category, index) => `${index};Set ${index};2026-06-20 20:00;${category}`).join('\n')
    const { remarks } = await take(app, `id;title;starts_at;category\n${table}\n`)
    expect(remarks.filter(({ kind }) => kind === 'note')).toEqual([
      {
        kind: 'note',
        place: 'line 3 (id 1)',
        title: 'Set 1',
        text: '“Zirkus” is not one of our categories: shown under other (and 2 more events)',
      },
      {
        kind: 'note',
        place: 'line 9 (id 7)',
        title: 'Set 7',
        text: '“Basar” is not one of our categories: shown under other',
      },
    ])
  })
  it('a table is read with its performers and languages', async () => {
    const app = await appForTest()
    const report = await take(
      app,
      'id;title;starts_at;ends_at;stage;performers;category\n1;Set;2026-06-20 20:00;2026-06-20T22:00:00Z;Tent;"A;B";Konzert\n',
    )
    expect(report.counts).toMatchObject({ new: 1, refused: 0 })
    const { body } = await get(app, '/api/events')
    expect(body[0]).toMatchObject({
      starts_at: '2026-06-20T19:00:00.000Z',
      ends_at: '2026-06-20T22:00:00.000Z',
      category: 'music',
      performers: [{ performer_name: 'A' }, { performer_name: 'B' }],
    })
  })
})

// 40 instants around the two nights in which clocks change: wall time in Zurich, and the instant that it is
const clocks = ['2025-10-26', '2026-03-29'].flatMap((day) =>
  Array.from({ length: 20 }, (_, half) => {
    const wall = `${day}T0${Math.floor(half / 4)}:${String((half % 4) * 15).padStart(2, '0')}`
    const minutes = Math.floor(half / 4) * 60 + (half % 4) * 15
    const isAutumn = day === '2025-10-26'
    // 02:00–03:00 happens twice in autumn: the first counts; it is skipped in spring: read an hour later
    const offset = isAutumn ? (minutes < 180 ? 2 : 1) : minutes < 180 ? 1 : 2
    return [wall, new Date(Date.parse(`${day}T00:00:00Z`) + (minutes - offset * 60) * 60_000).toISOString()] as const
  }),
)
it.each(clocks)('the wall time %s in Zurich is the instant %s', (wall, instant) => {
  const [read] = parseSchedule(Buffer.from(list(item(1, { start_date: wall }))), {
    zone: 'Europe/Zurich',
    name: 'x',
  }).items
  expect(read!.starts!.toString({ smallestUnit: 'millisecond' })).toBe(instant)
})
