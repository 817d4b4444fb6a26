import { parentPort } from 'node:worker_threads'
import { expandOpeningHours, parseOpeningHours } from './opening-hours.ts'
import type { HoursAsked, HoursRead } from './hours-reader.ts'
import { weekOf } from './week.ts'

/** The other end of hours-reader.ts. */
parentPort!.on('message', ({ rows, from, days }: HoursAsked) => {
  const begin = Temporal.Instant.fromEpochMilliseconds(from)
  const read = rows.map(({ text, place }): HoursRead => {
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
