import { AsyncLocalStorage } from 'node:async_hooks'

/** Everybody gets an answer within 5 s; what is left over is for writing it. */
const answerMs = 4_200
/** What comes late for another reason, as after a long upload, may still ask for so long. */
const leastMs = 800

const asking = new AsyncLocalStorage<{ until: number }>()

/** All that `work` asks of the database together takes no longer than an answer may, of which `spentMs` are over. */
export function withinAnswerTime<T>(work: () => Promise<T>, spentMs = 0, mostMs = answerMs): Promise<T> {
  return asking.run({ until: performance.now() + mostMs - spentMs }, work)
}

/** How long a wait for the database may take, `mostMs` at the most. */
export function waitMs(mostMs: number): number {
  const now = asking.getStore()
  return now ? Math.min(mostMs, Math.max(leastMs, now.until - performance.now())) : mostMs
}

/** Whether another place may still be asked. */
export function hasTimeLeft(): boolean {
  const now = asking.getStore()
  return !now || now.until - performance.now() > leastMs
}
