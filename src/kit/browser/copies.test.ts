import { expect, it } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
import { openCopies } from './copies.ts'

/** Two tabs over one storage. */
function tabs() {
  const stored = StoredHere.of() as Storage & { room: number }
  const hear: ((name: string | null) => void)[] = []
  const device = {
    storage: () => stored,
    now: () => Date.parse('2026-06-20T18:00:00Z'),
    locks: () => undefined,
    onStorage: (each: (name: string | null) => void) => void hear.push(each),
  }
  return {
    stored,
    hear,
    one: openCopies({ ...device, unstored: new Map() }),
    other: openCopies({ ...device, unstored: new Map() }),
  }
}
const isHere = () => true

it.each(['this', 'another'])(
  'a list that was asked for before %s tab changed the copy is asked for again',
  async (which) => {
    const { one, other } = tabs()
    one.set('user-1', 'favorites', ['a'])
    let asked = 0
    const value = await one.renew(
      'user-1',
      'favorites',
      async () => {
        if (++asked > 1) return ['a', 'b']
        ;(which === 'this' ? one : other).change<string[]>('user-1', 'favorites', (keys) => [...keys, 'b'])
        return ['a']
      },
      isHere,
    )
    expect([value, asked]).toEqual([['a', 'b'], 2])
    expect(other.get('user-1', 'favorites')).toMatchObject({ value: ['a', 'b'], asOf: '2026-06-20T18:00:00.000Z' })
  },
)

it('an answer that comes when its owner has left is not stored', async () => {
  const { stored, one } = tabs()
  expect(
    await one.renew(
      'user-1',
      'favorites',
      async () => ['a'],
      () => false,
    ),
  ).toBeNull()
  expect(Object.keys(stored)).toEqual([])
})

it('without an answer the copy stays as it was', async () => {
  const { one } = tabs()
  one.set('user-1', 'favorites', ['a'])
  expect(await one.renew('user-1', 'favorites', async () => null, isHere)).toBeNull()
  expect(one.get('user-1', 'favorites')?.value).toEqual(['a'])
})

it('a copy that storage cannot take is read all the same, until another tab has stored a later one', () => {
  const { stored, hear, one, other } = tabs()
  one.set('user-1', 'favorites', ['a'])
  stored.room = 0
  one.set('user-1', 'favorites', ['b'])
  expect([one, other].map((each) => each.get('user-1', 'favorites')?.value)).toEqual([['b'], ['a']])
  stored.room = Infinity
  other.set('user-1', 'favorites', ['c'])
  for (const each of hear) each('myCopy:user-1:favorites')
  expect(one.get('user-1', 'favorites')?.value).toEqual(['c'])
})

it('copies of an account have names that end with its session; the copy of a guest does not', () => {
  const { stored, one } = tabs()
  one.set('user-1', 'favorites', [])
  one.set('guest', 'favorites', [])
  expect(Object.keys(stored)).toEqual(['myCopy:user-1:favorites', 'copy:guest:favorites'])
  expect(/^my[A-Z]/.test('myCopy:user-1:favorites')).toBe(true)
})

it.each(['{', '[]', '{"value":[],"asOf":"soon"}', 'null'])('what cannot be read (%s) is no copy', (text) => {
  const { stored, one } = tabs()
  stored.setItem('copy:guest:favorites', text)
  expect(one.get('guest', 'favorites')).toBeNull()
})
