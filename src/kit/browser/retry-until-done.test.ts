import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retryUntilDone } from './retry-until-done.ts'

let window: EventTarget
beforeEach(() => {
  vi.useFakeTimers()
  window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('retries failed work every 20 seconds and on reconnect, until it is done', async () => {
  const answers = [false, new Error('the code did not come'), false, true]
  const work = vi.fn(async () => {
    const answer = answers.shift()!
    if (typeof answer !== 'boolean') throw answer
    return answer
  })
  retryUntilDone(work)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  window.dispatchEvent(new Event('online'))
  expect(work).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(work).toHaveBeenCalledTimes(4)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work).toHaveBeenCalledTimes(4)
})

it('does not start work twice while it hangs, and does not start it after it was stopped', async () => {
  const slow = Promise.withResolvers<boolean>()
  const work = vi.fn(() => slow.promise)
  const stop = retryUntilDone(work)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work).toHaveBeenCalledTimes(1)
  slow.resolve(false)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work).toHaveBeenCalledTimes(1)
})
