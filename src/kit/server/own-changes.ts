/** Seconds that reads go to the primary after a change; longer than the lag of any fresh replica. */
const maxAgeS = 6

/** `Set-Cookie` for a browser that has just changed something. Not signed: a forged one only sends reads to the primary. */
export const changedCookie = (isSecure: boolean): string =>
  `changed=1; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export const hasJustChanged = (cookieHeader: string): boolean => /(?:^|;\s*)changed=1(?:;|$)/.test(cookieHeader)
