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

test('news that comes close together is shown once', () => {
  const { at, call } = callsAt()
  const news = throttle(call, rhythm)
  for (let n = 0; n < 3; n++) {
    news.soon()
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(10_000)
  expect(at).toEqual([400])
})

test('news that never pauses is shown all the same, with a rest between', () => {
  const { at, call } = callsAt()
  const news = throttle(call, rhythm)
  for (let n = 0; n < 50; n++) {
    news.soon()
    vi.advanceTimersByTime(100)
  }
  expect(at).toEqual([400, 2400, 4400])
})

test('news after a rest waits for its pause alone; what has ended is not called', () => {
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
