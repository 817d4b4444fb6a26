/** The only source of "now" for rules; a test hands in its own. */
export interface Clock {
  now(): Temporal.Instant
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() }

export function asDate(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds)
}

/** When something was tapped that says its age. */
export function secondsAgo({ clock }: { clock: Clock }, seconds = 0): Date {
  return asDate(clock.now().subtract({ milliseconds: Math.round(seconds * 1000) }))
}
