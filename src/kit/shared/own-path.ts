import { parseUrl } from './parse-url.ts'

const longest = 2000

/**
 * The path on this site that a text from outside (`?next=`) means, normalised as the browser will read it; null for
 * everything that could lead elsewhere.
 */
export function ownPath(text: string | null | undefined): string | null {
  // what a browser would drop or turn into a slash (tab, line end, backslash) has no place in an address of ours
  if (!text || text.length > longest || !/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(text)) return null
  const base = 'http://own.invalid'
  const url = parseUrl(text, base)
  // "/.//evil.example" becomes "//evil.example", which would be a host
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}
