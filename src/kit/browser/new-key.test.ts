import { afterEach, expect, it, vi } from 'vitest'
import { newKey } from './new-key.ts'

afterEach(() => vi.unstubAllGlobals())

it('keys are made on pages without TLS too, and differ', () => {
  const secure = crypto
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => secure.getRandomValues(bytes) })
  const keys = Array.from({ length: 100 }, newKey)
  for (const each of keys) expect(each).toMatch(/^[\da-f]{32}$/)
  expect(new Set(keys).size).toBe(100)
})
