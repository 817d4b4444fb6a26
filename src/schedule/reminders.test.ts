import { describe, expect, it } from 'vitest'
import { dueReminders, reminderAt } from './reminders.ts'

/** Start at the festival, minutes before it, when that is, and what clocks in Basel show then (day, time, offset). */
const table: [starts: string, minutes: number, due: string, shown: string][] = [
  // 26 October 2025: 02:00–03:00 comes twice
  ['2025-10-26T01:30+02:00', 0, '2025-10-25T23:30Z', '26 01:30+02'],
  ['2025-10-26T01:30+02:00', 15, '2025-10-25T23:15Z', '26 01:15+02'],
  ['2025-10-26T01:30+02:00', 60, '2025-10-25T22:30Z', '26 00:30+02'],
  ['2025-10-26T01:30+02:00', 120, '2025-10-25T21:30Z', '25 23:30+02'],
  ['2025-10-26T01:30+02:00', 1440, '2025-10-24T23:30Z', '25 01:30+02'],
  ['2025-10-26T01:59+02:00', 5, '2025-10-25T23:54Z', '26 01:54+02'],
  ['2025-10-26T01:59+02:00', 60, '2025-10-25T22:59Z', '26 00:59+02'],
  ['2025-10-26T02:00+02:00', 0, '2025-10-26T00:00Z', '26 02:00+02'],
  ['2025-10-26T02:00+02:00', 10, '2025-10-25T23:50Z', '26 01:50+02'],
  ['2025-10-26T02:00+02:00', 30, '2025-10-25T23:30Z', '26 01:30+02'],
  ['2025-10-26T02:00+02:00', 120, '2025-10-25T22:00Z', '26 00:00+02'],
  ['2025-10-26T02:30+02:00', 0, '2025-10-26T00:30Z', '26 02:30+02'],
  ['2025-10-26T02:30+02:00', 30, '2025-10-26T00:00Z', '26 02:00+02'],
  ['2025-10-26T02:30+02:00', 45, '2025-10-25T23:45Z', '26 01:45+02'],
  ['2025-10-26T02:30+02:00', 60, '2025-10-25T23:30Z', '26 01:30+02'],
  ['2025-10-26T02:00+01:00', 0, '2025-10-26T01:00Z', '26 02:00+01'],
  ['2025-10-26T02:00+01:00', 5, '2025-10-26T00:55Z', '26 02:55+02'],
  ['2025-10-26T02:00+01:00', 60, '2025-10-26T00:00Z', '26 02:00+02'],
  ['2025-10-26T02:00+01:00', 120, '2025-10-25T23:00Z', '26 01:00+02'],
  ['2025-10-26T02:30+01:00', 0, '2025-10-26T01:30Z', '26 02:30+01'],
  ['2025-10-26T02:30+01:00', 20, '2025-10-26T01:10Z', '26 02:10+01'],
  ['2025-10-26T02:30+01:00', 30, '2025-10-26T01:00Z', '26 02:00+01'],
  ['2025-10-26T02:30+01:00', 60, '2025-10-26T00:30Z', '26 02:30+02'],
  ['2025-10-26T02:30+01:00', 120, '2025-10-25T23:30Z', '26 01:30+02'],
  ['2025-10-26T03:00+01:00', 0, '2025-10-26T02:00Z', '26 03:00+01'],
  ['2025-10-26T03:00+01:00', 15, '2025-10-26T01:45Z', '26 02:45+01'],
  ['2025-10-26T03:00+01:00', 60, '2025-10-26T01:00Z', '26 02:00+01'],
  ['2025-10-26T03:00+01:00', 120, '2025-10-26T00:00Z', '26 02:00+02'],
  ['2025-10-26T03:00+01:00', 1440, '2025-10-25T02:00Z', '25 04:00+02'],
  ['2025-10-26T03:30+01:00', 45, '2025-10-26T01:45Z', '26 02:45+01'],
  ['2025-10-26T03:30+01:00', 120, '2025-10-26T00:30Z', '26 02:30+02'],
  ['2025-10-27T02:30+01:00', 120, '2025-10-26T23:30Z', '27 00:30+01'],
  ['2025-10-27T02:30+01:00', 1440, '2025-10-26T01:30Z', '26 02:30+01'],
  // 29 March 2026: there is no 02:00–03:00
  ['2026-03-29T01:30+01:00', 0, '2026-03-29T00:30Z', '29 01:30+01'],
  ['2026-03-29T01:30+01:00', 30, '2026-03-29T00:00Z', '29 01:00+01'],
  ['2026-03-29T01:30+01:00', 120, '2026-03-28T22:30Z', '28 23:30+01'],
  ['2026-03-29T01:30+01:00', 1440, '2026-03-28T00:30Z', '28 01:30+01'],
  ['2026-03-29T01:59+01:00', 5, '2026-03-29T00:54Z', '29 01:54+01'],
  ['2026-03-29T01:59+01:00', 60, '2026-03-28T23:59Z', '29 00:59+01'],
  ['2026-03-29T03:00+02:00', 0, '2026-03-29T01:00Z', '29 03:00+02'],
  ['2026-03-29T03:00+02:00', 5, '2026-03-29T00:55Z', '29 01:55+01'],
  ['2026-03-29T03:00+02:00', 60, '2026-03-29T00:00Z', '29 01:00+01'],
  ['2026-03-29T03:00+02:00', 120, '2026-03-28T23:00Z', '29 00:00+01'],
  ['2026-03-29T03:00+02:00', 1440, '2026-03-28T01:00Z', '28 02:00+01'],
  ['2026-03-29T03:30+02:00', 0, '2026-03-29T01:30Z', '29 03:30+02'],
  ['2026-03-29T03:30+02:00', 15, '2026-03-29T01:15Z', '29 03:15+02'],
  ['2026-03-29T03:30+02:00', 30, '2026-03-29T01:00Z', '29 03:00+02'],
  ['2026-03-29T03:30+02:00', 45, '2026-03-29T00:45Z', '29 01:45+01'],
  ['2026-03-29T03:30+02:00', 120, '2026-03-28T23:30Z', '29 00:30+01'],
  ['2026-03-29T04:00+02:00', 60, '2026-03-29T01:00Z', '29 03:00+02'],
  ['2026-03-29T04:00+02:00', 120, '2026-03-29T00:00Z', '29 01:00+01'],
  ['2026-03-30T02:30+02:00', 60, '2026-03-29T23:30Z', '30 01:30+02'],
  ['2026-03-30T02:30+02:00', 1440, '2026-03-29T00:30Z', '29 01:30+01'],
]
const minuteMs = 60_000

describe('a reminder', () => {
  it.each(table)('of %s, %i min before, is due at %s, at %s in Basel', (starts, minutes, due, shown) => {
    const event = { starts_at: starts, ends_at: null, status: 'scheduled' }
    const reminder = { event, minutes, told_for: null }
    const at = Date.parse(due)
    expect(reminderAt(at - 1, reminder)).toBe('waits')
    expect(reminderAt(at, reminder)).toBe('due')
    const wall = Temporal.Instant.from(due).toZonedDateTimeISO('Europe/Zurich')
    const [time, day] = [wall.toPlainTime().toString({ smallestUnit: 'minute' }), String(wall.day).padStart(2, '0')]
    expect(`${day} ${time}${wall.offset.slice(0, 3)}`).toBe(shown)
    // an open end counts an hour
    expect(reminderAt(Date.parse(starts) + 60 * minuteMs - 1, reminder)).toBe('due')
    expect(reminderAt(Date.parse(starts) + 60 * minuteMs, reminder)).toBe('over')
  })

  it.each(table)(
    'of %s, %i min before, is told once while the clock jumps two hours back and forth',
    (starts, minutes) => {
      const event = { starts_at: starts, ends_at: null, status: 'scheduled' }
      let reminder: Parameters<typeof reminderAt>[1] = { event, minutes, told_for: null }
      const due = Date.parse(starts) - minutes * minuteMs
      let told = 0
      const jumps = [-125, -120, 0, -120, -60, 0, 1, 121, 0, -120, 0]
      for (const jump of jumps)
        if (dueReminders(due + jump * minuteMs, [reminder]).length > 0) {
          told++
          reminder = { ...reminder, told_for: starts }
        }
      expect(told).toBe(1)
    },
  )

  const evening = { starts_at: '2026-06-20T18:00:00Z', ends_at: '2026-06-20T19:00:00Z', status: 'scheduled' }
  const at = Date.parse('2026-06-20T17:45:00Z')

  it('is told again for another start, and not for the same one', () => {
    const reminder = { event: evening, minutes: 15, told_for: '2026-06-20T18:00:00.000Z' }
    expect(reminderAt(at, reminder)).toBe('told')
    expect(reminderAt(at, { ...reminder, told_for: '2026-06-20T17:00:00Z' })).toBe('due')
  })

  it.each(['cancelled', 'draft'])('of an event that is %s is off', (status) => {
    expect(reminderAt(at, { event: { ...evening, status }, minutes: 15, told_for: null })).toBe('off')
  })
})

it('an all-day event has no reminders', () => {
  const event = {
    starts_at: '2026-06-20T04:00:00Z',
    ends_at: '2026-06-21T04:00:00Z',
    status: 'scheduled',
    all_day: true,
  }
  expect(reminderAt(Date.parse('2026-06-20T03:45:00Z'), { event, minutes: 15, told_for: null })).toBe('off')
})
