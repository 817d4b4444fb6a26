import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { texts } from '../../../app/server/texts.ts'
import { speaker } from '../../../kit/server/import-text.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { checkSchedule } from './check-schedule.ts'
import { parseSchedule } from './schedule-file.ts'

const english = speaker(texts, 'en')
const options = { zone: 'Europe/Zurich', name: 'programme', lastDay: '2026-11-29' }

/** Small programmes in the forms of real exporters; their content is invented. */
const programmes: Record<string, string> = {
  'Google Calendar': `BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Hoffest
X-WR-TIMEZONE:Europe/Zurich
BEGIN:VEVENT
DTSTART:20261128T190000Z
DTEND:20261128T203000Z
DTSTAMP:20261101T101500Z
UID:0a1b2c3d4e@google.com
CREATED:20261001T080000Z
DESCRIPTION:<b>Doors 19:30</b><br><br>Tickets: <a href="https://example.org
 /t">here</a>\\nBring a friend &amp\\; a hat
LAST-MODIFIED:20261020T080000Z
LOCATION:Kaserne\\, Klybeckstrasse 1b\\, 4057 Basel
SEQUENCE:1
STATUS:CONFIRMED
SUMMARY:Glasshouse
TRANSP:OPAQUE
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:This is an event reminder
TRIGGER:-P0DT0H30M0S
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=Europe/Zurich:20261127T100000
DTEND;TZID=Europe/Zurich:20261127T110000
RRULE:FREQ=DAILY;COUNT=3
EXDATE;TZID=Europe/Zurich:20261128T100000
DTSTAMP:20261101T101500Z
UID:5f6g7h8i@google.com
SUMMARY:Kinderyoga
END:VEVENT
END:VCALENDAR
`,
  'Outlook and Exchange': `BEGIN:VCALENDAR
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
VERSION:2.0
METHOD:PUBLISH
X-MS-OLK-FORCEINSPECTOROPEN:TRUE
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
CLASS:PUBLIC
CREATED:20261001T080000Z
DTSTART;TZID="W. Europe Standard Time":20261128T200000
DTEND;TZID="W. Europe Standard Time":20261128T213000
DTSTAMP:20261001T080000Z
LOCATION:Rossstall
PRIORITY:5
SEQUENCE:0
SUMMARY;LANGUAGE=de-ch:Lesung am Rhein
TRANSP:OPAQUE
UID:040000008200E00074C5B7101A82E00800000000
X-ALT-DESC;FMTTYPE=text/html:<html><head><style>p{margin:0}</style></head><body><p class=MsoNormal>Mit <b>Musik</b></p></body></html>
X-MICROSOFT-CDO-BUSYSTATUS:BUSY
END:VEVENT
END:VCALENDAR
`,
  'Apple Calendar': `BEGIN:VCALENDAR
CALSCALE:GREGORIAN
PRODID:-//Apple Inc.//macOS 15.1//EN
VERSION:2.0
X-APPLE-CALENDAR-COLOR:#FF2968
X-WR-CALNAME:Fest
BEGIN:VEVENT
CREATED:20261001T080000Z
DTEND;TZID=Europe/Zurich:20261128T230000
DTSTAMP:20261001T080000Z
DTSTART;TZID=Europe/Zurich:20261128T210000
LAST-MODIFIED:20261001T080000Z
LOCATION:Bar Nord\\nRheinweg 1\\n4058 Basel
SEQUENCE:0
SUMMARY:Late set
UID:9D2F6C1E-0000-4000-8000-000000000001
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Rheinweg 1\\n4058 Basel";X-APPLE-RADIUS=70;X-TITLE="Bar Nord":geo:47.562000,7.594000
X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
BEGIN:VALARM
ACTION:NONE
TRIGGER;VALUE=DATE-TIME:19760401T005545Z
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTEND;VALUE=DATE:20261130
DTSTAMP:20261001T080000Z
DTSTART;VALUE=DATE:20261128
SUMMARY:Flohmarkt
UID:9D2F6C1E-0000-4000-8000-000000000002
END:VEVENT
END:VCALENDAR
`,
  Nextcloud: `BEGIN:VCALENDAR
VERSION:2.0
CALSCALE:GREGORIAN
PRODID:-//SabreDAV//SabreDAV//EN
X-WR-CALNAME:Programm
REFRESH-INTERVAL;VALUE=DURATION:PT4H
X-PUBLISHED-TTL:PT4H
BEGIN:VTIMEZONE
TZID:Europe/Zurich
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
CREATED:20261001T080000Z
DTSTAMP:20261001T080000Z
SEQUENCE:2
UID:6a7c-1
DTSTART;TZID=Europe/Zurich:20261127T200000
DTEND;TZID=Europe/Zurich:20261127T220000
RRULE:FREQ=WEEKLY;BYDAY=FR,SU;UNTIL=20261129T190000Z
SUMMARY:Chorprobe
STATUS:CONFIRMED
END:VEVENT
BEGIN:VEVENT
UID:6a7c-1
RECURRENCE-ID;TZID=Europe/Zurich:20261129T200000
DTSTART;TZID=Europe/Zurich:20261129T190000
DTEND;TZID=Europe/Zurich:20261129T210000
SUMMARY:Chorprobe (früher)
SEQUENCE:2
END:VEVENT
BEGIN:VTODO
UID:todo-1
SUMMARY:Bühne mieten
END:VTODO
END:VCALENDAR
`,
  'The Events Calendar (WordPress)': `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Stadtfest - ECPv6.8.2.1//NONSGML v1.0//EN
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-ORIGINAL-URL:https://example.org
X-WR-CALDESC:Events for Stadtfest
BEGIN:VTIMEZONE
TZID:Europe/Zurich
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:20261025T010000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=Europe/Zurich:20261128T193000
DTEND;TZID=Europe/Zurich:20261128T193000
DTSTAMP:20261101T000000
CREATED:20261001T080000Z
LAST-MODIFIED:20261002T080000Z
UID:10000123-1795894200-1795894200@example.org
SUMMARY:Rock &#038; Roll &#8211; die Nacht
DESCRIPTION:Einlass ab 19 Uhr &#8230; \\nwww.example.org
URL:https://example.org/event/rock/
LOCATION:Café Rhein\\, Rheingasse 2\\, Basel\\, 4058\\, Schweiz
CATEGORIES:Konzert,Rock &amp\\; Pop
ATTACH;FMTTYPE=image/jpeg:https://example.org/rock.jpg
ORGANIZER;CN="Stadtfest":MAILTO:info@example.org
END:VEVENT
END:VCALENDAR
`,
  Eventfrog: `BEGIN:VCALENDAR
PRODID:-//Eventfrog//iCal4j 1.0//EN
VERSION:2.0
CALSCALE:GREGORIAN
BEGIN:VEVENT
DTSTAMP:20261101T101500Z
DTSTART:20261128T190000Z
DTEND:20261129T010000Z
SUMMARY:Party am Fluss
TZID:Europe/Zurich
UID:7012345678901234567
LOCATION:Hinterhof\\, Münchensteinerstrasse 81\\, 4052 Basel
GEO:47.539;7.604
DESCRIPTION:Mehr: https://example.org/de/p/party
END:VEVENT
END:VCALENDAR

`,
  'Drupal (schedule XML)': `<?xml version="1.0" encoding="utf-8"?>
<schedule>
  <version>Firefly</version>
  <conference><title>Kulturnacht</title><acronym>kn26</acronym><day_change>05:00:00</day_change></conference>
  <day index="1" date="2026-11-28">
    <room name="Saal &amp; Hof">
      <event id="11">
        <start>19:30</start><duration>01:15</duration><room>Saal &amp; Hof</room>
        <title>Rock & Roll</title><subtitle/>
        <abstract>&lt;p&gt;Mit &lt;em&gt;Chor&lt;/em&gt;&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Eins&lt;/li&gt;&lt;/ul&gt;</abstract>
        <description><![CDATA[<div class="field">Caf&eacute; offen<br />bis 2 Uhr</div>]]></description>
        <language>de</language><persons><person id="1">Lena M&uuml;ller</person></persons>
      </event>
      <event id="12"><start>01:30</start><duration>00:45</duration><title>Nachtlesung</title></event>
    </room>
  </day>
</schedule>`,
  'pretalx (schedule XML)': `<?xml version='1.0' encoding='utf-8' ?>
<schedule xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://c3voc.de/schedule/schema.xsd">
    <generator name="pretalx" version="2024.3.1" />
    <version>0.7</version>
    <conference>
        <title>Tage der Klänge</title><acronym>klang</acronym>
        <start>2026-11-27</start><end>2026-11-29</end><days>3</days>
        <timeslot_duration>00:05</timeslot_duration>
        <time_zone_name>Europe/Zurich</time_zone_name>
    </conference>
    <day index='1' date='2026-11-28' start='2026-11-28T04:00:00+01:00' end='2026-11-29T03:59:00+01:00'>
        <room name='Foyer' guid='1c6e3a70-0000-5000-8000-000000000001'>
            <event guid='1c6e3a70-0000-5000-8000-00000000000a' id='31' code='ABCDEF'>
                <date>2026-11-28T17:00:00+01:00</date><start>17:00</start><duration>00:45</duration>
                <room>Foyer</room><slug>klang-31</slug><url>https://example.org/klang/talk/ABCDEF/</url>
                <title>Wie Glocken klingen</title><subtitle></subtitle><track>Musik</track><type>Talk</type>
                <language>de</language><abstract>Ein **Vortrag**
mit Hörbeispielen.</abstract><description></description><logo></logo>
                <persons><person id='7'>Noah Beispiel</person></persons>
                <links></links><attachments></attachments>
            </event>
        </room>
    </day>
</schedule>`,
  'frab (schedule JSON)': JSON.stringify({
    schedule: {
      version: '1.0',
      base_url: 'https://example.org/',
      conference: {
        acronym: 'frab26',
        title: 'Frab',
        start: '2026-11-28',
        end: '2026-11-29',
        daysCount: 1,
        timeslot_duration: '00:15',
        days: [
          {
            index: 0,
            date: '2026-11-28',
            day_start: '2026-11-28T10:00:00+01:00',
            day_end: '2026-11-29T04:00:00+01:00',
            rooms: {
              Saal: [
                {
                  id: 1,
                  guid: 'f1',
                  date: '2026-11-28T10:00:00+01:00',
                  start: '10:00',
                  duration: '00:45',
                  title: 'Auftakt',
                  abstract: '<p>Hallo</p>',
                  persons: [{ id: 3, public_name: 'Mia' }],
                  links: [],
                },
                { id: 2, guid: 'f2', start: '02:15', duration: '00:45', title: 'Nachtkonzert', persons: [] },
              ],
            },
          },
        ],
      },
    },
  }),
  'Giggity (Pentabarf)': `<?xml version="1.0" encoding="UTF-8"?>
<pb:schedule xmlns:pb="https://example.org/pentabarf">
<pb:conference><pb:title>Alte Schule</pb:title><pb:venue>Basel</pb:venue><pb:city>Basel</pb:city></pb:conference>
<pb:day date="2026-11-28" index="1"><pb:room name="H1"><pb:event id="901">
<pb:start>22:00</pb:start><pb:duration>02:30</pb:duration><pb:tag>x</pb:tag><pb:title>Tanznacht</pb:title>
<pb:persons><pb:person id="5">DJ Bird</pb:person></pb:persons></pb:event>
<pb:event id="902"><pb:start>03:00</pb:start><pb:duration>00:30</pb:duration><pb:title>Kehraus</pb:title></pb:event>
</pb:room></pb:day></pb:schedule>`,
  'Sched.com': `BEGIN:VCALENDAR
VERSION:2.0
METHOD:PUBLISH
CALSCALE:GREGORIAN
PRODID:-//example.sched.com//Sched//EN
X-WR-CALNAME:Riverfest
X-WR-TIMEZONE:Europe/Zurich
X-WR-CALDESC:Riverfest

BEGIN:VEVENT
DTSTAMP:20261101T101500Z
DTSTART:20261128T180000Z
DTEND:20261128T190000Z
SUMMARY:Opening; all welcome
DESCRIPTION:Speakers: Ada\\, Bo\\n\\n<p>Come early</p>
CATEGORIES:MUSIC
LOCATION:Main Stage\\, Basel
SEQUENCE:0
UID:SCHED-abc123
URL:http://example.sched.com/event/abc123
END:VEVENT

END:VCALENDAR
`,
  'Thunderbird, read from a cache': `X-COMMENT:fetched 2026-11-20
BEGIN:VCALENDAR
PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
VERSION:2.0
BEGIN:VEVENT
UID:tb-1
SUMMARY:Matinee
DTSTART;TZID=/mozilla.org/20050126_1/Europe/Zurich:20261129T110000
DURATION:PT1H30M
X-MOZ-GENERATION:3
this line has no name
END:VEVENT
BEGIN:VFREEBUSY
UID:fb
FREEBUSY:20261128T000000Z/PT3H
END:VFREEBUSY
END:VCALENDAR
X-COMMENT:end of cache`,
}

const ofProgramme = (content: string | Uint8Array) => {
  const checked = checkSchedule(parseSchedule(typeof content === 'string' ? Buffer.from(content) : content, options))
  return {
    ...checked,
    starts: checked.accepted.map(({ fields }) => fields.starts_at.slice(0, 16)),
    said: [...checked.notes, ...checked.remarks.flatMap((remark) => remark.texts)].map(english),
  }
}

describe('a programme as an exporter writes it is read whole', () => {
  it.each<[string, string[], object]>([
    [
      'Google Calendar',
      ['2026-11-28T19:00', '2026-11-27T09:00', '2026-11-29T09:00'],
      { description: '**Doors 19:30**\n\nTickets: [here](https://example.org/t) Bring a friend & a hat' },
    ],
    ['Outlook and Exchange', ['2026-11-28T19:00'], { title: 'Lesung am Rhein', description: 'Mit **Musik**' }],
    ['Apple Calendar', ['2026-11-28T20:00', '2026-11-28T05:00'], { stage: 'Bar Nord Rheinweg 1 4058 Basel' }],
    ['Nextcloud', ['2026-11-27T19:00', '2026-11-29T18:00'], { title: 'Chorprobe' }],
    [
      'The Events Calendar (WordPress)',
      ['2026-11-28T18:30'],
      { title: 'Rock & Roll – die Nacht', ends_at: null, category: 'music' },
    ],
    ['Eventfrog', ['2026-11-28T19:00'], { title: 'Party am Fluss' }],
    [
      'Drupal (schedule XML)',
      ['2026-11-28T18:30', '2026-11-29T00:30'],
      { title: 'Rock & Roll', stage: 'Saal & Hof', people: ['Lena Müller'] },
    ],
    ['pretalx (schedule XML)', ['2026-11-28T16:00'], { description: 'Ein **Vortrag**\nmit Hörbeispielen.' }],
    ['frab (schedule JSON)', ['2026-11-28T09:00', '2026-11-29T01:15'], { description: 'Hallo', people: ['Mia'] }],
    ['Giggity (Pentabarf)', ['2026-11-28T21:00', '2026-11-29T02:00'], { people: ['DJ Bird'], stage: 'H1' }],
    ['Sched.com', ['2026-11-28T18:00'], { title: 'Opening; all welcome' }],
    ['Thunderbird, read from a cache', ['2026-11-29T10:00'], { ends_at: '2026-11-29T11:30:00.000Z' }],
  ])('%s', (name, starts, first) => {
    const found = ofProgramme(programmes[name]!)
    expect(found.starts).toEqual(starts)
    expect(found.accepted[0]!.fields).toMatchObject(first)
    expect(found.read).toBe(found.accepted.length)
    // CRLF, and a line end as the last byte or none, change nothing
    const again = ofProgramme(programmes[name]!.trimEnd().replaceAll('\n', '\r\n'))
    expect(again.accepted.map(({ id }) => id)).toEqual(found.accepted.map(({ id }) => id))
  })

  it('names what it does not read, and nothing that says nothing to visitors', () => {
    const unread = (name: string) => ofProgramme(programmes[name]!).said.filter((text) => text.startsWith('Not read'))
    expect(unread('The Events Calendar (WordPress)')).toEqual(['Not read: “URL”, “ATTACH”, “ORGANIZER”.'])
    expect(unread('Apple Calendar')).toEqual([])
    expect(unread('pretalx (schedule XML)')).toEqual(['Not read: “url”.'])
    expect(unread('Giggity (Pentabarf)')).toEqual(['Not read: “tag”.'])
  })

  it('has lines unfolded within a letter', () => {
    const line = Buffer.from('SUMMARY:Grüezi am Rhein – früh')
    const folded = Buffer.concat([...line].flatMap((byte) => [Buffer.of(byte), Buffer.from('\r\n ')]))
    const [head, tail] = [
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n',
      '\r\nDTSTART:20261128T190000Z\r\nEND:VEVENT\r\nEND:VCALENDAR',
    ]
    const found = ofProgramme(Buffer.concat([Buffer.from(head), folded, Buffer.from(tail)]))
    expect(found.accepted[0]!.fields.title).toBe('Grüezi am Rhein – früh')
    expect(found.notes).toEqual([])
  })
})

const awkward = new URL('../../../../test/awkward/', import.meta.url)
describe('an awkward file is read as its kind says', () => {
  it.each<[string, string[], string[]]>([
    ['trailing.ics', ['2026-11-28T19:00'], []],
    [
      'same-uid.ics',
      ['2026-11-28T19:00', '2026-11-28T20:00', '2026-11-28T19:00'],
      ['the id festival is on 3 entries: start and stage tell them apart'],
    ],
    ['html-desc.ics', ['2026-11-28T19:00'], []],
    ['penta.xml', ['2026-11-28T19:00', '2026-11-29T00:30'], ['Times without an offset are read as Europe/Zurich.']],
    ['daily3.ics', ['2026-11-27T07:00', '2026-11-28T07:00', '2026-11-29T07:00'], ['1 entry repeats: 3 events.']],
    ['value-date-time.ics', ['2026-11-28T19:00'], ['Times without an offset are read as Europe/Zurich.']],
    ['allday.ics', ['2026-11-28T05:00'], []],
    ['evolution-tz.ics', Array<string>(4).fill('2026-11-28T19:00'), []],
  ])('%s', (name, starts, said) => {
    const found = ofProgramme(readFileSync(new URL(name, awkward)))
    expect([found.starts, found.said]).toEqual([starts, said])
    expect(found.read).toBe(starts.length)
  })
  it('html-desc.ics has its links and its list', () => {
    const [event] = ofProgramme(readFileSync(new URL('html-desc.ics', awkward))).accepted
    expect(event!.fields).toMatchObject({
      title: 'Rock & Roll',
      description: 'Doors **19:30**\nTickets: [here](https://example.org/t) only\n\n- One',
    })
  })
})

/** Numbers from 0 to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The bytes with pieces cut out, doubled, swapped or overwritten. */
function mutated(bytes: Uint8Array, next: () => number): Uint8Array {
  let changed = bytes
  for (let times = 1 + Math.floor(next() * 4); times > 0; times--) {
    const from = Math.floor(next() * changed.length)
    const to = Math.min(changed.length, from + 1 + Math.floor(next() ** 3 * 400))
    const [before, piece, after] = [changed.subarray(0, from), changed.subarray(from, to), changed.subarray(to)]
    const kind = Math.floor(next() * 5)
    if (kind === 0) changed = Buffer.concat([before, after])
    else if (kind === 1) changed = Buffer.concat([before, piece, piece, after])
    else if (kind === 2) changed = Buffer.concat([before, piece.toReversed(), after])
    else if (kind === 3) changed = Buffer.concat([before, Buffer.of(Math.floor(next() * 256)), piece, after])
    else changed = next() < 0.2 ? before : Buffer.concat([before, after, piece])
  }
  return changed
}

const real = new URL('../../../../../shared/data/schedules/', import.meta.url)

it('a mutated file is read or refused with a sentence', { timeout: 120_000 }, () => {
  const next = random(51)
  const count = Number(process.env['MUTATIONS'] ?? 1000)
  const originals = [
    ...Object.values(programmes).map((content) => Buffer.from(content)),
    ...['same-uid.ics', 'html-desc.ics', 'penta.xml', 'daily3.ics', 'allday.ics', 'evolution-tz.ics'].map((name) =>
      readFileSync(new URL(name, awkward)),
    ),
    // the head of a large file is as good as the whole, and quick
    ...['emf-2024.ics', 'emf-2012.schedule.json', 'emf-2024.frab.xml', '38c3-2024.schedule.xml']
      .filter(() => existsSync(real))
      .map((name) => readFileSync(new URL(name, real)).subarray(0, 30_000)),
  ]
  const tally = { read: 0, refused: 0 }
  for (let n = 0; n < count; n++) {
    const bytes = mutated(originals[n % originals.length]!, next)
    try {
      const checked = checkSchedule(parseSchedule(bytes, options))
      const ids = checked.accepted.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      tally.read++
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw new Error(`mutation ${n}`, { cause: error })
      expect(english(error.text!)).toBe(error.message)
      tally.refused++
    }
  }
  expect(tally.read).toBeGreaterThan(count / 4)
})

describe.runIf(existsSync(real))('a real programme arrives whole', () => {
  it.each([
    ['emf-2024.schedule.json', 482],
    ['emf-2024.frab.xml', 482],
    ['emf-2024.ics', 482],
    ['emf-2012.schedule.json', 81],
    ['38c3-2024.schedule.xml', 1007],
  ])('%s: %i events', (name, count) => {
    const found = ofProgramme(readFileSync(new URL(name, real)))
    expect([found.read, found.accepted.length, new Set(found.accepted.map(({ id }) => id)).size]).toEqual([
      count,
      count,
      count,
    ])
  })
})
