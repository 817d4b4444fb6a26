import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Calls `callback` once for each `key` when somebody can see the page: not on the server, not while the page is prefetched or
 * prerendered, not in a background tab.
 */
export function useOnceShown(key: string, callback: () => void) {
  const lastKey = useRef<string | null>(null)
  const call = useEffectEvent(callback)
  useEffect(() => {
    const look = () => {
      if (lastKey.current === key || document.visibilityState !== 'visible') return
      lastKey.current = key
      call()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [key])
}
