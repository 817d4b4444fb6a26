import { describe, expect, it } from 'vitest'
import { usableTime, type DealTimes } from './usable-time.ts'

const always: DealTimes = { ends_at: null, active_days: null, start_time: null, end_time: null }
/** A Saturday; Basel is two hours ahead of UTC. */
const at = (time: string, day = '2026-06-20') => Temporal.Instant.from(`${day}T${time}+02:00`)
const when = (deal: Partial<DealTimes>, now: Temporal.Instant) => {
  const found = usableTime({ ...always, ...deal }, now, 'Europe/Zurich')
  const local = (instant: Temporal.Instant) =>
    instant.toZonedDateTimeISO('Europe/Zurich').toPlainDateTime().toString({ smallestUnit: 'minute' })
  return found && [local(found.from), local(found.until)]
}

describe('a claimed code is valid', () => {
  it('for 24 hours at most', () => {
    expect(when({}, at('19:30'))).toEqual(['2026-06-20T19:30', '2026-06-21T19:30'])
  })
  it('until the deal ends', () => {
    expect(when({ ends_at: '2026-06-20T20:00:00Z' }, at('19:30'))).toEqual(['2026-06-20T19:30', '2026-06-20T22:00'])
    expect(when({ ends_at: '2026-06-20T17:30:00Z' }, at('19:30'))).toBeNull()
  })
  it('in the current hours of the deal, or in the next', () => {
    const happyHour = { start_time: '17:00', end_time: '19:00' }
    expect(when(happyHour, at('17:30'))).toEqual(['2026-06-20T17:30', '2026-06-20T19:00'])
    expect(when(happyHour, at('15:00'))).toEqual(['2026-06-20T17:00', '2026-06-20T19:00'])
    expect(when(happyHour, at('19:00'))).toEqual(['2026-06-21T17:00', '2026-06-21T19:00'])
  })
  it('past midnight, as part of the day on which the hours began', () => {
    const late = { active_days: [5], start_time: '22:00', end_time: '02:00' }
    expect(when(late, at('00:30'))).toEqual(['2026-06-20T00:30', '2026-06-20T02:00'])
    expect(when(late, at('02:00'))).toBeNull()
    expect(when({ ...late, active_days: [6] }, at('00:30'))).toEqual(['2026-06-20T22:00', '2026-06-21T00:30'])
  })
  it('over midnight if the next day is one of its days too', () => {
    expect(when({ active_days: [6, 7] }, at('23:50'))).toEqual(['2026-06-20T23:50', '2026-06-21T23:50'])
    expect(when({ active_days: [6] }, at('23:50'))).toEqual(['2026-06-20T23:50', '2026-06-21T00:00'])
  })
  it('never if the deal has no hours within a day', () => {
    expect(when({ active_days: [2] }, at('19:30'))).toBeNull()
  })
})
