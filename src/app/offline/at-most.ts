/** A cache that has grown beyond `entries` loses the oldest. */
export const atMost = (entries: number) => ({
  cacheDidUpdate: async ({ cacheName }: { cacheName: string }) => {
    const cache = await caches.open(cacheName)
    const requests = await cache.keys()
    for (const oldest of requests.slice(0, Math.max(0, requests.length - entries))) await cache.delete(oldest)
  },
})
