/** Seconds since a change was tapped that is sent late, at most: its age, so that a wrong clock of the device does not matter. */
export const longestAgoS = 31_536_000

/** Days for which a removal is known to additions that come late. */
export const removalsKeptDays = 30

/** More are in no export: somebody would have changed their mind every half minute of all these days. */
export const removalsMost = 100_000
