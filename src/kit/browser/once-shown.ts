import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Runs `tell` once for each `key`, in the browser alone, when the page is really before somebody's eyes: not in server
 * rendering, not while prefetched or prerendered, not in a tab that nobody has looked at yet.
 */
export function useOnceShown(key: string, tell: () => void) {
  const told = useRef<string | null>(null)
  const tellNow = useEffectEvent(tell)
  useEffect(() => {
    const look = () => {
      if (told.current === key || document.visibilityState !== 'visible') return
      told.current = key
      tellNow()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [key])
}
