/** Logs, at level error, a problem that the operator must solve. `details` hold ids and codes, never a person's address or text. */
export type Complain = (message: string, details?: Record<string, string | number>) => void

const silenceMs = 15 * 60_000

/** Logs the same complaint at most once in 15 minutes. */
export function onceInAWhile(complain: Complain): Complain {
  const saidAt = new Map<string, number>()
  return (message, details) => {
    const now = performance.now()
    for (const [key, at] of saidAt) if (now - at >= silenceMs) saidAt.delete(key)
    const key = `${message} ${JSON.stringify(details)}`
    if (saidAt.has(key)) return
    saidAt.set(key, now)
    complain(message, details)
  }
}
