/**
 * Combines requests that come close together into one call. Further requests never delay it.
 * @param pauseMs from the first request to the call
 * @param restMs shortest time between two calls
 */
export function throttle(call: () => void, { pauseMs, restMs }: { pauseMs: number; restMs: number }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let restedAt = -Infinity
  return {
    /** Requests a call. */
    soon: () => {
      if (timer) return
      const run = () => {
        timer = undefined
        restedAt = performance.now() + restMs
        call()
      }
      timer = setTimeout(run, Math.max(pauseMs, restedAt - performance.now()))
    },
    /** Cancels a call that is due. */
    end: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
