import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  clockText,
  dayText,
  isClockEnough,
  minutesAheadByParts,
  todayEnd,
  monthName,
  wallIn,
  weekdayName,
} from './calendar.ts'
import { longWeekdayName } from './long-weekday.ts'

const moments = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })
const zones = ['Europe/Zurich', 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']

it.each(zones)('clock and calendar of %s are right, also for browsers without Temporal', (zone) => {
  fc.assert(
    fc.property(moments, (now) => {
      const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
      expect(wallIn(zone, now)).toEqual({
        isoDay: here.toPlainDate().toString(),
        day: here.day,
        month: here.month,
        weekday: here.dayOfWeek,
        minute: here.hour * 60 + here.minute,
      })
      expect(minutesAheadByParts(zone, now)).toBe(here.offsetNanoseconds / 60e9)
    }),
    { numRuns: 1000 },
  )
})

it.each(['en', 'de', 'fr'])('clocks and days in %s are written as CLDR writes them for Switzerland', (locale) => {
  const zone = 'Europe/Zurich'
  const written = (options: Intl.DateTimeFormatOptions, now: number) =>
    new Intl.DateTimeFormat(`${locale}-CH`, { timeZone: zone, ...options }).format(now).replace(/\.$/, '')
  // each day of two years, at another time of the day
  for (let n = 0, now = Date.UTC(2026, 0, 1); n < 731; n++, now += 24 * 3_600_000 + 113_000) {
    const wall = wallIn(zone, now)
    expect(clockText(wall)).toBe(written({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, now))
    expect(dayText(locale, wall)).toBe(written({ day: 'numeric', month: 'long' }, now))
    expect(weekdayName(locale, wall.weekday)).toBe(written({ weekday: 'short' }, now))
    expect(longWeekdayName(locale, wall.weekday)).toBe(written({ weekday: 'long' }, now))
    expect(monthName(locale, wall.month)).toBe(written({ month: 'long' }, now))
  }
})

it.each([
  // it is Tuesday, by clocks of Basel
  ['2026-06-23T23:54', '2026-06-24T02:00', true, 'tonight'],
  ['2026-06-23T10:00', '2026-06-24T05:59', true, 'tonight, as seen from the morning'],
  ['2026-06-23T10:00', '2026-06-23T23:52', true, 'today'],
  ['2026-06-23T10:00', '2026-06-23T00:10', true, 'today, in the past'],
  ['2026-06-23T23:54', '2026-06-24T23:52', false, 'tomorrow, less than 24 hours away'],
  ['2026-06-23T23:54', '2026-06-24T06:00', false, 'tomorrow morning'],
  ['2026-06-23T03:00', '2026-06-24T02:00', false, 'the night after this one'],
  ['2026-06-23T00:30', '2026-06-22T23:50', false, 'yesterday, 40 minutes ago'],
])('at %s the clock alone means %s: %o (%s)', (now, then, isEnough) => {
  const at = (clock: string) => wallIn('Europe/Zurich', Date.parse(`${clock}:00+02:00`))
  expect(isClockEnough(at(now), at(then))).toBe(isEnough)
})

it('a moment or a zone that is none is refused', () => {
  expect(() => wallIn('Europe/Zurich', Number.NaN)).toThrow(RangeError)
  expect(() => wallIn('Nowhere/Else', 0)).toThrow(RangeError)
})

it('today goes on until the night ends, and in the small hours until midnight', () => {
  const ends = (at: string) => new Date(todayEnd('Europe/Zurich', Date.parse(at))).toISOString()
  expect(ends('2026-06-20T17:30:00Z')).toBe('2026-06-21T04:00:00.000Z')
  expect(ends('2026-06-20T21:59:30Z')).toBe('2026-06-21T04:00:00.000Z')
  expect(ends('2026-06-20T22:00:00Z')).toBe('2026-06-21T22:00:00.000Z')
  expect(ends('2026-06-21T03:59:00Z')).toBe('2026-06-21T22:00:00.000Z')
  expect(ends('2026-06-21T04:00:00Z')).toBe('2026-06-22T04:00:00.000Z')
})
