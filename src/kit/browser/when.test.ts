import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wallAt } from './when.ts'

it.each(['Europe/Zurich', 'UTC', 'America/New_York', 'Asia/Tokyo'])(
  'the weekday on the clocks of %s is right',
  (zone) => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }), (now) => {
        const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
        const minute = here.hour * 60 + here.minute
        expect(wallAt(now, minute)).toEqual({ weekday: here.dayOfWeek, minute })
      }),
      { numRuns: 2000 },
    )
  },
)
