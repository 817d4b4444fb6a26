/**
 * Tells the operator, at level error, of something that needs a hand. `details` hold ids and codes, never an address or a
 * text of somebody.
 */
export type Complain = (message: string, details?: Record<string, string | number>) => void

const silenceMs = 15 * 60_000

/** What is met again and again is said once in a quarter of an hour. */
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
