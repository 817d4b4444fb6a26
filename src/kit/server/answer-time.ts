import { AsyncLocalStorage } from 'node:async_hooks'

/** Database time of a request. Every answer comes within 5 s; the rest of them is for writing it. */
const answerMs = 4_200
/** Database time of a request that is late for another reason, such as a long upload. */
const leastMs = 800

const asking = new AsyncLocalStorage<{ until: number }>()

/** Runs `work` with a time limit on all of its database queries together: `mostMs`, less the `spentMs` that have passed. */
export function withinAnswerTime<T>(work: () => Promise<T>, spentMs = 0, mostMs = answerMs): Promise<T> {
  return asking.run({ until: performance.now() + mostMs - spentMs }, work)
}

/** How long one wait for the database may take now: what is left of the limit, at most `mostMs`. */
export function waitMs(mostMs: number): number {
  const now = asking.getStore()
  return now ? Math.min(mostMs, Math.max(leastMs, now.until - performance.now())) : mostMs
}

/** True while there is time for one more try at another database. */
export function hasTimeLeft(): boolean {
  const now = asking.getStore()
  return !now || now.until - performance.now() > leastMs
}
