import { maxSecondsAgo } from '../shared/seconds-ago.ts'

/** Undefined for what is sent at once. Between 0 and a year, wherever the device's clock was set meanwhile. */
export const secondsSince = (at?: number, now = Date.now()) =>
  Math.min(Math.max(Math.floor((now - (at ?? now)) / 1000), 0), maxSecondsAgo) || undefined
