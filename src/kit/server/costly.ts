import { AsyncLocalStorage } from 'node:async_hooks'
import pLimit from 'p-limit'
import { Refusal, unavailable } from '../shared/refusal.ts'

/** Connections that costly work may hold at once; what reads has six, and the others stay with simple requests. */
const atOnce = 2
/** Beyond this many waiting nobody's turn would come in time. */
const mostWaiting = 100
/** Whoever waited longer is refused instead of begun, ms: everybody gets an answer within 5 s. */
const longestWaitMs = 2500
const retryAfterS = 2

const queues = new WeakMap<object, ReturnType<typeof pLimit>>()

/**
 * Runs `work`, which asks the database for much: a map, or what a misspelt word may have meant. All such work of an instance
 * shares one small queue for each database, so that simple requests find a connection and a core meanwhile. Throws `unavailable`
 * (503 with `Retry-After`) when too much waits already. `work` must not call `costly` again: it would wait for itself.
 */
export async function costly<T>(db: object, work: () => Promise<T>): Promise<T> {
  let queue = queues.get(db)
  if (!queue) queues.set(db, (queue = pLimit(atOnce)))
  if (queue.pendingCount >= mostWaiting) throw new Refusal(unavailable, { retryAfterS })
  const asked = performance.now()
  // the queue would run it as part of the request before it, with that one's time for an answer
  const turn = AsyncLocalStorage.bind(() => {
    if (performance.now() - asked > longestWaitMs) throw new Refusal(unavailable, { retryAfterS })
    return work()
  })
  return queue(turn)
}
