/**
 * Sends the browser to the page on which something is paid: any https address, or our own origin. False, and nothing
 * happens, for every other scheme.
 */
export function leaveFor(sessionUrl: string): boolean {
  const url = URL.parse(sessionUrl, location.origin)
  if (!url || (url.protocol !== 'https:' && url.origin !== location.origin)) return false
  location.assign(url.href)
  return true
}
