import type { Bound } from './bounds.ts'

/** Of the body, as it was measured when it was stored. */
const bytesHeader = 'x-stored-bytes'

/** By cache and address, as far as this worker has measured it. */
const measured = new Map<string, number>()

/**
 * A cache that has grown beyond its bound loses the oldest: what was fetched the longest ago. `keepsSize`: its size is noted in
 * what is stored, so that the next worker need not read it all. Not for scripts: what is not stored as it came has no
 * compiled code beside it.
 */
export const atMost = (bound: Bound, { keepsSize }: { keepsSize: boolean }) => ({
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    response.status !== 200 ? null : keepsSize ? withSize(response, bound.bytes) : response,
  cacheDidUpdate: async ({ cacheName, request }: { cacheName: string; request: Request }) => {
    measured.delete(`${cacheName} ${request.url}`)
    await forgetOldest(cacheName, bound)
  },
})

/** null: it would displace all else and have no room itself. */
async function withSize(response: Response, most: number): Promise<Response | null> {
  const body = await response.blob()
  if (body.size > most) return null
  const headers = new Headers(response.headers)
  // of the answer as it travelled, which this is no more
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  headers.set(bytesHeader, String(body.size))
  return new Response(body, { status: response.status, headers })
}

async function forgetOldest(cacheName: string, { entries, bytes }: Bound): Promise<void> {
  const cache = await caches.open(cacheName)
  // in the order in which they were stored last
  const requests = await cache.keys()
  const sizes: number[] = []
  for (const request of requests) sizes.push(await sizeOf(cache, cacheName, request))
  let sum = sizes.reduce((all, size) => all + size, 0)
  let left = requests.length
  for (const [n, request] of requests.entries()) {
    if (left <= entries && sum <= bytes) return
    await cache.delete(request)
    measured.delete(`${cacheName} ${request.url}`)
    left--
    sum -= sizes[n]!
  }
}

async function sizeOf(cache: Cache, cacheName: string, request: Request): Promise<number> {
  const name = `${cacheName} ${request.url}`
  const known = measured.get(name)
  if (known !== undefined) return known
  const response = await cache.match(request)
  const noted = response?.headers.get(bytesHeader)
  const size = noted ? Number(noted) : ((await response?.blob())?.size ?? 0)
  measured.set(name, size)
  return size
}
