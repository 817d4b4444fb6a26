import { parseUrl } from '../../kit/shared/parse-url.ts'

/** Sends the browser to a payment page: any https address, or our own origin. @returns false: another scheme, the browser stays */
export function leaveFor(sessionUrl: string): boolean {
  const url = parseUrl(sessionUrl, location.origin)
  if (!url || (url.protocol !== 'https:' && url.origin !== location.origin)) return false
  // The back button may restore this page from the browser's cache with its button still loading.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  location.assign(url.href)
  return true
}
