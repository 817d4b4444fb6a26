import { afterEach, expect, it, vi } from 'vitest'
import type { AnyEndpoint } from '../shared/endpoint.ts'
import { callByFetch } from './call-endpoint.ts'
import { fileByFetch } from './file-by-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([403, 500, 503])('with status %d, the text of a readable error reaches the screen unchanged', async (code) => {
  vi.stubGlobal('fetch', async () => Response.json({ error: 'Closed for today.' }, { status: code }))
  await expect(callByFetch<AnyEndpoint>('GET /api/thing')).rejects.toMatchObject({
    answer: { status: code, error: 'Closed for today.' },
  })
})

it.each(['', ' \n', 'null', '{}', '{"deal_id":"1"}', '"OK"'])('%j with status 200 is a success', async (body) => {
  vi.stubGlobal('fetch', async () => new Response(body))
  await expect(callByFetch<AnyEndpoint>('PUT /api/thing')).resolves.toMatchObject({
    body: JSON.parse(body.trim() || 'null'),
  })
})

it.each(['<!DOCTYPE html><h1>Log in to this Wi-Fi</h1>', 'OK', '{"deal_id":'])(
  '%j with status 200 is a failure that may be retried',
  async (body) => {
    vi.stubGlobal('fetch', async () => new Response(body))
    await expect(callByFetch<AnyEndpoint>('PUT /api/thing')).rejects.toMatchObject({
      answer: { status: 502, code: 'unreadable', error: '' },
    })
  },
)

it('an HTML page instead of a file is a failure', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }))
  await expect(fileByFetch<AnyEndpoint>('GET /api/file')).rejects.toMatchObject({ answer: { status: 502 } })
})
