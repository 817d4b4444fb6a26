import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { atMost } from './at-most.ts'
import { appMost, caching, documentsMost, mapMost, pagesMost, storageMost } from './bounds.ts'

/** Caches as a browser has them, as far as they are used here: in the order in which things were stored last. */
const stored = new Map<string, Map<string, Response>>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const entries = stored.get(name) ?? new Map<string, Response>()
      stored.set(name, entries)
      return {
        keys: async () => [...entries.keys()].map((url) => ({ url })),
        match: async ({ url }: { url: string }) => entries.get(url)?.clone(),
        delete: async ({ url }: { url: string }) => entries.delete(url),
      }
    },
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
})

let names = 0
/** Stores as the worker's strategies do. */
function aCache(entries: number, bytes: number, keepsSize = true) {
  const cacheName = `cache ${names++}`
  const bound = atMost({ entries, bytes }, { keepsSize })
  stored.set(cacheName, new Map())
  return {
    bound,
    put: async (url: string, length: number) => {
      const response = await bound.cacheWillUpdate({ response: new Response('x'.repeat(length)) })
      if (!response) return
      stored.get(cacheName)!.delete(url)
      stored.get(cacheName)!.set(url, response)
      await bound.cacheDidUpdate({ cacheName, request: { url } as Request })
    },
    urls: () => [...stored.get(cacheName)!.keys()],
  }
}

it('a cache loses its oldest when it has more bytes than it may, and no more than it must', async () => {
  for (const keepsSize of [true, false]) {
    const { put, urls } = aCache(100, 1000, keepsSize)
    await put('/a', 400)
    await put('/b', 400)
    await put('/c', 200)
    expect(urls()).toEqual(['/a', '/b', '/c'])
    // fetched anew it is young
    await put('/a', 400)
    await put('/d', 300)
    expect(urls()).toEqual(['/c', '/a', '/d'])
  }
})

it('an answer for which there is no room displaces nothing', async () => {
  const { put, urls } = aCache(100, 1000)
  await put('/a', 400)
  await put('/b', 1001)
  expect(urls()).toEqual(['/a'])
})

it('an answer that has grown counts as it is now', async () => {
  const { put, urls } = aCache(100, 1000)
  await put('/a', 100)
  await put('/b', 100)
  await put('/b', 950)
  expect(urls()).toEqual(['/b'])
})

it('a cache loses its oldest when it has more entries than it may', async () => {
  const { put, urls } = aCache(2, 1000)
  for (const url of ['/a', '/b', '/c']) await put(url, 1)
  expect(urls()).toEqual(['/b', '/c'])
})

it('an answer that is no success is not stored, and one that is stored is as it was', async () => {
  const { bound } = aCache(2, 1000)
  expect(await bound.cacheWillUpdate({ response: new Response('no', { status: 404 }) })).toBeNull()
  const headers = { 'content-type': 'application/json', 'content-encoding': 'br', 'x-total-count': '7' }
  const answer = (await bound.cacheWillUpdate({ response: new Response('{"a":"ü"}', { headers }) }))!
  expect(await answer.text()).toBe('{"a":"ü"}')
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'application/json',
    'x-total-count': '7',
    'x-stored-bytes': '10',
  })
})

it('all that is stored together has its bound, also while a new version waits', () => {
  const caches = Object.values(caching).reduce((sum, { bytes }) => sum + bytes, 0)
  expect(2 * (appMost + documentsMost) + mapMost + pagesMost + caches).toBeLessThanOrEqual(storageMost)
})
