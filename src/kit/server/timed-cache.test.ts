import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { cachedAnswers } from './timed-cache.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('an answer is asked for once until it expires', async () => {
  let asked = 0
  const ask = cachedAnswers(async (key) => `${key} ${++asked}`, { name: 'letters', ttlMs: 100, most: 10 })
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(['a 1', 'a 1', 'b 2'])
  await vi.waitFor(async () => expect(await ask('a')).toBe('a 3'), 90_000)
})

it('a failure is not cached', async () => {
  let asked = 0
  const ask = cachedAnswers(
    async () => {
      if (++asked === 1) throw new Error('not now')
      return asked
    },
    { name: 'letters', ttlMs: 10_000, most: 10 },
  )
  await expect(ask('a')).rejects.toThrow('not now')
  expect(await ask('a')).toBe(2)
})

it('an expired answer is freed at the next question', async () => {
  const answers: WeakRef<object>[] = []
  const ask = cachedAnswers(
    async () => {
      const answer = { rows: [] }
      answers.push(new WeakRef(answer))
      return answer
    },
    { name: 'letters', ttlMs: 50, most: 100 },
  )
  for (const key of ['a', 'b', 'c']) await ask(key)
  await vi.waitFor(async () => {
    await ask('d')
    await turn()
    collect()
    expect(answers.slice(0, 3).map((each) => each.deref() === undefined)).toEqual([true, true, true])
  }, 90_000)
})
