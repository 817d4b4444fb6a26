import { expect, it, onTestFinished, vi } from 'vitest'
import { notifyInSteps } from './notify-in-steps.ts'

it('of many that listen all are told, in order, eight in each task, and none that has left', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const told: number[] = []
  const all = Array.from({ length: 20 }, (_, n) => () => void told.push(n))
  const listeners = new Set(all)
  notifyInSteps(listeners)
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  listeners.delete(all[9]!)
  vi.advanceTimersToNextTimer()
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
  vi.runAllTimers()
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
})
