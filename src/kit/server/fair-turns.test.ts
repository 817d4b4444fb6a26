import { afterEach, describe, expect, it, vi } from 'vitest'
import { askedFrom, fairTurns } from './fair-turns.ts'

function house(bounds: { most?: number; perAddress?: number; slots?: number } = {}) {
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const inTurn = fairTurns({ name: 'test', slots: 1, perAddress: 100, most: 100, patienceMs: 1000, ...bounds })
  const ask = (address: string, name: string) => {
    const work = () => new Promise<void>((resolve) => ends.push(() => resolve(void 0)) && begun.push(name))
    askedFrom(address, () => inTurn(work)).catch((error: { kind: { code: string } }) =>
      refused.push(`${name} ${error.kind.code}`),
    )
  }
  /** Ends what is at work, and whatever begins then, one after the other. */
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
  it('is done in turn, those of one address with much between those of others', async () => {
    const { begun, refused, ask, endAll } = house()
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah 1')
    ask('noah', 'noah 2')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah 1', 'much 3', 'noah 2', 'much 4', 'much 5'])
    expect(refused).toEqual([])
  })
  it('runs in as many pieces at once as there are slots, and the next waits for one of them', async () => {
    const { begun, ask, endAll } = house({ slots: 2 })
    for (let n = 1; n <= 3; n++) ask('lena', `lena ${n}`)
    expect(begun).toEqual(['lena 1', 'lena 2'])
    await endAll()
    expect(begun).toEqual(['lena 1', 'lena 2', 'lena 3'])
    ask('noah', 'noah 1')
    ask('noah', 'noah 2')
    expect(begun.slice(3)).toEqual(['noah 1', 'noah 2'])
  })
  it('of an address that fills the house gives way to that of others, and is refused beyond it', async () => {
    const { begun, refused, ask, endAll } = house({ most: 3 })
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah')
    ask('mia', 'mia')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah'])
    expect(refused).toEqual(['much 5', 'much 4', 'much 3', 'mia'].map((each) => `${each} unavailable`))
  })
  it('beyond what may wait of one address is refused, while there is room for others', async () => {
    const { begun, refused, ask, endAll } = house({ perAddress: 2 })
    for (let n = 1; n <= 4; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'much 3'])
    expect(refused).toEqual(['much 4 unavailable'])
  })
  it('that has waited for too long is refused then and never begun', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { begun, refused, ask, endAll } = house()
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
  it('goes on as part of the request that asked for it, not of the one before it', async () => {
    const inTurn = fairTurns({ name: 'test', slots: 1, perAddress: 10, most: 10, patienceMs: 1000 })
    const other = fairTurns({ name: 'test', slots: 1, perAddress: 1, most: 10, patienceMs: 1000 })
    void other(() => new Promise(() => {}))
    // each waits in the line of its own address of the other queue, where there is room for one
    const asked = ['lena', 'noah', 'mia'].map((each) =>
      askedFrom(each, () => inTurn(async () => void other(async () => each).catch(() => refused.push(each)))),
    )
    const refused: string[] = []
    await Promise.all(asked)
    await new Promise((resolve) => setImmediate(resolve))
    expect(refused).toEqual([])
  })
})
