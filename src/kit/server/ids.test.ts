import { expect, it } from 'vitest'
import { newId } from './ids.ts'

it('ids of one process rise, also within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids).toEqual([...new Set(ids)].sort())
  // several ids share a millisecond here, or the test would show nothing
  expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBeLessThan(ids.length)
})
