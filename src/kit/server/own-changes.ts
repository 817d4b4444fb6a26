/** For so long reads go to the primary: until every fresh replica has the change, with room to spare. */
const keptS = 6

/**
 * For `Set-Cookie`: its browser has just changed something. It is not signed: a made-up one only has the primary answer.
 */
export const changedCookie = (isSecure: boolean): string =>
  `changed=1; Path=/; Max-Age=${keptS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export const hasJustChanged = (cookieHeader: string): boolean => /(?:^|;\s*)changed=1(?:;|$)/.test(cookieHeader)
