import type { Bound } from './bounds.ts'

/** Size of the body in bytes, measured when the answer was stored. */
const bytesHeader = 'x-stored-bytes'

/** Bytes by cache name and address. Filled as this worker measures entries, so that each is read once. */
const measured = new Map<string, number>()

/**
 * A Workbox plugin that deletes the oldest entries of a cache once it is beyond its bound. `storesSize` writes the size into a
 * header of each entry, so that the next worker need not read the bodies. False for scripts: browsers store compiled code
 * only beside an answer that is stored unchanged.
 */
export const atMost = (bound: Bound, { storesSize }: { storesSize: boolean }) => ({
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    response.status !== 200 ? null : storesSize ? withSize(response, bound.bytes) : response,
  cacheDidUpdate: async ({ cacheName, request }: { cacheName: string; request: Request }) => {
    measured.delete(`${cacheName} ${request.url}`)
    await deleteOldest(cacheName, bound)
  },
})

/** null: larger than the whole cache may be. Storing it would delete every other entry. */
async function withSize(response: Response, most: number): Promise<Response | null> {
  const body = await response.blob()
  if (body.size > most) return null
  const headers = new Headers(response.headers)
  // they describe the compressed answer, and the body is unpacked now
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  headers.set(bytesHeader, String(body.size))
  return new Response(body, { status: response.status, headers })
}

async function deleteOldest(cacheName: string, { entries, bytes }: Bound): Promise<void> {
  const cache = await caches.open(cacheName)
  // oldest first: a cache lists its entries in the order in which they were stored
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
