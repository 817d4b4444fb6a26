import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DaySpan } from '../contract.ts'
import { expandOpeningHours, parseOpeningHours, type Place } from './opening-hours.ts'
import { weekOf } from './week.ts'

const basel: Place = { latitude: 47.5596, longitude: 7.5886, canton: 'BS' }

const said = (spans: DaySpan[]) =>
  spans.map(({ opens, closes, open_end }) => `${opens}-${closes}${open_end ? '+' : ''}`).join(' ') || 'closed'

/** A line for each season, its days in groups, and one for each exception. */
function told(text: string): string[] | null {
  const week = weekOf(text)
  if (!week) return null
  return [
    ...week.seasons.map(({ dates, days }) => {
      const when = dates.map(({ from, until }) => `${from}..${until}`).join(' ')
      return `${when && `${when}: `}${days.map(({ day, spans }) => `${day} ${said(spans)}`).join(', ')}`
    }),
    ...week.exceptions.map(({ from, until, spans }) => `${from}..${until} ${said(spans)}`),
  ]
}

const everyDay = (spans: string) =>
  ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((day) => `${day} ${spans}`).join(', ')

describe('the week of a text', () => {
  it.each([
    ['24/7', [everyDay('00:00-24:00')]],
    ['Mo-Su,PH 09:00-22:00', [everyDay('09:00-22:00')]],
    [
      'Mo-Fr 08:00-12:15,13:30-18:30; Sa 08:00-16:00; PH off',
      [
        'Mo 08:00-12:15 13:30-18:30, Tu 08:00-12:15 13:30-18:30, We 08:00-12:15 13:30-18:30, ' +
          'Th 08:00-12:15 13:30-18:30, Fr 08:00-12:15 13:30-18:30, Sa 08:00-16:00, Su closed, PH closed',
      ],
    ],
    // days wrap around, a later rule replaces the day, a night belongs to the day it began
    [
      'Fr-Mo 18:00-26:00; Su off',
      ['Mo 18:00-02:00, Tu closed, We closed, Th closed, Fr 18:00-02:00, Sa 18:00-02:00, Su closed'],
    ],
    // a comma adds hours, and overlapping ones are merged
    [
      'Tu-Sa 12:00-21:00, Sa,Su 15:00-21:00',
      ['Mo closed, Tu 12:00-21:00, We 12:00-21:00, Th 12:00-21:00, Fr 12:00-21:00, Sa 12:00-21:00, Su 15:00-21:00'],
    ],
    ['Mo-Su 18:00-22:00+', [everyDay('18:00-22:00+')]],
    ['Mo-Fr 07:30-20:00; Sa 07:30-18:00, Aug 1 Closed', expect.arrayContaining(['08-01..08-01 closed'])],
    [
      '10:00-18:00; Dec 24-26 off; Dec 31 10:00-16:00',
      [everyDay('10:00-18:00'), '12-24..12-26 closed', '12-31..12-31 10:00-16:00'],
    ],
    [
      'Apr-Sep 08:00-20:00; Oct-Mar 10:00-17:00',
      [`10-01..03-31: ${everyDay('10:00-17:00')}`, `04-01..09-30: ${everyDay('08:00-20:00')}`],
    ],
    ['May 15-Sep 10: 09:00-20:00', [`09-11..05-14: ${everyDay('closed')}`, `05-15..09-10: ${everyDay('09:00-20:00')}`]],
    [
      'Mo-Fr 09:00-17:00; Jul-Aug Mo-Fr 09:00-12:00',
      [
        '07-01..08-31: Mo 09:00-12:00, Tu 09:00-12:00, We 09:00-12:00, Th 09:00-12:00, Fr 09:00-12:00, Sa closed, Su closed',
        '09-01..06-30: Mo 09:00-17:00, Tu 09:00-17:00, We 09:00-17:00, Th 09:00-17:00, Fr 09:00-17:00, Sa closed, Su closed',
      ],
    ],
  ])('%s', (text, lines) => {
    expect(parseOpeningHours(text, basel).known).toBe(true)
    const lineOrder = (a: string, b: string) => a.localeCompare(b)
    expect(told(text)?.toSorted(lineOrder)).toEqual(Array.isArray(lines) ? lines.toSorted(lineOrder) : lines)
  })

  it.each([
    '',
    'off',
    'nach Vereinbarung',
    'Mo-Fr sunrise-sunset',
    'Mo 10:00-12:00 "ring"',
    'Mo[1] 10:00-12:00',
    'SH Mo 10:00-12:00',
    'week 1-10 Mo 10:00-12:00',
    '2026 Aug 1 10:00-12:00',
    'Mo 10:00-12:00 || "else"',
    'easter off',
    'Feb 30 10:00-12:00',
    'Mo 25:00-26:00',
    'PH off; Mo-Fr 08:00-18:00',
    'Apr 15-Oct 10:00-12:00',
  ])('is not told for "%s"', (text) => expect(weekOf(text)).toBeNull())
})

const places = new URL('../../../../shared/data/places/basel-laeden-osm.geojson', import.meta.url)

describe.skipIf(!existsSync(places))('the weeks of the real shops of Basel', () => {
  const { features } = JSON.parse(existsSync(places) ? readFileSync(places, 'utf8') : '{"features":[]}') as {
    features: { properties: Record<string, string> }[]
  }
  const texts = features.map(({ properties }) => properties['opening_hours']).filter((text) => text !== undefined)

  it('all 189 fit into tables', () => {
    expect(texts).toHaveLength(189)
    const untold = texts.filter((text) => {
      const hours = parseOpeningHours(text, basel)
      return !hours.known || !weekOf(hours.normalised)
    })
    expect(untold).toEqual([])
  })

  it('and agree with the library on each day of a year, holidays too', () => {
    // the holidays of Basel-Stadt in 2026
    const holidays = ['01-01', '04-03', '04-06', '05-01', '05-14', '05-25', '08-01', '12-25', '12-26']
    const zone = 'Europe/Zurich'
    for (const text of new Set(texts)) {
      const hours = parseOpeningHours(text, basel)
      const week = hours.known ? weekOf(hours.normalised) : null
      if (!week) expect.fail(text)
      const begin = Temporal.PlainDate.from('2026-01-01')
      const openings = expandOpeningHours(text, basel, begin.toZonedDateTime(zone).toInstant(), 365)
      const opened = new Map<string, string[]>()
      for (const { opens_at, closes_at } of openings) {
        const [opens, closes] = [opens_at, closes_at].map((at) => at.toZonedDateTimeISO(zone)) as [
          Temporal.ZonedDateTime,
          Temporal.ZonedDateTime,
        ]
        const day = opens.toPlainDate().toString()
        const clock = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: 'minute' })
        opened.set(day, [...(opened.get(day) ?? []), `${clock(opens)}-${clock(closes).replace('00:00', '24:00')}`])
      }
      if (text === '24/7') continue // one opening without an end
      expect(week.seasons, text).toHaveLength(1)
      for (let date = begin; date.year === 2026; date = date.add({ days: 1 })) {
        const monthDay = date.toString().slice(5)
        const exception = week.exceptions.find(({ from, until }) => from <= monthDay && monthDay <= until)
        const { days } = week.seasons[0]!
        // by the grammar a comma adds holiday hours to those of the weekday; people mean them instead
        if (holidays.includes(monthDay) && /, ?PH,/.test(text)) continue
        const holiday = holidays.includes(monthDay) ? days.find(({ day }) => day === 'PH') : undefined
        const spans = (exception ?? holiday ?? days[date.dayOfWeek - 1]!).spans
        expect(said(spans), `${text} on ${date}`).toBe(opened.get(date.toString())?.join(' ') ?? 'closed')
      }
    }
  })
})
