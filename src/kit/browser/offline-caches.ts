/**
 * Caches that the service worker fills with what a person has looked at. Their names begin alike, so that all of them go
 * at once with who leaves.
 */
export const personalCachePrefix = 'seen-'
/** When the worker received an answer that it gives again without a network: an HTTP date. */
export const cachedAtHeader = 'x-kept-at'
/** In local storage: when this browser last kept what opens without a network, and in which language. */
export const lastCachedKey = 'kept'

/** In local storage: the id of the person whose pushes this browser takes. Only who leaves on purpose takes it along. */
export const pushOwnerKey = 'pushOwner'

/**
 * Nothing that was looked at stays in this browser. `leaves`: for who leaves on purpose it takes no more pushes either, which the
 * server forgets by itself.
 */
export async function clearPersonalCaches(leaves = false): Promise<void> {
  try {
    localStorage.removeItem(lastCachedKey)
    for (const name of await caches.keys()) if (name.startsWith(personalCachePrefix)) await caches.delete(name)
    if (!leaves) return
    localStorage.removeItem(pushOwnerKey)
    const worker = await navigator.serviceWorker.getRegistration()
    await (await worker?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // without a secure context there are no caches and no workers
  }
}
