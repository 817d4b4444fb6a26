import { expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

it('a full cache drops the value that was not used for longest', () => {
  const cache = new BoundedCache<string, number>('letters', { most: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
})

it('a cache bounded in bytes counts only the values that it holds now', () => {
  const cache = new BoundedCache<string, string>('texts', { most: 10, sizeOf: (text) => text.length })
  cache.set('a', '12345')
  cache.set('a', '123')
  cache.set('b', '1234567')
  expect([cache.get('a'), cache.get('b')]).toEqual(['123', '1234567'])
  cache.delete('b')
  cache.set('c', '1234567')
  expect([cache.get('a'), cache.get('c')]).toEqual(['123', '1234567'])
  cache.set('d', '12345678901')
  // larger than the whole cache
  expect(['a', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined])
})
