/** Calls that come close together become one. However many keep coming, it is made: none puts it off. */
export interface Throttled {
  soon: () => void
  end: () => void
}

/**
 * @param pauseMs from the first of them to the call
 * @param restMs from one call to the next, at least
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
