import { maxSecondsAgo } from '../shared/seconds-ago.ts'

/** Seconds since `at` (ms since 1970), at most a year even if the device's clock was changed; undefined: less than one. */
export const secondsSince = (at?: number, now = Date.now()) =>
  Math.min(Math.max(Math.floor((now - (at ?? now)) / 1000), 0), maxSecondsAgo) || undefined
