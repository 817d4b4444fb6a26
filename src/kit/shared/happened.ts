const cookieName = 'happened'
const maxAgeS = 600

/** For the browser in which a form has just done what the address says. */
export function happenedCookie(address: string, isOverTls: boolean): string {
  const secure = isOverTls ? '; Secure' : ''
  return `${cookieName}=${encodeURIComponent(address)}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax${secure}`
}

/** Whether what the address (path and query) says has just happened in the browser with these cookies. */
export function isHappened(cookies: string, address: string): boolean {
  return cookies.split(/; */).includes(`${cookieName}=${encodeURIComponent(address)}`)
}
