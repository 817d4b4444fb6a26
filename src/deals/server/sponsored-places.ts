/** Paid places at the head of a search. */
export const sponsoredPlaces = 3
/** They move on this often, so that each promoted business has the first place equally often. */
export const turnMinutes = 5

/**
 * The deals that take the paid places now. `promoted` holds one deal per promoted business in a fixed order; every five
 * minutes the row moves on by one, the same on every instance.
 */
export function pickSponsored<T>(promoted: readonly T[], now: Temporal.Instant): T[] {
  if (promoted.length === 0) return []
  const turn = Math.floor(now.epochMilliseconds / (turnMinutes * 60_000)) % promoted.length
  return [...promoted.slice(turn), ...promoted.slice(0, turn)].slice(0, sponsoredPlaces)
}
