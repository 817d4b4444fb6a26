import { expect, it } from 'vitest'
import { answerOf } from '../../../test/rendered.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { DealTimes } from '../contract.ts'
import { dealTime, isOutside } from '../times.ts'
import { useDealWhen } from './deal-when.ts'

const at = (clock: string) => Date.parse(`2026-06-20T${clock}:00Z`)
const iso = (clock: string) => `2026-06-20T${clock}:00.000Z`

it('a deal is usable until its time ends, and then past', () => {
  const deal = { open_now: true, usable_now: true, usable_from: null, usable_until: iso('20:00') }
  expect(dealTime(deal, at('19:30'))).toEqual({ is: 'now', until: iso('20:00') })
  expect(dealTime(deal, at('20:00'))).toEqual({ is: 'past' })
})

it('a later deal is soon within two hours and then now, without a new answer', () => {
  const deal = { open_now: true, usable_now: false, usable_from: iso('21:00'), usable_until: iso('23:00') }
  expect(dealTime(deal, at('18:59')).is).toBe('later')
  expect(dealTime(deal, at('19:00')).is).toBe('soon')
  expect(dealTime(deal, at('21:00'))).toEqual({ is: 'now', until: iso('23:00') })
  expect(dealTime(deal, at('23:00')).is).toBe('past')
})

it('a deal with unknown hours stays unknown, for good without an end', () => {
  expect(dealTime({ open_now: null, usable_now: null, usable_from: null, usable_until: null }, at('12:00')).is).toBe(
    'unknown',
  )
  expect(dealTime({ open_now: true, usable_now: true, usable_from: null, usable_until: null }, at('23:59')).is).toBe(
    'now',
  )
})

it('a deal is called not valid now only if that is known: before and after its time, not at unknown hours', () => {
  const deal = { open_now: true, usable_now: false, usable_from: iso('21:00'), usable_until: iso('23:00') }
  expect(['12:00', '20:59', '21:00', '22:59', '23:00'].map((clock) => isOutside(deal, at(clock)))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  expect(isOutside({ open_now: null, usable_now: null, usable_from: null, usable_until: null }, at('12:00'))).toBe(
    false,
  )
})

it('a deal at a place with unknown hours is never now or soon, and past after its own time', () => {
  const deal = { open_now: null, usable_now: false, usable_from: iso('21:00'), usable_until: iso('23:00') }
  expect(['18:00', '20:59', '21:00', '22:59', '23:00'].map((clock) => dealTime(deal, at(clock)).is)).toEqual([
    'later',
    'later',
    'unknown',
    'unknown',
    'past',
  ])
  expect(isOutside(deal, at('20:59'))).toBe(true)
  expect(isOutside(deal, at('21:00'))).toBe(false)
})

const always = { active_days: null, start_time: null, end_time: null, over_at: null, open_now: true, opens_at: null }

it('a deal that is sold out, paused or over is called that, whatever the hours of its place', () => {
  const unknown = { ...always, usable_now: null, usable_from: null, usable_until: null, open_until: iso('22:00') }
  const shown = (status: 'active' | 'sold_out' | 'paused' | 'expired') =>
    answerOf(() => useDealWhen({ ...unknown, over_at: iso('20:00'), status }), iso('19:30'))
  expect(shown('active')).toMatchObject({ state: 'open', text: 'Open until 00:00', endsSoon: true })
  for (const [status, text] of [
    ['sold_out', 'Sold out'],
    ['paused', 'Paused'],
    ['expired', 'Over'],
  ] as const)
    expect(shown(status)).toMatchObject({ state: 'closed', text, endsSoon: false, isOutside: true })
})

it('an open place and its deal have the same colour to the last minute', () => {
  const times = { ...always, usable_now: true, usable_from: null, usable_until: iso('19:50'), open_until: iso('19:50') }
  expect(answerOf(() => useWhen().opening(times), iso('19:30'))).toEqual({ state: 'open', text: 'Closes soon' })
  expect(answerOf(() => useDealWhen(times), iso('19:30'))).toMatchObject({ state: 'open', text: '20 min left' })
})

it('a deal at a place with unknown hours shows its own time and that the hours are unknown', () => {
  type Usable = Pick<DealTimes, 'usable_now' | 'usable_from' | 'usable_until'>
  const evening = { active_days: null, start_time: '21:00', end_time: '23:00' }
  const place = { open_now: null, open_until: null, opens_at: null, over_at: null }
  const shown = (times: Usable & Partial<DealTimes>, clock: string) => {
    const { state, text } = answerOf(() => useDealWhen({ ...place, ...evening, ...times }), iso(clock))
    return `${state}: ${text}`
  }
  const later = { usable_now: false, usable_from: iso('19:00'), usable_until: iso('21:00') }
  expect(shown(later, '18:30')).toBe('closed: Today 21:00–23:00 · Hours unknown')
  expect(shown(later, '19:00')).toBe('unknown: Daily 21:00–23:00 · Hours unknown')
  expect(shown(later, '21:00')).toBe('closed: Daily 21:00–23:00 · Hours unknown')
  const running = { usable_now: null, usable_from: null, usable_until: iso('21:00') }
  expect(shown(running, '20:00')).toBe('unknown: Daily 21:00–23:00 · Hours unknown')
  const none = { ...evening, start_time: null, end_time: null, usable_now: null, usable_from: null, usable_until: null }
  expect(shown(none, '20:00')).toBe('unknown: Hours unknown')
})

it('a deal that begins in the small hours is "tonight" until six, then "tomorrow" or "today"', () => {
  const deal = { ...always, open_until: null, usable_now: false, usable_until: '2026-06-21T02:00:00Z' }
  const shown = (from: string, now: string) =>
    answerOf(() => useDealWhen({ ...deal, usable_from: `2026-06-21T${from}:00Z` }), now).text
  expect(shown('00:00', '2026-06-20T19:30:00Z')).toBe('Tonight 02:00–04:00')
  expect(shown('00:00', '2026-06-20T03:30:00Z')).toBe('Tomorrow 02:00–04:00')
  expect(shown('00:30', '2026-06-20T22:15:00Z')).toBe('Today 02:30–04:00')
})

it.each([
  ['en', '18:35', 'In 25 min'],
  ['en', '17:50', 'In 1 h 10 min'],
  ['de', '18:35', 'In 25 Min.'],
  ['fr', '17:00', 'Dans 2 h'],
] as const)('in %s at %s the line of a deal that begins soon is "%s"', (language, clock, text) => {
  const deal = { ...always, open_until: null, usable_now: false, usable_from: iso('19:00'), usable_until: iso('21:00') }
  const { text: shown } = answerOf(() => useDealWhen(deal), iso(clock), language)
  expect(shown.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text)
})
