import { expect, it } from 'vitest'
import { dayIn } from '../../kit/browser/when.ts'
import { wallIn } from '../../kit/shared/calendar.ts'
import { daysByInterest, editionAt, festivalDayOf } from './festival-day.ts'
import { momentOf } from './import/read-times.ts'

const zone = 'Europe/Zurich'

/**
 * The nights in which clocks go back and forward, written down by hand: the moment in UTC, the festival's clocks, how far
 * they are ahead of UTC, and the festival day, which ends at 06:00 on those clocks.
 */
const nights = `
2025-10-24T21:59:59Z 2025-10-24T23:59:59 +02:00 2025-10-24
2025-10-24T22:00:00Z 2025-10-25T00:00:00 +02:00 2025-10-24
2025-10-25T03:59:00Z 2025-10-25T05:59:00 +02:00 2025-10-24
2025-10-25T04:00:00Z 2025-10-25T06:00:00 +02:00 2025-10-25
2025-10-25T10:00:00Z 2025-10-25T12:00:00 +02:00 2025-10-25
2025-10-25T18:30:00Z 2025-10-25T20:30:00 +02:00 2025-10-25
2025-10-25T21:59:00Z 2025-10-25T23:59:00 +02:00 2025-10-25
2025-10-25T22:00:00Z 2025-10-26T00:00:00 +02:00 2025-10-25
2025-10-25T23:45:00Z 2025-10-26T01:45:00 +02:00 2025-10-25
2025-10-26T00:00:00Z 2025-10-26T02:00:00 +02:00 2025-10-25
2025-10-26T00:30:00Z 2025-10-26T02:30:00 +02:00 2025-10-25
2025-10-26T00:59:59Z 2025-10-26T02:59:59 +02:00 2025-10-25
2025-10-26T01:00:00Z 2025-10-26T02:00:00 +01:00 2025-10-25
2025-10-26T01:30:00Z 2025-10-26T02:30:00 +01:00 2025-10-25
2025-10-26T01:59:59Z 2025-10-26T02:59:59 +01:00 2025-10-25
2025-10-26T02:00:00Z 2025-10-26T03:00:00 +01:00 2025-10-25
2025-10-26T04:59:59Z 2025-10-26T05:59:59 +01:00 2025-10-25
2025-10-26T05:00:00Z 2025-10-26T06:00:00 +01:00 2025-10-26
2025-10-26T13:00:00Z 2025-10-26T14:00:00 +01:00 2025-10-26
2025-10-27T04:59:00Z 2025-10-27T05:59:00 +01:00 2025-10-26
2025-10-27T05:00:00Z 2025-10-27T06:00:00 +01:00 2025-10-27
2026-03-27T23:00:00Z 2026-03-28T00:00:00 +01:00 2026-03-27
2026-03-28T04:59:59Z 2026-03-28T05:59:59 +01:00 2026-03-27
2026-03-28T05:00:00Z 2026-03-28T06:00:00 +01:00 2026-03-28
2026-03-28T11:00:00Z 2026-03-28T12:00:00 +01:00 2026-03-28
2026-03-28T19:15:00Z 2026-03-28T20:15:00 +01:00 2026-03-28
2026-03-28T22:59:59Z 2026-03-28T23:59:59 +01:00 2026-03-28
2026-03-28T23:00:00Z 2026-03-29T00:00:00 +01:00 2026-03-28
2026-03-29T00:00:00Z 2026-03-29T01:00:00 +01:00 2026-03-28
2026-03-29T00:30:00Z 2026-03-29T01:30:00 +01:00 2026-03-28
2026-03-29T00:59:59Z 2026-03-29T01:59:59 +01:00 2026-03-28
2026-03-29T01:00:00Z 2026-03-29T03:00:00 +02:00 2026-03-28
2026-03-29T01:30:00Z 2026-03-29T03:30:00 +02:00 2026-03-28
2026-03-29T02:00:00Z 2026-03-29T04:00:00 +02:00 2026-03-28
2026-03-29T03:59:59Z 2026-03-29T05:59:59 +02:00 2026-03-28
2026-03-29T04:00:00Z 2026-03-29T06:00:00 +02:00 2026-03-29
2026-03-29T12:00:00Z 2026-03-29T14:00:00 +02:00 2026-03-29
2026-03-29T21:59:59Z 2026-03-29T23:59:59 +02:00 2026-03-29
2026-03-29T22:00:00Z 2026-03-30T00:00:00 +02:00 2026-03-29
2026-03-30T03:59:00Z 2026-03-30T05:59:00 +02:00 2026-03-29
2026-03-30T04:00:00Z 2026-03-30T06:00:00 +02:00 2026-03-30`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [utc: string, wall: string, offset: string, day: string])

it.each(nights)('At %s clocks show %s, %s ahead, and it is the festival day %s', (utc, wall, offset, day) => {
  const at = Temporal.Instant.from(utc)
  expect(momentOf(`${wall}${offset}`, 'Pacific/Auckland')?.equals(at)).toBe(true)
  expect(festivalDayOf(at, zone)).toBe(day)
  const [hour = 0, minute = 0] = wall.slice(11).split(':').map(Number)
  expect(wallIn(zone, at.epochMilliseconds)).toMatchObject({
    isoDay: wall.slice(0, 10),
    weekday: Temporal.PlainDate.from(wall).dayOfWeek,
    minute: hour * 60 + minute,
  })
  expect(dayIn('en', zone, utc)).toMatch(new RegExp(`^${Number(wall.slice(8, 10))} `))
  // without an offset, the first of two equal wall times counts
  const isSecond = offset === '+01:00' && wall.startsWith('2025-10-26T02')
  expect(momentOf(wall, zone)?.equals(isSecond ? at.subtract({ hours: 1 }) : at)).toBe(true)
})

it('A wall time that the clocks skip is read an hour later', () => {
  expect(momentOf('2026-03-29 02:30', zone)?.toString()).toBe('2026-03-29T01:30:00Z')
})

it('a programme with several editions has the festival days of the one that is on, else the next, else the last', () => {
  const days = ['2024-05-30', '2024-06-02', '2026-06-19', '2026-06-20', '2026-08-01', '2027-06-18'].map((day) => ({
    day,
    begun: 1,
  }))
  const summer = { start: '2026-06-19', end: '2026-08-01' }
  expect(editionAt(days, '2026-06-20')).toEqual(summer)
  expect(editionAt(days, '2026-01-01')).toEqual(summer)
  expect(editionAt(days, '2026-08-02')).toEqual({ start: '2027-06-18', end: '2027-06-18' })
  expect(editionAt(days, '2028-01-01')).toEqual({ start: '2027-06-18', end: '2027-06-18' })
  expect(editionAt([], '2026-06-20')).toBeNull()
})

it('an exhibition that goes on for months does not stretch the days of the festival', () => {
  const goesOn = daily('2026-01-10', 300).map(({ day }) => ({
    day,
    begun: day === '2026-01-10' || day === '2026-06-19' ? 1 : 0,
  }))
  expect(editionAt(goesOn, '2026-06-19')).toEqual({ start: '2026-06-19', end: '2026-06-19' })
})

/** A year of a venue that is open every day, and the days after it. */
const daily = (from: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    day: Temporal.PlainDate.from(from).add({ days: n }).toString(),
    begun: 1,
  }))
const daysOf = (days: { day: string; is_earlier: boolean }[]) =>
  days.map(({ day, is_earlier }) => (is_earlier ? `${day} earlier` : day))

it('a long calendar lists days from today on first, then the latest earlier ones, and leaves the oldest out', () => {
  const days = daily('2023-07-01', 3 * 365)
  const { days: shown, leftOut } = daysByInterest(days, { today: '2026-06-20', festival: null, most: 12 })
  expect(daysOf(shown)).toEqual([
    ...daily('2026-06-20', 10).map(({ day }) => day),
    '2026-06-19 earlier',
    '2026-06-18 earlier',
  ])
  expect(leftOut).toBe(3 * 365 - 12)
})

it('a list with too many future days leaves out those furthest ahead, never days of the festival', () => {
  const festival = { start: '2026-09-01', end: '2026-09-03' }
  const { days, leftOut } = daysByInterest(daily('2026-06-01', 120), { today: '2026-06-20', festival, most: 5 })
  expect(daysOf(days)).toEqual(['2026-06-20', '2026-06-21', '2026-09-01', '2026-09-02', '2026-09-03'])
  expect(leftOut).toBe(115)
})

it('the days of a running festival stay in order of time, whether the programme or the operator sets them', () => {
  const days = [{ day: '2025-06-20', begun: 1 }, ...daily('2026-06-18', 4)]
  const at = { today: '2026-06-20', most: 100 }
  const inOrder = ['2026-06-18', '2026-06-19', '2026-06-20', '2026-06-21', '2025-06-20 earlier']
  expect(daysOf(daysByInterest(days, { ...at, festival: null }).days)).toEqual(inOrder)
  const year = daily('2026-01-01', 200)
  const festival = { start: '2026-06-18', end: '2026-06-21' }
  expect(daysOf(daysByInterest(year, { ...at, festival }).days).slice(0, 3)).toEqual(inOrder.slice(0, 3))
})

it('a programme that is over shows its days in order of time', () => {
  const { days } = daysByInterest(daily('2026-06-18', 3), { today: '2026-08-01', festival: null, most: 100 })
  expect(daysOf(days)).toEqual(['2026-06-18', '2026-06-19', '2026-06-20'])
  expect(daysByInterest([], { today: '2026-08-01', festival: null, most: 100 })).toEqual({ days: [], leftOut: 0 })
})
