import { describe, expect, it } from 'vitest'
import { byEachFestivalDay, clash, runningInto, sharedMinutes, wayBetween, type Timed } from './times.ts'

const bridge = { latitude: 47.5601, longitude: 7.5897 }
const east = (metres: number) => ({
  latitude: bridge.latitude,
  longitude: bridge.longitude + metres / (111_195 * Math.cos((bridge.latitude * Math.PI) / 180)),
})
const event = (starts_at: string, ends_at: string | null, venue: Timed['venue'] = bridge): Timed => ({
  event_id: starts_at,
  starts_at,
  ends_at,
  venue,
})

describe('the way between two events', () => {
  // 490 m × 1.3 / 80 = 7.96, so 8 minutes
  it.each([
    ['2026-06-20T19:00:00Z', 13, 'fits', '2026-06-20T18:52:00.000Z'],
    ['2026-06-20T18:59:00Z', 12, 'tight', '2026-06-20T18:51:00.000Z'],
    ['2026-06-20T18:54:00Z', 7, 'impossible', '2026-06-20T18:46:00.000Z'],
    ['2026-06-20T18:55:00Z', 8, 'tight', '2026-06-20T18:47:00.000Z'],
  ])('to one that begins at %s leaves %i minutes: %s, leave at %s', (starts_at, gap, fit, leave_at) => {
    const from = event('2026-06-20T18:00:00Z', '2026-06-20T18:47:00Z')
    expect(wayBetween(from, event(starts_at, null, east(490)))).toEqual({ gap, walk: 8, fit, leave_at })
  })

  it('is rounded up to full minutes; 0 at the same place, or if a place is not known', () => {
    const from = event('2026-06-20T18:00:00Z', '2026-06-20T18:30:00Z')
    const walkTo = (venue: Timed['venue']) => wayBetween(from, event('2026-06-20T20:00:00Z', null, venue)).walk
    expect(walkTo(east(65))).toBe(2)
    expect(walkTo(east(61))).toBe(1)
    expect(walkTo(bridge)).toBe(0)
    expect(walkTo(null)).toBe(0)
    expect(walkTo({ latitude: null, longitude: null })).toBe(0)
  })
})

it('events clash if both run, but not if one begins as the other ends; an open end counts an hour', () => {
  const open = event('2026-06-20T18:00:00Z', null)
  expect(clash(open, event('2026-06-20T18:59:00Z', null))).toBe(true)
  expect(clash(open, event('2026-06-20T19:00:00Z', null))).toBe(false)
  expect(sharedMinutes(open, event('2026-06-20T18:40:30Z', '2026-06-20T22:00:00Z'))).toBe(20)
})

it('an event clashes with every earlier one that still runs, and the way to it begins at the last end', () => {
  const long = event('2026-06-20T18:00:00Z', '2026-06-20T22:00:00Z')
  const short = event('2026-06-20T18:30:00Z', '2026-06-20T19:00:00Z')
  const next = event('2026-06-20T19:30:00Z', '2026-06-20T20:00:00Z')
  const late = event('2026-06-20T22:30:00Z', null)
  const plan = [long, short, next, late]
  expect(runningInto(long, plan)).toEqual({ clashes: [], last: undefined })
  expect(runningInto(next, plan)).toEqual({ clashes: [long], last: long })
  expect(runningInto(late, plan)).toEqual({ clashes: [], last: long })
})

it('an event of more than 24 hours clashes with nothing, and one of 24 hours does', () => {
  const days = event('2026-06-19T18:00:00Z', '2026-06-20T18:01:00Z')
  const night = event('2026-06-19T18:00:00Z', '2026-06-20T18:00:00Z')
  const concert = event('2026-06-20T17:30:00Z', null)
  expect([clash(days, concert), clash(concert, days), clash(days, night)]).toEqual([false, false, false])
  expect([clash(night, concert), clash(concert, night)]).toEqual([true, true])
  expect(runningInto(concert, [days, concert])).toEqual({ clashes: [], last: undefined })
  expect(runningInto({ ...days, starts_at: '2026-06-19T19:00:00Z', ends_at: '2026-06-21T19:00:00Z' }, [night])).toEqual(
    {
      clashes: [],
      last: undefined,
    },
  )
})

it('an all-day event clashes with nothing, and there is no way to or from it', () => {
  const market = { ...event('2026-06-20T04:00:00Z', '2026-06-22T04:00:00Z'), all_day: true }
  const concert = event('2026-06-20T18:00:00Z', null)
  expect([clash(market, concert), clash(concert, market), clash(market, market)]).toEqual([false, false, false])
  expect(runningInto(concert, [market, concert])).toEqual({ clashes: [], last: undefined })
  expect(runningInto({ ...market, starts_at: '2026-06-21T04:00:00Z' }, [concert])).toEqual({
    clashes: [],
    last: undefined,
  })
})

it('an event of several days is on each of its days on which another event begins', () => {
  const event = (title: string, festival_day: string, last_day = festival_day) => ({ title, festival_day, last_day })
  const days = byEachFestivalDay(
    [
      event('Exhibition', '2026-06-19', '2026-06-28'),
      event('Saturday', '2026-06-20'),
      event('Monday', '2026-06-22'),
      event('Before', '2026-06-18'),
    ],
    (each) => each,
  )
  expect([...days].map(([day, events]) => [day.slice(-2), ...events.map(({ title }) => title)])).toEqual([
    ['19', 'Exhibition'],
    ['20', 'Exhibition', 'Saturday'],
    ['22', 'Exhibition', 'Monday'],
    ['18', 'Before'],
  ])
})
