import { readFileSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { texts } from '../../../app/server/texts.ts'
import { speaker } from '../../../kit/server/import-text.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { tableOf } from '../../../kit/server/csv-table.ts'
import { readTables } from './read-table.ts'
import { parseSchedule, parseWorkbook } from './schedule-file.ts'
import type { ReadingOptions, ScheduleFile } from './schedule-item.ts'
import { matchColumns } from './table-columns.ts'
import { cellTimeOf, durationIn } from './table-times.ts'

const english = speaker(texts, 'en')
const options: ReadingOptions = { zone: 'Europe/Zurich', name: 'programme', lastDay: '2026-11-29', year: 2026 }
const inZurich = (at: Temporal.Instant | null) =>
  at?.toZonedDateTimeISO('Europe/Zurich').toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ') ??
  null
const shown = (file: ScheduleFile) =>
  file.items.map(({ title, starts, ends, room, fault, isAllDay }) =>
    [title, fault ? english(fault) : inZurich(starts), inZurich(ends), room, ...(isAllDay ? ['all day'] : [])].join(
      ' | ',
    ),
  )
const read = (content: string, more: Partial<ReadingOptions> = {}) =>
  parseSchedule(Buffer.from(content), { ...options, ...more })
const awkward = (name: string) => readFileSync(new URL(`../../../../test/awkward/${name}`, import.meta.url))
const readAwkward = (name: string) => parseSchedule(awkward(name), options)

describe('the columns of a programme', () => {
  it.each([
    ['Titel;Datum;Beginn;Ende;Bühne', 'title date start end stage'],
    ['Titel;Beginn;Ende;Bühne', 'title start end stage'],
    ['Titre;Jour;Heure de début;Heure de fin;Scène', 'title date start end stage'],
    ['Room;Date;Day;Start;Duration;Title;ID', 'stage date start duration title id'],
    ['Künstler*in;Datum;Uhrzeit;Ort', 'title date start stage'],
    ['Nr.;Veranstaltung;Tag;Zeit;Dauer (Min.);Spielort;Beschrieb', 'id title date start duration stage description'],
    ['Nom;Artiste;Début;Durée;Lieu;Genre', 'title performers start duration stage category'],
    ['Titel;Start;Breite;Länge', 'title start latitude longitude'],
    ['Titel;Start;Länge', 'title start duration'],
    ['Event Name;Start Date;Start Time;End Date;End Time;Location', 'title date start end_date end stage'],
    ['Subject;Start Date;Start Time;Categories;Location', 'title date start category stage'],
    ['Event Name;Event ID;Start Date;Start Time;Venue Name;Notes', 'title id date start stage description'],
    ['Auftritt;Datum und Zeit;Auftrittsort', 'title start stage'],
  ])('“%s” are %s', (header, fields) => {
    expect([...matchColumns(header.split(';')).keys()].toSorted()).toEqual(fields.split(' ').toSorted())
  })
  it('follow the choice of a person before their headings', () => {
    const columns = matchColumns(['A', 'Titel', 'B'], { A: 'title', B: 'start', Titel: '' })
    expect([...columns]).toEqual([
      ['title', 0],
      ['start', 2],
    ])
  })
})

describe('a time of a table', () => {
  it.each([
    ['28.11.2026 20:00', '2026-11-28 1200'],
    ['Sa, 28.11.2026, 20.00 Uhr', '2026-11-28 1200'],
    ['Samstag, 28. November 2026 um 20 Uhr', '2026-11-28 1200'],
    ['samedi 28 novembre 2026 à 20h30', '2026-11-28 1230'],
    ['1er août 2026', '2026-08-01'],
    ['Nov 28, 2026 8:00 PM', '2026-11-28 1200'],
    ['28 juil. 2026', '2026-07-28'],
    ['28.11.', '2026-11-28'],
    ['Sa 28.11. 20.00 Uhr', '2026-11-28 1200'],
    ['28.11. 20h30', '2026-11-28 1230'],
    ['28.11. 20 - 22 Uhr', '2026-11-28 1200 to 1320'],
    ['28.11.26', '2026-11-28'],
    ['March 3, 2026 8:00 PM', '2026-03-03 1200'],
    ['mar. 3 mars 2026', '2026-03-03'],
    ['mardi 03.03.2026 20h', '2026-03-03 1200'],
    ['8:00 a.m.', '480'],
    ['2026-11-28', '2026-11-28'],
    ['20261128', '2026-11-28'],
    ['28/11/2026 20:00', '2026-11-28 1200'],
    ['11/28/2026 8:00 PM', '2026-11-28 1200'],
    ['46354.8333', '2026-11-28 1200'],
    ['46354', '2026-11-28'],
    ['24:00', '1440'],
    ['25:30', '1530'],
    ['8 pm', '1200'],
    ['12 am', '0'],
    ['0.75', '1080'],
    ['20h', '1200'],
    ['20:00 – 21:30', '1200 to 1290'],
    ['22.00-01.00 Uhr', '1320 to 1500'],
    ['8 – 10 pm', '1200 to 1320'],
    ['2026-11-28T20:00:00Z', '2026-11-28T20:00:00Z'],
    ['0', '0'],
    ['ab 20 Uhr', '1200'],
    ['ca. 20:30', '1230'],
    ['dès 20h', '1200'],
    ['November 28, 2026 8:00 PM (GMT+1) → 9:30 PM', '2026-11-28T19:00:00Z'],
    ['November 28, 2026 11:00 PM → November 29, 2026 1:00 AM', '2026-11-28 1380 to 2026-11-29 60'],
    ['28.11.2026 20:00 – 29.11.2026 02:00', '2026-11-28 1200 to 2026-11-29 120'],
    ['2026-11-28 20:00 - 2026-11-29 02:00', '2026-11-28 1200 to 2026-11-29 120'],
    ['28.11. – 30.11.2026', '2026-11-28 to 2026-11-30'],
    ['Fr. 27.11. bis So. 29.11.', '2026-11-27 to 2026-11-29'],
    ['Samstag', '2026-11-28'],
    ['Sa. 20:00', '2026-11-28 1200'],
    ['dimanche', '2026-11-29'],
    ['Fri', '2026-11-27'],
  ])('“%s” is %s', (written, meaning) => {
    const festival = { start: '2026-11-27', end: '2026-11-29' }
    const time = cellTimeOf(written, { order: 'day-first', year: 2026, festival })
    const ends = [time?.endDay?.toString(), time?.endMinutes?.toString()].filter(Boolean).join(' ')
    const range = ends && ` to ${ends}`
    expect(
      time?.instant?.toString() ?? [time?.day?.toString(), time?.minutes?.toString()].filter(Boolean).join(' ') + range,
    ).toBe(meaning)
  })
  it.each(['soon', '', '31.2.2026', '99:00', '20', 'Mai', '28.13.2026', '20:75', 'Samstag', 'x'.repeat(1000)])(
    '“%s” is none',
    (text) => {
      expect(cellTimeOf(text, { order: 'day-first', year: 2026 })).toBeNull()
    },
  )
  it.each([
    ['90', 90],
    ['90 min', 90],
    ['1:30', 90],
    ['1h30', 90],
    ['1,5 h', 90],
    ['1 Std. 30 Min.', 90],
    ['PT1H30M', 90],
    ['ca. 60 Min.', 60],
    ["90'", 90],
    ['1 h 30', 90],
    ['long', null],
  ])('the duration “%s” is %s minutes', (text, minutes) => expect(durationIn(text)).toBe(minutes))
})

describe('a table', () => {
  it('of German Excel with day, start and duration is a programme', () => {
    const file = read(
      'Titel;Datum;Beginn;Dauer;Bühne\nKonzert;28.11.2026;20:00;90 min;Hof\nNacht;28.11.2026;23.30;1:30;Hof\n',
    )
    expect(shown(file)).toEqual([
      'Konzert | 2026-11-28 20:00 | 2026-11-28 21:30 | Hof',
      'Nacht | 2026-11-28 23:30 | 2026-11-29 01:00 | Hof',
    ])
  })
  it('may name the day in a row between, or only in the first row of a day', () => {
    const between = read(
      'Zeit,Act,Ort\n"Samstag, 28. November",,\n20:00,Eins,A\n"Sonntag, 29. November",,\n10:00,Zwei,A\n',
    )
    expect(shown(between)).toEqual(['Eins | 2026-11-28 20:00 |  | A', 'Zwei | 2026-11-29 10:00 |  | A'])
    const merged = read('Datum,Zeit,Act\n28.11.2026,20:00,Eins\n,21:00,Zwei\n')
    expect(shown(merged)).toEqual(['Eins | 2026-11-28 20:00 |  | ', 'Zwei | 2026-11-28 21:00 |  | '])
    expect(merged.notes.map(english)).toContain('1 row has no day of their own: the day above applies.')
  })
  it('gives a day without a time as all day, up to the end of its last day', () => {
    const file = read('title,date,end date\nMarkt,28.11.2026,29.11.2026\nTag,28.11.2026,\n')
    expect(shown(file)).toEqual([
      'Markt | 2026-11-28 06:00 | 2026-11-30 06:00 |  | all day',
      'Tag | 2026-11-28 06:00 | 2026-11-29 06:00 |  | all day',
    ])
  })
  it('takes an event whose end is not understood, with an open end', () => {
    const file = read('title,start,end\nSet,28.11.2026 20:00,late\n')
    expect(shown(file)).toEqual(['Set | 2026-11-28 20:00 |  | '])
    expect(file.items[0]!.notes!.map(english)).toEqual(['its end “late” was not understood: imported without an end'])
  })
  it('ends on the wall clock of the night when the clocks change', () => {
    const file = read('title,start,end\nHerbst,24.10.2026 22:00,04:00\nFrühling,27.3.2027 22:00,05:00\n')
    expect(shown(file)).toEqual([
      'Herbst | 2026-10-24 22:00 | 2026-10-25 04:00 | ',
      'Frühling | 2027-03-27 22:00 | 2027-03-28 05:00 | ',
    ])
  })
  it('may have the end of an event beside its start, on another day too', () => {
    const file = read('Titel,Wann\nNacht,28.11.2026 20:00 – 29.11.2026 02:00\nMarkt,28.11. – 29.11.2026\n')
    expect(shown(file)).toEqual([
      'Nacht | 2026-11-28 20:00 | 2026-11-29 02:00 | ',
      'Markt | 2026-11-28 06:00 | 2026-11-30 06:00 |  | all day',
    ])
  })
  it('whose headings do not tell day, start and length is read by what these columns hold', () => {
    const rows = 'Hauptakt,28.11.2026,20:00,45 Min,Anna,7\nVorgruppe,28.11.2026,19:00,30 Min,Ben,12\n'
    const file = read(`Titel,Einsatz,Get-in,Wie lang,Wer,Kisten\n${rows}`)
    expect(shown(file)).toEqual([
      'Hauptakt | 2026-11-28 20:00 | 2026-11-28 20:45 | ',
      'Vorgruppe | 2026-11-28 19:00 | 2026-11-28 19:30 | ',
    ])
    expect(file.notes.map(english)).toContain(
      'Read by what they hold, not by their heading: “Einsatz”, “Get-in”, “Wie lang”. Please check them.',
    )
    const chosen = read(`Titel,Einsatz,Get-in,Wie lang,Wer,Kisten\n${rows}`, { columns: { 'Get-in': '' } })
    expect(shown(chosen)[0]).toContain('all day')
    const known = read('Titel,Start,Stand\nA,28.11.2026 20:00,1.11.2026\n')
    expect([shown(known), known.unread]).toEqual([['A | 2026-11-28 20:00 |  | '], ['Stand']])
  })
  it('may hold times with an offset in a column of dates', () => {
    const file = read('Name,Date\nSet,"November 28, 2026 8:00 PM (GMT) → 9:00 PM"\nTwo,2026-11-28T20:00:00Z\n')
    expect(shown(file)).toEqual(['Set | 2026-11-28 21:00 | 2026-11-28 22:00 | ', 'Two | 2026-11-28 21:00 |  | '])
  })
  it('may name weekdays alone: those of the festival, if its days are known', () => {
    const table = 'Tag,Zeit,Titel\nFreitag,20:00,Eins\nSa,01:00,Zwei\nMontag,00:30,Drei\n'
    expect(shown(read(table, { festival: { start: '2026-11-27', end: '2026-11-29' } }))).toEqual([
      'Eins | 2026-11-27 20:00 |  | ',
      'Zwei | 2026-11-28 01:00 |  | ',
      'Drei | 2026-11-30 00:30 |  | ',
    ])
    expect(shown(read(table))[0]).toContain('its start “Freitag” is a weekday without a date')
  })
  it('says that the end stays open if it names another day and no time', () => {
    const file = read('Titel,Datum,Beginn,Enddatum\nSchau,28.11.2026,10:00,30.11.2026\n')
    expect(file.items[0]!.notes!.map(english)).toEqual([
      'its end “30.11.2026” was not understood: imported without an end',
    ])
  })
  it('tells the order of day and month from its dates, else asks', () => {
    const tables = ['13/04/2026', '04/13/2026', '03/04/2026'].map((date) => `title,date\nA,03/04/2026\nB,${date}\n`)
    const orders = tables.map((table) => read(table).table).map((table) => [table!.day_order, table!.unclear_date])
    expect(orders).toEqual([
      ['day-first', null],
      ['month-first', null],
      ['day-first', '03/04/2026'],
    ])
    const chosen = read(tables[2]!, { dayOrder: 'month-first' })
    expect([chosen.table!.unclear_date, shown(chosen)[0]]).toEqual([
      null,
      'A | 2026-03-04 06:00 | 2026-03-05 06:00 |  | all day',
    ])
  })
  it('without title or start is refused, or answered with its columns where a person can choose', () => {
    expect(() => read('Foo,Bar\nSet,28.11.2026 20:00\n')).toThrow(UnreadableFile)
    const asked = read('Foo,Bar\nSet,28.11.2026 20:00\n', { mayLackColumns: true })
    expect([asked.items, asked.table]).toMatchObject([
      [],
      { is_enough: false, columns: [{ heading: 'Foo', sample: 'Set', field: null }, { heading: 'Bar' }] },
    ])
    const chosen = read('Foo,Bar\nSet,28.11.2026 20:00\n', { columns: { Foo: 'title', Bar: 'start' } })
    expect(shown(chosen)).toEqual(['Set | 2026-11-28 20:00 |  | '])
  })
  it.each([
    ['german.csv', ['Konzert | 2026-11-27 23:30 | 2026-11-28 01:00 | Münsterplatz']],
    ['headers.csv', ['Konzert | 2026-11-27 23:30 | 2026-11-28 01:00 | Münsterplatz']],
    ['cp1252.csv', ['Konzert | 2026-11-27 23:30 | 2026-11-28 01:00 | Münsterplatz']],
    [
      'h24.csv',
      [
        'Mitternacht | 2026-11-29 00:00 | 2026-11-29 01:00 | A',
        'Ampm | 2026-11-28 20:00 | 2026-11-28 21:00 | A',
        'IsoZ | 2026-11-28 21:00 |  | A',
        'NurZeit | its start “20:00” has no date |  | A',
        'Serial | 2026-11-28 20:00 |  | A',
      ],
    ],
  ])('%s arrives', (name, expected) => expect(shown(readAwkward(name))).toEqual(expected))
  it('in Windows-1252 says so', () => {
    expect(readAwkward('cp1252.csv').notes.map(english)).toContain(
      'The file is not UTF-8: its letters were read as Windows-1252.',
    )
  })
})

describe('an Excel workbook', () => {
  it('with a title above its header, cells of times and a second sheet is a programme', async () => {
    const file = await parseWorkbook(awkward('programme-openpyxl.xlsx'), options)
    expect(shown(file)).toEqual([
      'Konzert | 2026-11-28 20:00 | 2026-11-28 21:30 | Münsterplatz',
      'Nacht | 2026-11-28 23:30 | 2026-11-29 00:45 | Hof',
      'Text | 2026-11-28 20:30 | 2026-11-28 21:15 | Hof',
      'Matinee | 2026-11-29 10:00 |  | ',
    ])
  })
  it('of another program is one too', async () => {
    const file = await parseWorkbook(awkward('programme-gnumeric.xlsx'), options)
    expect(shown(file)).toEqual([
      'Concert | 2026-11-28 20:00 | 2026-11-28 21:30 | Place',
      'Nuit | 2026-11-28 23:30 | 2026-11-29 01:00 | Cour',
    ])
  })
  it('with a sheet for each stage says that their names are not read, one with a sheet for each day does not', () => {
    const sheet = (name: string) => ({
      ...tableOf([
        { cells: ['Titel', 'Start'], line: 1 },
        { cells: [name, '28.11.2026 20:00'], line: 2 },
      ]),
      sheet: name,
    })
    const notes = (...names: string[]) => readTables(names.map(sheet), options, 'Excel').notes.map(english)
    expect(notes('Zelt', 'Hof')).toContain(
      'No column holds a place. If the sheets are places (“Zelt”, “Hof”), add a column “Stage” to each.',
    )
    expect(notes('Samstag 28.11.', 'Sonntag 29.11.').join()).not.toContain('place')
  })
  it('that is another ZIP file, cut off, broken inside or a bomb is refused with a sentence', async () => {
    const whole = awkward('programme-openpyxl.xlsx')
    const parts = unzipSync(whole)
    const changed = (change: Record<string, Uint8Array>) => zipSync({ ...parts, ...change })
    const sheet = 'xl/worksheets/sheet1.xml'
    const refused = (bytes: Uint8Array) => expect(parseWorkbook(bytes, options)).rejects
    await refused(whole.subarray(0, 2000)).toThrow('not a readable Excel workbook')
    await refused(zipSync({ 'a.txt': new Uint8Array(3) })).toThrow('not a readable Excel workbook')
    await refused(changed({ [sheet]: new Uint8Array(101 * 2 ** 20) })).toThrow('takes too much memory')
    const doctype = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><worksheet><sheetData/></worksheet>'
    await refused(changed({ [sheet]: Buffer.from(doctype), 'xl/worksheets/sheet2.xml': Buffer.from(doctype) })).toThrow(
      UnreadableFile,
    )
  })
})
