/** Paid places at the top of a search. */
export const sponsoredPlaces = 3
/** How often they rotate, so that each promoted business is first equally often. */
const turnMinutes = 5

/** How far the promoted businesses have rotated, in places; the same on every instance. */
export const sponsoredTurn = (now: Temporal.Instant) => Math.floor(now.epochMilliseconds / (turnMinutes * 60_000))
