import { describe, expect, it } from 'vitest'
import { fairTurns } from './fair-turns.ts'

function house(most = 100) {
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const clock = { ms: 0 }
  const inTurn = fairTurns({ slots: 1, most, patienceMs: 1000, now: () => clock.ms })
  const ask = (of: string, name: string) => {
    const work = () => new Promise<void>((resolve) => ends.push(() => resolve(void 0)) && begun.push(name))
    void inTurn(of, work).catch((error: { kind: { code: string } }) => refused.push(`${name} ${error.kind.code}`))
  }
  /** Ends what is at work, and whatever begins then, one after the other. */
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { begun, refused, clock, ask, endAll }
}

describe('costly work', () => {
  it('is done in turn, those of one who asks for much between those of others', async () => {
    const { begun, refused, ask, endAll } = house()
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah 1')
    ask('noah', 'noah 2')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah 1', 'much 3', 'noah 2', 'much 4', 'much 5'])
    expect(refused).toEqual([])
  })
  it('of who fills the house gives way to that of others, and is refused beyond it', async () => {
    const { begun, refused, ask, endAll } = house(3)
    for (let n = 1; n <= 5; n++) ask('much', `much ${n}`)
    ask('lena', 'lena')
    ask('noah', 'noah')
    ask('mia', 'mia')
    await endAll()
    expect(begun).toEqual(['much 1', 'much 2', 'lena', 'noah'])
    expect(refused).toEqual(['much 5', 'much 4', 'much 3', 'mia'].map((each) => `${each} unavailable`))
  })
  it('that has waited for too long is not begun any more', async () => {
    const { begun, refused, clock, ask, endAll } = house()
    ask('lena', 'lena')
    ask('lena', 'late')
    ask('noah', 'late too')
    clock.ms = 600
    ask('mia', 'mia')
    clock.ms = 1001
    await endAll()
    expect(begun).toEqual(['lena', 'mia'])
    expect(refused).toEqual(['late unavailable', 'late too unavailable'])
    ask('lena', 'again')
    expect(begun).toEqual(['lena', 'mia', 'again'])
  })
  it('that fails lets the next begin', async () => {
    const inTurn = fairTurns({ slots: 1, most: 10, patienceMs: 1000 })
    const failing = inTurn('a', () => Promise.reject(new Error('it broke')))
    const next = inTurn('b', async () => 'done')
    await expect(failing).rejects.toThrow('it broke')
    expect(await next).toBe('done')
  })
})
