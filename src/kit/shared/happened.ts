const cookieName = 'happened'
const maxAgeS = 600

/** Cookie that marks the browser in which a form has just done what the page at `address` reports. */
export function happenedCookie(address: string, isOverTls: boolean): string {
  const secure = isOverTls ? '; Secure' : ''
  return `${cookieName}=${encodeURIComponent(address)}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax${secure}`
}

/** True in the browser that `happenedCookie` has marked for this address (path and query). */
export function hasJustHappened(cookies: string, address: string): boolean {
  return cookies.split(/; */).includes(`${cookieName}=${encodeURIComponent(address)}`)
}
