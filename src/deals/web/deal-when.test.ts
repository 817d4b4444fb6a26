import { expect, it } from 'vitest'
import { answerOf } from '../../../test/rendered.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { dealTime, isOutside, useDealWhen } from './deal-when.ts'

const at = (clock: string) => Date.parse(`2026-06-20T${clock}:00Z`)
const iso = (clock: string) => `2026-06-20T${clock}:00.000Z`

it('a deal that can be used is so until its time ends, and then past', () => {
  const deal = { usable_now: true, usable_from: null, usable_until: iso('20:00') }
  expect(dealTime(deal, at('19:30'))).toEqual({ is: 'now', until: iso('20:00') })
  expect(dealTime(deal, at('20:00'))).toEqual({ is: 'past' })
})

it('a deal of later is soon within two hours, and then now, without being asked for again', () => {
  const deal = { usable_now: false, usable_from: iso('21:00'), usable_until: iso('23:00') }
  expect(dealTime(deal, at('18:59')).is).toBe('later')
  expect(dealTime(deal, at('19:00')).is).toBe('soon')
  expect(dealTime(deal, at('21:00'))).toEqual({ is: 'now', until: iso('23:00') })
  expect(dealTime(deal, at('23:00')).is).toBe('past')
})

it('a deal whose hours are unknown is unknown, and one without an end is so for good', () => {
  expect(dealTime({ usable_now: null, usable_from: null, usable_until: null }, at('12:00')).is).toBe('unknown')
  expect(dealTime({ usable_now: true, usable_from: null, usable_until: null }, at('23:59')).is).toBe('now')
})

it('a deal is called not valid now only where that is known: before and after its time, not at unknown hours', () => {
  const deal = { usable_now: false, usable_from: iso('21:00'), usable_until: iso('23:00') }
  expect(['12:00', '20:59', '21:00', '22:59', '23:00'].map((clock) => isOutside(deal, at(clock)))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  expect(isOutside({ usable_now: null, usable_from: null, usable_until: null }, at('12:00'))).toBe(false)
})

const always = { active_days: null, start_time: null, end_time: null, over_at: null, open_now: true, opens_at: null }

it('a deal that is sold out, paused or over says so, whatever the hours of its place', () => {
  const unknown = { ...always, usable_now: null, usable_from: null, usable_until: null, open_until: iso('22:00') }
  const told = (status: 'active' | 'sold_out' | 'paused' | 'expired') =>
    answerOf(() => useDealWhen({ ...unknown, over_at: iso('20:00'), status }), iso('19:30'))
  expect(told('active')).toMatchObject({ state: 'open', text: 'Open until 00:00', endsSoon: true })
  for (const [status, text] of [
    ['sold_out', 'Sold out'],
    ['paused', 'Paused'],
    ['expired', 'Over'],
  ] as const)
    expect(told(status)).toMatchObject({ state: 'closed', text, endsSoon: false, isOutside: true })
})

it('an open place and its deal have one colour to the last minute', () => {
  const times = { ...always, usable_now: true, usable_from: null, usable_until: iso('19:50'), open_until: iso('19:50') }
  expect(answerOf(() => useWhen().opening(times), iso('19:30'))).toEqual({ state: 'open', text: 'Closes soon' })
  expect(answerOf(() => useDealWhen(times), iso('19:30'))).toMatchObject({ state: 'open', text: 'Now, 20 min left' })
})
