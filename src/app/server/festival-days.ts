import type { FestivalDays } from '../../brand/festival-days.ts'
import type { Clock } from '../../kit/server/clock.ts'
import { whileReading } from '../../kit/server/database.ts'
import type { RoomQuestions } from '../../kit/server/room.ts'
import type { Config } from '../config.ts'

declare module '../../kit/server/room.ts' {
  interface RoomQuestions {
    /** The first and last day of the programme; null while there is none. Asked once a minute. */
    festivalDays: () => Promise<FestivalDays | null>
  }
}

export type AskDays = () => Promise<FestivalDays | null>

const freshMs = 60_000
/** Wait before the next try after a failure. */
const retryMs = 5_000

/**
 * Decides when the festival is: the operator's days, else from the first to the last day of the programme, else in the demo the
 * three days around today. The days of the programme are cached for a minute.
 */
export function askDays(
  { festival, demoData }: Config,
  clock: Clock,
  programmes: () => RoomQuestions['festivalDays'][],
): AskDays {
  let known: { until: number; days: Promise<FestivalDays | null> } | null = null
  let last: FestivalDays | null = null
  return () => {
    if (festival.days) return Promise.resolve(festival.days)
    const now = clock.now().epochMilliseconds
    if (!known || now >= known.until || now < known.until - freshMs) {
      const asked = { until: now + freshMs, days: whileReading(find, { mayLag: true }) }
      asked.days = asked.days.then(
        (days) => (last = days),
        () => {
          // the last known days, or none: pages work without
          asked.until = now + retryMs
          return last
        },
      )
      known = asked
    }
    return known.days
  }

  async function find(): Promise<FestivalDays | null> {
    for (const ask of programmes()) {
      const days = await ask()
      if (days) return days
    }
    if (!demoData) return null
    const today = clock.now().toZonedDateTimeISO(festival.zone).toPlainDate()
    return { start: today.subtract({ days: 1 }).toString(), end: today.add({ days: 1 }).toString() }
  }
}
