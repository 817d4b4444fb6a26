import { cachedAtHeader } from './offline-caches.ts'

/** A smaller difference comes from the network and from the `Date` header, which has whole seconds. */
const leastMs = 20_000

/** How far the server's clock is ahead of this phone's, ms; null: no answer of the network came yet. */
const clock = { offsetMs: null as number | null }

/** The server's time, ms since 1970; the phone's, until the first answer has come. */
export const serverTime = (): number => Date.now() + (clock.offsetMs ?? 0)

/**
 * Sets the server's time by an answer. An answer from the browser's cache has an older date, which would set the clock back, so the
 * latest time counts.
 */
export function setServerTime(answer: Response): void {
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date) || answer.headers.has(cachedAtHeader)) return
  const ahead = date - Date.now()
  const offset = Math.abs(ahead) < leastMs ? 0 : ahead
  clock.offsetMs = Math.max(clock.offsetMs ?? offset, offset)
}
