import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { atMost } from './at-most.ts'
import { appMost, caching, documentsMost, mapMost, pagesMost, storageMost } from './bounds.ts'

/** Stands in for a browser's caches: entries come in the order in which they were stored. */
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
/** A cache that is filled as the worker's strategies fill theirs. */
function aCache(entries: number, bytes: number, storesSize = true) {
  const cacheName = `cache ${names++}`
  const bound = atMost({ entries, bytes }, { storesSize })
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

it('a cache with too many bytes deletes its oldest entries, and only as many as needed', async () => {
  for (const storesSize of [true, false]) {
    const { put, urls } = aCache(100, 1000, storesSize)
    await put('/a', 400)
    await put('/b', 400)
    await put('/c', 200)
    expect(urls()).toEqual(['/a', '/b', '/c'])
    // an entry that is fetched again is the newest
    await put('/a', 400)
    await put('/d', 300)
    expect(urls()).toEqual(['/c', '/a', '/d'])
  }
})

it('an answer that is larger than the cache deletes nothing', async () => {
  const { put, urls } = aCache(100, 1000)
  await put('/a', 400)
  await put('/b', 1001)
  expect(urls()).toEqual(['/a'])
})

it('an answer that has grown counts with its new size', async () => {
  const { put, urls } = aCache(100, 1000)
  await put('/a', 100)
  await put('/b', 100)
  await put('/b', 950)
  expect(urls()).toEqual(['/b'])
})

it('a cache with too many entries deletes its oldest', async () => {
  const { put, urls } = aCache(2, 1000)
  for (const url of ['/a', '/b', '/c']) await put(url, 1)
  expect(urls()).toEqual(['/b', '/c'])
})

it('only answers with status 200 are stored, with their body and headers', async () => {
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

it('all caches together stay within the limit, also while a new version of the app waits', () => {
  const caches = Object.values(caching).reduce((sum, { bytes }) => sum + bytes, 0)
  expect(2 * (appMost + documentsMost) + mapMost + pagesMost + caches).toBeLessThanOrEqual(storageMost)
})
