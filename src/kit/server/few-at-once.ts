import pLimit from 'p-limit'
import { Refusal, unavailable } from '../shared/refusal.ts'

/**
 * Runs at most `atOnce` pieces of work at a time, in the order of arrival. At most `places` wait; who comes later, and whose
 * turn has not come after `patienceMs`, gets `unavailable` with `Retry-After` instead of a connection that is closed without
 * an answer.
 */
export function fewAtOnce({ atOnce, places, patienceMs }: { atOnce: number; places: number; patienceMs: number }) {
  const limit = pLimit(atOnce)
  let waiting = 0
  return <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const comeAgain = () => reject(new Refusal(unavailable, { retryAfterS: 5 }))
    if (waiting >= places) {
      comeAgain()
      return promise
    }
    waiting++
    let isLate = false
    const patience = setTimeout(() => {
      isLate = true
      waiting--
      comeAgain()
    }, patienceMs)
    void limit(async () => {
      if (isLate) return
      clearTimeout(patience)
      waiting--
      await work().then(resolve, reject)
    })
    return promise
  }
}
