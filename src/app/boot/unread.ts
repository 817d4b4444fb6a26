import { useEffect, useState } from 'react'
import { useSession } from '../../accounts/web/session.ts'

/** What the page itself asks for comes first, ms; without a network an urgent notice that was kept does. */
const patienceMs = 5_000
const lastKnown = 'rheinklang-unread'

/**
 * How many notifications whoever is logged in has not read, followed in the background; null for guests. A page that
 * `rests` does not ask, and shows what was known last. What staff has everybody told comes along on all of them, for guests too.
 */
export function useUnread(rests: boolean): number | null {
  const isGuest = useSession() === 'guest'
  const [unread, setUnread] = useState(known)
  useEffect(() => {
    if (isGuest) keep(null)
    let end: (() => void) | null = null
    const over = new AbortController()
    const follow = async () => {
      const live = await import('./live.ts').catch(() => null)
      if (over.signal.aborted) return
      // the network went before the file came: it is fetched once there is one
      if (!live) return addEventListener('online', follow, { once: true, signal: over.signal })
      live.followUrgent()
      if (isGuest || rests) return
      end = live.followOwn((count) => {
        setUnread(count)
        keep(count)
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

function known(): number {
  try {
    return Number(sessionStorage.getItem(lastKnown)) || 0
  } catch {
    return 0
  }
}

function keep(count: number | null) {
  try {
    if (count === null) sessionStorage.removeItem(lastKnown)
    else sessionStorage.setItem(lastKnown, String(count))
  } catch {
    // storage is shut: the count comes with the next answer
  }
}
