import { describe, expect, it } from 'vitest'
import { parseSchedule } from './schedule-file.ts'

const read = (content: string) => parseSchedule(Buffer.from(content), { zone: 'Europe/Zurich', name: 'x' })
const startOf = (starts_at: string) => {
  const [item] = read(`id;title;starts_at\n1;Set;"${starts_at}"\n`).items
  return item!.fault ?? item!.starts!.toString()
}

describe('a time', () => {
  it.each([
    ['2026-06-20 19:15:00+00', '2026-06-20T19:15:00Z'],
    ['2026-06-20T19:15+02', '2026-06-20T17:15:00Z'],
    ['2026-06-20T19:15:00+0200', '2026-06-20T17:15:00Z'],
    ['2026-06-20T19:15:00+02:00[Europe/Zurich]', '2026-06-20T17:15:00Z'],
    ['2026-06-20T19:15:00.5Z[UTC]', '2026-06-20T19:15:00Z'],
    ['2026-06-20 19:15', '2026-06-20T17:15:00Z'],
  ])('“%s” is read with its offset, or in the zone without one', (written, instant) => {
    expect(startOf(written)).toBe(instant)
  })
  it.each(['2026-06-20T19:15:00[Asia/Tokyo]', '2026-06-20T19:15:00 UTC', '2026-06-20T19:15:00+2'])(
    '“%s” is refused rather than read without its zone',
    (written) => expect(startOf(written)).toContain('is no time'),
  )
})

describe('a table', () => {
  const lines = (content: string) => read(content).items.map(({ place, title, fault }) => [place, title, fault])
  it.each([
    ['tabs', 'title\tstarts_at\nSet, one\t2026-06-20 20:00\n'],
    ["Excel's line about the separator", 'sep=;\ntitle;starts_at\nSet, one;2026-06-20 20:00\n'],
    ['rows without content', 'title;starts_at\n;\n ; \nSet, one;2026-06-20 20:00\n;\n'],
  ])('with %s is read', (_, content) => {
    expect(lines(content)).toMatchObject([[expect.any(String), 'Set, one', undefined]])
  })
  it('names the line of each row, also below blank lines and line breaks in quotes', () => {
    const content = '\n\ntitle,starts_at\n"One\nmore",2026-06-20 20:00\n\nTwo,never\n'
    expect(lines(content)).toEqual([
      ['line 4', 'One\nmore', undefined],
      ['line 7', 'Two', 'its start "never" is no time'],
    ])
  })
  it('has a row refused whose cells do not fit its header', () => {
    const content = 'id,title,starts_at\n1,Earth, Wind & Fire,2026-06-20 20:00\n2,Set\n3,Set,2026-06-20 20:00\n'
    const why = 'where the header has 3: a separator or a quote is missing or too many'
    expect(lines(content).map(([, , fault]) => fault)).toEqual([
      `it has 4 cells ${why}`,
      `it has 2 cells ${why}`,
      undefined,
    ])
  })
  it('has positions with a decimal comma, and half a position or one in words is no number', () => {
    const rows = ['47,55;7,58', '47.55;7.58', ';', 'north;7,58', '47,55;']
    const table = rows.map((position, index) => `${index};Set;2026-06-20 20:00;${position}\n`).join('')
    const { items } = read(`id;title;starts_at;latitude;longitude\n${table}`)
    expect(items.map(({ position }) => position)).toEqual([
      { latitude: 47.55, longitude: 7.58 },
      { latitude: 47.55, longitude: 7.58 },
      null,
      { latitude: Number.NaN, longitude: 7.58 },
      { latitude: 47.55, longitude: Number.NaN },
    ])
  })
  it('says how many rows have no id', () => {
    const { notes } = read(
      'id,title,starts_at\n1,One,2026-06-20 20:00\n,Two,2026-06-20 20:00\n,Three,2026-06-20 20:00\n',
    )
    expect(notes).toEqual([
      'Times without an offset are read as Europe/Zurich.',
      '2 rows have no id: one that changes its title, time or stage is taken as a new event.',
    ])
  })
})

describe('schedule XML', () => {
  it('has references to characters read once, but for those in CDATA', () => {
    const [item] = read(`<schedule><day><room name="Caf&#xE9;"><event guid="a&#246;">
      <title>Don&#8217;t &lt;stop&gt; &#x2013; &amp;#246;</title><date>2026-06-20T20:00:00+02:00</date>
      <description><![CDATA[&#246;]]></description>
      <persons><person id="1">J&#246;rg</person></persons></event></room></day></schedule>`).items
    expect(item).toMatchObject({
      id: 'aö',
      title: 'Don’t <stop> – &#246;',
      room: 'Café',
      description: '&#246;',
      people: [{ name: 'Jörg' }],
    })
  })
})

describe('schedule JSON', () => {
  it.each([
    [[47.55, 7.58], { latitude: 47.55, longitude: 7.58 }],
    [
      { lat: 47.55, lon: 7.58 },
      { latitude: 47.55, longitude: 7.58 },
    ],
    [null, null],
    [[], null],
    [{}, null],
    [47.55, { latitude: Number.NaN, longitude: Number.NaN }],
    ['47.55 7.58', { latitude: Number.NaN, longitude: Number.NaN }],
    [['north', 7.58], { latitude: Number.NaN, longitude: 7.58 }],
  ])('with the position %j is read', (latlon, position) => {
    const [item] = read(JSON.stringify([{ id: 1, title: 'Set', start_date: '2026-06-20 20:00', latlon }])).items
    expect(item!.position).toEqual(position)
  })
})

describe('iCalendar', () => {
  const event = (uid: string, ...lines: string[]) =>
    ['BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:Set', ...lines, 'END:VEVENT', ''].join('\r\n')
  const calendar = (...content: string[]) => `BEGIN:VCALENDAR\r\n${content.join('')}END:VCALENDAR\r\n`
  const good = 'DTSTART:20260620T200000'
  it.each([
    [['DTSTART:20260620'], 'its DTSTART has no time of day'],
    [['DTSTART;VALUE=DATE:20260620'], 'its DTSTART has no time of day'],
    [['DTSTART:20260620T2000'], 'its DTSTART is no time'],
    [['DTSTART:2026-06-20T20:00:00'], 'its DTSTART is no time'],
    [['DTSTART:20261320T200000'], 'its DTSTART is no time'],
    [['DTSTART:20260620T250000'], 'its DTSTART is no time'],
    [[good, 'DTEND:'], 'its DTEND is no time'],
    [[good, 'DURATION:1h'], 'its DURATION "1h" is none'],
    [[good, 'DURATION:P99999999999999999999D'], 'its DURATION "P99999999999999999999D" is none'],
    [[good, 'RECURRENCE-ID:x'], 'its RECURRENCE-ID is no time'],
    [[good, 'RDATE:20260621T200000'], 'it repeats (RDATE); write each time as an event of its own'],
  ])('with an event of %j is read, and that event is refused', (lines, fault) => {
    const { items } = read(calendar(event('a', good, 'DURATION:PT1H'), event('b', ...lines)))
    expect(items.map((item) => item.fault)).toEqual([undefined, fault])
    expect(items[1]!.title).toBe('Set')
    expect(items[0]!.ends!.toString()).toBe('2026-06-20T19:00:00Z')
  })
  it('with several calendars is read whole, each in its own zone', () => {
    const inZone = (zone: string, uid: string) => calendar(`X-WR-TIMEZONE:${zone}\r\n`, event(uid, good))
    const { items } = read(inZone('Europe/London', 'a') + inZone('America/New_York', 'b') + calendar(event('c', good)))
    expect(items.map(({ place, starts }) => [place, starts!.toString()])).toEqual([
      ['event 1 (id a)', '2026-06-20T19:00:00Z'],
      ['event 2 (id b)', '2026-06-21T00:00:00Z'],
      ['event 3 (id c)', '2026-06-20T18:00:00Z'],
    ])
  })
})
