import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OpeningWeek } from '../contract.ts'
import type { Place } from './opening-hours.ts'

export interface HoursAsked {
  rows: { text: string; place: Place }[]
  /** Milliseconds since 1970. */
  from: number
  days: number
}

export interface HoursRead {
  known: boolean
  openings: { opens_at: Date; closes_at: Date }[]
  week: OpeningWeek | null
}

/**
 * Reads many opening hours beside the server: the library and its tables of holidays take tens of megabytes, and thousands
 * of texts take seconds. The thread starts with the first question and ends with `close`, which gives all of it back.
 */
export function hoursReader() {
  let worker: Worker | null = null
  return {
    /** The openings of `days` × 24 h from `from` on and the week of each text, in order. */
    async read(rows: HoursAsked['rows'], from: Temporal.Instant, days: number): Promise<HoursRead[]> {
      worker ??= new Worker(new URL('./hours-worker.ts', import.meta.url))
      const answer = once(worker, 'message') as Promise<[HoursRead[]]>
      worker.postMessage({ rows, from: from.epochMilliseconds, days } satisfies HoursAsked)
      return (await answer)[0]
    },
    async close() {
      await worker?.terminate()
      worker = null
    },
  }
}
