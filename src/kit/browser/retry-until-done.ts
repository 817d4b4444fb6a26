const againMs = 20_000

/** Does `work` now, and until it says true every 20 s and when the network is back. @returns what ends it */
export function retryUntilDone(work: () => Promise<boolean>): () => void {
  let isBusy = false
  const attempt = async () => {
    if (isBusy) return
    isBusy = true
    const isDone = await work().catch(() => false)
    isBusy = false
    if (isDone) stop()
  }
  const timer = setInterval(attempt, againMs)
  addEventListener('online', attempt)
  const stop = () => {
    clearInterval(timer)
    removeEventListener('online', attempt)
  }
  void attempt()
  return stop
}
