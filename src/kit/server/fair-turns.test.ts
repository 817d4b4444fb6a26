import { afterEach, describe, expect, it, vi } from 'vitest'
import { inLineOf, fairTurns } from './fair-turns.ts'

function testQueue(bounds: { most?: number; perAddress?: number; slots?: number } = {}) {
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const inTurn = fairTurns({ name: 'test', slots: 1, perAddress: 100, most: 100, patienceMs: 1000, ...bounds })
  const ask = (address: string, name: string) => {
    const work = () => new Promise<void>((resolve) => ends.push(() => resolve(void 0)) && begun.push(name))
    inLineOf(address, () => inTurn(work)).catch((error: { kind: { code: string } }) =>
      refused.push(`${name} ${error.kind.code}`),
    )
  }
  /** Ends the running work, and then all work that begins, one after the other. */
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { begun, refused, ask, endAll }
}

afterEach(() => vi.useRealTimers())

describe('costly work', () => {
  it('of several addresses takes turns, so that an address with much work delays only itself', async () => {
    const { begun, refused, ask, endAll } = testQueue()
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah 1')
    ask('noah', 'noah 2')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah 1', 'much 3', 'noah 2', 'much 4', 'much 5'])
    expect(refused).toEqual([])
  })
  it('fills all slots at once, and further work waits for a free slot', async () => {
    const { begun, ask, endAll } = testQueue({ slots: 2 })
    for (let n = 1; n <= 3; n++) ask('lena', `lena ${n}`)
    expect(begun).toEqual(['lena 1', 'lena 2'])
    await endAll()
    expect(begun).toEqual(['lena 1', 'lena 2', 'lena 3'])
    ask('noah', 'noah 1')
    ask('noah', 'noah 2')
    expect(begun.slice(3)).toEqual(['noah 1', 'noah 2'])
  })
  it('of the address with the longest line is refused when the queue is full and another address comes', async () => {
    const { begun, refused, ask, endAll } = testQueue({ most: 3 })
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah')
    ask('mia', 'mia')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah'])
    expect(refused).toEqual(['much 5', 'much 4', 'much 3', 'mia'].map((each) => `${each} unavailable`))
  })
  it('above the limit of its address is refused while other addresses may still wait', async () => {
    const { begun, refused, ask, endAll } = testQueue({ perAddress: 2 })
    for (let n = 1; n <= 4; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'much 3'])
    expect(refused).toEqual(['much 4 unavailable'])
  })
  it('that has waited too long is refused and never begins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { begun, refused, ask, endAll } = testQueue()
    ask('lena', 'lena')
    ask('lena', 'late')
    ask('noah', 'late too')
    await vi.advanceTimersByTimeAsync(600)
    ask('mia', 'mia')
    await vi.advanceTimersByTimeAsync(400)
    expect(refused).toEqual(['late unavailable', 'late too unavailable'])
    await endAll()
    expect(begun).toEqual(['lena', 'mia'])
    await vi.advanceTimersByTimeAsync(10_000)
    ask('lena', 'again')
    expect(begun).toEqual(['lena', 'mia', 'again'])
    expect(refused).toHaveLength(2)
  })
  it('that fails lets the next begin', async () => {
    const inTurn = fairTurns({ name: 'test', slots: 1, perAddress: 10, most: 10, patienceMs: 1000 })
    const failing = inTurn(() => Promise.reject(new Error('it broke')))
    const next = inTurn(async () => 'done')
    await expect(failing).rejects.toThrow('it broke')
    expect(await next).toBe('done')
  })
  it('runs with the address of its own request, not of the one that ran before', async () => {
    const inTurn = fairTurns({ name: 'test', slots: 1, perAddress: 10, most: 10, patienceMs: 1000 })
    const other = fairTurns({ name: 'test', slots: 1, perAddress: 1, most: 10, patienceMs: 1000 })
    void other(() => new Promise(() => {}))
    // in the other queue each address may have one piece of work waiting
    const asked = ['lena', 'noah', 'mia'].map((each) =>
      inLineOf(each, () => inTurn(async () => void other(async () => each).catch(() => refused.push(each)))),
    )
    const refused: string[] = []
    await Promise.all(asked)
    await new Promise((resolve) => setImmediate(resolve))
    expect(refused).toEqual([])
  })
})
