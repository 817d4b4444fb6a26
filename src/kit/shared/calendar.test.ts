import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clockText, dayText, minutesAheadByParts, monthName, wallIn, weekdayName } from './calendar.ts'
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

it('a moment or a zone that is none is refused', () => {
  expect(() => wallIn('Europe/Zurich', Number.NaN)).toThrow(RangeError)
  expect(() => wallIn('Nowhere/Else', 0)).toThrow(RangeError)
})
