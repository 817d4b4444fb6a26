import { parentPort } from 'node:worker_threads'
import { expandOpeningHours, parseOpeningHours } from './opening-hours.ts'
import type { HoursRequest, HoursAnswer } from './hours-reader.ts'
import { weekOf } from './week.ts'

/** The worker of hours-reader.ts. */
parentPort!.on('message', ({ rows, from, days }: HoursRequest) => {
  const begin = Temporal.Instant.fromEpochMilliseconds(from)
  const read = rows.map(({ text, place }): HoursAnswer => {
    const hours = parseOpeningHours(text, place)
    if (!hours.known) return { known: false, openings: [], week: null }
    return {
      known: true,
      openings: expandOpeningHours(text, place, begin, days).map(({ opens_at, closes_at }) => ({
        opens_at: new Date(opens_at.epochMilliseconds),
        closes_at: new Date(closes_at.epochMilliseconds),
      })),
      week: weekOf(hours.normalised),
    }
  })
  parentPort!.postMessage(read)
})
