import { useEffect } from 'react'

/** Keeps the screen lit while a code is shown, where the browser can. It lets go by itself when the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let over = false
    const take = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      try {
        const taken = await navigator.wakeLock.request('screen')
        if (over) void taken.release()
        else lock = taken
      } catch {
        // refused, e.g. with a low battery: the screen goes dark as always
      }
    }
    const again = () => void take()
    void take()
    document.addEventListener('visibilitychange', again)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
}
