import { expect, it, onTestFinished, vi } from 'vitest'
import { notifyInSteps } from './notify-in-steps.ts'

it('calls all listeners in order, eight in each task, but none that has left', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const called: number[] = []
  const all = Array.from({ length: 20 }, (_, n) => () => void called.push(n))
  const listeners = new Set(all)
  notifyInSteps(listeners)
  expect(called).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  listeners.delete(all[9]!)
  vi.advanceTimersToNextTimer()
  expect(called).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
  vi.runAllTimers()
  expect(called).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
})
