import { expect, it } from 'vitest'
import { once, singleFlight, untilFailure } from './once.ts'

it('work that is done once is not done again', () => {
  let count = 0
  const work = once(() => void count++)
  work()
  work()
  expect(count).toBe(1)
})

it('calls during a run share it, and the next call after it runs again', async () => {
  let count = 0
  const work = singleFlight(async () => ++count)
  expect(await Promise.all([work(), work()])).toEqual([1, 1])
  expect(await work()).toBe(2)
})

it('a result is cached, a failure is not', async () => {
  let count = 0
  const load = untilFailure(async () => {
    if (++count === 1) throw new Error('away')
    return count
  })
  await expect(load()).rejects.toThrow('away')
  expect([await load(), await load()]).toEqual([2, 2])
})
