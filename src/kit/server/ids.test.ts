import { expect, it } from 'vitest'
import { newId } from './ids.ts'

it('ids of one process increase, also within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids).toEqual([...new Set(ids)].sort())
  // makes sure that several ids share a millisecond
  expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBeLessThan(ids.length)
})
