/**
 * Name prefix of the service worker's caches with pages, answers and pictures that a person has looked at. All of them are
 * deleted when the person logs out.
 */
export const personalCachePrefix = 'seen-'
/** Header of an answer that comes from the service worker's cache: when it was received, as an HTTP date. */
export const cachedAtHeader = 'x-kept-at'
/** Local storage key: when this browser last cached what opens without a network, and in which language. */
export const lastCachedKey = 'kept'

/** Local storage key: id of the account whose pushes this browser receives. It outlives a session that expires. */
export const pushOwnerKey = 'pushOwner'

/**
 * Deletes everything personal from the service worker's caches.
 * @param isLogout also ends the push subscription of this browser; the server removes its side by itself
 */
export async function clearPersonalCaches(isLogout = false): Promise<void> {
  try {
    localStorage.removeItem(lastCachedKey)
    for (const name of await caches.keys()) if (name.startsWith(personalCachePrefix)) await caches.delete(name)
    if (!isLogout) return
    localStorage.removeItem(pushOwnerKey)
    const worker = await navigator.serviceWorker.getRegistration()
    await (await worker?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // without a secure context there are no caches and no workers
  }
}
