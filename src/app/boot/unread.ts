import { useEffect, useState } from 'react'
import { useSession } from '../../accounts/web/session.ts'
import { tabStorage } from '../../kit/browser/storage.ts'

/** Lets the page's own requests go first. Without a network there is no wait: a cached urgent notice shows at once. */
const patienceMs = 5_000
const lastKnown = 'rheinklang-unread'

/**
 * Number of unread notifications, followed in the background; null for guests. Starts urgent notices as well, for everybody.
 * @param rests makes no requests for the number and shows the stored one
 */
export function useUnread(rests: boolean): number | null {
  const isGuest = useSession() === 'guest'
  const [unread, setUnread] = useState(storedCount)
  useEffect(() => {
    if (isGuest) storeCount(null)
    let end: (() => void) | null = null
    const over = new AbortController()
    const follow = async () => {
      const live = await import('./live.ts').catch(() => null)
      if (over.signal.aborted) return
      // the file could not be fetched: try again once there is a network
      if (!live) return addEventListener('online', follow, { once: true, signal: over.signal })
      live.followUrgent()
      if (isGuest || rests) return
      end = live.followOwn((count) => {
        setUnread(count)
        storeCount(count)
      })
    }
    const timer = setTimeout(follow, navigator.onLine ? patienceMs : 0)
    return () => {
      over.abort()
      clearTimeout(timer)
      end?.()
    }
  }, [isGuest, rests])
  return isGuest ? null : unread
}

const storedCount = () => Number(tabStorage.get(lastKnown)) || 0

const storeCount = (count: number | null) => tabStorage.set(lastKnown, count === null ? null : String(count))
