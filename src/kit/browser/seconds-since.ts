const longestAgo = 31_536_000

/** Undefined for what is sent at once. Between 0 and a year, wherever the device's clock was set meanwhile. */
export const secondsSince = (at = Date.now()) =>
  Math.min(Math.max(Math.floor((Date.now() - at) / 1000), 0), longestAgo) || undefined
