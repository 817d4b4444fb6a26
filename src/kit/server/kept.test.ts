import { expect, it } from 'vitest'
import { Kept } from './kept.ts'

it('what was used last stays, whatever came first', () => {
  const kept = new Kept<string, number>('letters', { most: 2 })
  kept.set('a', 1)
  kept.set('b', 2)
  expect(kept.get('a')).toBe(1)
  kept.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual([1, undefined, 3])
})

it('a bound of bytes counts what is there now, also after a value was replaced or deleted', () => {
  const kept = new Kept<string, string>('texts', { most: 10, sizeOf: (text) => text.length })
  kept.set('a', '12345')
  kept.set('a', '123')
  kept.set('b', '1234567')
  expect([kept.get('a'), kept.get('b')]).toEqual(['123', '1234567'])
  kept.delete('b')
  kept.set('c', '1234567')
  expect([kept.get('a'), kept.get('c')]).toEqual(['123', '1234567'])
  kept.set('d', '12345678901')
  // too large for all of it
  expect(['a', 'c', 'd'].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined])
})
