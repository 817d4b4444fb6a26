/** Largest `seconds_ago` of a change that is sent late: its age, so that a wrong clock of the device does not matter. */
export const maxSecondsAgo = 31_536_000

/** Retention of removals: an addition that comes late is compared with them. */
export const removalRetentionDays = 30

/** Most removals in an export of personal data: one every half minute of these days. */
export const maxRemovals = 100_000
