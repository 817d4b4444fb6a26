/** The only source of "now" for rules; tests give their own. */
export interface Clock {
  now(): Temporal.Instant
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() }

export function asDate(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds)
}

/** The moment `seconds` ago, for changes that are sent late with their age. */
export function secondsAgo({ clock }: { clock: Clock }, seconds = 0): Date {
  return asDate(clock.now().subtract({ milliseconds: Math.round(seconds * 1000) }))
}
