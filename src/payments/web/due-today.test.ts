import { describe, expect, it } from 'vitest'
import type { MySubscription } from '../contract.ts'
import { dueToday } from './due-today.ts'

const record = (more: Partial<MySubscription>) =>
  ({
    provider_id: 'tsub_1',
    status: 'active',
    tier: 'PREMIUM',
    interval: 'month',
    current_period_end: '2026-09-11T00:00:00Z',
    ...more,
  }) as MySubscription
const at = (iso: string) => Date.parse(iso)

describe('what a change of plan costs today', () => {
  it('is the whole price without a subscription, and after one has ended', () => {
    const wanted = { tier: 'ULTIMATE', interval: 'year' } as const
    const whole = { kind: 'today', chf: 990, isAbout: false, after: wanted }
    expect(dueToday(record({ provider_id: null }), wanted, 0)).toEqual(whole)
    expect(dueToday(record({ status: 'canceled' }), wanted, 0)).toEqual(whole)
  })

  it('is the difference for the remaining days if the interval stays', () => {
    const wanted = { tier: 'ULTIMATE', interval: 'month' } as const
    const due = (now: string, more: Partial<MySubscription> = {}) => dueToday(record(more), wanted, at(now))
    expect(due('2026-08-11T00:00:00Z')).toEqual({ kind: 'today', chf: 50, isAbout: true, after: wanted })
    // 10 of 31 days
    expect(due('2026-09-01T00:00:00Z')).toMatchObject({ chf: 16.13 })
    expect(due('2026-09-12T00:00:00Z')).toMatchObject({ chf: 0 })
    // Paid until 31 March: the month began on the last day of February.
    expect(due('2026-02-28T00:00:00Z', { current_period_end: '2026-03-31T00:00:00Z' })).toMatchObject({ chf: 50 })
  })

  it('is the whole year less the rest of the month on a switch to a year', () => {
    const wanted = { tier: 'PREMIUM', interval: 'year' } as const
    expect(dueToday(record({}), wanted, at('2026-09-01T00:00:00Z'))).toMatchObject({ chf: 474.19, after: wanted })
  })

  it('names the later price if a part of the change comes later', () => {
    const wanted = { tier: 'ULTIMATE', interval: 'month' } as const
    const due = dueToday(record({ interval: 'year' }), wanted, at('2025-09-11T00:00:00Z'))
    expect(due).toEqual({ kind: 'today', chf: 500, isAbout: true, after: wanted })
  })

  it('is nothing for a lower tier and for the same plan', () => {
    const ultimate = record({ tier: 'ULTIMATE' })
    expect(dueToday(ultimate, { tier: 'PREMIUM', interval: 'month' }, 0)).toEqual({
      kind: 'later',
      at: '2026-09-11T00:00:00Z',
    })
    expect(dueToday(ultimate, { tier: 'ULTIMATE', interval: 'month' }, 0)).toEqual({ kind: 'same' })
  })

  it('is unknown while a payment is overdue', () => {
    expect(dueToday(record({ status: 'past_due' }), { tier: 'ULTIMATE', interval: 'month' }, 0)).toBeNull()
  })
})
