import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rhythm = { pauseMs: 400, restMs: 2000 }
const callsAt = () => {
  const at: number[] = []
  const began = performance.now()
  return { at, call: () => void at.push(Math.round(performance.now() - began)) }
}

test('requests that come close together lead to one call', () => {
  const { at, call } = callsAt()
  const news = throttle(call, rhythm)
  for (let n = 0; n < 3; n++) {
    news.soon()
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(10_000)
  expect(at).toEqual([400])
})

test('requests without a pause lead to a call every restMs', () => {
  const { at, call } = callsAt()
  const news = throttle(call, rhythm)
  for (let n = 0; n < 50; n++) {
    news.soon()
    vi.advanceTimersByTime(100)
  }
  expect(at).toEqual([400, 2400, 4400])
})

test('a request after the rest waits for pauseMs only, and end cancels a call that is due', () => {
  const { at, call } = callsAt()
  const news = throttle(call, rhythm)
  news.soon()
  vi.advanceTimersByTime(10_000)
  news.soon()
  vi.advanceTimersByTime(400)
  expect(at).toEqual([400, 10_400])
  news.soon()
  news.end()
  vi.advanceTimersByTime(10_000)
  expect(at).toHaveLength(2)
})
