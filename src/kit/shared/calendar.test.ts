import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  clockText,
  dateText,
  dayOfMonth,
  dayText,
  isClockEnough,
  monthName,
  todayEnd,
  wallIn,
  wallTime,
  weekdayName,
} from './calendar.ts'

const moments = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })
const zones = ['Europe/Zurich', 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']

it.each(zones)('local date and time in %s equal those of Temporal', (zone) => {
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
      expect(wallTime(zone, now)).toBe(here.toPlainDateTime().toString().slice(0, 16))
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['en', 'Fri', 'Friday', '5', '5 June', '20 November'],
  ['de', 'Fr', 'Freitag', '5.', '5. Juni', '20. November'],
  ['fr', 'ven.', 'vendredi', '5', '5 juin', '20 novembre'],
])('days in %s are written as in Switzerland', (locale, short, long, day, summer, winter) => {
  expect(weekdayName(locale, 5)).toBe(short)
  expect(weekdayName(locale, 5, 'long')).toBe(long)
  expect(dayOfMonth(locale, 5)).toBe(day)
  expect(dayText(locale, { day: 5, month: 6 })).toBe(summer)
  expect(dayText(locale, { day: 20, month: 11 })).toBe(winter)
  expect(monthName(locale, 6)).toBe(summer.split(' ')[1])
})

it.each([
  ['en', '1', '1 May 2026'],
  ['de', '1.', '1. Mai 2026'],
  ['fr', '1er', '1er mai 2026'],
])('the first day of a month in %s, and a date with its year', (locale, day, date) => {
  expect(dayOfMonth(locale, 1)).toBe(day)
  expect(dateText(locale, wallIn('Europe/Zurich', Date.parse('2026-05-01T12:00:00Z')))).toBe(date)
})

it('times are written with 24 hours and two digits each', () => {
  expect(clockText(wallIn('Europe/Zurich', Date.parse('2026-06-20T22:05:00Z')))).toBe('00:05')
})

it('a half-typed year such as 0202 can be read', () => {
  expect(wallTime('UTC', Date.parse('0202-06-20T18:00Z'))).toBe('0202-06-20T18:00')
  expect(wallIn('UTC', Date.parse('0002-06-20T18:00Z'))).toMatchObject({ day: 20, month: 6, minute: 18 * 60 })
})

it.each([
  // a Tuesday, in Basel's time zone
  ['2026-06-23T23:54', '2026-06-24T02:00', true, 'tonight'],
  ['2026-06-23T10:00', '2026-06-24T05:59', true, 'tonight, as seen from the morning'],
  ['2026-06-23T10:00', '2026-06-23T23:52', true, 'today'],
  ['2026-06-23T10:00', '2026-06-23T00:10', true, 'today, in the past'],
  ['2026-06-23T23:54', '2026-06-24T23:52', false, 'tomorrow, less than 24 hours away'],
  ['2026-06-23T23:54', '2026-06-24T06:00', false, 'tomorrow morning'],
  ['2026-06-23T03:00', '2026-06-24T02:00', false, 'the night after this one'],
  ['2026-06-23T00:30', '2026-06-22T23:50', false, 'yesterday, 40 minutes ago'],
])('at %s the time without a day is enough for %s: %o (%s)', (now, then, isEnough) => {
  const at = (clock: string) => wallIn('Europe/Zurich', Date.parse(`${clock}:00+02:00`))
  expect(isClockEnough(at(now), at(then))).toBe(isEnough)
})

it('an invalid moment or an unknown zone throws a RangeError', () => {
  expect(() => wallIn('Europe/Zurich', Number.NaN)).toThrow(RangeError)
  expect(() => wallIn('Nowhere/Else', 0)).toThrow(RangeError)
})

it('today lasts until 6 in the morning, and before 6 until midnight', () => {
  const ends = (at: string) => new Date(todayEnd('Europe/Zurich', Date.parse(at))).toISOString()
  expect(ends('2026-06-20T17:30:00Z')).toBe('2026-06-21T04:00:00.000Z')
  expect(ends('2026-06-20T21:59:30Z')).toBe('2026-06-21T04:00:00.000Z')
  expect(ends('2026-06-20T22:00:00Z')).toBe('2026-06-21T22:00:00.000Z')
  expect(ends('2026-06-21T03:59:00Z')).toBe('2026-06-21T22:00:00.000Z')
  expect(ends('2026-06-21T04:00:00Z')).toBe('2026-06-22T04:00:00.000Z')
})
