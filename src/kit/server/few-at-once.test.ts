import { expect, it } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'

const comeAgain = { kind: { code: 'unavailable', status: 503 }, retryAfterS: 5 }
const never = () => Promise.withResolvers<string>()

it('work runs one at a time in the order of arrival, and a failure stops nobody', async () => {
  const queue = fewAtOnce({ atOnce: 1, places: 10, patienceMs: 60_000 })
  let running = 0
  const seen: number[] = []
  const work = (n: number) => async () => {
    expect(++running).toBe(1)
    await Promise.resolve()
    seen.push(n)
    running--
    if (n === 1) throw new Error('broken')
    return n
  }
  const outcomes = await Promise.allSettled([0, 1, 2, 3].map((n) => queue(work(n))))
  expect(seen).toEqual([0, 1, 2, 3])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})

it('two pieces of work run at once where two may, and the third waits for one of them', async () => {
  const queue = fewAtOnce({ atOnce: 2, places: 10, patienceMs: 60_000 })
  const [first, second] = [never(), never()]
  let begun = 0
  const work = (done: Promise<string>) => () => (begun++, done)
  const running = [queue(work(first.promise)), queue(work(second.promise)), queue(work(Promise.resolve('third')))]
  await expect.poll(() => begun).toBe(2)
  second.resolve('second')
  expect(await running[2]).toBe('third')
  first.resolve('first')
  expect(await Promise.all(running)).toEqual(['first', 'second', 'third'])
})

it('work whose turn does not come in time is told to come again, is never run, and the next goes on', async () => {
  const queue = fewAtOnce({ atOnce: 1, places: 10, patienceMs: 20 })
  const first = never()
  const running = queue(() => first.promise)
  let ran = false
  await expect(queue(async () => (ran = true))).rejects.toMatchObject(comeAgain)
  first.resolve('first')
  expect(await running).toBe('first')
  expect(await queue(async () => 'next')).toBe('next')
  expect(ran).toBe(false)
})

it('work beyond the places to wait is told to come again at once', async () => {
  const queue = fewAtOnce({ atOnce: 1, places: 2, patienceMs: 60_000 })
  const first = never()
  const running = queue(() => first.promise)
  // the first has begun, so that it no longer waits
  await Promise.resolve()
  const waiting = [queue(async () => 'second'), queue(async () => 'third')]
  await expect(queue(async () => 'fourth')).rejects.toMatchObject(comeAgain)
  first.resolve('first')
  expect(await Promise.all([running, ...waiting])).toEqual(['first', 'second', 'third'])
})
