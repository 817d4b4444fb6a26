/** Paid places at the head of a search. */
export const sponsoredPlaces = 3
/** They move on this often, so that each promoted business has the first place equally often. */
const turnMinutes = 5

/** By how many places the row of promoted businesses has moved on, the same on every instance. */
export const sponsoredTurn = (now: Temporal.Instant) => Math.floor(now.epochMilliseconds / (turnMinutes * 60_000))
