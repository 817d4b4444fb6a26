import { describe, expect, it } from 'vitest'
import { texts } from '../../../app/server/texts.ts'
import { speaker } from '../../../kit/server/import-text.ts'
import { checkSchedule } from './check-schedule.ts'
import { parseSchedule } from './schedule-file.ts'

const english = speaker(texts, 'en')
const read = (content: string, lastDay: string | null = null) => {
  const file = parseSchedule(Buffer.from(content), { zone: 'Europe/Zurich', name: 'x', lastDay })
  const checked = checkSchedule(file)
  return {
    read: checked.read,
    accepted: checked.accepted,
    times: checked.accepted.map(({ fields }) => fields.starts_at.slice(0, 16)),
    ids: checked.accepted.map(({ id }) => id),
    notes: [...checked.notes, ...checked.remarks.flatMap((remark) => remark.texts)].map(english),
  }
}
const event = (...lines: string[]) =>
  ['BEGIN:VEVENT', 'UID:yoga', 'SUMMARY:Yoga', 'CATEGORIES:Sport', ...lines, 'END:VEVENT', ''].join('\r\n')
const calendar = (...content: string[]) => `BEGIN:VCALENDAR\r\n${content.join('')}END:VCALENDAR\r\n`
const zurich = 'DTSTART;TZID=Europe/Zurich'

describe('an entry that repeats', () => {
  it('is written out, each time with an id of its own, at the same time of day over a change of the clocks', () => {
    const night = `${zurich}:20261024T230000`
    const found = read(calendar(event(night, 'DTEND;TZID=Europe/Zurich:20261025T040000', 'RRULE:FREQ=DAILY;COUNT=3')))
    expect(found.times).toEqual(['2026-10-24T21:00', '2026-10-25T22:00', '2026-10-26T22:00'])
    expect(found.accepted.map(({ fields }) => fields.ends_at!.slice(0, 16))).toEqual([
      '2026-10-25T03:00',
      '2026-10-26T03:00',
      '2026-10-27T03:00',
    ])
    expect(found.ids).toEqual(['yoga', 'yoga 2026-10-25T23:00:00', 'yoga 2026-10-26T23:00:00'])
    expect(found.notes).toEqual(['1 entry repeats: 3 events.'])
  })

  it('leaves out its exceptions, has its added dates, and single ones replaced', () => {
    const found = read(
      calendar(
        event(
          `${zurich}:20261127T080000`,
          'RRULE:FREQ=DAILY;UNTIL=20261130T070000Z',
          'EXDATE;TZID=Europe/Zurich:20261128T080000',
          'RDATE;TZID=Europe/Zurich:20261205T100000,20261206T100000',
        ),
        event(`${zurich}:20261129T093000`, 'RECURRENCE-ID:20261129T070000Z', 'LOCATION:Hall'),
        event(`${zurich}:20261130T080000`, 'RECURRENCE-ID;TZID=Europe/Zurich:20261130T080000', 'STATUS:CANCELLED'),
      ),
    )
    expect(found.accepted.map(({ id, fields }) => [id, fields.starts_at.slice(8, 16), fields.isCancelled])).toEqual([
      ['yoga', '27T07:00', false],
      ['yoga 2026-12-05T10:00:00', '05T09:00', false],
      ['yoga 2026-12-06T10:00:00', '06T09:00', false],
      ['yoga 2026-11-29T08:00:00', '29T08:30', false],
      ['yoga 2026-11-30T08:00:00', '30T07:00', true],
    ])
  })

  it('without an end goes to the last day of the festival, or a month', () => {
    const daily = calendar(event(`${zurich}:20261127T080000`, 'RRULE:FREQ=DAILY'))
    expect(read(daily, '2026-11-29').times).toHaveLength(3)
    expect(read(daily, '2026-11-29').notes).toEqual([
      '1 entry repeats: 3 events.',
      'it repeats without an end: imported up to 2026-11-29',
    ])
    expect(read(daily).times).toHaveLength(32)
  })

  it.each([
    ['FREQ=DAILY', '20240101', '2026-05-14T06:00', '2026-11-29T07:00'],
    ['FREQ=HOURLY;INTERVAL=12', '20260101', '2026-08-22T06:00', '2026-11-29T19:00'],
  ])(
    'without an end, %s for long, keeps the last 200 dates before the end of the festival',
    (rule, from, first, last) => {
      const found = read(calendar(event(`${zurich}:${from}T080000`, `RRULE:${rule}`)), '2026-11-29')
      expect([found.times.length, found.times[0], found.times.at(-1)]).toEqual([200, first, last])
      expect(found.notes).toContain('it repeats more often: the last 200 dates are taken')
    },
  )

  it('on days repeats as days', () => {
    const found = read(calendar(event('DTSTART;VALUE=DATE:20261127', 'RRULE:FREQ=DAILY;UNTIL=20261129')))
    expect(found.ids).toEqual(['yoga', 'yoga 2026-11-28', 'yoga 2026-11-29'])
    expect(found.times[2]).toBe('2026-11-29T05:00')
  })

  it.each([
    ['FREQ=DAILY;COUNT=999999999', 200, 'it repeats more often: the first 200 dates are imported'],
    ['FREQ=MINUTELY;COUNT=999999999', 200, 'it repeats more often: the first 200 dates are imported'],
    [
      'FREQ=SECONDLY;COUNT=999999999',
      1,
      'its repeat rule “FREQ=SECONDLY;COUNT=999999999” is not supported: only its first date is imported',
    ],
    ['FREQ=DAILY;INTERVAL=7;BYDAY=MO;COUNT=9', 1, '1 entry repeats: 1 event.'],
  ])('as a bomb, %s, gives %i events', (rule, count, note) => {
    const found = read(calendar(event(`${zurich}:20261127T080000`, `RRULE:${rule}`)))
    expect(found.times).toHaveLength(count)
    expect(found.notes).toContain(note)
  })

  it('as 20,000 bombs is refused as too many events', () => {
    const bomb = event(`${zurich}:20261127T080000`, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31;COUNT=9')
    const bombs = Array.from({ length: 20_000 }, (_, n) => bomb.replace('UID:yoga', `UID:${n}`))
    expect(read(calendar(...bombs.slice(0, 5000))).read).toBe(5000)
    const daily = event(`${zurich}:20261127T080000`, 'RRULE:FREQ=DAILY;COUNT=200').replace('UID:yoga', 'UID:n')
    expect(() => read(calendar(daily.repeat(200)))).toThrow('the maximum is 20000')
  })
})

describe('entries with the same id', () => {
  const at = (time: string, ...more: string[]) => event(`DTSTART:20261128T${time}00Z`, ...more)
  it('and another sequence or time of change are versions, of which the newest counts', () => {
    const found = read(
      calendar(
        at('1900', 'SEQUENCE:2', 'LAST-MODIFIED:20260101T000000Z'),
        at('2100', 'SEQUENCE:10', 'LAST-MODIFIED:20251231T000000Z'),
        at('2000', 'SEQUENCE:10', 'LAST-MODIFIED:20251201T000000Z'),
      ),
    )
    expect([found.read, found.times, found.ids]).toEqual([1, ['2026-11-28T21:00'], ['yoga']])
    expect(found.notes).toEqual(['2 older versions of entries were left out.'])
  })
  it('and other times or stages are told apart by them', () => {
    const found = read(calendar(at('1900', 'LOCATION:A'), at('1900', 'LOCATION:B'), at('2000', 'LOCATION:A')))
    expect([found.read, new Set(found.ids).size]).toEqual([3, 3])
    expect(found.ids.slice(0, 2)).toEqual(['yoga', 'yoga 2026-11-28T19:00:00Z B'])
    expect(found.notes).toEqual(['the id yoga is on 3 entries: start and stage tell them apart'])
  })
  it('that are equal are taken once', () => {
    const found = read(calendar(at('1900'), at('1900')))
    expect([found.read, found.ids]).toEqual([1, ['yoga']])
    expect(found.notes).toEqual(['it is in the file 2 times: imported once'])
  })
  it('or without one are known by title, start and stage', () => {
    const without = (time: string) => at(time).replace('UID:yoga\r\n', '')
    const [first, again] = [read(calendar(without('1900'), without('2000'))), read(calendar(without('1900')))]
    expect(first.ids).toHaveLength(2)
    expect(first.ids[0]).toBe(again.ids[0])
    expect(first.notes).toEqual(['it has no id: title, start and stage identify it (and 1 more event)'])
  })
  it('that are too long or broken are replaced', () => {
    const long = read(calendar(at('1900').replace('UID:yoga', `UID:${'x'.repeat(400)}`)))
    expect(long.ids[0]).toHaveLength(40)
  })
})
