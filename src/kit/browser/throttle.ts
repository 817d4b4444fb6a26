export interface Throttled {
  /** Asks for a call; several requests before the call share it. */
  soon: () => void
  /** Cancels a call that is due. */
  end: () => void
}

/**
 * Combines calls that come close together. More requests never delay the call.
 * @param pauseMs from the first request to the call
 * @param restMs shortest time between two calls
 */
export function throttle(call: () => void, { pauseMs, restMs }: { pauseMs: number; restMs: number }): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let restedAt = -Infinity
  return {
    soon() {
      if (timer) return
      const run = () => {
        timer = undefined
        restedAt = performance.now() + restMs
        call()
      }
      timer = setTimeout(run, Math.max(pauseMs, restedAt - performance.now()))
    },
    end() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
