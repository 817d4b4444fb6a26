const retryMs = 20_000

/** Runs `work` now, then every 20 s and on reconnect, until it returns true. Errors count as false. @returns stops it */
export function retryUntilDone(work: () => Promise<boolean>): () => void {
  let isBusy = false
  const attempt = async () => {
    if (isBusy) return
    isBusy = true
    const isDone = await work().catch(() => false)
    isBusy = false
    if (isDone) stop()
  }
  const timer = setInterval(attempt, retryMs)
  addEventListener('online', attempt)
  const stop = () => {
    clearInterval(timer)
    removeEventListener('online', attempt)
  }
  void attempt()
  return stop
}
