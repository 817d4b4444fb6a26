import { describe, expect, it, vi } from 'vitest'
import { offsetOf, ServerClock } from './server-clock.ts'
import { shownCode } from './shown-code.ts'

const claim = {
  claim_id: '0190a000-0000-7000-8000-00000000000f',
  codes: '111111222222333333',
  first_step: 100,
  expires_at: new Date(102.5 * 30_000).toISOString(),
}

describe('a claim shows', () => {
  it('the code of the current step, and for how long', () => {
    expect(shownCode(claim, 100 * 30_000)).toEqual({
      code: '111111',
      payload: 'RK1:0190A0000000700080000000000000' + '0F:111111',
      secondsLeft: 30,
    })
    expect(shownCode(claim, 101 * 30_000 + 29_500)).toMatchObject({ code: '222222', secondsLeft: 1 })
  })
  it('its first code on a phone whose clock is a moment behind', () => {
    expect(shownCode(claim, 100 * 30_000 - 900)?.code).toBe('111111')
  })
  it('nothing once it has expired, or without codes', () => {
    expect(shownCode(claim, 102.5 * 30_000)).toBeNull()
    expect(shownCode({ ...claim, codes: null, first_step: null }, 100 * 30_000)).toBeNull()
  })
})

describe('the server’s time on a phone', () => {
  it('is right with a clock that is ten minutes off, and stays right when the clock is set', () => {
    vi.useFakeTimers({ now: Date.parse('2026-06-20T17:40:00Z'), toFake: ['Date', 'performance'] })
    try {
      const clock = new ServerClock(offsetOf('2026-06-20T17:30:00Z'))
      vi.advanceTimersByTime(5000)
      expect(new Date(clock.now()).toISOString()).toBe('2026-06-20T17:30:05.000Z')
      vi.setSystemTime(Date.parse('2026-06-20T12:00:00Z'))
      expect(new Date(clock.now()).toISOString()).toBe('2026-06-20T17:30:05.000Z')
    } finally {
      vi.useRealTimers()
    }
  })
})
