import { afterEach, expect, it, vi } from 'vitest'
import type { AnyEndpoint } from '../shared/endpoint.ts'
import { callByFetch } from './call-endpoint.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([403, 500, 503])('a readable error is passed on as it is, with status %d too', async (code) => {
  vi.stubGlobal('fetch', async () => Response.json({ error: 'Closed for today.' }, { status: code }))
  await expect(callByFetch<AnyEndpoint>('GET /api/thing')).rejects.toMatchObject({
    answer: { status: code, error: 'Closed for today.' },
  })
})
