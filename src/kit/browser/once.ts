/** Calls `work` the first time only. */
export function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/** One run at a time: whoever calls during a run gets its result. */
export function singleFlight<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  let running: Promise<Result> | null = null
  return (...args: Args): Promise<Result> =>
    (running ??= work(...args).finally(() => {
      running = null
    }))
}

/** Caches the result for as long as the document lives; a failure is not cached, so that the next call retries. */
export function untilFailure<Args extends unknown[], Result>(load: (...args: Args) => Promise<Result>) {
  let cached: Promise<Result> | null = null
  return (...args: Args): Promise<Result> =>
    (cached ??= load(...args).catch((error: unknown) => {
      cached = null
      throw error
    }))
}
