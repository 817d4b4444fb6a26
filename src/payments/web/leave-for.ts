import { parseUrl } from '../../kit/shared/parse-url.ts'

/**
 * Sends the browser to the page on which something is paid: any https address, or our own origin. False, and nothing
 * happens, for every other scheme.
 */
export function leaveFor(sessionUrl: string): boolean {
  const url = parseUrl(sessionUrl, location.origin)
  if (!url || (url.protocol !== 'https:' && url.origin !== location.origin)) return false
  // a way back may show this page as it was left, in the middle of its wish
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  location.assign(url.href)
  return true
}
