import { afterEach, expect, it, vi } from 'vitest'
import { newKey } from './new-key.ts'

afterEach(() => vi.unstubAllGlobals())

it('a key is drawn on pages without TLS too, and none twice', () => {
  const secure = crypto
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => secure.getRandomValues(bytes) })
  const drawn = Array.from({ length: 100 }, newKey)
  for (const each of drawn) expect(each).toMatch(/^[\da-f]{32}$/)
  expect(new Set(drawn).size).toBe(100)
})
