import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { newUuid } from './new-key.ts'

afterEach(() => vi.unstubAllGlobals())

it('a UUID is drawn on pages without TLS too', () => {
  const secure = crypto
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => secure.getRandomValues(bytes) })
  const drawn = Array.from({ length: 100 }, newUuid)
  for (const each of drawn) expect(z.uuidv4().safeParse(each).success).toBe(true)
  expect(new Set(drawn).size).toBe(100)
})
