import { describe, expect, it } from 'vitest'
import { isInTime, wayOf } from './here-and-now.ts'

const now = Date.parse('2026-06-20T21:29:00Z')
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

describe('The way to a place', () => {
  it('has minutes on foot as long as somebody would walk it', () => {
    expect(wayOf(0.39, true)).toEqual({ km: 0.39, minutes: 7, isFromHere: true })
    expect(wayOf(4, true).minutes).toBe(null)
  })

  it('is in time if the minutes left exceed the minutes on foot', () => {
    const way = wayOf(0.45, true)
    expect(way.minutes).toBe(8)
    expect(isInTime(way, inMinutes(1), now)).toBe(false)
    expect(isInTime(way, inMinutes(8), now)).toBe(false)
    expect(isInTime(way, inMinutes(9), now)).toBe(true)
    expect(isInTime(wayOf(4, true), inMinutes(30), now)).toBe(false)
  })

  it('is in time without an end, without a place and without a position of the phone', () => {
    expect(isInTime(wayOf(0.45, true), null, now)).toBe(true)
    expect(isInTime(null, inMinutes(1), now)).toBe(true)
    expect(isInTime(wayOf(0.45, false), inMinutes(1), now)).toBe(true)
  })
})
