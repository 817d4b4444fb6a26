import { describe, expect, it } from 'vitest'
import { texts } from '../../../app/server/texts.ts'
import { speaker } from '../../../kit/server/import-text.ts'
import { parseSchedule } from './schedule-file.ts'

const english = speaker(texts, 'en')
/** A remark with its texts in English. */
const read = (content: string) => {
  const { items, notes, ...file } = parseSchedule(Buffer.from(content), { zone: 'Europe/Zurich', name: 'x' })
  return {
    ...file,
    notes: notes.map(english),
    items: items.map(({ fault, place, ...item }) => ({
      ...item,
      place: english(place),
      ...(fault ? { fault: english(fault) } : {}),
    })),
  }
}
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
    (written) => expect(startOf(written)).toContain('is not a time'),
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
  it('reports the right line of a row below blank lines and quoted line breaks', () => {
    const content = '\n\ntitle,starts_at\n"One\nmore",2026-06-20 20:00\n\nTwo,never\n'
    expect(lines(content)).toEqual([
      ['line 4', 'One\nmore', undefined],
      ['line 7', 'Two', 'its start “never” is not a time'],
    ])
  })
  it('has a row refused that holds more cells than the header; a shorter one is read', () => {
    const content = 'id,title,starts_at\n1,Earth, Wind & Fire,2026-06-20 20:00\n2,Set\n3,Set,2026-06-20 20:00,,\n'
    expect(lines(content).map(([, , fault]) => fault)).toEqual([
      'it has 4 cells where the header has 3: a separator or a quote is missing or too many',
      'its start is missing',
      undefined,
    ])
  })
  it('may have positions with a decimal comma; half a position or words give no number', () => {
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
  it('has a note about columns that are not read and hold something', () => {
    const { notes } = read('\ufeffid;Title;starts_at;Fee;Empty;;title\n1;Set;2026-06-20 20:00;x;;z;Other\n')
    expect(notes.slice(1)).toEqual(['Not read: “Fee”, “title”.'])
  })

  it('has a note with the number of rows without an id', () => {
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
  it('has character references decoded, also those of HTML in CDATA', () => {
    const [item] = read(`<schedule><day><room name="Caf&#xE9;"><event guid="a&#246;">
      <title>Don&#8217;t &lt;stop&gt; &#x2013; &amp;#246;</title><date>2026-06-20T20:00:00+02:00</date>
      <description><![CDATA[&#246;]]></description>
      <persons><person id="1">J&#246;rg</person></persons></event></room></day></schedule>`).items
    expect(item).toMatchObject({
      id: 'aö',
      title: 'Don’t <stop> – ö',
      room: 'Café',
      description: 'ö',
      people: [{ name: 'Jörg' }],
    })
  })
})

describe('schedule XML', () => {
  const schedule = (within: string, zone = '') =>
    `<schedule><conference>${zone}</conference><day index="1">${within}</day></schedule>`
  const event = (guid: string, more = '', date = '2026-06-20T20:00:00+02:00') =>
    `<event guid="${guid}"><title>Set</title><date>${date}</date>${more}</event>`

  it('has the words of nested elements in order', () => {
    const text =
      '<p>Come <b>early</b>, it is <i>ver<u>y</u></i> full &amp; fun.</p><p>Bring<br/>water <![CDATA[<3]]></p>'
    const title = '<event guid="b"><title>The <em>big</em> one</title><date>2026-06-20T20:00:00+02:00</date></event>'
    const { items } = read(
      schedule(`<room name="A">${event('a', `<description>${text}</description>`)}${title}</room>`),
    )
    expect(items.map(({ description }) => description)).toEqual([
      'Come **early**, it is *very* full & fun.\n\nBring\nwater <3',
      '',
    ])
    expect(items[1]!.title).toBe('The big one')
  })

  it('with a text that is nested deeply is read', () => {
    const deep = `<description>${'<i>'.repeat(3000)}x${'</i>'.repeat(3000)}</description>`
    expect(read(schedule(`<room name="A">${event('a', deep)}</room>`)).items[0]!.description).toBe('*x*')
  })

  it('may have events without a room, which have no place yet', () => {
    const { items } = read(schedule(`<room name="A">${event('a')}</room>${event('b')}${event('c', '<room>B</room>')}`))
    expect(items.map(({ id, room }) => [id, room])).toEqual([
      ['a', 'A'],
      ['b', ''],
      ['c', 'B'],
    ])
  })

  it('has a note about the assumed zone only if it names none and has times without an offset', () => {
    const zone = '<time_zone_name>Europe/London</time_zone_name>'
    const plain = event('a', '', '2026-06-20T20:00:00')
    expect(read(schedule(event('a'))).notes).toEqual([])
    expect(read(schedule(plain, zone)).notes).toEqual([])
    expect(read(schedule(plain)).notes).toEqual(['Times without an offset are read as Europe/Zurich.'])
  })
})

describe('schedule JSON', () => {
  const days = (...given: object[]) => JSON.stringify({ schedule: { conference: { days: given } } })
  const event = (guid: string) => ({ guid, title: 'Set', date: '2026-06-20T20:00:00+02:00' })

  it('may have rooms by name or as a list, and events without a room', () => {
    const { items, notes } = read(
      days(
        { rooms: { A: [event('a')] } },
        { rooms: [{ name: 'B', events: [event('b')] }, { name: 'C' }, 'D'] },
        { events: [event('e')] },
        { rooms: null },
      ),
    )
    expect(items.map(({ id, room }) => [id, room])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['e', ''],
    ])
    expect(notes).toEqual([])
  })

  it('as a plain list has a note about the assumed zone only if it has times without an offset', () => {
    const list = (start_date: string) => JSON.stringify([{ id: 1, title: 'Set', start_date }])
    expect(read(list('2026-06-20T20:00:00Z')).notes).toEqual([])
    expect(read(list('2026-06-20 20:00:00')).notes).toHaveLength(1)
  })

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
    [['DTSTART:20261320T200000'], 'its DTSTART is not a time'],
    [['DTSTART:20260620T250000'], 'its DTSTART is not a time'],
    [['DTSTART:tomorrow'], 'its DTSTART is not a time'],
    [['DTEND:20260620T200000'], 'its DTSTART is missing'],
    [[good, 'CLASS:CONFIDENTIAL'], 'its CLASS says it is not public'],
  ])('with an event of %j is read, and that event is refused', (lines, fault) => {
    const { items } = read(calendar(event('a', good, 'DURATION:PT1H'), event('b', ...lines)))
    expect(items.map((item) => item.fault)).toEqual([undefined, fault])
    expect(items[1]!.title).toBe('Set')
    expect(items[0]!.ends!.toString()).toBe('2026-06-20T19:00:00Z')
  })

  it.each([
    [['DTSTART:20260620T2000'], '2026-06-20T18:00:00Z', null],
    [
      ['DTSTART:2026-06-20T20:00:00', 'DTEND:2026-06-20T21:00:00+02:00'],
      '2026-06-20T18:00:00Z',
      '2026-06-20T19:00:00Z',
    ],
    [['DTSTART;VALUE=DATE:20260620T200000'], '2026-06-20T18:00:00Z', null],
    [['DTSTART;VALUE=DATE-TIME:20260620T240000'], '2026-06-20T22:00:00Z', null],
    [[good, 'DTEND:'], '2026-06-20T18:00:00Z', null],
    [[good, 'DTEND:late'], '2026-06-20T18:00:00Z', null, 'its end “late” was not understood: imported without an end'],
    [[good, 'DTEND:20260621'], '2026-06-20T18:00:00Z', null, 'its DTEND has no time of day'],
    [[good, 'DURATION:1h'], '2026-06-20T18:00:00Z', null, 'its DURATION “1h” is invalid: imported without an end'],
    [
      [good, 'DURATION:P99999999999999999999D'],
      '2026-06-20T18:00:00Z',
      null,
      'its DURATION “P99999999999999999999D” is invalid: imported without an end',
    ],
    [[good, 'LOCATION;X="y:Tent'], '2026-06-20T18:00:00Z', null, 'its LOCATION cannot be read and was left out'],
    [
      ['DTSTART;TZID=Mars/Olympus:20260620T200000'],
      '2026-06-20T18:00:00Z',
      null,
      'the zone “Mars/Olympus” is unknown: its times are read as Europe/Zurich',
    ],
  ])('with an event of %j is read from %s to %s', (lines, starts, ends, note?: string) => {
    const [item] = read(calendar(event('a', ...lines))).items
    expect([item!.starts?.toString(), item!.ends?.toString() ?? null]).toEqual([starts, ends])
    expect(item!.notes!.map(english)).toEqual(note === undefined ? [] : [note])
  })

  it.each([
    [['DTSTART:20260620'], '2026-06-20T04:00:00Z', '2026-06-21T04:00:00Z'],
    [['DTSTART;VALUE=DATE:20260620', 'DTEND;VALUE=DATE:20260620'], '2026-06-20T04:00:00Z', '2026-06-21T04:00:00Z'],
    [['DTSTART;VALUE=DATE:20260620', 'DTEND;VALUE=DATE:20260622'], '2026-06-20T04:00:00Z', '2026-06-22T04:00:00Z'],
    [['DTSTART;VALUE=DATE:20260620', 'DURATION:P3D'], '2026-06-20T04:00:00Z', '2026-06-23T04:00:00Z'],
    // clocks change on 25 October
    [['DTSTART;VALUE=DATE:20261024', 'DTEND;VALUE=DATE:20261026'], '2026-10-24T04:00:00Z', '2026-10-26T05:00:00Z'],
  ])('with an all-day event of %j has its days from six to six', (lines, starts, ends) => {
    const [item] = read(calendar(event('a', ...lines))).items
    expect([item!.isAllDay, item!.starts!.toString(), item!.ends!.toString()]).toEqual([true, starts, ends])
  })

  it('ends a duration in days at the same time of day, also over a change of the clocks', () => {
    const at = (uid: string, duration: string) =>
      event(uid, 'DTSTART;TZID=Europe/Zurich:20261024T200000', `DURATION:${duration}`)
    const { items } = read(calendar(at('a', 'P1D'), at('b', 'PT24H'), at('c', 'P1DT2H30M'), at('d', 'P1W')))
    expect(items.map(({ ends }) => ends!.toString())).toEqual([
      '2026-10-25T19:00:00Z',
      '2026-10-25T18:00:00Z',
      '2026-10-25T21:30:00Z',
      '2026-10-31T19:00:00Z',
    ])
  })

  const outlook = (name: string, rule = 'FREQ=YEARLY;BYDAY=-1SU;BYMONTH') =>
    [
      'BEGIN:VTIMEZONE',
      `TZID:${name}`,
      `BEGIN:STANDARD\r\nDTSTART:16011028T030000\r\nRRULE:${rule}=10`,
      'TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD',
      `BEGIN:DAYLIGHT\r\nDTSTART:16010325T020000\r\nRRULE:${rule}=3;INTERVAL=1`,
      'TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n',
    ].join('\r\n')

  it.each(['W. Europe Standard Time', '(UTC+01:00) Amsterdam, Berlin, Bern', '/example.org/Europe/Zurich'])(
    'with a zone of its own, “%s”, is read by the rules that it says, as Zurich has them',
    (name) => {
      const walls = [
        ['20260120T200000', '20260620T200000', '20260329T013000', '20260329T023000', '20260329T030000'],
        ['20261025T013000', '20261025T023000', '20261025T030000', '19700101T000000'],
      ].flat()
      const { items } = read(
        calendar(outlook(name), ...walls.map((wall, n) => event(`${n}`, `DTSTART;TZID="${name}":${wall}`))),
      )
      const inZurich = walls.map((wall) =>
        Temporal.PlainDateTime.from(wall.replace('19700101', '20260101')).toZonedDateTime('Europe/Zurich').toInstant(),
      )
      inZurich[8] = Temporal.Instant.from('1969-12-31T23:00:00Z')
      expect(items.map(({ starts, fault }) => fault ?? starts!.toString())).toEqual(inZurich.map(String))
    },
  )

  it('with an own zone whose rules ended, or are single dates, is read with the last one', () => {
    const block = ['BEGIN:VTIMEZONE', 'TZID:Ours', 'BEGIN:STANDARD', 'DTSTART:20001029T030000']
      .concat('RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20241027T010000Z', 'TZOFFSETFROM:+0200')
      .concat('TZOFFSETTO:+0100', 'END:STANDARD', 'BEGIN:DAYLIGHT', 'DTSTART:20240331T020000')
      .concat('RDATE:20260601T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:DAYLIGHT', 'END:VTIMEZONE', '')
      .join('\r\n')
    const at = (wall: string) => event(wall, `DTSTART;TZID=Ours:${wall}`)
    const walls = ['20240620T200000', '20250620T200000', '20260620T200000', '19900620T200000']
    const { items } = read(calendar(block, ...walls.map(at)))
    expect(items.map(({ starts }) => starts!.toString())).toEqual([
      '2024-06-20T18:00:00Z',
      '2025-06-20T19:00:00Z',
      '2026-06-20T18:00:00Z',
      '1990-06-20T18:00:00Z',
    ])
  })

  it.each(['FREQ=SECONDLY;BYMONTH', 'FREQ=YEARLY;BYMONTHDAY=31;BYMONTH', 'FREQ=YEARLY;BYDAY=SU;BYMONTH'])(
    'with a zone of its own by “%s” is read in the zone of the festival, with a note',
    (rule) => {
      const { items } = read(calendar(outlook('Ours', rule), event('a', 'DTSTART;TZID=Ours:20260620T200000')))
      expect(items[0]!.starts!.toString()).toBe('2026-06-20T18:00:00Z')
      expect(items[0]!.notes!.map(english)).toEqual(['the zone “Ours” is unknown: its times are read as Europe/Zurich'])
    },
  )

  it('has private events refused', () => {
    const { items } = read(calendar(event('a', good, 'CLASS:PUBLIC'), event('b', good, 'CLASS:Private')))
    expect(items.map(({ fault }) => fault)).toEqual([undefined, 'its CLASS says it is not public'])
  })

  it('is read with line ends of an old Mac, and reports that it is cut off', () => {
    expect(read(calendar(event('a', good)).replaceAll('\r\n', '\r')).items).toMatchObject([{ title: 'Set' }])
    expect(() => read(calendar(event('a', good)).slice(0, -20))).toThrow('The file ends too early')
  })

  it('with several calendars is read whole, each in its zone', () => {
    const inZone = (zone: string, uid: string) => calendar(`X-WR-TIMEZONE:${zone}\r\n`, event(uid, good))
    const { items } = read(inZone('Europe/London', 'a') + inZone('America/New_York', 'b') + calendar(event('c', good)))
    expect(items.map(({ place, starts }) => [place, starts!.toString()])).toEqual([
      ['event 1 (id a)', '2026-06-20T19:00:00Z'],
      ['event 2 (id b)', '2026-06-21T00:00:00Z'],
      ['event 3 (id c)', '2026-06-20T18:00:00Z'],
    ])
  })
})
