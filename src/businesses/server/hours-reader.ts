import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OpeningWeek } from '../contract.ts'
import type { Place } from './opening-hours.ts'

export interface HoursRequest {
  rows: { text: string; place: Place }[]
  /** Milliseconds since 1970. */
  from: number
  days: number
}

export interface HoursAnswer {
  known: boolean
  openings: { opens_at: Date; closes_at: Date }[]
  week: OpeningWeek | null
}

/**
 * Reads opening hours in a worker thread: the library and its holiday tables take tens of megabytes, and thousands of texts take
 * seconds. The thread starts with the first `read`; `close` ends it and frees the memory.
 */
export function hoursReader() {
  let worker: Worker | null = null
  return {
    /** For each text in order, its openings in the `days` × 24 h from `from` on, and its week. */
    async read(rows: HoursRequest['rows'], from: Temporal.Instant, days: number): Promise<HoursAnswer[]> {
      worker ??= new Worker(new URL('./hours-worker.ts', import.meta.url))
      const answer = once(worker, 'message') as Promise<[HoursAnswer[]]>
      worker.postMessage({ rows, from: from.epochMilliseconds, days } satisfies HoursRequest)
      return (await answer)[0]
    },
    async close() {
      await worker?.terminate()
      worker = null
    },
  }
}
