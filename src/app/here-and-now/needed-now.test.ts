import { describe, expect, it } from 'vitest'
import { wayOf, type Way } from '../../kit/browser/here-and-now.ts'
import { neededNow, type Held, type HeldCode, type HeldEvent } from './needed-now.ts'

const now = Date.parse('2026-06-20T20:00:00Z')
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

const code = (from: number, until: number, deal = 'Spritz'): HeldCode => ({
  claimId: deal,
  deal,
  usableFrom: inMinutes(from),
  until: inMinutes(until),
})
const event = (start: number, more: Partial<HeldEvent> = {}): HeldEvent => ({
  eventId: `in ${start}`,
  title: 'Soraya Keller',
  startsAt: inMinutes(start),
  isCancelled: false,
  isAllDay: false,
  place: { latitude: 47.56, longitude: 7.59 },
  ...more,
})
const held = (more: Partial<Held>): Held => ({ codes: [], events: [], till: null, ...more })
/** 12 minutes on foot. */
const near = wayOf(0.7, true)
const needed = (of: Partial<Held>, way: Way | null = near) => neededNow(held(of), { now, way: () => way })

describe('What somebody needs now', () => {
  it('is nothing without anything saved or held', () => {
    expect(needed({})).toBe(null)
  })

  it('is a code that is usable now, before any event', () => {
    expect(needed({ codes: [code(-60, 180)], events: [event(20)] })).toEqual({
      kind: 'code',
      claimId: 'Spritz',
      deal: 'Spritz',
      until: inMinutes(180),
      from: null,
    })
  })

  it('is usable from the moment on at which it was claimed', () => {
    expect(needed({ codes: [code(0.5, 180)] })).toMatchObject({ from: null })
  })

  it('is, of several usable codes, the one that expires first', () => {
    expect(needed({ codes: [code(-60, 180, 'Late'), code(-5, 30, 'First'), code(10, 20, 'Soon')] })).toMatchObject({
      deal: 'First',
    })
  })

  it('is a code that is usable within two hours, with the time from which it is', () => {
    expect(needed({ codes: [code(120, 200)] })).toMatchObject({ kind: 'code', from: inMinutes(120) })
    expect(needed({ codes: [code(121, 200)], events: [event(20)] })).toMatchObject({ kind: 'event' })
  })

  it('is no code that has expired', () => {
    expect(needed({ codes: [code(-60, 0)] })).toBe(null)
  })

  it('is the next saved event within two hours, with the minute to leave at', () => {
    expect(needed({ events: [event(90), event(30), event(-10)] })).toEqual({
      kind: 'event',
      eventId: 'in 30',
      title: 'Soraya Keller',
      startsAt: inMinutes(30),
      leaveAt: now + 18 * 60_000,
    })
    expect(needed({ events: [event(121)] })).toBe(null)
    expect(needed({ events: [event(0)] })).toBe(null)
  })

  it('gives no minute to leave at without a position, without a place, and for a way that nobody walks', () => {
    const leaveAt = (way: Way | null, more: Partial<HeldEvent> = {}) => {
      const found = needed({ events: [event(30, more)] }, way)
      return found?.kind === 'event' ? found.leaveAt : undefined
    }
    expect(leaveAt(wayOf(0.7, false))).toBe(null)
    expect(leaveAt(near, { place: null })).toBe(null)
    expect(leaveAt(wayOf(9, true))).toBe(null)
  })

  it('is no event that is cancelled or that lasts all day', () => {
    expect(needed({ events: [event(30, { isCancelled: true })] })).toBe(null)
    expect(needed({ events: [event(30, { isAllDay: true })] })).toBe(null)
  })

  it('is the till for a merchant, with or without the figure of tonight', () => {
    expect(needed({ till: { tonight: null } })).toEqual({ kind: 'till', tonight: null })
    expect(needed({ till: { tonight: { redeemed: 12, chf: 96 } } })).toMatchObject({ tonight: { redeemed: 12 } })
  })
})
